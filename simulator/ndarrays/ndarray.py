"""NDArray: the `numpy.ndarray` a program sees, and the storage of every jax.Array.

    a = asarray([[1, 2], [3, 4]])
    a + 1.5                      # operators, methods and printing as NumPy's
    NDArray((2,), "float32", [1.0, 2.0])
    NDArray.lazy((2,), "float32", lambda v: [2 * x for x in v], [a[0]])

The class itself is in `ndarray_core`; importing this module also gives it its
operators.
"""

from __future__ import annotations

from simulator.ndarrays import ndarray_ops  # noqa: F401  (adds operators and methods)
from simulator.ndarrays.cells import MAX_VALUES, Cell
from simulator.ndarrays.ndarray_bytes import from_bytes, to_bytes
from simulator.ndarrays.ndarray_core import NDArray
from simulator.ndarrays.ndarray_make import arange, asarray, broadcast_shapes, linspace
