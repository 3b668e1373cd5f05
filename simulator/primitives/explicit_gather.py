"""How explicit shardings go through gather and scatter.

A sharding passes where a whole dimension is taken, and through batch dimensions;
dimensions that are picked from, and those of the indices, must not be cut.

JAX source: jax/_src/lax/slicing.py: _gather_spec_computation,
_scatter_spec_computation.
"""

from __future__ import annotations

from simulator.errors import ShardingTypeError
from simulator.primitives.explicit import parts


def _agree(*axes) -> bool:
    return len({a for a in axes if a is not None}) <= 1


def gathered(operand, indices, *, dimension_numbers, slice_sizes, **params):
    """Rule of gather."""
    spec, index_spec = parts(operand), list(parts(indices))
    if all(p is None for p in (*spec, *index_spec)):
        return ()
    n = dimension_numbers
    batch = list(zip(n.operand_batching_dims, n.start_indices_batching_dims))
    clear = (all(slice_sizes[i] == operand.shape[i] or spec[i] is None for i in n.start_index_map)
             and all(_agree(spec[o], index_spec[i]) for o, i in batch)
             and all(p is None for i, p in enumerate(index_spec)
                     if i not in n.start_indices_batching_dims))
    if not clear:
        raise ShardingTypeError(
            "Use `.at[...].get(out_sharding=)` to provide output PartitionSpec for the gather "
            "indexing as out sharding could not be resolved unambiguously (or would require "
            f"collectives on inputs). Got {operand=}, {indices=}")
    for o, i in batch:
        index_spec[i] = index_spec[i] or spec[o]
    windows = iter([p for i, p in enumerate(spec)
                    if i not in (*n.collapsed_slice_dims, *n.operand_batching_dims)])
    places = iter(index_spec)
    rank = len(n.offset_dims) + len(indices.shape) - 1
    return tuple(next(windows) if i in n.offset_dims else next(places) for i in range(rank))


def scattered(operand, indices, updates, *, dimension_numbers, **params):
    """Rule of scatter and its combining forms."""
    spec, index_spec, update_spec = map(parts, (operand, indices, updates))
    if all(p is None for p in (*spec, *index_spec, *update_spec)):
        return ()
    n = dimension_numbers
    last = len(index_spec) - 1
    # Which index dimension each dimension of the updates belongs to; None: a window.
    origin: list = list(range(last))
    for i in n.update_window_dims:
        origin.insert(i, None)
    update_batch = [origin.index(i) for i in n.scatter_indices_batching_dims]
    batch = list(zip(n.operand_batching_dims, n.scatter_indices_batching_dims, update_batch))
    windows = list(zip(n.update_window_dims, [
        i for i in range(len(spec))
        if i not in (*n.inserted_window_dims, *n.operand_batching_dims)]))
    clear = (
        all(_agree(spec[o], index_spec[i], update_spec[u]) for o, i, u in batch)
        and all(update_spec[u] == spec[o] if updates.shape[u] == operand.shape[o]
                else update_spec[u] is None and spec[o] is None for u, o in windows)
        and all(spec[i] is None for i in n.inserted_window_dims)
        and all(p is None for i, p in enumerate(update_spec)
                if i not in (*update_batch, *n.update_window_dims))
        and all(p is None for i, p in enumerate(index_spec)
                if i == last or i not in n.scatter_indices_batching_dims))
    if not clear:
        raise ShardingTypeError(
            "Use `.at[...].set/add/mul/...(out_sharding=)` to provide output PartitionSpec for the "
            "scatter update as out sharding could not be resolved unambiguously (or would require "
            f"collectives on inputs). Got {operand=}, {indices=}, {updates=}")
    out = list(spec)
    for o, i, u in batch:
        out[o] = out[o] or index_spec[i] or update_spec[u]
    for u, o in windows:
        out[o] = out[o] or update_spec[u]
    return tuple(out)
