"""Reductions, sorting and products of NDArrays (`np.sum`, `np.argsort`, `np.matmul` ...).

Floating sums are added as NumPy adds them, in the array's own type: pairwise in
blocks along the last axes, one after the other along the others.
"""

from __future__ import annotations

import math

from simulator import dtype_core as dt
from simulator import real_math as rm
from simulator.cells import row_major, strided
from simulator.errors import OutOfScope
from simulator.ndarray_core import NDArray
from simulator.ndarray_index import axis_of
from simulator.ndarray_make import asarray, promote, result_dtype
from simulator.rounding import cast, normalize
from simulator.scalar_types import as_scalar


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


def _fold(a, axis, keepdims, fn, out_dtype, compute=None):
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


def _sum_dtype(d, dtype_):
    if dtype_ is not None:
        return dt.dtype(dtype_)
    if d.family in "bi":
        return dt.int64
    return dt.uint64 if d.family == "u" else d


def _no_where(where, what):
    if where is not None:
        raise OutOfScope(f"numpy.{what} with where or initial")


def sum(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None):
    _no_where(where or out or initial, "sum")
    a = asarray(a)
    to = _sum_dtype(a.dtype, dtype)
    return _fold(a, axis, keepdims, _adder(a, axis, to), to, to)


all_, _any, _max = all, any, max


def _plain_sum(xs):
    total = 0
    for x in xs:
        total += x
    return total


def prod(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None):
    _no_where(where or out or initial, "prod")
    to = _sum_dtype(asarray(a).dtype, dtype)
    return _fold(a, axis, keepdims, math.prod, to, to)


def _extreme(pick, name):
    def method(a, axis=None, out=None, keepdims=False, initial=None, where=None):
        _no_where(where or out or initial, name)
        a = asarray(a)
        axes = _axes(axis, a.ndim)
        if _any(a.shape[i] == 0 for i in axes) and math.prod(
                n for i, n in enumerate(a.shape) if i not in axes):
            raise ValueError(f"zero-size array to reduction operation {name}imum which has "
                             "no identity")

        def fold(xs):
            best = xs[0]
            for x in xs[1:]:
                best = pick(best, x)
            return best
        return _fold(a, axis, keepdims, fold, a.dtype)
    return method


max = _extreme(rm.maximum, "max")
min = _extreme(rm.minimum, "min")


def all(a, axis=None, out=None, keepdims=False):
    return _fold(a, axis, keepdims, lambda xs: all_(map(bool, xs)), dt.bool_)


def any(a, axis=None, out=None, keepdims=False):
    return _fold(a, axis, keepdims, lambda xs: _any(map(bool, xs)), dt.bool_)


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


def mean(a, axis=None, dtype=None, out=None, keepdims=False):
    a = asarray(a)
    to = _mean_dtype(a.dtype, dtype)
    inner = dt.float32 if to is dt.float16 else to
    total = sum(a, axis, inner, None, keepdims)
    return _divided(total, _group_size(a, axis), to)


def var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    from simulator.ufuncs import UFUNCS
    a = asarray(a)
    to = _mean_dtype(a.dtype, dtype)
    off = UFUNCS["absolute"](a.astype(to) - asarray(mean(a, axis, to, keepdims=True)))
    total = sum(UFUNCS["square"](off), axis, None, None, keepdims)
    return _divided(total, _max(_group_size(a, axis) - ddof, 0), dt.real_part(to))


def std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    from simulator.ufuncs import UFUNCS
    return UFUNCS["sqrt"](var(a, axis, dtype, None, ddof, keepdims))


def ptp(a, axis=None):
    return max(a, axis) - min(a, axis)


def _arg(best_of, name):
    def method(a, axis=None, out=None, keepdims=False):
        a = asarray(a)
        if a.size == 0:
            raise ValueError(f"attempt to get arg{name} of an empty sequence")
        if axis is None:
            a, axis = a.reshape(-1), 0

        def fold(xs):
            at = 0
            for i, x in enumerate(xs):
                if x != x:
                    return i
                if best_of(x, xs[at]):
                    at = i
            return at
        return _fold(a, axis, keepdims, fold, dt.int64)
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
    a = asarray(a)
    to = _sum_dtype(a.dtype, dtype)
    return _along(a.astype(to), axis, _running(lambda x, y: normalize([x + y], to)[0]), to)


def cumprod(a, axis=None, dtype=None, out=None):
    a = asarray(a)
    to = _sum_dtype(a.dtype, dtype)
    return _along(a.astype(to), axis, _running(lambda x, y: normalize([x * y], to)[0]), to)


def _sort_key(x):
    return (x != x, 0.0 if x != x else rm.order(x))


def sort(a, axis=-1):
    a = asarray(a)
    return _along(a, axis, lambda xs: sorted(xs, key=_sort_key), a.dtype)


def argsort(a, axis=-1, kind=None, stable=None):
    return _along(asarray(a), axis,
                  lambda xs: sorted(range(len(xs)), key=lambda i: _sort_key(xs[i])), dt.int64)


