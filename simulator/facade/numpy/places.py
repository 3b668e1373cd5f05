"""Indices and grids, elements picked by them, sets of elements.

Follows numpy/lib/_index_tricks_impl.py, _arraysetops_impl.py, _shape_base_impl.py and
_function_base_impl.py. OutOfScope: what has no place in small programs, by its name.
"""

from __future__ import annotations

import math

from simulator.errors import OutOfScope
from simulator.facade.numpy import creation, joining, shaping
from simulator.facade.numpy.dispatching import dispatched
from simulator.facade.numpy.logic import unique, where
from simulator.ndarrays import ndarray_make as make
from simulator.ndarrays import ndarray_search as search
from simulator.ndarrays.beyond import only
from simulator.ndarrays.ndarray import NDArray
from simulator.ndarrays.ndarray_index import axis_of
from simulator.types import dtype_core as dt


def indices(dimensions, dtype=int, sparse=False):
    """The place of each element along each axis."""
    n = len(dimensions)
    axes = [creation.arange(size, dtype=dtype).reshape((1,) * i + (-1,) + (1,) * (n - i - 1))
            for i, size in enumerate(dimensions)]
    if sparse:
        return tuple(axes)
    if not axes:
        return creation.full((0,), 0, dtype)
    return joining.stack([shaping.broadcast_to(a, tuple(dimensions)) for a in axes])


class _Grid:
    """``mgrid[0:3, 0:1:5j]``: ranges as a grid, dense or open."""

    def __init__(self, sparse: bool):
        self._sparse = sparse

    def __getitem__(self, key):
        if isinstance(key, slice):
            return _range(key)
        found = [_range(part) for part in key]
        to = make.result_dtype([make.operand(a) for a in found])
        grids = creation.meshgrid(*[a.astype(to) for a in found], indexing="ij",
                                  sparse=self._sparse)
        return tuple(grids) if self._sparse else joining.stack(grids)


def _range(part: slice) -> NDArray:
    start, stop, step = part.start or 0, part.stop, 1 if part.step is None else part.step
    if isinstance(step, complex):
        return creation.linspace(start, stop, int(abs(step)))
    return creation.arange(start, stop, step)


class _Joined:
    """``r_[1:4, 0, a]``: ranges, numbers and arrays one after the other; ``c_`` as columns.
    OutOfScope: a directive."""

    def __init__(self, columns: bool):
        self._columns = columns

    def __getitem__(self, key):
        parts = []
        for item in key if isinstance(key, tuple) else (key,):
            if isinstance(item, str):
                raise OutOfScope("numpy.r_ and c_ with a directive", "use concatenate or stack")
            part = _range(item) if isinstance(item, slice) else make.asarray(item)
            if self._columns:
                part = part.reshape(-1, 1) if part.ndim < 2 else part
            parts.append(shaping.atleast_1d(part))
        return joining.concatenate(parts, axis=-1 if self._columns else 0)


mgrid, ogrid, r_, c_ = _Grid(False), _Grid(True), _Joined(False), _Joined(True)


def diag_indices(n, ndim=2):
    """The places on the main diagonal."""
    return (creation.arange(n),) * ndim


def tril_indices(n, k=0, m=None):
    """The places on and below a diagonal."""
    return search.nonzero(creation.tri(n, m, k=k, dtype=bool))


def triu_indices(n, k=0, m=None):
    """The places on and above a diagonal."""
    return search.nonzero(~creation.tri(n, m, k=k - 1, dtype=bool))


def _of_two(arr) -> tuple[int, int]:
    if make.asarray(arr).ndim != 2:
        raise ValueError("input array must be 2-d")
    return make.asarray(arr).shape


def tril_indices_from(arr, k=0):
    """`tril_indices` of a matrix."""
    n, m = _of_two(arr)
    return tril_indices(n, k, m)


def triu_indices_from(arr, k=0):
    """`triu_indices` of a matrix."""
    n, m = _of_two(arr)
    return triu_indices(n, k, m)


def ix_(*args):
    """An open grid of one list of places per axis."""
    out = []
    for i, arg in enumerate(args):
        a = make.asarray(arg)
        if a.ndim != 1:
            raise ValueError("Cross index must be 1 dimensional")
        if a.dtype is dt.bool_:
            [a] = search.nonzero(a)
        out.append(a.reshape((1,) * i + (a.size,) + (1,) * (len(args) - i - 1)))
    return tuple(out)


