"""``numpy.exceptions``."""

from simulator.facade.public import missing as _missing
from simulator.ndarrays.ndarray_index import AxisError

__all__ = ["AxisError"]
__getattr__ = _missing("numpy.exceptions")
