"""``jax.numpy`` summaries of samples: covariance, correlation, histograms.

JAX source: ``jax/_src/numpy/lax_numpy.py: cov, corrcoef, histogram,
histogram_bin_edges, histogramdd, histogram2d``.
"""

from __future__ import annotations

import math
import operator
from typing import Any

from simulator.api import jit
from simulator.facade.jax.lax import base, shapes
from simulator.facade.jax.lax import elementwise as el
from simulator.facade.jax.numpy import arithmetic, creation, ranges
from simulator.facade.jax.numpy import math_functions as mf
from simulator.facade.jax.numpy import reductions as red
from simulator.facade.jax.numpy.choosing import bincount, clip, diff, where
from simulator.facade.jax.numpy.constructors import array, asarray
from simulator.facade.jax.numpy.contractions import dot
from simulator.facade.jax.numpy.diagonals import diag
from simulator.facade.jax.numpy.index_arrays import ix_, ravel_multi_index
from simulator.facade.jax.numpy.joining import concatenate
from simulator.facade.jax.numpy.looping import searchsorted
from simulator.facade.jax.numpy.reshaping import atleast_2d, reshape, transpose
from simulator.facade.jax.numpy.statistics import average, ptp
from simulator.facade.jax.numpy.util import (
    check_arraylike,
    ensure_array,
    ensure_arrays,
    promote_args_inexact,
    promote_inexact,
)
from simulator.types import dtypes


def _inexact(name: str, dtype: Any) -> None:
    if dtype is not None and base.user_dtype(dtype).family not in "fc":
        raise ValueError(f"{name}: dtype must be a subclass of float or complex; got {dtype=}")


@jit(static_argnames=("rowvar", "bias", "ddof", "dtype"))
def cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, dtype=None):
    """``jax.numpy.cov``: one row for each variable, unless `rowvar` is false."""
    if y is None:
        [m] = promote_args_inexact("cov", m)
    else:
        m, y = promote_args_inexact("cov", m, y)
        if y.ndim > 2:
            raise ValueError("y has more than 2 dimensions")
    if m.ndim > 2:
        raise ValueError("m has more than 2 dimensions")
    _inexact("cov", dtype)
    x = atleast_2d(m)
    if not rowvar and m.ndim != 1:
        x = x.T
    if x.shape[0] == 0:
        return array([]).reshape(0, 0)
    if y is not None:
        y = atleast_2d(y)
        if not rowvar and y.shape[0] != 1:
            y = y.T
        x = concatenate((x, y), axis=0)
    if x.shape[1] == 0:
        n = x.shape[0]
        return creation.full(() if n == 1 else (n, n), math.nan, dtype=x.dtype)
    if ddof is None:
        ddof = 1 if bias == 0 else 0
    w, importances = _weights(x.shape[1], fweights, aweights)
    if dtype is not None:
        x = x.astype(dtype)
        w = w.astype(dtype) if w is not None else w
    mean, total = average(x, axis=1, weights=w, returned=True)
    total = total[0]
    if w is None:
        freedom = x.shape[1] - ddof
    elif ddof == 0:
        freedom = total
    elif importances is None:
        freedom = total - ddof
    else:
        freedom = total - ddof * red.sum(w * importances) / total
    x = x - mean[:, None]
    other = x.T if w is None else (x * shapes.broadcast_to_rank(w, x.ndim)).T
    return arithmetic.true_divide(dot(x, other.conj()), freedom).squeeze()


def _weights(n: int, frequencies: Any, importances: Any) -> tuple:
    """The weights of `n` samples, and the part of them that is no count; None for none."""
    w = None
    if frequencies is not None:
        frequencies = _one_for_each(n, "fweights", frequencies)
        if frequencies.dtype.family not in "iu":
            raise TypeError("fweights must be integer.")
        w = abs(frequencies)
    if importances is not None:
        importances = abs(_one_for_each(n, "aweights", importances))
        w = asarray(importances if w is None else w * importances)
    return w, importances


def _one_for_each(n: int, name: str, given: Any) -> Any:
    given = ensure_array("cov", given)
    if given.ndim > 1:
        raise RuntimeError(f"cannot handle multidimensional {name}")
    if given.shape[0] != n:
        raise RuntimeError(f"incompatible numbers of samples and {name}")
    return given


@jit(static_argnames=("rowvar", "dtype"))
def corrcoef(x, y=None, rowvar=True, dtype=None):
    """``jax.numpy.corrcoef``."""
    check_arraylike("corrcoef", x)
    _inexact("corrcoef", dtype)
    c = cov(x, y, rowvar, dtype=dtype)
    if c.ndim == 0:
        return arithmetic.divide(c, c)
    deviation = mf.sqrt(mf.real(diag(c))).astype(c.dtype)
    c = c / deviation[:, None] / deviation[None, :]
    part = clip(mf.real(c), -1, 1)
    return el.complex(part, clip(mf.imag(c), -1, 1)) if arithmetic.iscomplexobj(c) else part