def unravel_index(indices, shape, order="C"):
    """Places in the flat array as places along each axis."""
    only("unravel_index", order=None if order == "C" else order)
    left, out = make.asarray(indices), []
    if left.size and (left.min() < 0 or left.max() >= math.prod(shape)):
        bad = next(i for i in left.ravel().tolist() if not 0 <= i < math.prod(shape))
        raise ValueError(f"index {bad} is out of bounds for array with size {math.prod(shape)}")
    for size in reversed(shape):
        out.append(left % size)
        left = left // size
    return tuple(reversed(out))


def ravel_multi_index(multi_index, dims, mode="raise", order="C"):
    """Places along each axis as places in the flat array."""
    only("ravel_multi_index", order=None if order == "C" else order,
         mode=None if mode == "raise" else mode)
    total = 0
    for place, size in zip(multi_index, dims):
        place = make.asarray(place)
        if place.size and (place.min() < 0 or place.max() >= size):
            raise ValueError("invalid entry in coordinates array")
        total = total * size + place
    return total


def take_along_axis(arr, indices, axis=-1):
    """Elements by places along an axis, a list of them for each row."""
    a, i = make.asarray(arr), make.asarray(indices)
    if axis is None:
        a, axis = a.ravel(), 0
    axis = axis_of(axis, a.ndim)
    if a.ndim != i.ndim:
        raise ValueError("`indices` and `arr` must have the same number of dimensions")
    others = [creation.arange(n).reshape((1,) * k + (-1,) + (1,) * (a.ndim - k - 1))
              for k, n in enumerate(a.shape)]
    others[axis] = i
    return a[tuple(others)]


def select(condlist, choicelist, default=0):
    """For each element the first choice whose condition holds."""
    if len(condlist) != len(choicelist):
        raise ValueError("list of cases must be same length as list of conditions")
    if not condlist:
        raise ValueError("select with an empty condition list is not possible")
    out = default
    for condition, choice in zip(reversed(condlist), reversed(choicelist)):
        out = where(condition, choice, out)
    return out


def extract(condition, arr):
    """The elements for which a condition holds."""
    return make.asarray(arr).ravel()[search.nonzero(make.asarray(condition).ravel())[0]]


def compress(condition, a, axis=None, out=None):
    """The rows for which a condition holds."""
    only("compress", out=out)
    a = make.asarray(a)
    if axis is None:
        a, axis = a.ravel(), 0
    return search.take(a, search.nonzero(condition)[0], axis)


def lexsort(keys, axis=-1):
    """The order by the last key, then by the one before it, … OutOfScope: several axes."""
    rows = [make.asarray(k).tolist() for k in keys]
    if make.asarray(keys[0]).ndim != 1:
        raise OutOfScope("numpy.lexsort of several axes")
    return make.asarray(sorted(range(len(rows[0])), key=lambda i: [r[i] for r in rows[::-1]]),
                        dt.int64)


def digitize(x, bins, right=False):
    """The number of the bin that each element falls into."""
    from simulator.facade.numpy.logic import searchsorted
    bins = make.asarray(bins)
    rising = bins.size < 2 or bool((bins[1:] >= bins[:-1]).all())
    if not rising and not bool((bins[1:] <= bins[:-1]).all()):
        raise ValueError("bins must be monotonically increasing or decreasing")
    side = "left" if right else "right"
    if rising:
        return searchsorted(bins, x, side=side)
    return bins.size - searchsorted(bins[::-1], x, side=side)


def union1d(ar1, ar2):
    """What is in one of two sets."""
    return unique(joining.concatenate([make.asarray(ar1).ravel(), make.asarray(ar2).ravel()]))


def _shared(ar1, ar2, wanted):
    a, b = unique(ar1), unique(ar2)
    both = union1d(a, b)
    one, other = set(a.tolist()), set(b.tolist())
    return both[[i for i, x in enumerate(both.tolist()) if wanted(x in one, x in other)]]


def intersect1d(ar1, ar2, assume_unique=False, return_indices=False):
    """What is in both of two sets. OutOfScope: indices."""
    only("intersect1d", return_indices=return_indices or None)
    return _shared(ar1, ar2, lambda one, other: one and other)


def setxor1d(ar1, ar2, assume_unique=False):
    """What is in exactly one of two sets."""
    return _shared(ar1, ar2, lambda one, other: one != other)


def setdiff1d(ar1, ar2, assume_unique=False):
    """What is in the first of two sets only."""
    a, known = unique(ar1), set(make.asarray(ar2).ravel().tolist())
    return a[[i for i, x in enumerate(a.tolist()) if x not in known]]


globals().update(dispatched(globals()))
