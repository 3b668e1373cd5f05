"""Making arrays from Python values, and NumPy's own type promotion.

NumPy promotes differently from JAX (int32 with float32 is float64); Python
numbers are weak there too, but only in operations, not in `np.array`.

Simplified: no object, string or datetime arrays (OutOfScope).
"""

from __future__ import annotations

import math

from simulator.errors import OutOfScope
from simulator.ndarrays.ndarray_core import NDArray
from simulator.types import dtype_core as dt
from simulator.types.dtype_core import DType
from simulator.types.rounding import cast, int_range, normalize

_SIZE_TO_SIGNED = {1: dt.int8, 2: dt.int16, 4: dt.int32, 8: dt.int64}


def promote(a: DType, b: DType) -> DType:
    """`np.promote_types` of two dtypes."""
    if a is b:
        return a
    rank = "biufc"
    if a.family not in rank or b.family not in rank:
        raise OutOfScope(f"numpy promotion of {a} and {b}")
    if rank.index(a.family) > rank.index(b.family):
        a, b = b, a
    fa, fb = a.family, b.family
    if fa == "b":
        return b
    if fa in "iu" and fb in "iu":
        if fa == fb:
            return a if a.itemsize >= b.itemsize else b
        signed, unsigned = (a, b) if fa == "i" else (b, a)
        if signed.itemsize > unsigned.itemsize:
            return signed
        return _SIZE_TO_SIGNED.get(2 * unsigned.itemsize, dt.float64)
    if fb == "f":
        if fa == "f":
            if dt.bfloat16 in (a, b) and a.itemsize == b.itemsize:
                return dt.float32
            return a if a.itemsize >= b.itemsize else b
        if b is dt.bfloat16:
            return b if a.itemsize == 1 else dt.float32 if a.itemsize == 2 else dt.float64
        need = {1: 2, 2: 4}.get(a.itemsize, 8)
        size = max(need, b.itemsize)
        return {2: dt.float16, 4: dt.float32, 8: dt.float64}[size]
    if fa == "c":
        return dt.complex128
    real = dt.float64 if (a.itemsize > 2 and fa in "iu") or a is dt.float64 else dt.float32
    return dt.complex128 if dt.complex128 is b or real is dt.float64 else dt.complex64


def operand(x):
    """(array, weak) of an operand: weak is 1, 2, 3 for a Python int, float, complex."""
    kind = {int: 1, float: 2, complex: 3}.get(type(x), 0)
    if kind == 1:
        # Of any size: whether it fits depends on the other operands.
        return NDArray((), dt.int64, [x]), kind
    return asarray(x), kind


def result_dtype(operands) -> DType:
    """The common type of `(array or dtype, weak)` operands, NumPy's NEP 50 rules."""
    strong = [a if isinstance(a, DType) else a.dtype for a, weak in operands if not weak]
    weak = max((w for _, w in operands), default=0)
    if not strong:
        return {1: dt.int64, 2: dt.float64, 3: dt.complex128}[weak]
    out = strong[0]
    for other in strong[1:]:
        out = promote(out, other)
    if weak == 1 and out.family == "b":
        return dt.int64
    if weak == 2 and out.family in "biu":
        return dt.float64
    if weak == 3 and out.family != "c":
        return dt.complex64 if out.family == "f" and out.itemsize <= 4 else dt.complex128
    return out


def check_int(value: int, to: DType) -> int:
    """NumPy's OverflowError for a Python int that does not fit."""
    low, high = int_range(to)
    if not -(1 << 63) <= value < 1 << 64:
        raise OverflowError("Python int too large to convert to C long")
    if not low <= value <= high:
        raise OverflowError(f"Python integer {value} out of bounds for {to}")
    return value


def _leaf_dtype(x) -> DType:
    t = type(x)
    if t is bool:
        return dt.bool_
    if t is int:
        if -(1 << 63) <= x < 1 << 63:
            return dt.int64
        if 0 <= x < 1 << 64:
            return dt.uint64
        raise OutOfScope("numpy object array", "the integer does not fit 64 bits")
    if t is float:
        return dt.float64
    if t is complex:
        return dt.complex128
    if isinstance(x, (str, bytes)):
        raise OutOfScope("numpy string array", "use numbers")
    if isinstance(x, int):
        return _leaf_dtype(int(x))
    if isinstance(x, float):
        return dt.float64
    raise OutOfScope(f"numpy object array (of {t.__name__})", "use numbers")


def _convert(value, src: DType, to: DType):
    """One Python number into `to`, with the checks that np.array makes."""
    if to.family in "iu" and src.family in "iu" and isinstance(value, int):
        return check_int(value, to)
    if src.family == "c" and to.family in "iuf":
        kind = "int" if to.family in "iu" else "float"
        what = "a string, a bytes-like object or a real number" if kind == "int" else \
            "a string or a real number"
        raise TypeError(f"{kind}() argument must be {what}, not 'complex'")
    if to.family == "f" and src.family in "iu":
        return normalize([float(value)], to)[0]
    return cast([value], src, to, saturate=False)[0]


_NUMBERS = frozenset({bool, int, float, complex})


def _is_sequence(x) -> bool:
    return isinstance(x, (list, tuple, range))


def _as_array(x):
    """`x` as an NDArray when it is one or turns into one by itself, else None."""
    if isinstance(x, NDArray):
        return x
    if hasattr(x, "__array__") and not isinstance(x, type):
        return x.__array__()
    return None


