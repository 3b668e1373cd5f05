"""``jax.numpy`` functions that are loops or branches inside: searchsorted, interp, gcd, polyval …

JAX source: ``jax/_src/numpy/lax_numpy.py: searchsorted, digitize, interp, gcd, lcm,
piecewise``; ``jax/_src/numpy/hijax.py: _searchsorted_impl``;
``jax/_src/numpy/polynomial.py: polyval``; ``jax/_src/lax/lax.py:
_sort_lt_comparator, _canonicalize_float_for_sort``.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

from simulator.api import eval_shape, jit
from simulator.autodiff.rules.common import zero as scalar_zero
from simulator.batching.vmapping import vmap
from simulator.facade.jax import lax
from simulator.facade.jax.lax import base
from simulator.facade.jax.lax.shapes import vary_like
from simulator.facade.jax.numpy import arithmetic
from simulator.facade.jax.numpy import math_functions as mf
from simulator.facade.jax.numpy import reductions as red
from simulator.facade.jax.numpy.choosing import argmax, clip, where
from simulator.facade.jax.numpy.constructors import array, asarray
from simulator.facade.jax.numpy.creation import zeros_like
from simulator.facade.jax.numpy.cumulating import cumsum
from simulator.facade.jax.numpy.joining import concatenate
from simulator.facade.jax.numpy.reshaping import broadcast_arrays, moveaxis
from simulator.facade.jax.numpy.util import (
    ensure_arrays,
    promote_dtypes,
    promote_inexact,
)
from simulator.facade.jax.numpy.vectorizing import vectorize
from simulator.manual.varying import together
from simulator.primitives.binary import eq_to_p, le_to_p, lt_to_p
from simulator.primitives.core import Primitive
from simulator.types import dtypes


def _keys(x: Any) -> list:
    # What numbers are ordered by: complex ones by their real part first.
    if x.dtype.family == "c":
        return [_float_key(lax.real(x)), _float_key(lax.imag(x))]
    return [_float_key(x) if x.dtype.family == "f" else x]


def _float_key(x: Any) -> Any:
    # All zeros and all NaNs count as equal.
    zero = lax.select(lax.eq(x, scalar_zero(x)), lax.full_like(x, 0), x)
    return lax.select(lax.ne(x, x), lax.full_like(zero, math.nan), zero)


def _ordered(compare: Primitive, x: Any, y: Any) -> Any:
    # By the first keys that differ; the last ones by `compare`.
    *first, last = zip(_keys(x), _keys(y))
    answer = compare.bind(*last)
    for pair in reversed(first):
        answer = lt_to_p.bind(*pair) | (eq_to_p.bind(*pair) & answer)
    return answer


def _less(x: Any, y: Any) -> Any:
    return _ordered(lt_to_p, x, y)


def _less_or_equal(x: Any, y: Any) -> Any:
    return _ordered(le_to_p, x, y)


@jit(static_argnames=["side", "dtype", "unrolled"])
def _searchsorted_scan_impl(sorted_arr, query, side, dtype, unrolled):
    (n,) = sorted_arr.shape
    if not n:
        return lax.full(query.shape, 0, dtype)
    if query.ndim:
        one = functools.partial(_searchsorted_scan_impl, side=side, dtype=dtype, unrolled=unrolled)
        return vmap(one, in_axes=(None, 0))(sorted_arr, query)
    before = _less_or_equal if side == "left" else _less

    def body_fun(state, _):
        low, high = state
        middle = low + (high - low) // 2
        go_left = before(query, sorted_arr[middle])
        return (lax.select(go_left, low, middle), lax.select(go_left, middle, high)), ()

    levels = math.ceil(math.log2(n + 1))
    start = tuple(vary_like(array(i, dtype=dtypes.uint32), sorted_arr) for i in (0, n))
    (_, high), _ = lax.scan(body_fun, start, (), length=levels, unroll=levels if unrolled else 1)
    return high.astype(dtype)


@jit(static_argnames=["side", "dtype"])
def _searchsorted_sort_impl(sorted_arr, query, side, dtype):
    def rank(x):
        index = lax.iota(dtypes.int32, len(x))
        return lax.full_like(index, 0).at[lax.sort_key_val(x, index)[1]].set(index)

    if side == "left":
        index = rank(lax.concatenate([query.ravel(), sorted_arr], 0))[:query.size]
    else:
        index = rank(lax.concatenate([sorted_arr, query.ravel()], 0))[sorted_arr.size:]
    return lax.reshape(lax.sub(index, rank(query.ravel())), query.shape).astype(dtype)


@jit(static_argnames=["side", "dtype"])
def _searchsorted_compare_all_impl(sorted_arr, query, side, dtype):
    before = _less if side == "left" else _less_or_equal
    return vmap(before, in_axes=(0, None))(sorted_arr, query).sum(dtype=dtype, axis=0)


@jit(static_argnames=("side", "method"))
def searchsorted(a, v, side="left", sorter=None, *, method="scan"):
    """``jax.numpy.searchsorted``. ValueError for an unknown side or method."""
    if sorter is None:
        a, v = ensure_arrays("searchsorted", a, v)
    else:
        a, v, sorter = ensure_arrays("searchsorted", a, v, sorter)
    if a.ndim != 1:
        raise ValueError("a should be 1-dimensional")
    a, v = promote_dtypes(a, v)
    if sorter is not None:
        a = a[sorter]
    if side not in ("left", "right"):
        raise ValueError(f"invalid argument side={side!r}, expected 'left' or 'right'")
    if method not in _METHODS:
        raise ValueError(f"invalid argument method={method!r}, expected one of {list(_METHODS)}")
    a, v = together((a, v))
    # JAX builds a primitive of a higher kind first, and asks for its type.
    eval_shape(functools.partial(_searchsorted_impl, side=side, method=method), a, v)
    return _searchsorted_impl(a, v, side=side, method=method)


_METHODS: dict[str, Callable] = {
    "compare_all": _searchsorted_compare_all_impl,
    "scan": functools.partial(_searchsorted_scan_impl, unrolled=False),
    "scan_unrolled": functools.partial(_searchsorted_scan_impl, unrolled=True),
    "sort": _searchsorted_sort_impl}


def _searchsorted_impl(sorted_arr, query, *, side, method):
    return _METHODS[method](moveaxis(sorted_arr, 0, -1), query, side=side, dtype=dtypes.int32)


@jit(static_argnames=("right", "method"))
def digitize(x, bins, right=False, *, method=None):
    """``jax.numpy.digitize``."""
    x, bins = ensure_arrays("digitize", x, bins)
    right = base.concrete(bool, right, "right argument of jnp.digitize()")
    if bins.ndim != 1:
        raise ValueError(f"digitize: bins must be a 1-dimensional array; got {bins=}")
    if not bins.shape[0]:
        return zeros_like(x, dtype=dtypes.int32)
    side = "left" if right else "right"
    options = {} if method is None else {"method": method}
    return where(bins[-1] >= bins[0], searchsorted(bins, x, side=side, **options),
                 bins.shape[0] - searchsorted(bins[::-1], x, side=side, **options))


def _interp(x, xp, fp, left=None, right=None, period=None):
    x, xp, fp = ensure_arrays("interp", x, xp, fp)
    if xp.shape != fp.shape or xp.ndim != 1:
        raise ValueError("xp and fp must be one-dimensional arrays of equal size")
    x, xp = promote_inexact(x, xp)
    fp, = promote_inexact(fp)
    for name, value in (("left", left), ("right", right)):
        if isinstance(value, str) and value != "extrapolate":
            raise ValueError(f"the only valid string value of `{name}` is 'extrapolate', but got: "
                             f"{value!r}")
    if x.dtype.family == "c":
        raise ValueError("jnp.interp: complex x values not supported.")
    if period is not None:
        if base.ndim(period):
            raise ValueError(f"period must be a scalar; got {period}")
        period = mf.abs(period)
        x, xp = x % period, xp % period
        xp, fp = lax.sort_key_val(xp, fp)
        xp = concatenate([xp[-1:] - period, xp, xp[:1] + period])
        fp = concatenate([fp[-1:], fp, fp[:1]])
    i = clip(searchsorted(xp, x, side="right"), 1, len(xp) - 1)
    rise = fp[i] - fp[i - 1]
    run = xp[i] - xp[i - 1]
    delta = x - xp[i - 1]
    eps = float(dtypes.finfo(xp.dtype).eps)
    # The distance from eps to the next number; a run as small makes no good slope.
    flat = lax.abs(run) <= xp.dtype.type(eps * eps)
    f = where(flat, fp[i - 1], fp[i - 1] + (delta / where(flat, 1, run)) * rise)
    if not isinstance(left, str):
        first = fp[0] if left is None else left
        if period is None:
            f = where(x < xp[0], first, f)
    if not isinstance(right, str):
        last = fp[-1] if right is None else right
        if period is None:
            f = where(x > xp[-1], last, f)
    return f


def interp(x, xp, fp, left=None, right=None, period=None):
    """``jax.numpy.interp``: each call wraps the same function in a new ``jax.jit``."""
    names = [n for n, v in (("left", left), ("right", right)) if v is None or isinstance(v, str)]
    if period is None:
        names.append("period")
    return jit(_interp, static_argnames=names)(x, xp, fp, left, right, period)


def _gcd_cond_fn(xs):
    return red.any(xs[1] != 0)


def _gcd_body_fn(xs):
    x1, x2 = xs
    x1, x2 = where(x2 != 0, x2, x1), where(x2 != 0, lax.rem(x1, x2), base.const(x2, 0))
    return where(x1 < x2, x2, x1), where(x1 < x2, x1, x2)


@jit
def gcd(x1, x2):
    """``jax.numpy.gcd``. ValueError for other numbers than integers."""
    x1, x2 = promote_dtypes(*ensure_arrays("gcd", x1, x2))
    if x1.dtype.family not in "iu":
        raise ValueError("Arguments to jax.numpy.gcd must be integers.")
    x1, x2 = broadcast_arrays(x1, x2)
    return lax.while_loop(_gcd_cond_fn, _gcd_body_fn, (mf.abs(x1), mf.abs(x2)))[0]


@jit
def lcm(x1, x2):
    """``jax.numpy.lcm``. ValueError for other numbers than integers."""
    x1, x2 = promote_dtypes(*ensure_arrays("lcm", x1, x2))
    x1, x2 = mf.abs(x1), mf.abs(x2)
    if x1.dtype.family not in "iu":
        raise ValueError("Arguments to jax.numpy.lcm must be integers.")
    d = gcd(x1, x2)
    return where(d == 0, base.const(d, 0), arithmetic.multiply(x1, arithmetic.floor_divide(x2, d)))


@jit(static_argnames=["unroll"])
def polyval(p, x, *, unroll=16):
    """``jax.numpy.polyval``: Horner's scheme as a `scan`."""
    p, x = promote_dtypes(*ensure_arrays("polyval", p, x))
    y = lax.full_like(x, 0, shape=lax.broadcast_shapes(p.shape[1:], x.shape), dtype=x.dtype)
    return lax.scan(lambda y, p: (y * x + p, None), y, p, unroll=unroll)[0]


