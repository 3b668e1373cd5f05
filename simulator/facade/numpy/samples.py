"""Summaries of samples: quantiles, averages, covariances, histograms, NaN left out.

Follows numpy/lib/_function_base_impl.py, _nanfunctions_impl.py, _histograms_impl.py.
OutOfScope: other ways to interpolate a quantile than linearly.
"""

from __future__ import annotations

import math

from simulator.errors import OutOfScope
from simulator.facade.numpy import creation, joining, shaping
from simulator.facade.numpy.dispatching import dispatched
from simulator.facade.numpy.logic import diff, searchsorted
from simulator.facade.numpy.logic import where as _where
from simulator.ndarrays import ndarray_make as make
from simulator.ndarrays import ndarray_products as products
from simulator.ndarrays import ndarray_reduce as reduce
from simulator.ndarrays import ndarray_search as search
from simulator.ndarrays.beyond import only
from simulator.ndarrays.ndarray import NDArray
from simulator.ndarrays.ufuncs import UFUNCS
from simulator.types import dtype_core as dt


def _floating(x) -> NDArray:
    a = make.asarray(x)
    return a.astype(dt.float64) if a.dtype.family in "biu" else a


def quantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *,
             weights=None):
    """Quantiles, between two elements linearly. OutOfScope: ``out``, ``weights``, other methods."""
    only("quantile", out=out, weights=weights, method=None if method == "linear" else method)
    a, wanted = _floating(a), make.asarray(q, dt.float64)
    if any(not 0 <= x <= 1 for x in wanted.ravel().tolist()):
        raise ValueError("Quantiles must be in the range [0, 1]")

    def at(share: float):
        def of(xs):
            if any(x != x for x in xs):
                return math.nan
            xs = sorted(xs)
            place = share * (len(xs) - 1)
            low = min(int(place), len(xs) - 1)
            part, (x, y) = place - low, (xs[low], xs[min(low + 1, len(xs) - 1)])
            return x + (y - x) * part if part < 0.5 else y - (y - x) * (1 - part)
        return reduce.fold(a, axis, keepdims, of, a.dtype)

    if not wanted.ndim:
        return at(wanted.item())
    a = a.astype(make.promote(a.dtype, dt.float64))     # a list of shares counts as an array
    rows = [make.asarray(at(x)) for x in wanted.ravel().tolist()]
    return joining.stack(rows).reshape(wanted.shape + rows[0].shape)


def percentile(a, q, axis=None, out=None, overwrite_input=False, method="linear",
               keepdims=False, *, weights=None):
    """`quantile` in hundredths."""
    share = make.asarray(q, dt.float64) / 100
    if any(not 0 <= x <= 1 for x in make.asarray(share).ravel().tolist()):
        raise ValueError("Percentiles must be in the range [0, 100]")
    return quantile(a, share, axis, out, overwrite_input, method, keepdims, weights=weights)


def average(a, axis=None, weights=None, returned=False, *, keepdims=False):
    """The mean, weighed where weights are given. OutOfScope: the sum of weights too."""
    only("average", returned=returned or None)
    a = make.asarray(a)
    if weights is None:
        return reduce.mean(a, axis, keepdims=keepdims)
    w = make.asarray(weights)
    if w.shape != a.shape:
        if axis is None:
            raise TypeError("Axis must be specified when shapes of a and weights differ.")
        w = shaping.moveaxis(shaping.broadcast_to(w, (*(1,) * (a.ndim - 1), w.size)), -1, axis)
        w = shaping.broadcast_to(w, a.shape)
    return reduce.sum(a * w, axis, keepdims=keepdims) / reduce.sum(w, axis, keepdims=keepdims)


