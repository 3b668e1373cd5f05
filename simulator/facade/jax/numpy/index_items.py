"""An index expression, taken apart: what each part is and which axes it uses.

JAX source: ``jax/_src/numpy/indexing.py: IndexType, _parse_indices, NDIndexer``.
"""

from __future__ import annotations

import enum
import operator
from typing import Any

from simulator import api, errors
from simulator.device_arrays.arrays import Array
from simulator.facade.jax.lax import base
from simulator.facade.jax.lax import elementwise as el
from simulator.facade.jax.numpy.constructors import asarray
from simulator.facade.jax.numpy.dynamic_slices import Slice
from simulator.named_tuples import NamedTuple
from simulator.ndarrays.ndarray import NDArray
from simulator.types.scalar_types import Generic, bool_, integer

_ARRAYS = (NDArray, *base.ARRAYS)


class Kind(enum.Enum):
    """What one part of an index is."""

    NONE = "none"
    SLICE = "slice"
    DYNAMIC = "dynamic slice"
    ELLIPSIS = "ellipsis"
    INTEGER = "integer"
    BOOLEAN = "boolean"
    ARRAY = "array"


class Item(NamedTuple):
    """One part: its value, what it is, and the axes of the array that it consumes."""

    index: Any
    kind: Kind
    axes: tuple[int, ...]


def _is_boolean(i: Any) -> bool:
    try:
        return base.typeof(i).dtype.family == "b"
    except TypeError:
        return isinstance(i, list) and bool(i) and all(
            (base.is_scalar(e) or (isinstance(e, _ARRAYS) and e.ndim == 0))
            and base.dtype(e).family == "b" for e in i)


def _kind(i: Any) -> Kind:
    if i is None:
        return Kind.NONE
    if i is Ellipsis:
        return Kind.ELLIPSIS
    if isinstance(i, slice):
        return Kind.SLICE
    if isinstance(i, Slice):
        return Kind.DYNAMIC
    if isinstance(i, (int, integer)) and not isinstance(i, (bool, bool_)):
        return Kind.INTEGER
    if _is_boolean(i):
        return Kind.BOOLEAN
    wrong = "Indexer must have integer or boolean type, got indexer with type"
    if isinstance(i, _ARRAYS):
        if i.dtype.family in "iu":
            return Kind.ARRAY
        raise TypeError(f"{wrong} {i.dtype}")
    if isinstance(i, str):
        raise TypeError(f"JAX does not support string indexing; got idx={i!r}")
    if isinstance(i, (list, tuple, range)):
        if not i:
            return Kind.ARRAY
        d = api.eval_shape(asarray, i).dtype
        if d.family == "b":
            return Kind.BOOLEAN
        if d.family in "iu":
            return Kind.ARRAY
        raise TypeError(f"{wrong} {d}")
    if isinstance(i, (float, complex, Generic)):
        from simulator.types.dtypes import dtype
        raise TypeError(f"{wrong} {dtype(type(i))}")
    raise IndexError("only integers, slices (`:`), ellipsis (`...`), newaxis (`None`) and integer "
                     f"or boolean arrays are valid indices. Got {i}")


def as_tuple(index: Any) -> tuple:
    """An index as a tuple. TypeError for a list, which NumPy would accept."""
    if isinstance(index, tuple):
        return (index,) if isinstance(index, Slice) else index
    if isinstance(index, (list, range)):
        nested = any((isinstance(i, _ARRAYS) and i.ndim != 0) or i is None or i is Ellipsis
                     or isinstance(i, (list, tuple, str, slice)) for i in index)
        advice = "`arr[tuple(seq)]`" if nested else "`arr[array(seq)]`"
        raise TypeError(
            "Using a non-tuple sequence for multidimensional indexing is not allowed; use "
            f"{advice} instead of `arr[seq]`. See https://github.com/jax-ml/jax/issues/4564 for "
            "more information.")
    return (index,)