def asarray(x, dtype_=None) -> NDArray:
    """`np.asarray`: arrays pass through, numbers and nested sequences become arrays.

    Raises:
      ValueError: ragged nesting. OverflowError: an int outside `dtype_`.
      OutOfScope: strings, objects.
    """
    to = None if dtype_ is None else dt.dtype(dtype_)
    if type(x) not in _NUMBERS:
        from simulator.placement.devices import DeviceArray, holds_devices
        if holds_devices(x):
            return DeviceArray(x)  # the one object array that programs need: for meshes
        own = _as_array(x)
        if own is not None:
            return own if to is None or to is own.dtype else own.astype(to)
    if not _is_sequence(x):
        if isinstance(x, str) and to is not None:
            x = complex(x) if to.family == "c" else float(x) if to.family == "f" else int(x)
        src = dt.int64 if type(x) is int and to is not None else _leaf_dtype(x)
        return NDArray((), to or src, [_convert(x, src, to or src)])
    leaves, shape = [], []
    _measure(x, shape, 0)
    _collect(x, shape, 0, leaves)
    return _from_leaves(leaves, tuple(shape), to)


def _measure(x, shape, depth) -> None:
    # The shape is that of the first elements; _collect checks the others.
    a = None if _is_sequence(x) else _as_array(x)
    if a is not None:
        shape.extend(a.shape)
    elif _is_sequence(x):
        shape.append(len(x))
        if len(x):
            _measure(x[0], shape, depth + 1)


def _collect(x, shape, depth, leaves) -> None:
    a = None if _is_sequence(x) else _as_array(x)
    if a is not None:
        if a.shape != tuple(shape[depth:]):
            raise _ragged(shape, depth)
        leaves.append(a)
    elif _is_sequence(x):
        if depth >= len(shape) or len(x) != shape[depth]:
            raise _ragged(shape, depth)
        for item in x:
            _collect(item, shape, depth + 1, leaves)
    else:
        if depth != len(shape):
            raise _ragged(shape, depth)
        leaves.append(x)


def _ragged(shape, depth) -> ValueError:
    known = tuple(shape[:depth])
    return ValueError(
        "setting an array element with a sequence. The requested array has an inhomogeneous "
        f"shape after {len(known)} dimensions. The detected shape was {known} + "
        "inhomogeneous part.")


def _from_leaves(leaves, shape, to) -> NDArray:
    if to is None:
        kinds = dict.fromkeys(a.dtype if isinstance(a, NDArray) else _leaf_dtype(a)
                              for a in leaves)
        to = next(iter(kinds), dt.float64)
        for k in kinds:
            to = promote(to, k)
    values: list = []
    for a in leaves:
        if isinstance(a, NDArray):
            values += cast(a.values(), a.dtype, to, saturate=False)
        else:
            values.append(_convert(a, dt.int64 if type(a) is int else _leaf_dtype(a), to))
    return NDArray(shape, to, values)


def asarray_like(x, to: DType) -> NDArray:
    """A value to be stored in an array of type `to` (ints must fit, the rest is cast)."""
    return asarray(x, to) if _as_array(x) is None else _as_array(x).astype(to, copy=False)


def broadcast_shapes(*shapes) -> tuple[int, ...]:
    """The common shape. Raises ValueError with NumPy's text for operators."""
    ndim = max(map(len, shapes), default=0)
    out = [1] * ndim
    for shape in shapes:
        for k, n in enumerate(reversed(shape)):
            at = ndim - 1 - k
            if out[at] == 1:
                out[at] = n
            elif n not in (1, out[at]):
                raise ValueError("operands could not be broadcast together with shapes "
                                 + " ".join(_shape_text(s) for s in shapes) + " ")
    return tuple(out)


def _shape_text(shape) -> str:
    return "(" + ",".join(map(str, shape)) + ("," if len(shape) == 1 else "") + ")"


def arange(start, stop=None, step=1, dtype_=None) -> NDArray:
    """`np.arange` (dtype from the arguments; length ceil((stop-start)/step))."""
    if stop is None:
        start, stop = 0, start
    args = [a.item() if hasattr(a, "item") else a for a in (start, stop, step)]
    if dtype_ is None:
        to = result_dtype([(_as_array(a) if _as_array(a) is not None else _leaf_dtype(a), 0)
                           for a in (start, stop, step)])
    else:
        to = dt.dtype(dtype_)
    first, last, hop = args
    if hop == 0:
        raise ZeroDivisionError("division by zero")
    n = max(0, math.ceil((last - first) / hop))
    src = dt.float64 if any(isinstance(a, float) for a in args) else dt.int64
    # NumPy fills from the first two elements, which is exact for integers.
    return NDArray((n,), to, lambda: cast(
        [first + i * hop for i in range(n)] if src is dt.int64
        else [float(first) + i * float((first + hop) - first) for i in range(n)],
        src, to, saturate=False))


def linspace(start, stop, num=50, endpoint=True, dtype_=None) -> NDArray:
    """`np.linspace` for scalar ends."""
    num = num.__index__()
    a, b = float(start), float(stop)
    div = (num - 1) if endpoint else num
    step = (b - a) / div if div > 0 else math.nan
    values = [i * step + a for i in range(num)] if div > 0 else [a] * num
    if endpoint and num > 1:
        values[-1] = b
    to = dt.float64 if dtype_ is None else dt.dtype(dtype_)
    if to.family in "iu":
        values = [math.floor(v) for v in values]
        return NDArray((num,), to, cast(values, dt.int64, to))
    return NDArray((num,), to, cast(values, dt.float64, to))
