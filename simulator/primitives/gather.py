"""gather: slices picked by an array of indices.

The last axis of `indices` holds the start of each slice; the other axes become
axes of the result next to `offset_dims`, which hold the slices.

JAX source: jax/_src/lax/slicing.py: gather_p, _gather_shape_rule, _gather_fill.
"""

from __future__ import annotations

import enum
import math

from simulator.named_tuples import NamedTuple
from simulator.ndarrays.cells import row_major, strided
from simulator.primitives.explicit_gather import gathered
from simulator.primitives.standard import first_weak, standard
from simulator.types.rounding import cast, int_range


class GatherScatterMode(enum.Enum):
    """What happens to indices out of bounds."""

    CLIP = 1
    FILL_OR_DROP = 2
    PROMISE_IN_BOUNDS = 3
    ONE_HOT = 4

    @staticmethod
    def from_any(s):
        """A mode from a mode, its name, or None."""
        if isinstance(s, GatherScatterMode):
            return s
        names = {"clip": "CLIP", None: "FILL_OR_DROP", "fill": "FILL_OR_DROP",
                 "drop": "FILL_OR_DROP", "promise_in_bounds": "PROMISE_IN_BOUNDS",
                 "one_hot": "ONE_HOT"}
        if s not in names:
            raise ValueError(f'Unknown gather mode "{s}"')
        return GatherScatterMode[names[s]]


class GatherDimensionNumbers(NamedTuple):
    """Which axes of operand, indices and result belong together (as in XLA)."""

    offset_dims: tuple[int, ...]
    collapsed_slice_dims: tuple[int, ...]
    start_index_map: tuple[int, ...]
    operand_batching_dims: tuple[int, ...] = ()
    start_indices_batching_dims: tuple[int, ...] = ()


def check_dims(op: str, name: str, dims, rank: int | None = None, ordered: bool = True) -> None:
    """TypeErrors for axis lists that repeat, are out of order or out of range."""
    if ordered and list(dims) != sorted(dims):
        raise TypeError(f"{name} in {op} op must be sorted; got {dims}")
    if rank is not None:
        bad = [d for d in dims if not 0 <= d < rank]
        if bad:
            raise TypeError(f"Invalid {name} set in {op} op; valid range is [0, {rank}); got: "
                            f"{bad[0]}.")
    if len(set(dims)) != len(dims):
        raise TypeError(f"{name} in {op} op must not repeat; got: {dims}.")


def check_disjoint(op: str, one, two, name_one: str, name_two: str) -> None:
    """TypeError when two lists of dimensions have one in common."""
    if set(one) & set(two):
        raise TypeError(f"{name_one} and {name_two} in {op} op must be disjoint; got: {one} and "
                        f"{two}.")


def _shape(operand, indices, *, dimension_numbers, slice_sizes, **params):
    n = dimension_numbers
    if indices.ndim == 0:
        raise TypeError("Gather index leaf dimension must be within [0, rank(indices) + 1). "
                        f"rank(indices) is {indices.ndim} and gather index leaf dimension is -1.")
    check_dims("gather", "offset_dims", n.offset_dims)
    rank = len(n.offset_dims) + indices.ndim - 1
    for i, d in enumerate(n.offset_dims):
        if not 0 <= d < rank:
            raise TypeError(f"Offset dimension {i} in gather op is out of bounds; got {d}, but "
                            f"should have been in [0, {rank})")
    if len(n.start_index_map) != indices.shape[-1]:
        raise TypeError(
            f"Gather op has {len(n.start_index_map)} elements in start_index_map and the bound of "
            f"dimension index_vector_dim={indices.ndim - 1} of indices is {indices.shape[-1]}. "
            "These two numbers must be equal.")
    for i, d in enumerate(n.start_index_map):
        if not 0 <= d < operand.ndim:
            raise TypeError(f"Invalid start_index_map; domain is [0, {operand.ndim}), got: "
                            f"{i}->{d}.")
    check_dims("gather", "start_index_map", n.start_index_map, ordered=False)
    check_dims("gather", "collapsed_slice_dims", n.collapsed_slice_dims, operand.ndim)
    check_dims("gather", "operand_batching_dims", n.operand_batching_dims, operand.ndim)
    check_disjoint("gather", n.collapsed_slice_dims, n.operand_batching_dims,
                   "collapsed_slice_dims", "operand_batching_dims")
    check_disjoint("gather", n.start_index_map, n.operand_batching_dims, "start_index_map",
                   "operand_batching_dims")
    check_dims("gather", "start_indices_batching_dims", n.start_indices_batching_dims,
               indices.ndim, ordered=False)
    if operand.ndim != len(slice_sizes):
        raise TypeError("Gather op must have one slice size for every input dimension; got: "
                        f"len(slice_sizes)={len(slice_sizes)}, input_shape.rank={operand.ndim}")
    for i, (size, n_) in enumerate(zip(slice_sizes, operand.shape)):
        if math.prod(indices.shape) and not 0 <= size <= n_:
            raise TypeError(f"Slice size at index {i} in gather op is out of range, must be "
                            f"within [0, {n_} + 1), got {size}.")
    for i, d in enumerate(n.collapsed_slice_dims):
        if slice_sizes[d] != 1:
            raise TypeError("Gather op can only collapse slice dims with bound 1, but bound is "
                            f"{slice_sizes[d]} for index {d} at position {i}.")
    gone = (*n.collapsed_slice_dims, *n.operand_batching_dims)
    kept = iter([s for i, s in enumerate(slice_sizes) if i not in gone])
    batch = iter(indices.shape[:-1])
    return tuple(int(next(kept)) if i in n.offset_dims else next(batch) for i in range(rank))


