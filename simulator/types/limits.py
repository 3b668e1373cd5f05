"""`finfo` and `iinfo`: the limits of the number types.

JAX source: jax/_src/dtypes.py: finfo, iinfo (they are those of ml_dtypes).
"""

from __future__ import annotations

import math

from simulator.types.dtype_core import DType, dtype, real_part
from simulator.types.rounding import int_range

# name: exponent bits, mantissa bits
_LAYOUT = {"bfloat16": (8, 7), "float16": (5, 10), "float32": (8, 23), "float64": (11, 52)}


class finfo:
    """Limits of a float type; the values are NumPy scalars of that type.

    Raises ValueError for integer types, as NumPy does.
    """

    __module__ = "ml_dtypes._finfo"  # messages show it

    def __init__(self, kind):
        dt = real_part(_dtype_of(kind))
        if dt.family != "f":
            raise ValueError(f"data type {dt!r} not compatible with finfo")
        self.dtype: DType = dt
        self.bits = dt.bits
        self.nexp, self.nmant = _LAYOUT[dt.name]
        bias = (1 << self.nexp - 1) - 1
        self.maxexp, self.minexp = bias + 1, 1 - bias
        self.machep, self.negep = -self.nmant, -self.nmant - 1
        self.iexp = self.nexp
        self.precision = {"bfloat16": 2, "float16": 3, "float32": 6, "float64": 15}[dt.name]
        eps = 2.0 ** -self.nmant
        largest = math.ldexp(2.0 - eps, bias)
        self._set(resolution=10.0 ** -self.precision, eps=eps, epsneg=eps / 2, max=largest,
                  min=-largest, tiny=math.ldexp(1.0, self.minexp),
                  smallest_normal=math.ldexp(1.0, self.minexp),
                  smallest_subnormal=math.ldexp(1.0, self.minexp - self.nmant))

    def _set(self, **values):
        from simulator.types.rounding import round_floats
        from simulator.types.scalar_types import make
        for name, value in values.items():
            setattr(self, name, make(self.dtype, round_floats([value], self.dtype)[0]))

    def __repr__(self):
        return (f"finfo(resolution={self.resolution}, min={self.min}, max={self.max}, "
                f"dtype={self.dtype})")


class iinfo:
    """Limits of an integer type. Raises ValueError for other types, as NumPy does."""

    def __init__(self, kind):
        dt = _dtype_of(kind)
        if dt.family not in "iu":
            raise ValueError(f"Invalid integer data type {dt.kind!r}.")
        self.dtype, self.bits, self.kind = dt, dt.bits, dt.family
        self.min, self.max = int_range(dt)

    def __repr__(self):
        return f"iinfo(min={self.min}, max={self.max}, dtype={self.dtype})"


def _dtype_of(kind) -> DType:
    if isinstance(kind, (bool, int, float, complex)) and not hasattr(kind, "dtype"):
        kind = type(kind)
    return dtype(kind)
