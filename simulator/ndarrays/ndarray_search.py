"""Along an axis: argmax, running sums, sorting, repeating, picking, clipping, rounding."""

from __future__ import annotations

import math

from simulator.ndarrays import real_math as rm
from simulator.ndarrays.beyond import only
from simulator.ndarrays.cells import row_major
from simulator.ndarrays.ndarray_core import NDArray
from simulator.ndarrays.ndarray_index import axis_of
from simulator.ndarrays.ndarray_make import asarray
from simulator.ndarrays.ndarray_reduce import fold, groups, sum_dtype
from simulator.types import dtype_core as dt
from simulator.types.rounding import normalize
from simulator.types.scalar_types import as_scalar


def _arg(best_of, name):
    def method(a, axis=None, out=None, keepdims=False):
        only(f"arg{name}", out=out)
        a = asarray(a)
        if a.size == 0:
            raise ValueError(f"attempt to get arg{name} of an empty sequence")
        if axis is None:
            a, axis = a.reshape(-1), 0

        def place(xs):
            at = 0
            for i, x in enumerate(xs):
                if x != x:
                    return i
                if best_of(x, xs[at]):
                    at = i
            return at
        return fold(a, axis, keepdims, place, dt.int64)
    return method


argmax = _arg(lambda x, y: rm.order(x) > rm.order(y), "max")
argmin = _arg(lambda x, y: rm.order(x) < rm.order(y), "min")


def _along(a, axis, fn, out_dtype):
    """Apply a list -> list function along one axis; the axis keeps its place."""
    a = asarray(a)
    if axis is None:
        a, axis = a.reshape(-1), 0
    axis = axis_of(axis, a.ndim)

    def run(v):
        sets, _ = groups(a.shape, (axis,))
        lines = [fn([v[i] for i in g]) for g in sets]
        inner = math.prod(a.shape[axis + 1:])
        outer = range(0, len(lines), inner) if inner else ()
        return normalize([lines[o + i][j] for o in outer for j in range(a.shape[axis])
                          for i in range(inner)], out_dtype)
    return NDArray.lazy(a.shape, out_dtype, run, [a])


def _running(step):
    def fn(xs):
        out, acc = [], None
        for x in xs:
            acc = x if acc is None else step(acc, x)
            out.append(acc)
        return out
    return fn


def cumsum(a, axis=None, dtype=None, out=None):
    """Running sums along `axis`; over the flattened array without one. OutOfScope: ``out``."""
    only("cumsum", out=out)
    a = asarray(a)
    to = sum_dtype(a.dtype, dtype)
    return _along(a.astype(to), axis, _running(lambda x, y: normalize([x + y], to)[0]), to)


def cumprod(a, axis=None, dtype=None, out=None):
    """Running products along `axis`; over the flattened array without one. OutOfScope: ``out``."""
    only("cumprod", out=out)
    a = asarray(a)
    to = sum_dtype(a.dtype, dtype)
    return _along(a.astype(to), axis, _running(lambda x, y: normalize([x * y], to)[0]), to)


def _sort_key(x):
    return (x != x, 0.0 if x != x else rm.order(x))


def sort(a, axis=-1, kind=None, order=None, *, stable=None, descending=None):
    """A copy with the elements in order along `axis`, NaN at the end. OutOfScope: `order`,
    `descending`."""
    only("sort", order=order, descending=descending or None)
    a = asarray(a)
    return _along(a, axis, lambda xs: sorted(xs, key=_sort_key), a.dtype)


def argsort(a, axis=-1, kind=None, order=None, *, stable=None, descending=None):
    """Indices that put the elements in order along `axis`; always stable. OutOfScope: `order`,
    `descending`."""
    only("argsort", order=order, descending=descending or None)
    return _along(asarray(a), axis,
                  lambda xs: sorted(range(len(xs)), key=lambda i: _sort_key(xs[i])), dt.int64)


def repeat(a, repeats, axis=None):
    """Each element several times along `axis`; of the flattened array without one."""
    a = asarray(a)
    if axis is None:
        a, axis = a.reshape(-1), 0
    axis = axis_of(axis, a.ndim)
    counts = asarray(repeats).reshape(-1).tolist()
    if len(counts) == 1:
        counts = counts * a.shape[axis]
    return take(a, [i for i, n in enumerate(counts) for _ in range(n)], axis)


def take(a, indices, axis=None, out=None, mode="raise"):
    """The elements at `indices` along `axis`; of the flattened array without one. OutOfScope:
    ``out``, another `mode` than "raise"."""
    only("take", out=out, mode=None if mode == "raise" else mode)
    a = asarray(a)
    if axis is None:
        a, axis = a.reshape(-1), 0
    axis = axis_of(axis, a.ndim)
    picked = asarray(indices, None if asarray(indices).size else dt.int64)
    return a[(slice(None),) * axis + (picked,)]


def clip(a, a_min=None, a_max=None, out=None, *, min=None, max=None, **more):
    """Elements below `min` become `min`, those above `max` become `max`. OutOfScope: ``out``
    and what ufuncs take besides."""
    from simulator.ndarrays.ufuncs import UFUNCS
    only("clip", out=out, **more)
    for bound, fn in ((a_min if min is None else min, "maximum"),
                      (a_max if max is None else max, "minimum")):
        if bound is not None:
            a = UFUNCS[fn](a, bound)
    return a


def round_(a, decimals=0, out=None):
    """Rounded to so many decimals, halves to even; to tens and hundreds for negative ones.
    OutOfScope: ``out``."""
    only("round", out=out)
    a = asarray(a)
    d = a.dtype
    if d.family == "b" or (d.family in "iu" and decimals >= 0):
        return as_scalar(a.copy())
    scale = 10.0 ** abs(decimals)

    def rounded(x):
        if decimals >= 0:
            return rm.round_even(x * scale) / scale
        near = rm.round_even(x / scale) * scale
        return int(near) if d.family in "iu" else near
    return as_scalar(NDArray.lazy(a.shape, d, lambda v: normalize(
        [rounded(x) for x in v], d), [a]))


def nonzero(a):
    """Per axis, the indices of the elements that are not zero."""
    a = asarray(a)
    hits = [i for i, v in enumerate(a.values()) if v]
    return tuple(NDArray((len(hits),), dt.int64, [i // s % n for i in hits])
                 for n, s in zip(a.shape, row_major(a.shape)))
