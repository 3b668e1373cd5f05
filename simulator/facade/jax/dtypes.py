"""``jax.dtypes``."""

from typing import Any

from simulator.device_arrays.values import x64 as _x64
from simulator.facade import jax as _jax
from simulator.facade.public import missing as _missing
from simulator.types import dtypes as _dtypes
from simulator.types import scalar_types as _scalars
from simulator.types.dtypes import TypePromotionError, finfo, iinfo, issubdtype

__getattr__ = _missing("jax.dtypes")

bfloat16, extended, float0 = _scalars.bfloat16, _scalars.extended, _dtypes.float0
prng_key = _scalars.prng_key


def canonicalize_dtype(dtype: Any, allow_extended_dtype: bool = False) -> _dtypes.DType:
    """``jax.dtypes.canonicalize_dtype``: 64-bit types become 32-bit ones unless x64 is on."""
    found = _dtypes.dtype(dtype)
    if found.family == "k" and not allow_extended_dtype:
        raise ValueError("Internal: canonicalize_dtype called on extended dtype "
                         f"{found} with allow_extended_dtype=False")
    return _dtypes.canonicalize(found, _x64())


def result_type(*args: Any, return_weak_type_flag: bool = False) -> Any:
    """``jax.dtypes.result_type``: `jax.numpy.result_type`."""
    if return_weak_type_flag:
        from simulator.errors import OutOfScope
        raise OutOfScope("jax.dtypes.result_type(return_weak_type_flag=True)")
    return _jax.numpy.result_type(*args)


def scalar_type_of(x: Any) -> type:
    """``jax.dtypes.scalar_type_of``: bool, int, float or complex."""
    family = _jax.lax.dtype(x).family
    kinds = {"b": bool, "i": int, "u": int, "f": float, "c": complex}
    if family not in kinds:
        raise TypeError(f"Invalid scalar value {x}")
    return kinds[family]


__all__ = ["TypePromotionError", "bfloat16", "canonicalize_dtype", "extended", "finfo", "float0",
           "iinfo", "issubdtype", "prng_key", "result_type", "scalar_type_of"]
