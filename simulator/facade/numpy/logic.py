"""Choosing, comparing, searching, and asking about types."""

from __future__ import annotations

import builtins
import math

from simulator.errors import OutOfScope
from simulator.ndarrays import ndarray_make as make
from simulator.ndarrays import ndarray_products as products
from simulator.ndarrays import ndarray_reduce as reduce
from simulator.ndarrays import ndarray_search as search
from simulator.ndarrays.beyond import only
from simulator.ndarrays.ndarray import NDArray
from simulator.ndarrays.ufuncs import UFUNCS, apply
from simulator.types import dtype_core as dt
from simulator.types.dtypes import issubdtype
from simulator.types.scalar_types import as_scalar, generic

__all__ = ["issubdtype"]


def where(condition, x=None, y=None):
    """Elements of `x` or `y`; with one argument, the places of the true ones."""
    if x is None and y is None:
        return search.nonzero(condition)
    if x is None or y is None:
        raise ValueError("either both or neither of x and y should be given")
    pairs = [make.operand(x), make.operand(y)]
    to = make.result_dtype(pairs)
    cond = make.asarray(condition).astype(dt.bool_)
    a, b = (p.astype(to) for p, _ in pairs)
    shape = make.broadcast_shapes(cond.shape, a.shape, b.shape)
    from simulator.ndarrays.cells import broadcast_list

    def run(*lists):
        full = [broadcast_list(v, p.shape, shape) for v, p in zip(lists, (cond, a, b))]
        return [p if c else q for c, p, q in zip(*full)]
    return NDArray.lazy(shape, to, run, [cond, a, b])


def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Elementwise: ``|a - b| <= atol + rtol * |b|``; infinities only equal themselves."""
    def close(x, y):
        if x != x or y != y:
            return equal_nan and x != x and y != y
        return x == y or (not math.isinf(abs(x)) and not math.isinf(abs(y))
                          and abs(x - y) <= atol + rtol * abs(y))
    pairs = [make.operand(a), make.operand(b)]
    return as_scalar(apply(close, [p for p, _ in pairs], make.result_dtype(pairs), dt.bool_))


def allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Whether all elements are close: a Python bool."""
    return bool(reduce.all(isclose(a, b, rtol, atol, equal_nan)))


def array_equal(a1, a2, equal_nan=False):
    """Whether shapes and all elements are the same: a Python bool."""
    a, b = make.asarray(a1), make.asarray(a2)
    if a.shape != b.shape:
        return False
    return all(x == y or (equal_nan and x != x and y != y)
               for x, y in zip(a.values(), b.values()))


def array_equiv(a1, a2):
    """Whether they are equal after broadcasting: a Python bool."""
    a, b = make.asarray(a1), make.asarray(a2)
    try:
        make.broadcast_shapes(a.shape, b.shape)
    except ValueError:
        return False
    return bool(reduce.all(UFUNCS["equal"](a, b)))


def count_nonzero(a, axis=None, *, keepdims=False):
    """How many elements are not zero, over all or along `axis`."""
    return reduce.sum(make.asarray(a).astype(dt.bool_), axis, keepdims=keepdims)


def flatnonzero(a):
    """Positions of the elements that are not zero, in the flattened array."""
    return search.nonzero(make.asarray(a).ravel())[0]


def argwhere(a):
    """One row per element that is not zero: its index."""
    found = search.nonzero(a)
    from simulator.facade.numpy.joining import stack
    return stack(found, axis=1)


def unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *,
           equal_nan=True, sorted=True):
    """The different elements, sorted; their numbers, too, with ``return_counts``.
    OutOfScope: ``return_index``, ``return_inverse``, ``axis``, ``equal_nan=False``."""
    only("unique", equal_nan=None if equal_nan else equal_nan, sorted=None if sorted else sorted)
    if return_index or return_inverse or axis is not None:
        raise OutOfScope("numpy.unique with indices, inverse or axis")
    a = make.asarray(ar)
    values = builtins.sorted(set(a.values()))
    out = NDArray((len(values),), a.dtype, values)
    if not return_counts:
        return out
    counts = [a.values().count(v) for v in values]
    return out, NDArray((len(counts),), dt.int64, counts)


def isin(element, test_elements, assume_unique=False, invert=False, *, kind=None):
    """Elementwise: whether `test_elements` has the element; with `invert`, whether it has not."""
    a, known = make.asarray(element), set(make.asarray(test_elements).values())
    return NDArray.lazy(a.shape, dt.bool_, lambda v: [(x in known) != invert for x in v], [a])


