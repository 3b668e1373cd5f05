"""``jax.typing``: names for annotations."""

from typing import Any, Union

from simulator.device_arrays.arrays import PublicArray as Array
from simulator.facade.public import missing as _missing
from simulator.ndarrays.ndarray import NDArray
from simulator.types.dtype_core import DType
from simulator.types.scalar_types import generic

__getattr__ = _missing("jax.typing")

ArrayLike = Union[Array, NDArray, generic, bool, int, float, complex]  # noqa: UP007
DTypeLike = Union[str, type[Any], DType]  # noqa: UP007

__all__ = ["ArrayLike", "DTypeLike"]
