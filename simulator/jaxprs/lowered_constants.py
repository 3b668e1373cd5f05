"""What the functions that lowering traces do with constants.

Nobody sees it, but under ``jax.ensure_compile_time_eval``: there an operation on constants is
computed at once, and asks the cache of operations. What they do with their arguments is
left out here: it is staged, and asks nothing.

JAX source: ``jax/_src/lax/lax.py: _integer_pow, _canonicalize_float_for_sort,
_operands_to_keys, _compute_argminmax``; ``jax/_src/lax/slicing.py: _gather_fill,
_clamp_scatter_indices``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from simulator.jaxprs import applying
from simulator.jaxprs.jaxpr import Eqn
from simulator.ndarrays.ndarray import asarray
from simulator.types import dtypes


def integer_pow(y: int) -> Callable:
    """A power that is no positive number starts from a one, or divides one."""
    def power(x: Any) -> tuple:
        if y <= 0:
            _lax().full_like(x, 1)
        return ()
    return power


def positions(x: Any, dtype: Any, axes: Sequence[int]) -> None:
    """The position of each element, which goes with it through ``argmin`` and ``argmax``."""
    axis, = axes
    _lax().broadcasted_iota(dtype, x.shape, axis, out_sharding=x.aval.sharding)


def sort_keys(count: int) -> Callable:
    """The comparator: of the keys that are floats or complex, zeros and NaNs are made alike.

    count: of the operands, how many are keys; each stands twice in the arguments.
    """
    def comparator(*operands: Any) -> tuple:
        for x in operands[:2 * count]:
            for _ in range({"f": 1, "c": 2}.get(x.dtype.family, 0)):
                _zero_and_nan(_lax().real(x) if x.dtype.family == "c" else x)
        return ()
    return comparator


def _zero_and_nan(x: Any) -> None:
    _lax().full_like(x, 0, shape=())
    _lax().full_like(x, 0)
    with applying.states(jax_debug_nans=False):
        _lax().full_like(x, float("nan"))


def gather_fill(eqn: Eqn) -> Callable:
    """The largest index on each axis, and what is put where an index is beyond it."""
    numbers, sizes = eqn.params["dimension_numbers"], eqn.params["slice_sizes"]

    def filled(operand: Any, indices: Any) -> tuple:
        bounds = [operand.shape[i] - sizes[i] for i in numbers.start_index_map]
        lax = _lax()
        lax.expand_dims(_indices(bounds), range(len(indices.shape) - 1))
        found = lax.gather(operand, indices, numbers, sizes, mode="promise_in_bounds")
        lax.full_like(found, eqn.params["fill_value"])
        return ()
    return filled


def scatter_clip(numbers: Any) -> Callable:
    """The largest index on each axis, in the type and shape of the indices."""
    def clipped(operand: Any, indices: Any, updates: Any) -> tuple:
        lax = _lax()
        windows = iter(numbers.update_window_dims)
        alone = {*numbers.inserted_window_dims, *numbers.operand_batching_dims}
        sizes = [1 if i in alone else updates.shape[next(windows)] for i in range(len(operand.shape))]
        bound = _indices([operand.shape[i] - sizes[i] for i in numbers.scatter_dims_to_operand_dims])
        largest = min(dtypes.iinfo(bound.dtype).max, dtypes.iinfo(indices.dtype).max)
        bound = lax.convert_element_type(lax.min(bound, bound.dtype.type(largest)), indices.dtype)
        lax.broadcast_in_dim(bound, indices.shape, (len(indices.shape) - 1,))
        return ()
    return clipped


def _indices(bounds: Sequence[int]) -> Any:
    # No array is so long here that its positions need more bits (`array_size` refuses it).
    return asarray(bounds, dtypes.int32)


def _lax() -> Any:
    from simulator.facade.jax import lax  # the facade is above this layer
    return lax
