"""How each primitive is written: name -> (function, equation, operand names) -> results.

JAX source: the lowering rules in ``jax/_src/lax/lax.py``, ``slicing.py``,
``control_flow/conditionals.py``; ``jax/_src/interpreters/mlir.py:
multi_broadcast_in_dim, convert_hlo``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from simulator.jaxprs.jaxpr import Eqn
from simulator.ndarrays.ndarray_make import asarray
from simulator.stablehlo.module import Function
from simulator.stablehlo.types import comparison, refuse, tensor
from simulator.types.avals import ShapedArray
from simulator.types.limits import iinfo

RULES: dict[str, Callable[..., list[str]]] = {}

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


def rule(*names: str) -> Callable:
    """Decorator: the rule of these primitives."""
    def register(function: Callable) -> Callable:
        RULES.update(dict.fromkeys(names, function))
        return function
    return register


def _out(eqn: Eqn) -> ShapedArray:
    return eqn.outvars[0].aval


def _full(f: Function, value: Any, aval: ShapedArray) -> str:
    name = f.constant(value, ShapedArray((), aval.dtype))
    return _widened(f, name, ShapedArray((), aval.dtype), aval)


def _widened(f: Function, name: str, aval: ShapedArray, to: ShapedArray) -> str:
    # Something smaller beside an array.
    if aval.shape == to.shape:
        return name
    to = ShapedArray(to.shape, aval.dtype)
    dims = _ints(range(to.ndim - aval.ndim, to.ndim))
    return f.operation(f"stablehlo.broadcast_in_dim {name}, dims = {dims} : ({tensor(aval)}) -> "
                       f"{tensor(to)}")[0]


def _same_shape(f: Function, eqn: Eqn, names: Sequence[str]) -> list[str]:
    shape = _out(eqn).shape
    return [_widened(f, n, a.aval, ShapedArray(shape, a.aval.dtype))
            for n, a in zip(names, eqn.invars)]


def _ints(values: Sequence[Any]) -> str:
    return f"[{', '.join(map(str, map(int, values)))}]"


# --- element by element --------------------------------------------------------

@rule(*_UNARY)
def _unary(f: Function, eqn: Eqn, x: str) -> list[str]:
    name = eqn.primitive.name
    if eqn.invars[0].aval.dtype.family == "c" or (name == "sign" and _out(eqn).dtype.family == "u"):
        raise refuse(f"{name} of {_out(eqn).dtype.name}")
    if eqn.params.get("accuracy") is not None:
        raise refuse(f"{name} with an accuracy")
    return f.operation(f"stablehlo.{_UNARY[name]} {x} : {tensor(_out(eqn))}")


@rule(*_CHLO)
def _chlo(f: Function, eqn: Eqn, x: str) -> list[str]:
    kind = tensor(_out(eqn))
    return f.operation(f"chlo.{_CHLO[eqn.primitive.name]} {x} : {kind} -> {kind}")


@rule("is_finite")
def _is_finite(f: Function, eqn: Eqn, x: str) -> list[str]:
    return f.operation(f"stablehlo.is_finite {x} : ({tensor(eqn.invars[0].aval)}) -> "
                       f"{tensor(_out(eqn))}")


@rule("round")
def _round(f: Function, eqn: Eqn, x: str) -> list[str]:
    kind = {0: "round_nearest_afz", 1: "round_nearest_even"}[int(eqn.params["rounding_method"].value)]
    return f.operation(f"stablehlo.{kind} {x} : {tensor(_out(eqn))}")


@rule("copy", "copy_p", "stop_gradient")
def _copy(f: Function, eqn: Eqn, x: str) -> list[str]:
    return [x]


@rule(*_BINARY)
def _binary(f: Function, eqn: Eqn, x: str, y: str) -> list[str]:
    name = eqn.primitive.name
    if eqn.invars[0].aval.dtype is not eqn.invars[1].aval.dtype or (
            _out(eqn).dtype.family == "c" and name in ("max", "min")) or (
            name in ("mul", "add", "max", "min") and _out(eqn).dtype.family == "b"):
        raise refuse(f"{name} of {_out(eqn).dtype.name}")
    x, y = _same_shape(f, eqn, [x, y])
    return f.operation(f"stablehlo.{_BINARY[name]} {x}, {y} : {tensor(_out(eqn))}")


@rule("eq", "ne", "lt", "le", "gt", "ge")
def _compare(f: Function, eqn: Eqn, x: str, y: str) -> list[str]:
    aval = eqn.invars[0].aval
    x, y = _same_shape(f, eqn, [x, y])
    kind = tensor(ShapedArray(_out(eqn).shape, aval.dtype))
    return f.operation(f"stablehlo.compare {eqn.primitive.name.upper()}, {x}, {y}, "
                       f"{comparison(aval.dtype)} : ({kind}, {kind}) -> {tensor(_out(eqn))}")


@rule("select_n")
def _select(f: Function, eqn: Eqn, which: str, *cases: str) -> list[str]:
    chooser = eqn.invars[0].aval
    if chooser.dtype.family != "b" or len(cases) != 2:
        raise refuse("select_n of several cases")
    return f.operation(f"stablehlo.select {which}, {cases[1]}, {cases[0]} : {tensor(chooser)}, "
                       f"{tensor(_out(eqn))}")


@rule("clamp")
def _clamp(f: Function, eqn: Eqn, low: str, x: str, high: str) -> list[str]:
    low = _widened(f, low, eqn.invars[0].aval, _out(eqn))
    high = _widened(f, high, eqn.invars[2].aval, _out(eqn))
    return f.operation(f"stablehlo.clamp {low}, {x}, {high} : {tensor(_out(eqn))}")


@rule("convert_element_type")
def _convert(f: Function, eqn: Eqn, x: str) -> list[str]:
    aval, out = eqn.invars[0].aval, _out(eqn)
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
    y, out = eqn.params["y"], _out(eqn)
    if y == 0:
        return [_full(f, 1, out)]

    def times(a: str, b: str) -> str:
        return f.operation(f"stablehlo.multiply {a}, {b} : {tensor(out)}")[0]

    power, left, result = x, abs(y), ""
    if y == 3:
        return [times(times(x, x), x)]
    while left:
        if left & 1:
            result = times(result, power) if result else power
        left >>= 1
        if left:
            power = times(power, power)
    if y > 0:
        return [result]
    one = _full(f, 1, out)
    return f.operation(f"stablehlo.divide {one}, {result} : {tensor(out)}")


@rule("logistic")
def _logistic(f: Function, eqn: Eqn, x: str) -> list[str]:
    out = _out(eqn)
    kind = tensor(out)
    (minus,) = f.operation(f"stablehlo.negate {x} : {kind}")
    (power,) = f.operation(f"stablehlo.exponential {minus} : {kind}")
    (below,) = f.operation(f"stablehlo.add {_full(f, 1, out)}, {power} : {kind}")
    return f.operation(f"stablehlo.divide {_full(f, 1, out)}, {below} : {kind}")


# --- shapes --------------------------------------------------------------------

@rule("broadcast_in_dim")
def _broadcast(f: Function, eqn: Eqn, x: str) -> list[str]:
    return f.operation(
        f"stablehlo.broadcast_in_dim {x}, dims = {_ints(eqn.params['broadcast_dimensions'])} : "
        f"({tensor(eqn.invars[0].aval)}) -> {tensor(_out(eqn))}")


@rule("reshape", "squeeze")
def _reshape(f: Function, eqn: Eqn, x: str) -> list[str]:
    if eqn.params.get("dimensions") is not None and eqn.primitive.name == "reshape":
        raise refuse("reshape with an order of dimensions")
    return f.operation(f"stablehlo.reshape {x} : ({tensor(eqn.invars[0].aval)}) -> "
                       f"{tensor(_out(eqn))}")


@rule("transpose")
def _transpose(f: Function, eqn: Eqn, x: str) -> list[str]:
    return f.operation(f"stablehlo.transpose {x}, dims = {_ints(eqn.params['permutation'])} : "
                       f"({tensor(eqn.invars[0].aval)}) -> {tensor(_out(eqn))}")


@rule("rev")
def _rev(f: Function, eqn: Eqn, x: str) -> list[str]:
    return f.operation(f"stablehlo.reverse {x}, dims = {_ints(eqn.params['dimensions'])} : "
                       f"{tensor(_out(eqn))}")


@rule("slice")
def _slice(f: Function, eqn: Eqn, x: str) -> list[str]:
    p, aval = eqn.params, eqn.invars[0].aval
    return [_sliced(f, x, aval, _out(eqn), p["start_indices"], p["limit_indices"],
                    p["strides"] or (1,) * aval.ndim)]


def _sliced(f: Function, x: str, aval: Any, out: Any, starts: Any, limits: Any, strides: Any
            ) -> str:
    parts = [f"{a}:{b}" + (f":{s}" if s != 1 else "") for a, b, s in zip(starts, limits, strides)]
    return f.operation(f"stablehlo.slice {x} [{', '.join(parts)}] : ({tensor(aval)}) -> "
                       f"{tensor(out)}")[0]


@rule("split")
def _split(f: Function, eqn: Eqn, x: str) -> list[str]:
    aval, axis, start = eqn.invars[0].aval, eqn.params["axis"], 0
    names = []
    for var, size in zip(eqn.outvars, eqn.params["sizes"]):
        starts, limits = [0] * aval.ndim, list(aval.shape)
        starts[axis], limits[axis] = start, start + size
        names.append(_sliced(f, x, aval, var.aval, starts, limits, (1,) * aval.ndim))
        start += size
    return names


@rule("concatenate")
def _concatenate(f: Function, eqn: Eqn, *xs: str) -> list[str]:
    kinds = ", ".join(tensor(a.aval) for a in eqn.invars)
    return f.operation(f"stablehlo.concatenate {', '.join(xs)}, dim = {eqn.params['dimension']} : "
                       f"({kinds}) -> {tensor(_out(eqn))}")


@rule("pad")
def _pad(f: Function, eqn: Eqn, x: str, value: str) -> list[str]:
    low, high, interior = map(_ints, zip(*eqn.params["padding_config"]))
    return f.operation(
        f"stablehlo.pad {x}, {value}, low = {low}, high = {high}, interior = {interior} : "
        f"({tensor(eqn.invars[0].aval)}, {tensor(eqn.invars[1].aval)}) -> {tensor(_out(eqn))}")


@rule("iota")
def _iota(f: Function, eqn: Eqn) -> list[str]:
    return f.operation(f"stablehlo.iota dim = {eqn.params['dimension']} : {tensor(_out(eqn))}")


@rule("dynamic_slice")
def _dynamic_slice(f: Function, eqn: Eqn, x: str, *starts: str) -> list[str]:
    kinds = ", ".join(tensor(a.aval) for a in eqn.invars)
    return f.operation(
        f"stablehlo.dynamic_slice {', '.join([x, *starts])}, sizes = "
        f"{_ints(eqn.params['slice_sizes'])} : ({kinds}) -> {tensor(_out(eqn))}")


@rule("dynamic_update_slice")
def _dynamic_update_slice(f: Function, eqn: Eqn, *names: str) -> list[str]:
    kinds = ", ".join(tensor(a.aval) for a in eqn.invars)
    return f.operation(f"stablehlo.dynamic_update_slice {', '.join(names)} : ({kinds}) -> "
                       f"{tensor(_out(eqn))}")


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
        f"{_ints(eqn.params['axes'])} : ({tensor(aval)}, {tensor(scalar)}) -> {tensor(_out(eqn))}")


@rule("dot_general")
def _dot(f: Function, eqn: Eqn, x: str, y: str) -> list[str]:
    (left, right), (batch_left, batch_right) = eqn.params["dimension_numbers"]
    one, other = (a.aval for a in eqn.invars)
    if one.dtype is not other.dtype or one.dtype.family not in "fiu":
        raise refuse(f"dot_general of {one.dtype.name} and {other.dtype.name}")
    batch = (f"batching_dims = {_ints(batch_left)} x {_ints(batch_right)}, " if batch_left else "")
    return f.operation(
        f"stablehlo.dot_general {x}, {y}, {batch}contracting_dims = {_ints(left)} x "
        f"{_ints(right)}, precision = {_precision(eqn.params['precision'])} : ({tensor(one)}, "
        f"{tensor(other)}) -> {tensor(_out(eqn))}")


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