def piecewise(x, condlist, funclist, *args, **kw):
    """``jax.numpy.piecewise``: a `switch` for every element.

    Errors: ValueError when there are neither as many functions as conditions nor one more.
    """
    x, = ensure_arrays("piecewise", x)
    n = len(condlist)
    if len(funclist) == n + 1:
        funclist = [*funclist[-1:], *funclist[:-1]]
    elif len(funclist) == n:
        funclist = [0, *funclist]
    else:
        raise ValueError(f"with {n} condition(s), either {n} or {n + 1} functions are expected; "
                         f"got {len(funclist)}")
    consts = {i: c for i, c in enumerate(funclist) if not callable(c)}
    funcs = frozenset((i, f) for i, f in enumerate(funclist) if callable(f))
    return _piecewise(x, asarray(condlist, dtype=bool), consts, funcs, *args, **kw)


@jit(static_argnames=["funcs"])
def _piecewise(x, condlist, consts, funcs, *args, **kw):
    by_index = dict(funcs)
    funclist = [consts.get(i, by_index.get(i)) for i in range(len(condlist) + 1)]
    indices = argmax(cumsum(concatenate([zeros_like(condlist[:1]), condlist], 0), 0), 0)
    dtype = x.dtype

    def branch(f):
        if callable(f):
            return lambda x: f(x, *args, **kw).astype(dtype)
        return lambda x: array(f, dtype=dtype)

    return vectorize(lax.switch, excluded=(1,))(indices, [branch(f) for f in funclist], x)
