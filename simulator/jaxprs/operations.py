"""Which operations of the module an equation becomes.

Most primitives become one operation of their own name, with the parameters that
`Primitive.lowered` leaves. The rules here are for the others: what disappears, what is
taken into the function around it, and what becomes other operations. So two functions
that JAX lowers to the same operations have the same module, however they were written:
``x ** 2`` and ``x * x``, with or without ``jax.checkpoint`` around.

JAX source: the lowering rules in ``jax/_src/lax/lax.py``,
``jax/_src/custom_derivatives.py``, ``jax/_src/ad_checkpoint.py``;
``jax/_src/interpreters/mlir.py: convert_hlo``.

Simplified: sums over windows, sorting, sampling and functions of special kinds keep the
name of their primitive, where JAX writes out what they do.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from simulator.jaxprs.jaxpr import Eqn
from simulator.jaxprs.module_body import Body, plain_type, rule
from simulator.types.avals import ShapedArray
from simulator.types.dtypes import bool_, real_part

# Only what JAX knows of the value changes. (A conversion that only changes the weak type
# is an operation, from a type to the same.)
_NOTHING = ("pvary", "copy", "stage", "stop_gradient", "name")


# -- what disappears ---------------------------------------------------------------

@rule(*_NOTHING)
def _nothing(body: Body, eqn: Eqn, ins: list[str]) -> list[str]:
    return ins


@rule("tie")
def _tie(body: Body, eqn: Eqn, ins: list[str]) -> list[str]:
    return ins[1:]


# -- what is taken into the function around it ---------------------------------------

@rule("custom_jvp_call", "custom_vjp_call")
def _custom_call(body: Body, eqn: Eqn, ins: list[str]) -> list[str]:
    return body.write(eqn.params["call_jaxpr"], ins)


@rule("remat2")
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

def power(x: str, y: int, times: Callable[[str, str], str]) -> str:
    """The name of ``x ** y`` for y > 0, after the products that ``_integer_pow`` makes."""
    found = ""
    while y:
        if y & 1:
            found = times(found, x) if found else x
        y >>= 1
        if y:
            x = times(x, x)
    return found


@rule("integer_pow")
def _integer_pow(body: Body, eqn: Eqn, ins: list[str]) -> list[str]:
    (x,), aval, y = ins, eqn.outvars[0].aval, eqn.params["y"]

    def product(a: str, b: str) -> str:
        return body.one("mul", aval, a, b)

    if y == -1:
        return [body.one("div", aval, body.full(1, aval), x)]
    if y == 3:
        return [product(body.one("mul", plain_type(aval), x, x), x)]
    if y == 0:
        return [body.full_like(1, aval)]
    found = power(x, abs(y), product)
    if y > 0:
        return [found]
    return [body.one("div", aval, body.full_like(1, aval), found)]


@rule("square")
def _square(body: Body, eqn: Eqn, ins: list[str]) -> list[str]:
    aval = plain_type(eqn.outvars[0].aval)
    if aval.dtype.family in "iu":
        return [body.one("mul", aval, *ins, *ins)]
    return [body.one("square", aval, *ins)]


@rule("exp2")
def _exp2(body: Body, eqn: Eqn, ins: list[str]) -> list[str]:
    aval = plain_type(eqn.outvars[0].aval)
    scaled = body.one("mul", aval, body.full(math.log(2), aval), *ins)
    return [body.one("exp", aval, scaled, accuracy=eqn.params["accuracy"])]


@rule("logistic")
def _logistic(body: Body, eqn: Eqn, ins: list[str]) -> list[str]:
    aval = eqn.outvars[0].aval
    turned = body.one("exp", aval, body.one("neg", aval, *ins), accuracy=None)
    under = body.one("add", aval, body.full_like(1, aval), turned)
    return [body.one("div", aval, body.full_like(1, aval), under)]


@rule("sign")
def _sign(body: Body, eqn: Eqn, ins: list[str]) -> list[str]:
    aval = plain_type(eqn.outvars[0].aval)
    if aval.dtype.family != "u":
        return [body.one("sign", aval, *ins)]
    zero = body.one("eq", ShapedArray(aval.shape, bool_), *ins, body.full(0, aval))
    if_zero, if_not = body.full(0, aval), body.full(1, aval)
    return [body.one("select_n", aval, zero, if_not, if_zero)]


@rule("convert_element_type")
def _convert(body: Body, eqn: Eqn, ins: list[str]) -> list[str]:
    aval, out = eqn.invars[0].aval, eqn.outvars[0].aval
    if aval.dtype.family == "c" != out.dtype.family:
        aval = ShapedArray(aval.shape, real_part(aval.dtype))
        ins = [body.one("real", aval, *ins)]
    if out.dtype.family == "b":
        ins = [body.one("ne", plain_type(out), *ins, body.full(0, aval))]
    return body.plain(eqn, ins)


@rule("reshape")
def _reshape(body: Body, eqn: Eqn, ins: list[str]) -> list[str]:
    aval, order = eqn.invars[0].aval, eqn.params["dimensions"]
    if order is not None:
        turned = ShapedArray(tuple(aval.shape[d] for d in order), aval.dtype)
        ins = [body.one("transpose", turned, *ins, permutation=tuple(order))]
    return body.plain(eqn, ins)


@rule("tile")
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


@rule("split")
def _split(body: Body, eqn: Eqn, ins: list[str]) -> list[str]:
    return list(_along(body, eqn, *ins, [v.aval for v in eqn.outvars]))


@rule("unstack")
def _unstack(body: Body, eqn: Eqn, ins: list[str]) -> list[str]:
    aval, axis = eqn.invars[0].aval, eqn.params["axis"]
    row = ShapedArray((*aval.shape[:axis], 1, *aval.shape[axis + 1:]), aval.dtype)
    rows = _along(body, eqn, *ins, [row] * len(eqn.outvars))
    return [body.one("reshape", var.aval, piece) for var, piece in zip(eqn.outvars, rows)]


@rule("stack")
def _stack(body: Body, eqn: Eqn, ins: list[str]) -> list[str]:
    out, axis = eqn.outvars[0].aval, eqn.params["axis"]
    shape = (*out.shape[:axis], 1, *out.shape[axis + 1:])
    dims = tuple(d for d in range(out.ndim) if d != axis)
    ins = [body.one("broadcast_in_dim", ShapedArray(shape, out.dtype), name, shape=shape,
                    broadcast_dimensions=dims) for name in ins]
    return [body.one("concatenate", out, *ins, dimension=axis)]


@rule("dot_general")
def _dot_general(body: Body, eqn: Eqn, ins: list[str]) -> list[str]:
    out = eqn.outvars[0].aval
    avals = [a.aval for a in eqn.invars]
    if avals[0].dtype != avals[1].dtype:
        ins = [body.one("convert_element_type", ShapedArray(a.shape, out.dtype), name)
               for name, a in zip(ins, avals)]
    return body.plain(eqn, ins)


@rule("pow")
def _pow(body: Body, eqn: Eqn, ins: list[str]) -> list[str]:
    (x, y), out = ins, eqn.outvars[0].aval
    power = eqn.invars[1].aval
    if power.dtype != out.dtype:
        y = body.one("convert_element_type", ShapedArray(power.shape, out.dtype), y)
    return body.alike(eqn, [x, y])