def searchsorted(a, v, side="left", sorter=None):
    """Where each element of `v` belongs in the sorted `a`. OutOfScope: ``sorter``."""
    only("searchsorted", sorter=sorter)
    import bisect
    keys, wanted = make.asarray(a), make.asarray(v)
    find = bisect.bisect_left if side == "left" else bisect.bisect_right
    return as_scalar(NDArray.lazy(wanted.shape, dt.int64,
                                  lambda ks, ws: [find(ks, w) for w in ws], [keys, wanted]))


def median(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    """The middle of the sorted elements, over all or along `axis`; NaN when one of them is.
    OutOfScope: ``out``."""
    only("median", out=out)
    from simulator.ndarrays.ndarray_reduce import fold
    a = make.asarray(a)
    to = dt.float64 if a.dtype.family in "biu" else a.dtype

    def middle(xs):
        if any(x != x for x in xs) or not xs:
            return math.nan
        xs, n = sorted(xs), len(xs)
        return float(xs[n // 2]) if n % 2 else (xs[n // 2 - 1] + xs[n // 2]) / 2
    return fold(a, axis, keepdims, middle, to)


def bincount(x, weights=None, minlength=0):
    """How often each of 0, 1, 2, … occurs. OutOfScope: ``weights``."""
    if weights is not None:
        raise OutOfScope("numpy.bincount with weights")
    values = make.asarray(x).values()
    n = max(minlength, max(values, default=-1) + 1)
    return NDArray((n,), dt.int64, [values.count(i) for i in range(n)])


def diff(a, n=1, axis=-1, prepend=None, append=None):
    """Differences of neighbours along `axis`, `n` times: each time one element less.
    OutOfScope: ``prepend`` and ``append``."""
    only("diff", prepend=prepend, append=append)
    a = make.asarray(a)
    for _ in range(n):
        lead = (slice(None),) * (axis % a.ndim)
        a = a[(*lead, slice(1, None))] - a[(*lead, slice(None, -1))]
    return a


def inner(a, b):
    """The product summed over the last axis of both; elementwise with a scalar."""
    a, b = make.asarray(a), make.asarray(b)
    return a * b if not a.ndim or not b.ndim else products.dot(a, b if b.ndim == 1 else b.T)


def outer(a, b, out=None):
    """Every element of `a` times every element of `b`: a matrix."""
    only("outer", out=out)
    return make.asarray(a).reshape(-1, 1) * make.asarray(b).reshape(1, -1)


def vdot(a, b):
    """The sum of the product of both, flattened, the first one conjugated."""
    return products.dot(UFUNCS["conjugate"](make.asarray(a).ravel()), make.asarray(b).ravel())


def diag(v, k=0):
    """The `k`-th diagonal of a matrix, or a matrix with `v` on it."""
    a = make.asarray(v)
    if a.ndim == 2:
        return products.diagonal(a, k)
    n = a.shape[0] + abs(k)
    out = NDArray.full((n, n), {"b": False, "f": 0.0, "c": 0j}.get(a.dtype.family, 0), a.dtype)
    for i, x in enumerate(a.values()):
        out[i + max(0, -k), i + max(0, k)] = x
    return out


def result_type(*arrays_and_dtypes):
    """NumPy's promotion of arrays, scalars and dtypes."""
    pairs = []
    for x in arrays_and_dtypes:
        if isinstance(x, (str, dt.DType, type)):
            pairs.append((dt.dtype(x), 0))
        else:
            pairs.append(make.operand(x))
    return make.result_dtype(pairs)


def promote_types(type1, type2):
    """The dtype that holds both. OutOfScope: dtypes that are no numbers."""
    return make.promote(dt.dtype(type1), dt.dtype(type2))


def can_cast(from_, to, casting="safe"):
    """Safe and same-kind casts between dtypes."""
    a, b = dt.dtype(from_), dt.dtype(to)
    if casting == "unsafe" or a is b:
        return True
    if casting in ("no", "equiv"):
        return False
    if make.promote(a, b) is b:
        return True
    kinds = {"b": 0, "u": 1, "i": 2, "f": 3, "c": 4}
    return casting == "same_kind" and kinds[a.family] <= kinds[b.family]


def shape(a):
    """Sizes of the axes of any value."""
    return make.asarray(a).shape


def ndim(a):
    """The number of axes of any value."""
    return make.asarray(a).ndim


def size(a, axis=None):
    """The number of elements of any value, or the size of `axis`."""
    a = make.asarray(a)
    return a.size if axis is None else a.shape[axis]


def isscalar(element):
    """Whether it is a scalar of Python or NumPy: no array of any kind."""
    return isinstance(element, (generic, bool, int, float, complex, str, bytes))


def iscomplexobj(x):
    """Whether the dtype is complex, whatever the values."""
    return make.asarray(x).dtype.family == "c"


def isrealobj(x):
    """Whether the dtype is not complex."""
    return not iscomplexobj(x)