def _dtype(operand, indices, *, fill_value=None, **params):
    if indices.dtype.family not in "iu":
        raise ValueError("indices must have an integer type")
    return operand.dtype


def default_fill(d):
    """What FILL mode puts where an index is out of bounds."""
    if d.family in "fc":
        return math.nan if d.family == "f" else complex(math.nan, 0.0)
    if d.family == "b":
        return True
    return int_range(d)[0 if d.family == "i" else 1] if d.family in "iu" else (2**32 - 1,) * 2


def window_starts(ins, indices, start_map, operand_batch, index_batch):
    """For each index vector: the start of its window in every operand axis."""
    operand, index = ins[0].shape, ins[1].shape
    width = index[-1]
    batch = index[:-1]
    steps = row_major(batch)
    starts = []
    for k in range(math.prod(batch)):
        start = [0] * len(operand)
        for j, d in enumerate(start_map):
            start[d] = indices[k * width + j]
        for d, b in zip(operand_batch, index_batch):
            start[d] = k // steps[b] % batch[b]
        starts.append(start)
    return starts


def _gather(ins, out, values, indices, *, dimension_numbers, slice_sizes, mode, fill_value,
            unique_indices, indices_are_sorted):
    n, shape = dimension_numbers, ins[0].shape
    steps = row_major(shape)
    gone = (*n.collapsed_slice_dims, *n.operand_batching_dims)
    kept = [i for i in range(len(shape)) if i not in gone]
    window = strided([slice_sizes[i] for i in kept], [steps[i] for i in kept])
    fills = GatherScatterMode.from_any(mode) is GatherScatterMode.FILL_OR_DROP
    fill = default_fill(out.dtype) if fill_value is None else cast(
        [fill_value], _python_dtype(fill_value), out.dtype)[0]
    picked = []  # one window after the other
    for start in window_starts(ins, indices, n.start_index_map, n.operand_batching_dims,
                               n.start_indices_batching_dims):
        limits = [d - s for d, s in zip(shape, slice_sizes)]
        if fills and any(not 0 <= start[d] <= limits[d] for d in n.start_index_map):
            picked += [fill] * len(window)
            continue
        at = sum(max(0, min(s, m)) * t for s, m, t in zip(start, limits, steps))
        picked += [values[at + w] for w in window]
    # `picked` is ordered (index axes, window axes); the result interleaves them.
    batch_dims = [d for d in range(out.ndim) if d not in n.offset_dims]
    order = [*batch_dims, *n.offset_dims]
    own = row_major([out.shape[d] for d in order])
    strides = [own[order.index(d)] for d in range(out.ndim)]
    return [picked[i] for i in strided(out.shape, strides)]


def _python_dtype(value):
    from simulator.ndarrays.ndarray import asarray
    return asarray(value).dtype


gather_p = standard("gather", _shape, _dtype, _gather, weak=first_weak, spec=gathered,
                    adopts=True)