def histogram_bin_edges(a: Any, bins: Any = 10, range: Any = None, weights: Any = None) -> Any:
    """``jax.numpy.histogram_bin_edges``; not jitted itself."""
    if isinstance(bins, str):
        raise NotImplementedError("string values for `bins` not implemented.")
    check_arraylike("histogram_bin_edges", a, bins)
    arr = asarray(a)
    dtype = dtypes.to_inexact(arr.dtype)
    if base.ndim(bins) == 1:
        return asarray(bins, dtype=dtype)
    number = base.concrete(operator.index, bins, "bins argument of histogram_bin_edges")
    if range is None:
        range = [arr.min(), arr.max()]
    range = asarray(range, dtype=dtype)
    if range.shape != (2,):
        raise ValueError(f"`range` must be either None or a sequence of scalars, got {range}")
    low = where(ptp(range) == 0, range[0] - 0.5, range[0])
    high = where(ptp(range) == 0, range[1] + 0.5, range[1])
    return ranges.linspace(low, high, number + 1, dtype=dtype)


def histogram(a: Any, bins: Any = 10, range: Any = None, weights: Any = None,
              density: bool | None = None) -> tuple:
    """``jax.numpy.histogram``: counts and edges; not jitted itself."""
    if weights is None:
        a, _ = ensure_arrays("histogram", a, bins)
        [a] = promote_inexact(a)
        weights = creation.ones_like(a)
    else:
        a, _, weights = ensure_arrays("histogram", a, bins, weights)
        if a.shape != weights.shape:
            raise ValueError("weights should have the same shape as a.")
        a, weights = promote_inexact(a, weights)
    edges = histogram_bin_edges(a, bins, range, weights)
    place = searchsorted(edges, a, side="right")
    place = where(a == edges[-1], len(edges) - 1, place)
    counts = creation.zeros(len(edges), weights.dtype).at[place].add(weights)[1:]
    if density:
        counts = counts / diff(edges) / counts.sum()
    return counts, edges


def histogramdd(sample: Any, bins: Any = 10, range: Any = None, weights: Any = None,
                density: bool | None = None) -> tuple:
    """``jax.numpy.histogramdd``: counts and one list of edges per dimension."""
    if weights is None:
        [sample] = promote_inexact(ensure_array("histogramdd", sample))
    else:
        sample, weights = ensure_arrays("histogramdd", sample, weights)
        if weights.shape != sample.shape[:1]:
            raise ValueError("should have one weight for each sample.")
        sample, weights = promote_inexact(sample, weights)
    n, d = sample.shape
    if range is not None and (len(range) != d or any(
            r is not None and base.shape(r)[0] != 2 for r in range)):
        raise ValueError(f"For sample.shape={(n, d)}, range must be a sequence of {d} pairs or "
                         f"Nones; got {range=}")
    try:
        bins = list(bins)
    except TypeError:
        bins = d * [bins]
    if len(bins) != d:
        raise ValueError("should be a bin for each dimension.")
    places, edges = [], []
    for i, number in enumerate(bins):
        found = histogram_bin_edges(sample[:, i], number, None if range is None else range[i],
                                    weights)
        place = searchsorted(found, sample[:, i], side="right")
        places.append(where(sample[:, i] == found[-1], place - 1, place))
        edges.append(found)
    sizes = tuple(len(found) + 1 for found in edges)
    widths = [diff(found) for found in edges]
    flat = ravel_multi_index(tuple(places), sizes, mode="clip")
    counts = reshape(bincount(flat, weights, length=math.prod(sizes)), sizes)
    counts = counts[d * (slice(1, -1),)]
    if density:
        counts = counts.astype(sample.dtype)
        counts /= counts.sum()
        for width in ix_(*widths):
            counts /= width
    return counts, edges


def histogram2d(x: Any, y: Any, bins: Any = 10, range: Any = None, weights: Any = None,
                density: bool | None = None) -> tuple:
    """``jax.numpy.histogram2d``: counts and the edges of both dimensions."""
    x, y = ensure_arrays("histogram2d", x, y)
    try:
        n = len(bins)
    except TypeError:
        n = 1
    if n not in (1, 2):
        bins = [asarray(bins)] * 2
    counts, edges = histogramdd(transpose(asarray([x, y])), bins, range, weights, density)
    return counts, edges[0], edges[1]
