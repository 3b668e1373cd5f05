"""Bringing Python numbers into the values an element type can hold.

Integers wrap, floats round to nearest even, as the hardware does.  Values are
plain Python: bool, int, float (already rounded), complex, and for PRNG keys a
tuple of 32-bit words.

Simplified: NaN payloads are not kept.  JAX source: none, IEEE 754 and XLA's
conversion rules.
"""

from __future__ import annotations

import array
import math
import struct

from simulator.errors import OutOfScope
from simulator.types.dtype_core import DType, bfloat16, complex64, float16, float32, float64


def _to_bfloat16(x: float) -> float:
    """Nearest bfloat16, ties to even; x is already a float32 value."""
    if x != x or x in (math.inf, -math.inf) or x == 0.0:
        return x
    bits = int.from_bytes(struct.pack("<f", x), "little")
    bits += 0x7FFF + ((bits >> 16) & 1)
    return struct.unpack("<f", (bits & 0xFFFF0000).to_bytes(4, "little"))[0]


def _to_half(x: float) -> float:
    """Nearest float16, ties to even, overflowing to infinity."""
    if x != x or x in (math.inf, -math.inf):
        return x
    if abs(x) >= 65520.0:
        return math.copysign(math.inf, x)
    return struct.unpack("<e", struct.pack("<e", x))[0]


def _to_singles(xs: list) -> list:
    return array.array("f", xs).tolist()


def round_floats(values: list, dt: DType) -> list:
    """Round Python floats to the float type `dt`; the list is not changed.

    Half types round through float32, as XLA's CPU code does: it computes in
    float32 and narrows the result.
    """
    if dt is float64:
        return values
    if dt is float32:
        return _to_singles(values)
    if dt is bfloat16:
        return [_to_bfloat16(x) for x in _to_singles(values)]
    if dt is float16:
        return [_to_half(x) for x in _to_singles(values)]
    raise TypeError(f"not a float dtype: {dt}")


def round_complex(values: list, dt: DType) -> list:
    """Round both parts of Python complex numbers to `dt`."""
    if dt is complex64:
        re = _to_singles([complex(v).real for v in values])
        im = _to_singles([complex(v).imag for v in values])
        return [complex(a, b) for a, b in zip(re, im)]
    return [complex(v) for v in values]


def wrap_ints(values: list, dt: DType) -> list:
    """Integers modulo the width of `dt`, in two's complement when signed."""
    bits = dt.itemsize * 8
    mask = (1 << bits) - 1
    if dt.family == "u":
        return [v & mask for v in values]
    half = 1 << (bits - 1)
    return [((v + half) & mask) - half for v in values]


def int_range(dt: DType) -> tuple[int, int]:
    """Smallest and largest integer of an integer type."""
    bits = dt.itemsize * 8
    return (0, (1 << bits) - 1) if dt.family == "u" else (-(1 << bits - 1), (1 << bits - 1) - 1)


def _float_to_int(x: float, dt: DType, saturate: bool) -> int:
    """Truncate; outside the range, saturate (XLA) or wrap where C does (NumPy)."""
    low, high = int_range(dt)
    if x != x:
        n = 0 if saturate else None
    elif x in (math.inf, -math.inf):
        n = (high if x > 0 else low) if saturate else None
    else:
        n = int(x)
    if n is not None and low <= n <= high:
        return n
    if saturate:
        return high if n > high else low
    if n is not None and dt.itemsize < 4 and -(1 << 31) <= n < 1 << 31:
        return wrap_ints([n], dt)[0]
    raise OutOfScope(f"numpy conversion of {x!r} to {dt}",
                     "its result is undefined in C; convert a value that fits")


def cast(values: list, src: DType, dst: DType, saturate: bool = True) -> list:
    """Convert values of type `src` to `dst` (a new list, or the same if equal).

    Args:
      saturate: floats outside an integer type go to its nearest end (XLA);
        False follows NumPy on x86-64.
    """
    if src is dst or src == dst:
        return values
    s, d = src.family, dst.family
    if d == "b":
        return [v != 0 for v in values]
    if d in "iu":
        if s == "b":
            return [int(v) for v in values]
        if s in "iu":
            return wrap_ints(values, dst)
        if s == "c":
            values = [v.real for v in values]
        return [_float_to_int(v, dst, saturate) for v in values]
    if d == "f":
        if s == "c":
            values = [v.real for v in values]
        elif s != "f":
            values = [float(v) for v in values]
        return round_floats(values, dst)
    if d == "c":
        return round_complex(values, dst)
    if d == "v":
        return [(b"",)] * len(values)  # float0: records without fields
    raise TypeError(f"cannot convert {src} to {dst}")


def normalize(values: list, dt: DType) -> list:
    """Bring freshly computed Python numbers into `dt` (wrap, round, truth)."""
    f = dt.family
    if f == "f":
        return round_floats(values, dt)
    if f in "iu":
        return wrap_ints(values, dt)
    if f == "c":
        return round_complex(values, dt)
    if f == "b":
        return [bool(v) for v in values]
    return values
