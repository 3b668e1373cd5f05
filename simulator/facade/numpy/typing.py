"""``numpy.typing``: names for annotations, without checks."""

from typing import Any

from simulator.facade.public import missing as _missing
from simulator.ndarrays.ndarray import NDArray

ArrayLike = DTypeLike = Any

__all__ = ["ArrayLike", "DTypeLike", "NDArray"]
__getattr__ = _missing("numpy.typing")
