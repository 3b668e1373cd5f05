"""Reductions of NDArrays: `np.sum`, `np.max`, `np.mean` and friends.

Floating sums are added as NumPy adds them, in the array's own type: pairwise in
blocks along the last axes, one after the other along the others.
"""

from __future__ import annotations

import math

from simulator.ndarrays import real_math as rm
from simulator.ndarrays.beyond import only
from simulator.ndarrays.cells import row_major, strided
from simulator.ndarrays.ndarray_core import NDArray
from simulator.ndarrays.ndarray_index import axis_of
from simulator.ndarrays.ndarray_make import asarray
from simulator.types import dtype_core as dt
from simulator.types.rounding import cast, normalize
from simulator.types.scalar_types import as_scalar


def groups(shape, axes) -> tuple[list[list[int]], tuple[int, ...]]:
    """Flat positions reduced together, one list per result element, and the result shape."""
    steps = row_major(shape)
    keep = [i for i in range(len(shape)) if i not in axes]
    inner = strided([shape[a] for a in sorted(axes)], [steps[a] for a in sorted(axes)])
    outer = strided([shape[k] for k in keep], [steps[k] for k in keep])
    return [[o + i for i in inner] for o in outer], tuple(shape[k] for k in keep)


def _axes(axis, ndim) -> tuple[int, ...]:
    if axis is None:
        return tuple(range(ndim))
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    out = tuple(axis_of(a, ndim) for a in axes)
    if len(set(out)) != len(out):
        raise ValueError("duplicate value in 'axis'")
    return out


def _pairwise(xs: list, rounded) -> float:
    """NumPy's summation of a contiguous run: eight partial sums per block of 128."""
    n = len(xs)
    if n < 8:
        total = 0.0 if not xs else xs[0]
        for x in xs[1:]:
            total = rounded(total + x)
        return total
    if n <= 128:
        r = xs[:8]
        for i in range(8, n - n % 8, 8):
            for j in range(8):
                r[j] = rounded(r[j] + xs[i + j])
        total = rounded(rounded(rounded(r[0] + r[1]) + rounded(r[2] + r[3]))
                        + rounded(rounded(r[4] + r[5]) + rounded(r[6] + r[7])))
        for x in xs[n - n % 8:]:
            total = rounded(total + x)
        return total
    half = n // 2 - (n // 2) % 8
    return rounded(_pairwise(xs[:half], rounded) + _pairwise(xs[half:], rounded))


def _adder(a, axis, d: dt.DType):
    """The function that sums one group of elements of type `d`."""
    if d.family != "f":
        return _plain_sum
    # float16 is added in float32; float64 needs no rounding.
    inner = dt.float32 if d is dt.float16 else d
    rounded = (lambda x: x) if inner is dt.float64 else (lambda x: normalize([x], inner)[0])
    axes = sorted(_axes(axis, a.ndim))
    trailing = axes == list(range(a.ndim - len(axes), a.ndim))

    def one_by_one(xs):
        total = 0.0
        for x in xs:
            total = rounded(total + x)
        return total
    return (lambda xs: _pairwise(list(xs), rounded)) if trailing else one_by_one


def fold(a, axis, keepdims, fn, out_dtype, compute=None):
    """`fn(list) -> number` over the elements of each group; cast to `compute` before."""
    a = asarray(a)
    axes = _axes(axis, a.ndim)
    shape = tuple(1 if i in axes else n for i, n in enumerate(a.shape)) if keepdims else \
        tuple(n for i, n in enumerate(a.shape) if i not in axes)
    src = a.dtype

    def run(v):
        if compute is not None:
            v = cast(v, src, compute, saturate=False)
        sets, _ = groups(a.shape, axes)
        return normalize([fn([v[i] for i in g]) for g in sets], out_dtype)
    return as_scalar(NDArray.lazy(shape, out_dtype, run, [a]))


def sum_dtype(d, dtype_):
    """The type NumPy sums in: 64-bit for integers and bools."""
    if dtype_ is not None:
        return dt.dtype(dtype_)
    if d.family in "bi":
        return dt.int64
    return dt.uint64 if d.family == "u" else d


def _only(what, out, where, initial=None, **more):
    # ``where=True`` is everything, as without it.
    if out is not None or initial is not None or more or (where is not None and where is not True):
        only(what, out=out, where=None if where is True else where, initial=initial, **more)


