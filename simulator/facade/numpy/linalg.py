"""``numpy.linalg``: norms only."""

from __future__ import annotations

from simulator.errors import OutOfScope
from simulator.facade.numpy.dispatching import dispatched as _dispatched
from simulator.facade.public import missing as _missing
from simulator.ndarrays import ndarray_make as make
from simulator.ndarrays import ndarray_reduce as reduce
from simulator.ndarrays.ufuncs import UFUNCS


def norm(x, ord=None, axis=None, keepdims=False):
    """The Euclidean norm (Frobenius for matrices)."""
    if ord not in (None, 2) or (ord == 2 and axis is None and make.asarray(x).ndim != 1):
        raise OutOfScope(f"numpy.linalg.norm with ord {ord!r}")
    a = UFUNCS["absolute"](make.asarray(x))
    return UFUNCS["sqrt"](reduce.sum(a * a, axis, keepdims=keepdims))


globals().update(_dispatched(globals()))

__getattr__ = _missing("numpy.linalg")
