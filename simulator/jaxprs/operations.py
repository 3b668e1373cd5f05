"""Which operations of the module an equation becomes.

Most primitives become one operation of their own name, with the parameters that
`Primitive.lowered` leaves. The rules here are for the others: what disappears, what is
taken into the function around it, and what becomes other operations. So two functions
that JAX lowers to the same operations have the same module, however they were written:
``x ** 2`` and ``x * x``, with or without ``jax.checkpoint`` around.

JAX source: the lowering rules in ``jax/_src/lax/lax.py``, ``custom_derivatives.py``,
``ad_checkpoint.py``; ``jax/_src/interpreters/mlir.py: multi_broadcast_in_dim,
full_like_aval, convert_hlo``.

Simplified: sums over windows, sorting, sampling and functions of special kinds keep the
name of their primitive, where JAX writes out what they do.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from simulator.jaxprs.jaxpr import Eqn, Jaxpr, Literal, Var, dce
from simulator.primitives.core import has_explicit_axis
from simulator.types.avals import ShapedArray
from simulator.types.dtypes import DType, bool_, real_part

# Primitive name -> rule: writes its operations, returns the names of the results.
_RULES: dict[str, Callable[[Body, Eqn, list[str]], Sequence[str]]] = {}

# A smaller operand is spread out before one of these operates on it.
_ELEMENTWISE = frozenset("""
    add sub mul div rem max min atan2 nextafter complex and or xor clamp
    shift_left shift_right_logical shift_right_arithmetic
    eq ne ge gt le lt eq_to le_to lt_to""".split())

# Parameters that no operation has, and those that the type of the result says.
_SAID = frozenset({"weak_type"})
_PLACED = frozenset({"sharding", "out_sharding"})
_PLACING = frozenset({"sharding_constraint", "reshard", "device_put"})

# Lowered as a loop that counts: with Python's integers, as wide as they are then.
_COUNTING = frozenset("""
    scan lu lu_pivots_to_permutation qr
    threefry2x32 random_bits random_split random_fold_in""".split())

# Only what JAX knows of the value changes. (A conversion that only changes the weak type
# is an operation, from a type to the same.)
_NOTHING = ("pvary", "copy", "stage", "stop_gradient", "name")


def _rule(*names: str) -> Callable:
    def add(made: Callable) -> Callable:
        _RULES.update(dict.fromkeys(names, made))
        return made

    return add


class Body:
    """The lines of one function of a module, as they are written.

    Args:
      param: ``(eqn or None, key, value) -> str``: a parameter as the module has it.
      numbers: ``(value, aval) -> str``: a constant.
      counter: what loops count with.
    """

    def __init__(self, param: Callable[[Eqn | None, str, Any], str],
                 numbers: Callable[[Any, ShapedArray], str], counter: DType):
        self.lines: list[str] = []
        self._param, self._written, self._counter = param, numbers, counter
        self._count = itertools.count()

    def _name(self) -> str:
        return f"%{next(self._count)}"

    def argument(self, aval: ShapedArray) -> str:
        """One more argument of the function; returns its name."""
        name = self._name()
        self.lines.append(f"arg {name}: {type_text(aval)}")
        return name

    def constant(self, value: Any, aval: ShapedArray) -> str:
        """A constant in place; returns its name."""
        name = self._name()
        self.lines.append(f"{name}:{type_text(aval)} = constant {self._written(value, aval)}")
        return name

    def operations(self, kind: str, ins: Sequence[str], avals: Sequence[ShapedArray],
                   params: dict[str, Any], eqn: Eqn | None = None) -> list[str]:
        """One operation with a result per type; returns their names."""
        names = [self._name() for _ in avals]
        outs = " ".join(f"{name}:{type_text(aval)}" for name, aval in zip(names, avals))
        left_out = _SAID if kind in _PLACING else _SAID | _PLACED
        written = " ".join(f"{k}={self._param(eqn, k, v)}"
                           for k, v in sorted(params.items()) if k not in left_out)
        self.lines.append(f"{outs} = {kind}[{written}] {' '.join(ins)}")
        return names

    def one(self, kind: str, aval: ShapedArray, *ins: str, **params: Any) -> str:
        """One operation with one result; returns its name."""
        return self.operations(kind, ins, [aval], params)[0]

    def spread(self, name: str, aval: ShapedArray, out: ShapedArray) -> str:
        """A value, repeated along the dimensions in front that it lacks: shape and place are
        those of `out`."""
        dims = tuple(range(out.ndim - aval.ndim, out.ndim))
        made = ShapedArray(out.shape, aval.dtype, mesh=out.mesh, spec=out.spec)
        return self.one("broadcast_in_dim", made, name, shape=out.shape,
                        broadcast_dimensions=dims)

    def full(self, value: Any, aval: ShapedArray) -> str:
        """A constant of a type, all elements equal, as ``full_like_aval`` writes it: spread out even where it is a scalar."""
        scalar = ShapedArray((), aval.dtype)
        return self.spread(self.constant(value, scalar), scalar, _plain(aval))

    def full_like(self, value: Any, aval: ShapedArray) -> str:
        """The same as ``lax.full_like`` writes it, which leaves a scalar as it is."""
        scalar = ShapedArray((), aval.dtype)
        name = self.constant(value, scalar)
        return self.spread(name, scalar, aval) if aval.ndim else name

    def write(self, jaxpr: Jaxpr, ins: Sequence[str]) -> list[str]:
        """The equations of a jaxpr, after each other; returns the names of its results."""
        # Operations whose results nobody uses do not survive lowering.
        jaxpr, _ = dce(jaxpr, [True] * len(jaxpr.outvars))
        names = dict(zip(map(id, jaxpr.invars), ins))

        def atom(value: Var | Literal) -> str:
            # A number in place is an operation of its own, in front of the one that needs it.
            return (self.constant(value.val, value.aval) if isinstance(value, Literal)
                    else names[id(value)])

        for var, value in zip(jaxpr.constvars, jaxpr.consts):
            names[id(var)] = self.constant(value, var.aval)
        for eqn in jaxpr.eqns:
            made = self._equation(eqn, [atom(a) for a in eqn.invars])
            names.update(zip(map(id, eqn.outvars), made))
        return [atom(a) for a in jaxpr.outvars]

    def _equation(self, eqn: Eqn, ins: list[str]) -> Sequence[str]:
        primitive = eqn.primitive
        if primitive.name in _RULES:
            return _RULES[primitive.name](self, eqn, ins)
        return self.alike(eqn, ins) if primitive.name in _ELEMENTWISE else self.plain(eqn, ins)

    def alike(self, eqn: Eqn, ins: Sequence[str]) -> list[str]:
        """An equation as one operation on operands of one shape (and type, if it says so)."""
        out, params = eqn.outvars[0].aval, dict(eqn.params)
        ins = [name if a.aval.shape == out.shape else self.spread(name, a.aval, out)
               for name, a in zip(ins, eqn.invars)]
        if params.pop("out_dtype", None) is not None:
            ins = [self.one("convert_element_type", _plain(out), name) for name in ins]
        return self.operations(eqn.primitive.name, ins, [out], params, eqn)

    def plain(self, eqn: Eqn, ins: Sequence[str]) -> list[str]:
        """An equation as one operation."""
        primitive = eqn.primitive
        kind, params = (primitive.lowered(eqn.params) if primitive.lowered
                        else (primitive.name, eqn.params))
        if primitive.name in _COUNTING and params.get("unroll") != "all" and params.get("length") != 0:
            params = dict(params, counter=self._counter)
        if primitive.as_traced and eqn.context is not None:
            params = dict(params, partitionable=eqn.context.threefry_partitionable)
        return self.operations(kind, ins, [v.aval for v in eqn.outvars], params, eqn)


def type_text(aval: ShapedArray) -> str:
    """A type as the module has it: no weak type; with explicit axes the place is written
    behind the operation (``lower_with_sharding_in_types``)."""
    text = f"{aval.dtype.name}{list(aval.shape)}"
    if aval.mesh is None or not has_explicit_axis(aval.mesh):
        return text
    return f"{text}@{aval.mesh.shape_tuple}{tuple(aval.spec)}"


def _plain(aval: ShapedArray) -> ShapedArray:
    # On the way to a result nothing is said about its place.
    return ShapedArray(aval.shape, aval.dtype)


# -- what disappears ---------------------------------------------------------------

@_rule(*_NOTHING)
def _nothing(body: Body, eqn: Eqn, ins: list[str]) -> list[str]:
    return ins


@_rule("tie")
def _tie(body: Body, eqn: Eqn, ins: list[str]) -> list[str]:
    return ins[1:]


# -- what is taken into the function around it ---------------------------------------

@_rule("custom_jvp_call", "custom_vjp_call")
def _custom_call(body: Body, eqn: Eqn, ins: list[str]) -> list[str]:
    return body.write(eqn.params["call_jaxpr"], ins)


@_rule("remat2")
def _remat(body: Body, eqn: Eqn, ins: list[str]) -> list[str]:
    p = eqn.params
    behind = p["prevent_cse"]
    if isinstance(behind, bool):
        behind = (behind,) * len(ins)
    if p["differentiated"] and any(behind):
        chosen = [i for i, kept in enumerate(behind) if kept]
        made = body.operations("optimization_barrier", [ins[i] for i in chosen],
                               [eqn.invars[i].aval for i in chosen], {})
        for i, name in zip(chosen, made):
            ins[i] = name
    return body.write(p["jaxpr"], ins)


# -- what becomes other operations ---------------------------------------------------

@_rule("integer_pow")
def _integer_pow(body: Body, eqn: Eqn, ins: list[str]) -> list[str]:
    (x,), aval, y = ins, eqn.outvars[0].aval, eqn.params["y"]

    def product(a: str, b: str) -> str:
        return body.one("mul", aval, a, b)

    if y == -1:
        return [body.one("div", aval, body.full(1, aval), x)]
    if y == 3:
        return [product(body.one("mul", _plain(aval), x, x), x)]
    if y == 0:
        return [body.full_like(1, aval)]
    found, left = "", abs(y)
    while left:
        if left & 1:
            found = product(found, x) if found else x
        left >>= 1
        if left:
            x = product(x, x)
    if y > 0:
        return [found]
    return [body.one("div", aval, body.full_like(1, aval), found)]


@_rule("square")
def _square(body: Body, eqn: Eqn, ins: list[str]) -> list[str]:
    aval = _plain(eqn.outvars[0].aval)
    if aval.dtype.family in "iu":
        return [body.one("mul", aval, *ins, *ins)]
    return [body.one("square", aval, *ins)]


@_rule("exp2")
def _exp2(body: Body, eqn: Eqn, ins: list[str]) -> list[str]:
    aval = _plain(eqn.outvars[0].aval)
    scaled = body.one("mul", aval, body.full(math.log(2), aval), *ins)
    return [body.one("exp", aval, scaled, accuracy=eqn.params["accuracy"])]


@_rule("logistic")
def _logistic(body: Body, eqn: Eqn, ins: list[str]) -> list[str]:
    aval = eqn.outvars[0].aval
    turned = body.one("exp", aval, body.one("neg", aval, *ins), accuracy=None)
    under = body.one("add", aval, body.full_like(1, aval), turned)
    return [body.one("div", aval, body.full_like(1, aval), under)]


@_rule("sign")
def _sign(body: Body, eqn: Eqn, ins: list[str]) -> list[str]:
    aval = _plain(eqn.outvars[0].aval)
    if aval.dtype.family != "u":
        return [body.one("sign", aval, *ins)]
    zero = body.one("eq", ShapedArray(aval.shape, bool_), *ins, body.full(0, aval))
    if_zero, if_not = body.full(0, aval), body.full(1, aval)
    return [body.one("select_n", aval, zero, if_not, if_zero)]


@_rule("convert_element_type")
def _convert(body: Body, eqn: Eqn, ins: list[str]) -> list[str]:
    aval, out = eqn.invars[0].aval, eqn.outvars[0].aval
    if aval.dtype.family == "c" != out.dtype.family:
        aval = ShapedArray(aval.shape, real_part(aval.dtype))
        ins = [body.one("real", aval, *ins)]
    if out.dtype.family == "b":
        ins = [body.one("ne", _plain(out), *ins, body.full(0, aval))]
    return body.plain(eqn, ins)


@_rule("reshape")
def _reshape(body: Body, eqn: Eqn, ins: list[str]) -> list[str]:
    aval, order = eqn.invars[0].aval, eqn.params["dimensions"]
    if order is not None:
        turned = ShapedArray(tuple(aval.shape[d] for d in order), aval.dtype)
        ins = [body.one("transpose", turned, *ins, permutation=tuple(order))]
    return body.plain(eqn, ins)


@_rule("tile")
def _tile(body: Body, eqn: Eqn, ins: list[str]) -> list[str]:
    aval, out, reps = eqn.invars[0].aval, eqn.outvars[0].aval, eqn.params["reps"]
    apart = tuple(n for size in aval.shape for n in (1, size))
    wide = tuple(n for pair in zip(reps, aval.shape) for n in pair)
    name = body.one("reshape", ShapedArray(apart, aval.dtype), *ins)
    name = body.spread(name, ShapedArray(apart, aval.dtype), ShapedArray(wide, aval.dtype))
    return [body.one("reshape", out, name)]


def _along(body: Body, eqn: Eqn, name: str, avals: Sequence[ShapedArray]) -> Iterator[str]:
    # Pieces of these types along the axis of the equation.
    axis = eqn.params["axis"]
    starts, limits = [0] * eqn.invars[0].aval.ndim, list(eqn.invars[0].aval.shape)
    for aval in avals:
        limits[axis] = starts[axis] + aval.shape[axis]
        yield body.one("slice", aval, name, start_indices=tuple(starts),
                       limit_indices=tuple(limits), strides=(1,) * aval.ndim)
        starts[axis] = limits[axis]


@_rule("split")
def _split(body: Body, eqn: Eqn, ins: list[str]) -> list[str]:
    return list(_along(body, eqn, *ins, [v.aval for v in eqn.outvars]))


@_rule("unstack")
def _unstack(body: Body, eqn: Eqn, ins: list[str]) -> list[str]:
    aval, axis = eqn.invars[0].aval, eqn.params["axis"]
    row = ShapedArray((*aval.shape[:axis], 1, *aval.shape[axis + 1:]), aval.dtype)
    rows = _along(body, eqn, *ins, [row] * len(eqn.outvars))
    return [body.one("reshape", var.aval, piece) for var, piece in zip(eqn.outvars, rows)]


@_rule("stack")
def _stack(body: Body, eqn: Eqn, ins: list[str]) -> list[str]:
    out, axis = eqn.outvars[0].aval, eqn.params["axis"]
    shape = (*out.shape[:axis], 1, *out.shape[axis + 1:])
    dims = tuple(d for d in range(out.ndim) if d != axis)
    ins = [body.one("broadcast_in_dim", ShapedArray(shape, out.dtype), name, shape=shape,
                    broadcast_dimensions=dims) for name in ins]
    return [body.one("concatenate", out, *ins, dimension=axis)]


@_rule("dot_general")
def _dot_general(body: Body, eqn: Eqn, ins: list[str]) -> list[str]:
    out = eqn.outvars[0].aval
    avals = [a.aval for a in eqn.invars]
    if avals[0].dtype != avals[1].dtype:
        ins = [body.one("convert_element_type", ShapedArray(a.shape, out.dtype), name)
               for name, a in zip(ins, avals)]
    return body.plain(eqn, ins)


@_rule("pow")
def _pow(body: Body, eqn: Eqn, ins: list[str]) -> list[str]:
    (x, y), out = ins, eqn.outvars[0].aval
    power = eqn.invars[1].aval
    if power.dtype != out.dtype:
        y = body.one("convert_element_type", ShapedArray(power.shape, out.dtype), y)
    return body.alike(eqn, [x, y])