def sum(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None):
    """Sums over all or along `axis`. bool becomes int64, smaller integers become 64 bits wide."""
    _only("sum", out, where, initial)
    a = asarray(a)
    to = sum_dtype(a.dtype, dtype)
    return fold(a, axis, keepdims, _adder(a, axis, to), to, to)


all_, _any, _max = all, any, max


def _plain_sum(xs):
    total = 0
    for x in xs:
        total += x
    return total


def prod(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None):
    """Products over all or along `axis`, with the dtypes of `sum`."""
    _only("prod", out, where, initial)
    to = sum_dtype(asarray(a).dtype, dtype)
    return fold(a, axis, keepdims, math.prod, to, to)


def _extreme(pick, name):
    def method(a, axis=None, out=None, keepdims=False, initial=None, where=None):
        _only(name, out, where, initial)
        a = asarray(a)
        axes = _axes(axis, a.ndim)
        if _any(a.shape[i] == 0 for i in axes) and math.prod(
                n for i, n in enumerate(a.shape) if i not in axes):
            raise ValueError(f"zero-size array to reduction operation {name}imum which has "
                             "no identity")

        def pick_best(xs):
            best = xs[0]
            for x in xs[1:]:
                best = pick(best, x)
            return best
        return fold(a, axis, keepdims, pick_best, a.dtype)
    return method


max = _extreme(rm.maximum, "max")
min = _extreme(rm.minimum, "min")


def all(a, axis=None, out=None, keepdims=False, *, where=None):
    """Whether all elements are true, over all or along `axis`. OutOfScope: ``out``, ``where``."""
    _only("all", out, where)
    return fold(a, axis, keepdims, lambda xs: all_(map(bool, xs)), dt.bool_)


def any(a, axis=None, out=None, keepdims=False, *, where=None):
    """Whether an element is true, over all or along `axis`. OutOfScope: ``out``, ``where``."""
    _only("any", out, where)
    return fold(a, axis, keepdims, lambda xs: _any(map(bool, xs)), dt.bool_)


def _mean_dtype(d, dtype_):
    if dtype_ is not None:
        return dt.dtype(dtype_)
    return dt.float64 if d.family in "biu" else d


def _divided(total, n: int, to: dt.DType):
    n = float(n)
    return as_scalar(NDArray.lazy(total.shape, to, lambda v: normalize(
        [rm.div(x, n) for x in v], to), [asarray(total)]))


def _group_size(a, axis) -> int:
    return math.prod(a.shape[i] for i in _axes(axis, a.ndim))


def mean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=None):
    """Averages over all or along `axis`; float64 for integers. OutOfScope: ``out``, ``where``."""
    _only("mean", out, where)
    a = asarray(a)
    to = _mean_dtype(a.dtype, dtype)
    inner = dt.float32 if to is dt.float16 else to
    total = sum(a, axis, inner, None, keepdims)
    return _divided(total, _group_size(a, axis), to)


_mean = mean


def var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None, mean=None,
        correction=None):
    """Mean squared distances from the average, with ``n - ddof`` for the number of elements.
    OutOfScope: ``out``, ``where``, a ``mean`` that is known already."""
    _only("var", out, where, **{} if mean is None else {"mean": mean})
    ddof = ddof if correction is None else correction
    from simulator.ndarrays.ufuncs import UFUNCS
    a = asarray(a)
    to = _mean_dtype(a.dtype, dtype)
    off = UFUNCS["absolute"](a.astype(to) - asarray(_mean(a, axis, to, keepdims=True)))
    total = sum(UFUNCS["square"](off), axis, None, None, keepdims)
    return _divided(total, _max(_group_size(a, axis) - ddof, 0), dt.real_part(to))


def std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None, mean=None,
        correction=None):
    """Square roots of `var`."""
    _only("std", out, where, **{} if mean is None else {"mean": mean})
    from simulator.ndarrays.ufuncs import UFUNCS
    return UFUNCS["sqrt"](var(a, axis, dtype, None, ddof, keepdims, correction=correction))


def ptp(a, axis=None, out=None, keepdims=False):
    """The largest element minus the smallest. OutOfScope: ``out``."""
    _only("ptp", out, None)
    return max(a, axis, keepdims=keepdims) - min(a, axis, keepdims=keepdims)