def repeat(a, repeats, axis=None):
    a = asarray(a)
    if axis is None:
        a, axis = a.reshape(-1), 0
    axis = axis_of(axis, a.ndim)
    counts = asarray(repeats).reshape(-1).tolist()
    if len(counts) == 1:
        counts = counts * a.shape[axis]
    return take(a, [i for i, n in enumerate(counts) for _ in range(n)], axis)


def take(a, indices, axis=None, out=None, mode="raise"):
    a = asarray(a)
    if axis is None:
        a, axis = a.reshape(-1), 0
    axis = axis_of(axis, a.ndim)
    picked = asarray(indices, None if asarray(indices).size else dt.int64)
    return a[(slice(None),) * axis + (picked,)]


def clip(a, min=None, max=None, out=None, **kwargs):
    from simulator.ufuncs import UFUNCS
    for bound, fn in ((min, "maximum"), (max, "minimum")):
        if bound is not None:
            a = UFUNCS[fn](a, bound)
    return a


def round_(a, decimals=0, out=None):
    a = asarray(a)
    if a.dtype.family in "biu":
        return as_scalar(a.copy())
    scale = 10.0 ** decimals
    d = a.dtype
    return as_scalar(NDArray.lazy(a.shape, d, lambda v: normalize(
        [rm.round_even(x * scale) / scale for x in v], d), [a]))


def diagonal(a, offset=0, axis1=0, axis2=1):
    a = asarray(a)
    rest = [i for i in range(a.ndim) if i not in (axis1 % a.ndim, axis2 % a.ndim)]
    a = a.transpose([axis1 % a.ndim, axis2 % a.ndim, *rest])
    rows = range(_max(0, -offset), a.shape[0])
    at = [(i, i + offset) for i in rows if 0 <= i + offset < a.shape[1]]
    out = a[[i for i, _ in at], [j for _, j in at]] if at else a[:0, 0]
    return out.transpose([*range(1, out.ndim), 0])


def trace(a, offset=0, axis1=0, axis2=1):
    return sum(diagonal(a, offset, axis1, axis2), axis=-1)


def nonzero(a):
    a = asarray(a)
    hits = [i for i, v in enumerate(a.values()) if v]
    return tuple(NDArray((len(hits),), dt.int64, [i // s % n for i in hits])
                 for n, s in zip(a.shape, row_major(a.shape)))


def real(a):
    a = asarray(a)
    if a.dtype.family != "c":
        return a
    return NDArray.lazy(a.shape, dt.real_part(a.dtype), lambda v: [x.real for x in v], [a])


def imag(a):
    a = asarray(a)
    if a.dtype.family != "c":
        return NDArray.full(a.shape, 0 if a.dtype.family in "iu" else 0.0, a.dtype)
    return NDArray.lazy(a.shape, dt.real_part(a.dtype), lambda v: [x.imag for x in v], [a])


def matmul(a, b):
    """`a @ b`: vectors, matrices and stacks of matrices."""
    a, b = asarray(a), asarray(b)
    if not a.ndim or not b.ndim:
        raise ValueError("matmul: Input operand " + ("0" if not a.ndim else "1") +
                         " does not have enough dimensions (has 0, gufunc core with signature "
                         "(n?,k),(k,m?)->(n?,m?) requires 1)")
    rows, cols = a.ndim == 1, b.ndim == 1
    x = a.reshape(1, -1) if rows else a
    y = b.reshape(-1, 1) if cols else b
    if x.shape[-1] != y.shape[-2]:
        raise ValueError(
            "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc "
            f"signature (n?,k),(k,m?)->(n?,m?) (size {y.shape[-2]} is different from "
            f"{x.shape[-1]})")
    from simulator.ndarray_make import broadcast_shapes
    batch = broadcast_shapes(x.shape[:-2], y.shape[:-2])
    to = result_dtype([(a, 0), (b, 0)])
    n, k, m = x.shape[-2], x.shape[-1], y.shape[-1]
    shape = batch + (() if rows else (n,)) + (() if cols else (m,))

    def run(v, w):
        from simulator.cells import broadcast_strides
        v, w = cast(v, x.dtype, to), cast(w, y.dtype, to)
        bx = strided(batch, broadcast_strides(x.shape[:-2], batch))
        by = strided(batch, broadcast_strides(y.shape[:-2], batch))
        out = []
        for p, q in zip(bx, by):
            p, q = p * n * k, q * k * m
            for i in range(n):
                row = v[p + i * k:p + (i + 1) * k]
                for j in range(m):
                    out.append(_plain_sum(s * t for s, t in zip(row, w[q + j:q + k * m:m])))
        return normalize(out, to)
    return as_scalar(NDArray.lazy(shape, to, run, [x, y]))


def dot(a, b):
    a, b = asarray(a), asarray(b)
    if not a.ndim or not b.ndim:
        return a * b
    if a.ndim > 2 or b.ndim > 2:
        raise OutOfScope("numpy.dot of more than 2 dimensions", "use matmul")
    if a.shape[-1] != b.shape[0]:
        raise ValueError(f"shapes {_text(a.shape)} and {_text(b.shape)} not aligned: "
                         f"{a.shape[-1]} (dim {a.ndim - 1}) != {b.shape[0]} (dim 0)")
    return matmul(a, b)


def _text(shape):
    return "(" + ",".join(map(str, shape)) + ("," if len(shape) == 1 else "") + ")"
