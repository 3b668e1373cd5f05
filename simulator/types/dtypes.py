"""Dtypes in one place: types, names, promotion, limits, rounding.

    from simulator import dtypes
    dtypes.dtype("float32").short                     # 'f32'
    dtypes.canonicalize(dtypes.float64, x64=False)    # float32
    dtypes.lattice_result_type([(dtypes.int32, False), (dtypes.float32, True)], False)

JAX source: jax/_src/dtypes.py.
"""

from __future__ import annotations

from simulator.types.dtype_core import (
    ALL,
    COMPLEXES,
    FLOATS,
    SIGNED,
    UNSIGNED,
    DType,
    bfloat16,
    bool_,
    complex64,
    complex128,
    complex_of,
    dtype,
    float0,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    is_inexact,
    is_integer,
    key_dtype,
    real_part,
    short_name,
    uint8,
    uint16,
    uint32,
    uint64,
)
from simulator.types.limits import finfo, iinfo
from simulator.types.promotion import (
    TypePromotionError,
    canonicalize,
    default_dtype,
    lattice_result_type,
    least_upper_bound,
    promote_types,
    result_type,
    to_inexact,
)
from simulator.types.rounding import cast, int_range, normalize

PYTHON_SCALARS = (bool, int, float, complex)


def python_scalar_dtype(value, x64: bool) -> DType:
    """The dtype JAX gives a Python scalar (always weak, except bool).

    Only the exact types count: a NumPy scalar that is also a float is not one.

    Raises:
      OverflowError: an int outside the default integer type.
    """
    dt = canonicalize(dtype(type(value)), x64)
    if dt.family == "i":
        check_int_fits(value, dt)
    return dt


def check_int_fits(value: int, dt: DType) -> None:
    """Raise JAX's OverflowError when a Python int does not fit (dtypes.scalar_type_to_dtype)."""
    low, high = int_range(dt)
    if not low <= value <= high:
        raise OverflowError(f"Python int {value} too large to convert to {dt}")


def issubdtype(a, b) -> bool:
    """`jax.numpy.issubdtype`: is `a` (dtype, name or scalar type) of kind `b`?

    `b` may be a dtype or an abstract scalar class (np.floating, jax.dtypes.prng_key).
    """
    from simulator.types import scalar_types
    return scalar_types.is_kind(a, b)


_DTYPE_KINDS = {
    "bool": {bool_}, "signed integer": set(SIGNED), "unsigned integer": set(UNSIGNED),
    "integral": {*SIGNED, *UNSIGNED}, "real floating": set(FLOATS),
    "complex floating": set(COMPLEXES),
    "numeric": {*SIGNED, *UNSIGNED, *FLOATS, *COMPLEXES},
}


def isdtype(dt, kind) -> bool:
    """`jax.numpy.isdtype`: is the dtype of a named kind, equal to a dtype, or any of a tuple?"""
    dt = dtype(dt)
    for k in kind if isinstance(kind, tuple) else (kind,):
        if isinstance(k, str) and k in _DTYPE_KINDS:
            if dt in _DTYPE_KINDS[k]:
                return True
            continue
        try:
            if dt == dtype(k):
                return True
        except TypeError as err:
            if isinstance(k, str):
                raise ValueError(
                    f"Unrecognized kind={k!r} expected one of {list(_DTYPE_KINDS)}, "
                    "or a compatible input for jnp.dtype()") from err
            raise TypeError("Expected kind to be a dtype, string, or tuple; "
                            f"got kind={k!r}") from err
    return False