def _without_nan(name: str, of, fill: float, empty=None):
    def summary(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None):
        only(name, out=out, dtype=dtype, initial=initial, where=where)
        a = make.asarray(a)
        if a.dtype.family not in "fc":
            return of(a, axis, keepdims=keepdims)
        missing = UFUNCS["isnan"](a)
        found = of(_where(missing, fill, a), axis, keepdims=keepdims)
        if empty is None:
            return found
        nothing = reduce.all(missing, axis, keepdims=keepdims)
        return make.asarray(_where(nothing, empty, found)).astype(a.dtype)[()]
    summary.__name__ = summary.__qualname__ = name
    summary.__doc__ = f"`{name[3:]}` of the elements that are not NaN."
    return summary


nansum = _without_nan("nansum", reduce.sum, 0.0)
nanprod = _without_nan("nanprod", reduce.prod, 1.0)
nanmax = _without_nan("nanmax", reduce.max, -math.inf, math.nan)
nanmin = _without_nan("nanmin", reduce.min, math.inf, math.nan)


def nanmean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=None):
    """`mean` of the elements that are not NaN."""
    only("nanmean", dtype=dtype, out=out, where=where)
    a = _floating(a)
    count = reduce.sum(~UFUNCS["isnan"](a), axis, keepdims=keepdims)
    return make.asarray(nansum(a, axis, keepdims=keepdims) / count).astype(a.dtype)[()]


def nanvar(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None, mean=None,
           correction=None):
    """`var` of the elements that are not NaN."""
    only("nanvar", dtype=dtype, out=out, where=where, mean=mean, correction=correction)
    a = _floating(a)
    count = reduce.sum(~UFUNCS["isnan"](a), axis, keepdims=keepdims)
    apart = a - nanmean(a, axis, keepdims=True)
    return make.asarray(nansum(apart * apart, axis, keepdims=keepdims) / (count - ddof)
                        ).astype(a.dtype)[()]


def nanstd(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None, mean=None,
           correction=None):
    """`std` of the elements that are not NaN."""
    return UFUNCS["sqrt"](nanvar(a, axis, dtype, out, ddof, keepdims, where=where, mean=mean,
                                 correction=correction))


def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    """NaN and infinities as numbers. OutOfScope: in place."""
    only("nan_to_num", copy=None if copy else copy)
    a = make.asarray(x)
    if a.dtype.family != "f":
        return a.copy()
    from simulator.types.limits import finfo
    info = finfo(a.dtype)
    for mask, value in ((UFUNCS["isnan"](a), nan),
                        (a == math.inf, info.max if posinf is None else posinf),
                        (a == -math.inf, info.min if neginf is None else neginf)):
        a = make.asarray(_where(mask, make.asarray(value).astype(a.dtype), a))
    return a[()]


def cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, *,
        dtype=None):
    """The covariances of variables, one a row. OutOfScope: weights."""
    only("cov", fweights=fweights, aweights=aweights, dtype=dtype)
    x = _floating(shaping.atleast_2d(m))
    if not rowvar and make.asarray(m).ndim != 1:
        x = x.T
    if y is not None:
        other = _floating(shaping.atleast_2d(y))
        x = joining.concatenate([x, other if rowvar or len(other) == 1 else other.T])
    apart = x - reduce.mean(x, 1, keepdims=True)
    freedom = x.shape[1] - ((0 if bias else 1) if ddof is None else ddof)
    return make.asarray(products.dot(apart, apart.T.conj()) / freedom).squeeze()


def corrcoef(x, y=None, rowvar=True, *, dtype=None):
    """The correlations of variables, one a row."""
    only("corrcoef", dtype=dtype)
    c = cov(x, y, rowvar)
    if not c.ndim:
        return c / c
    spread = UFUNCS["sqrt"](products.diagonal(c))
    return search.clip(c / spread[:, None] / spread[None, :], -1, 1)


