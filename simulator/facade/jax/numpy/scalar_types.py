"""``jnp.float32`` and its like: dtypes that make arrays when called.

JAX source: ``jax/_src/numpy/scalar_types.py``.
"""

from __future__ import annotations

from typing import Any

from simulator.types import scalar_types as np_types
from simulator.types.dtype_core import DType


class _ScalarMeta(type):
    """The type of ``jnp.float32``."""

    dtype: DType

    def __hash__(cls) -> int:
        return hash(cls.dtype.type)

    def __eq__(cls, other: object) -> bool:
        return cls is other or bool(cls.dtype.type == other)

    def __ne__(cls, other: object) -> bool:
        return not cls == other

    def __call__(cls, x: Any) -> Any:
        from simulator.facade.jax.numpy.constructors import asarray
        return asarray(x, dtype=cls.dtype)

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, cls.dtype.type)


_ScalarMeta.__module__ = "jax._src.numpy.scalar_types"


def _make(scalar: type) -> _ScalarMeta:
    made = _ScalarMeta(scalar.__name__, (object,), {"dtype": scalar.scalar_dtype})
    made.__module__ = "jax.numpy"
    made.__doc__ = f"A JAX scalar constructor of type {scalar.__name__}."
    return made


bool_ = _make(np_types.bool_)
int8, int16, int32, int64 = map(_make, (np_types.int8, np_types.int16, np_types.int32,
                                        np_types.int64))
uint8, uint16, uint32, uint64 = map(_make, (np_types.uint8, np_types.uint16, np_types.uint32,
                                            np_types.uint64))
bfloat16, float16 = _make(np_types.bfloat16), _make(np_types.float16)
float32 = single = _make(np_types.float32)
float64 = double = _make(np_types.float64)
complex64 = csingle = _make(np_types.complex64)
complex128 = cdouble = _make(np_types.complex128)
int_, uint, float_, complex_ = int64, uint64, float64, complex128