class Index:
    """All parts of an index into an array of shape `shape`.

    Errors: IndexError and TypeError for what is no index, or for too many parts.
    """

    def __init__(self, shape: tuple[int, ...], items: list[Item]):
        self.shape = shape
        self.items = items

    @classmethod
    def parse(cls, index: Any, shape: tuple[int, ...]) -> Index:
        """The parts of `index`, each with the axes of `shape` that it takes."""
        parts = as_tuple(index)
        kinds = [_kind(p) for p in parts]
        used = [0 if k in (Kind.NONE, Kind.ELLIPSIS) else base.ndim(p) if k is Kind.BOOLEAN else 1
                for p, k in zip(parts, kinds)]
        dots = [i for i, k in enumerate(kinds) if k is Kind.ELLIPSIS]
        if len(dots) > 1:
            raise IndexError("an index can only have a single ellipsis ('...')")
        total = sum(used)
        if total > len(shape):
            raise IndexError(f"Too many indices: array is {len(shape)}-dimensional, but {total} "
                             "were indexed")
        if dots:
            used[dots[0]] = len(shape) - total
        items, at = [], 0
        for part, kind, n in zip(parts, kinds, used):
            items.append(Item(part, kind, tuple(range(at, at + n))))
            at += n
        return cls(shape, items)

    def check_integers(self, wrap: bool = True) -> None:
        """IndexError for an integer out of bounds."""
        for item in self.items:
            if item.kind is Kind.INTEGER:
                i, axis = operator.index(item.index), item.axes[0]
                size = self.shape[axis]
                if not 0 <= (i + size if wrap and i < 0 else i) < size:
                    raise IndexError(f"index {i} out of bounds for axis {axis} with size {size} "
                                     f"(normalize_indices={wrap!r})")

    def check_slices(self) -> None:
        """IndexError for a slice with traced bounds."""
        for position, item in enumerate(self.items):
            if item.kind is Kind.SLICE:
                bounds = (item.index.start, item.index.stop, item.index.step)
                if not all(base.is_concrete(b) for b in bounds):
                    raise IndexError(
                        "Array slice indices must have static start/stop/step to be used with "
                        f"NumPy indexing syntax. Got {item.index} at position {position}. To "
                        "index an array at a dynamic position with a static slice size, use "
                        "x[jax.ds(start, size)] or lax.dynamic_slice/dynamic_update_slice instead "
                        "(JAX does not support dynamically sized arrays within traced functions)."
                        + next((b.origin() for b in bounds if not base.is_concrete(b)), ""))

    def has_partial_slices(self) -> bool:
        """Whether any axis is not taken as a whole."""
        for item in self.items:
            if item.kind is Kind.INTEGER:
                return True
            if item.kind is Kind.SLICE:
                size = self.shape[item.axes[0]]
                start, stop, step = item.index.indices(size)
                if abs(step) != 1 or abs(stop - start) != size:
                    return True
        return False

    def expand_masks(self) -> Index:
        """Boolean masks as integer arrays.

        Errors: NonConcreteBooleanIndexError for a traced mask, IndexError for one
        that does not fit.
        """
        items: list[Item] = []
        for position, item in enumerate(self.items):
            if item.kind is not Kind.BOOLEAN:
                items.append(item)
                continue
            if not base.is_concrete(item.index):
                raise errors.NonConcreteBooleanIndexError(
                    f"Array boolean indices must be concrete; got {base.typeof(item.index)}\n")
            if base.ndim(item.index) == 0:
                items.append(Item(bool(item.index), item.kind, ()))
                continue
            have = base.shape(item.index)
            expected = [self.shape[i] for i in item.axes]
            if any(a not in (0, b) for a, b in zip(have, expected)):
                raise IndexError("boolean index did not match shape of indexed array in index "
                                 f"{position}: got {have}, expected {expected}")
            for places, axis in zip(_nonzero(item.index), item.axes):
                items.append(Item(places, Kind.ARRAY, (axis,)))
        return Index(self.shape, items)

    def expand_ellipsis(self) -> Index:
        """`...` and what is missing at the end as full slices."""
        items, used = [], 0
        for item in self.items:
            used += len(item.axes)
            if item.kind is Kind.ELLIPSIS:
                items += [Item(slice(None), Kind.SLICE, (axis,)) for axis in item.axes]
            else:
                items.append(item)
        items += [Item(slice(None), Kind.SLICE, (axis,)) for axis in range(used, len(self.shape))]
        return Index(self.shape, items)

    def expand_scalar_masks(self) -> Index:
        """A single True or False as an index into a new axis of size 1."""
        shape, items, at = list(self.shape), [], 0
        for i, item in enumerate(self.items):
            n = len(item.axes)
            if item.kind is Kind.BOOLEAN and base.ndim(item.index) == 0:
                shape.insert(i, 1)
                from simulator.ndarrays.ndarray import arange
                items.append(Item(arange(int(item.index)), Kind.ARRAY, (at,)))
                at += 1
            else:
                items.append(Item(item.index, item.kind, tuple(range(at, at + n))))
                at += n
        return Index(tuple(shape), items)

    def lists_to_arrays(self) -> Index:
        """Lists inside a tuple as arrays."""
        return Index(self.shape, [
            item._replace(index=asarray(item.index))
            if isinstance(item.index, (list, tuple, range)) and item.kind is not Kind.DYNAMIC
            else item for item in self.items])

    def wrap_negative(self) -> Index:
        """Indices from the end made positive: on the host for ints, computed for arrays."""
        items = []
        for item in self.items:
            i = item.index
            if item.kind is Kind.INTEGER:
                unsigned = isinstance(i, Generic) and i.dtype.family == "u"
                items.append(item if unsigned or i >= 0
                             else item._replace(index=i + self.shape[item.axes[0]]))
            elif item.kind is Kind.ARRAY and i.dtype.family != "u":
                size = base.const(i, self.shape[item.axes[0]])
                items.append(item._replace(index=el.select(i < 0, el.add(i, size), i)))
            else:
                items.append(item)
        return Index(self.shape, items)

    def picks_with_arrays(self) -> bool:
        """Whether an array (not a scalar) is among the parts."""
        return any(item.kind in (Kind.ARRAY, Kind.BOOLEAN) and base.ndim(item.index) > 0
                   for item in self.items)


def _nonzero(mask: Any) -> tuple:
    # On the host: the mask is concrete.
    from simulator.facade.numpy import asarray as np_asarray
    from simulator.facade.numpy import nonzero
    numbers = mask.numpy() if isinstance(mask, Array) else mask
    return nonzero(np_asarray(numbers))