def histogram_bin_edges(a, bins=10, range=None, weights=None):
    """Where the bins of `histogram` begin and end. OutOfScope: a rule by name."""
    if isinstance(bins, str):
        raise OutOfScope(f"numpy.histogram with bins {bins!r}", "give their number")
    if make.asarray(bins).ndim:
        return make.asarray(bins)
    a = make.asarray(a).ravel()
    low, high = range or ((a.min(), a.max()) if a.size else (0.0, 1.0))
    if low == high:
        low, high = low - 0.5, high + 0.5
    kind = a.dtype if a.dtype.family == "f" else dt.float64
    return creation.linspace(float(low), float(high), bins + 1, dtype=kind)


def histogram(a, bins=10, range=None, density=None, weights=None):
    """How many elements fall into each bin, and the edges of the bins."""
    a = make.asarray(a).ravel()
    edges = histogram_bin_edges(a, bins, range, weights)
    kind = dt.int64 if weights is None else make.asarray(weights).dtype
    counts = [0 if weights is None else 0.0] * (edges.size - 1)
    loads = [1] * a.size if weights is None else make.asarray(weights).ravel().tolist()
    places = make.asarray(searchsorted(edges, a, side="right")).tolist()
    last = edges.tolist()[-1]
    for x, place, load in zip(a.tolist(), places, loads):
        place = place - 1 if x == last else place
        if 0 < place < edges.size:
            counts[place - 1] += load
    out = make.asarray(counts, kind)
    if density:
        return out / diff(edges) / reduce.sum(out), edges
    return out, edges


def gradient(f, *varargs, axis=None, edge_order=1):
    """Slopes between neighbours, along each axis. OutOfScope: uneven steps."""
    only("gradient", edge_order=None if edge_order == 1 else edge_order)
    a = _floating(f)
    axes = list(range(a.ndim)) if axis is None else [axis % a.ndim] \
        if isinstance(axis, int) else [i % a.ndim for i in axis]
    steps = list(varargs) * (len(axes) if len(varargs) == 1 else 1) or [1.0] * len(axes)
    if any(make.asarray(h).ndim for h in steps):
        raise OutOfScope("numpy.gradient with uneven steps", "give one step")
    out = []
    for i, h in zip(axes, steps):
        rows = shaping.moveaxis(a, i, 0)
        inner = (rows[2:] - rows[:-2]) / (2.0 * h)
        ends = [(rows[1:2] - rows[:1]) / h, inner, (rows[-1:] - rows[-2:-1]) / h]
        out.append(shaping.moveaxis(joining.concatenate(ends), 0, i))
    return out[0] if len(out) == 1 else tuple(out)


def interp(x, xp, fp, left=None, right=None, period=None):
    """Values between given points, on straight lines. OutOfScope: ``period``."""
    only("interp", period=period)
    xs, ys = make.asarray(xp).tolist(), make.asarray(fp).tolist()
    wanted = make.asarray(x, dt.float64)
    if len(xs) != len(ys):
        raise ValueError("fp and xp are not of the same length.")
    import bisect

    def at(v: float) -> float:
        if v != v:
            return v
        if v < xs[0]:
            return ys[0] if left is None else left
        if v > xs[-1]:
            return ys[-1] if right is None else right
        i = min(max(bisect.bisect_right(xs, v) - 1, 0), len(xs) - 2) if len(xs) > 1 else 0
        if v == xs[i] or len(xs) == 1:
            return float(ys[i])
        if v == xs[i + 1]:
            return float(ys[i + 1])
        return (ys[i + 1] - ys[i]) / (xs[i + 1] - xs[i]) * (v - xs[i]) + ys[i]

    return NDArray.lazy(wanted.shape, dt.float64, lambda v: [at(x) for x in v], [wanted])[()]


def trapezoid(y, x=None, dx=1.0, axis=-1):
    """The area under points that are joined by straight lines."""
    y = make.asarray(y)
    rows = shaping.moveaxis(y, axis, -1)
    steps = dx if x is None else diff(x)
    return reduce.sum(steps * (rows[..., 1:] + rows[..., :-1]) / 2.0, -1)


globals().update(dispatched(globals()))
