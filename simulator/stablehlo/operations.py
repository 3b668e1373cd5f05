"""How arithmetic, sums, products and functions are written.

JAX source: the lowering rules in ``jax/_src/lax/lax.py``, ``jax/_src/lax/slicing.py``,
``jax/_src/lax/control_flow/conditionals.py``; ``jax/_src/interpreters/mlir.py:
multi_broadcast_in_dim, convert_hlo``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from simulator.jaxprs.jaxpr import Eqn
from simulator.jaxprs.operations import power
from simulator.ndarrays.ndarray_make import asarray
from simulator.stablehlo import shaping as _shaping  # noqa: F401  (more rules)
from simulator.stablehlo.module import Function
from simulator.stablehlo.rules import numbers, result, rule
from simulator.stablehlo.types import comparison, refuse, tensor
from simulator.types.avals import ShapedArray
from simulator.types.limits import iinfo

_UNARY = {
    "neg": "negate", "sign": "sign", "floor": "floor", "ceil": "ceil", "abs": "abs",
    "exp": "exponential", "log": "log", "log1p": "log_plus_one",
    "expm1": "exponential_minus_one", "sin": "sine", "cos": "cosine", "tan": "tan",
    "tanh": "tanh", "sqrt": "sqrt", "rsqrt": "rsqrt", "cbrt": "cbrt", "not": "not"}
_CHLO = {"square": "square", "erf": "erf", "erfc": "erfc", "asin": "asin", "acos": "acos",
         "atan": "atan", "sinh": "sinh", "cosh": "cosh", "asinh": "asinh", "acosh": "acosh",
         "atanh": "atanh"}
_BINARY = {
    "add": "add", "sub": "subtract", "mul": "multiply", "div": "divide", "rem": "remainder",
    "max": "maximum", "min": "minimum", "pow": "power", "atan2": "atan2", "and": "and",
    "or": "or", "xor": "xor", "shift_left": "shift_left",
    "shift_right_logical": "shift_right_logical",
    "shift_right_arithmetic": "shift_right_arithmetic", "add_any": "add"}
_REDUCE = {"reduce_sum": "add", "reduce_max": "maximum", "reduce_min": "minimum",
           "reduce_prod": "multiply", "reduce_and": "and", "reduce_or": "or"}


def _full(f: Function, value: Any, aval: ShapedArray) -> str:
    name = f.constant(value, ShapedArray((), aval.dtype))
    return _widened(f, name, ShapedArray((), aval.dtype), aval)


def _widened(f: Function, name: str, aval: ShapedArray, to: ShapedArray) -> str:
    # Something smaller beside an array.
    if aval.shape == to.shape:
        return name
    to = ShapedArray(to.shape, aval.dtype)
    dims = numbers(range(to.ndim - aval.ndim, to.ndim))
    return f.operation(f"stablehlo.broadcast_in_dim {name}, dims = {dims} : ({tensor(aval)}) -> "
                       f"{tensor(to)}")[0]


def _same_shape(f: Function, eqn: Eqn, names: Sequence[str]) -> list[str]:
    shape = result(eqn).shape
    return [_widened(f, n, a.aval, ShapedArray(shape, a.aval.dtype))
            for n, a in zip(names, eqn.invars)]


# --- element by element --------------------------------------------------------

@rule(*_UNARY)
def _unary(f: Function, eqn: Eqn, x: str) -> list[str]:
    name = eqn.primitive.name
    if eqn.invars[0].aval.dtype.family == "c" or (name == "sign" and result(eqn).dtype.family == "u"):
        raise refuse(f"{name} of {result(eqn).dtype.name}")
    if eqn.params.get("accuracy") is not None:
        raise refuse(f"{name} with an accuracy")
    return f.operation(f"stablehlo.{_UNARY[name]} {x} : {tensor(result(eqn))}")


@rule(*_CHLO)
def _chlo(f: Function, eqn: Eqn, x: str) -> list[str]:
    kind = tensor(result(eqn))
    return f.operation(f"chlo.{_CHLO[eqn.primitive.name]} {x} : {kind} -> {kind}")


@rule("is_finite")
def _is_finite(f: Function, eqn: Eqn, x: str) -> list[str]:
    return f.operation(f"stablehlo.is_finite {x} : ({tensor(eqn.invars[0].aval)}) -> "
                       f"{tensor(result(eqn))}")


@rule("round")
def _round(f: Function, eqn: Eqn, x: str) -> list[str]:
    kind = {0: "round_nearest_afz", 1: "round_nearest_even"}[int(eqn.params["rounding_method"].value)]
    return f.operation(f"stablehlo.{kind} {x} : {tensor(result(eqn))}")


@rule("copy", "copy_p", "stop_gradient")
def _copy(f: Function, eqn: Eqn, x: str) -> list[str]:
    return [x]


@rule(*_BINARY)
def _binary(f: Function, eqn: Eqn, x: str, y: str) -> list[str]:
    name = eqn.primitive.name
    if eqn.invars[0].aval.dtype is not eqn.invars[1].aval.dtype or (
            result(eqn).dtype.family == "c" and name in ("max", "min")) or (
            name in ("mul", "add", "max", "min") and result(eqn).dtype.family == "b"):
        raise refuse(f"{name} of {result(eqn).dtype.name}")
    x, y = _same_shape(f, eqn, [x, y])
    return f.operation(f"stablehlo.{_BINARY[name]} {x}, {y} : {tensor(result(eqn))}")


@rule("eq", "ne", "lt", "le", "gt", "ge")
def _compare(f: Function, eqn: Eqn, x: str, y: str) -> list[str]:
    aval = eqn.invars[0].aval
    x, y = _same_shape(f, eqn, [x, y])
    kind = tensor(ShapedArray(result(eqn).shape, aval.dtype))
    return f.operation(f"stablehlo.compare {eqn.primitive.name.upper()}, {x}, {y}, "
                       f"{comparison(aval.dtype)} : ({kind}, {kind}) -> {tensor(result(eqn))}")


@rule("select_n")
def _select(f: Function, eqn: Eqn, which: str, *cases: str) -> list[str]:
    chooser = eqn.invars[0].aval
    if chooser.dtype.family != "b" or len(cases) != 2:
        raise refuse("select_n of several cases")
    return f.operation(f"stablehlo.select {which}, {cases[1]}, {cases[0]} : {tensor(chooser)}, "
                       f"{tensor(result(eqn))}")


@rule("clamp")
def _clamp(f: Function, eqn: Eqn, low: str, x: str, high: str) -> list[str]:
    low = _widened(f, low, eqn.invars[0].aval, result(eqn))
    high = _widened(f, high, eqn.invars[2].aval, result(eqn))
    return f.operation(f"stablehlo.clamp {low}, {x}, {high} : {tensor(result(eqn))}")


@rule("convert_element_type")
def _convert(f: Function, eqn: Eqn, x: str) -> list[str]:
    aval, out = eqn.invars[0].aval, result(eqn)
    if aval.dtype is out.dtype:
        return f.operation(f"stablehlo.convert {x} : {tensor(out)}")
    if out.dtype.family == "b":
        zero = _full(f, 0, aval)
        (found,) = f.operation(f"stablehlo.compare NE, {x}, {zero}, {comparison(aval.dtype)} : "
                               f"({tensor(aval)}, {tensor(aval)}) -> {tensor(out)}")
        return f.operation(f"stablehlo.convert {found} : {tensor(out)}")
    if "c" in (aval.dtype.family, out.dtype.family):
        raise refuse("a conversion from or to complex numbers")
    return f.operation(f"stablehlo.convert {x} : ({tensor(aval)}) -> {tensor(out)}")


@rule("integer_pow")
def _integer_pow(f: Function, eqn: Eqn, x: str) -> list[str]:
    y, out = eqn.params["y"], result(eqn)
    if y == 0:
        return [_full(f, 1, out)]

    def times(a: str, b: str) -> str:
        return f.operation(f"stablehlo.multiply {a}, {b} : {tensor(out)}")[0]

    if y == 3:
        return [times(times(x, x), x)]
    done = power(x, abs(y), times)
    if y > 0:
        return [done]
    one = _full(f, 1, out)
    return f.operation(f"stablehlo.divide {one}, {done} : {tensor(out)}")


@rule("logistic")
def _logistic(f: Function, eqn: Eqn, x: str) -> list[str]:
    out = result(eqn)
    kind = tensor(out)
    (minus,) = f.operation(f"stablehlo.negate {x} : {kind}")
    (power,) = f.operation(f"stablehlo.exponential {minus} : {kind}")
    (below,) = f.operation(f"stablehlo.add {_full(f, 1, out)}, {power} : {kind}")
    return f.operation(f"stablehlo.divide {_full(f, 1, out)}, {below} : {kind}")


# --- sums and products ---------------------------------------------------------

def _start(kind: str, dtype: Any) -> Any:
    if kind in ("add", "or"):
        return asarray(0, dtype)
    if kind in ("multiply", "and"):
        return asarray(1, dtype)
    if dtype.family == "f":
        return -math.inf if kind == "maximum" else math.inf
    if dtype.family not in "iu":
        raise refuse(f"{kind} over an array of {dtype.name}")
    return iinfo(dtype).min if kind == "maximum" else iinfo(dtype).max


@rule(*_REDUCE)
def _reduce(f: Function, eqn: Eqn, x: str) -> list[str]:
    aval, kind = eqn.invars[0].aval, _REDUCE[eqn.primitive.name]
    scalar = ShapedArray((), aval.dtype)
    if aval.dtype.family == "c" or (kind in ("and", "or") and aval.dtype.family != "b"):
        raise refuse(f"{eqn.primitive.name} of {aval.dtype.name}")
    init = f.constant(_start(kind, aval.dtype), scalar)
    return f.operation(
        f"stablehlo.reduce({x} init: {init}) applies stablehlo.{kind} across dimensions = "
        f"{numbers(eqn.params['axes'])} : ({tensor(aval)}, {tensor(scalar)}) -> {tensor(result(eqn))}")


@rule("dot_general")
def _dot(f: Function, eqn: Eqn, x: str, y: str) -> list[str]:
    (left, right), (batch_left, batch_right) = eqn.params["dimension_numbers"]
    one, other = (a.aval for a in eqn.invars)
    if one.dtype is not other.dtype or one.dtype.family not in "fiu":
        raise refuse(f"dot_general of {one.dtype.name} and {other.dtype.name}")
    batch = (f"batching_dims = {numbers(batch_left)} x {numbers(batch_right)}, " if batch_left else "")
    return f.operation(
        f"stablehlo.dot_general {x}, {y}, {batch}contracting_dims = {numbers(left)} x "
        f"{numbers(right)}, precision = {_precision(eqn.params['precision'])} : ({tensor(one)}, "
        f"{tensor(other)}) -> {tensor(result(eqn))}")


def _precision(given: Any) -> str:
    both = given if isinstance(given, tuple) else (given, given)
    return f"[{', '.join('DEFAULT' if p is None else p.name for p in both)}]"


# --- functions inside ----------------------------------------------------------

@rule("jit")
def _jit(f: Function, eqn: Eqn, *names: str) -> list[str]:
    return f.call(eqn.params["name"], eqn.params["jaxpr"], eqn, names)


@rule("custom_jvp_call", "custom_vjp_call")
def _custom(f: Function, eqn: Eqn, *names: str) -> list[str]:
    return f.body(eqn.params["call_jaxpr"], names)


@rule("cond")
def _cond(f: Function, eqn: Eqn, index: str, *names: str) -> list[str]:
    outs = [tensor(v.aval) for v in eqn.outvars]
    if not outs:
        raise refuse("cond without results")
    count, aval = len(outs), eqn.invars[0].aval
    number = f.numbered
    f.numbered += 1
    lines = []
    for branch in eqn.params["branches"]:
        region = Function(f.writer, f.indent + "  ", f)
        region.returns("stablehlo.return", region.body(branch, names), branch.out_avals)
        lines.append(region.lines)
    f.line(f"%{number}{f':{count}' if count > 1 else ''} = \"stablehlo.case\"({index}) ({{")
    for i, inner in enumerate(lines):
        f.lines += inner
        end = f"}}) : ({tensor(aval)}) -> " + (outs[0] if count == 1 else f"({', '.join(outs)})")
        f.line(end if i == len(lines) - 1 else "}, {")
    return [f"%{number}"] if count == 1 else [f"%{number}#{i}" for i in range(count)]
