"""The lines of one function of a module: its equations, written one after another.

Most equations are one operation with the name of their primitive; how the others are
written, `simulator.jaxprs.operations` says.

JAX source: ``jax/_src/interpreters/mlir.py: jaxpr_subcomp, multi_broadcast_in_dim,
full_like_aval, lower_with_sharding_in_types``.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

from simulator.jaxprs.jaxpr import Eqn, Jaxpr, Literal, Var, dce
from simulator.primitives.result_sharding import has_explicit_axis
from simulator.types.avals import ShapedArray
from simulator.types.dtypes import DType

# Primitive name -> rule: writes its operations, returns the names of the results.
RULES: dict[str, Callable[[Body, Eqn, list[str]], Sequence[str]]] = {}

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


def rule(*names: str) -> Callable:
    """Decorator: how equations of these primitives are written."""
    def add(made: Callable) -> Callable:
        RULES.update(dict.fromkeys(names, made))
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
        """A constant of a type, all elements equal, as ``full_like_aval`` writes it: spread
        out even where it is a scalar."""
        scalar = ShapedArray((), aval.dtype)
        return self.spread(self.constant(value, scalar), scalar, plain_type(aval))

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
        if primitive.name in RULES:
            return RULES[primitive.name](self, eqn, ins)
        return self.alike(eqn, ins) if primitive.name in _ELEMENTWISE else self.plain(eqn, ins)

    def alike(self, eqn: Eqn, ins: Sequence[str]) -> list[str]:
        """An equation as one operation on operands of one shape (and type, if it says so)."""
        out, params = eqn.outvars[0].aval, dict(eqn.params)
        ins = [name if a.aval.shape == out.shape else self.spread(name, a.aval, out)
               for name, a in zip(ins, eqn.invars)]
        if params.pop("out_dtype", None) is not None:
            ins = [self.one("convert_element_type", plain_type(out), name) for name in ins]
        return self.operations(eqn.primitive.name, ins, [out], params, eqn)

    def plain(self, eqn: Eqn, ins: Sequence[str]) -> list[str]:
        """An equation as one operation."""
        primitive = eqn.primitive
        kind, params = (primitive.lowered(eqn.params) if primitive.lowered
                        else (primitive.name, eqn.params))
        if (primitive.name in _COUNTING and params.get("unroll") != "all"
                and params.get("length") != 0):
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


def plain_type(aval: ShapedArray) -> ShapedArray:
    """A type without a place: on the way to a result nothing is said about it."""
    return ShapedArray(aval.shape, aval.dtype)
