"""``jax.numpy`` functions about diagonals and triangles, and ``linalg.norm``.

JAX source: ``jax/_src/numpy/lax_numpy.py: tril, triu, trace, diag, diagonal``;
``jax/_src/numpy/linalg.py: norm, vector_norm``.
"""

from __future__ import annotations

import math
import operator
from typing import Any

from simulator.api import jit
from simulator.errors import OutOfScope
from simulator.facade import numpy as np
from simulator.facade.jax.lax import base, branches, reducing, shapes
from simulator.facade.jax.lax import elementwise as el
from simulator.facade.jax.numpy import reductions as red
from simulator.facade.jax.numpy.choosing import where
from simulator.facade.jax.numpy.creation import eye, tri, zeros_like
from simulator.facade.jax.numpy.math_functions import abs as absolute
from simulator.facade.jax.numpy.math_functions import conj, real, sqrt
from simulator.facade.jax.numpy.powers import power
from simulator.facade.jax.numpy.ranges import arange
from simulator.facade.jax.numpy.reshaping import moveaxis
from simulator.facade.jax.numpy.util import ensure_array, promote_inexact
from simulator.types import dtypes


def _mask(name: str, m: Any, k: int) -> tuple:
    m = ensure_array(name, m)
    if m.ndim < 2:
        raise ValueError(f"Argument to jax.numpy.{name} must be at least 2D")
    mask = tri(*m.shape[-2:], k=k, dtype=bool)
    return m, shapes.broadcast(mask, m.shape[:-2],
                               out_sharding=base.sharding_of(m.aval) or shapes.NO_MESH)


@jit(static_argnames=("k",))
def tril(m, k=0):
    """``jax.numpy.tril``: the lower triangle."""
    m, which = _mask("tril", m, k)
    return el.select(which, m, zeros_like(m))


@jit(static_argnames=("k",))
def triu(m, k=0):
    """``jax.numpy.triu``: the upper triangle."""
    m, which = _mask("triu", m, k - 1)
    return el.select(which, zeros_like(m), m)


@jit(static_argnames=("axis1", "axis2", "dtype"))
def trace(a, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    """``jax.numpy.trace``."""
    a = ensure_array("trace", a)
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.trace is not supported.")
    if base.canonical_axis(axis1, a.ndim) == base.canonical_axis(axis2, a.ndim):
        raise ValueError(f"axis1 and axis2 can not be same. axis1={axis1} and axis2={axis2}")
    if dtype is not None:
        dtype = base.user_dtype(dtype, "trace")
    own = a.shape
    a = moveaxis(a, (axis1, axis2), (-2, -1))
    a = where(eye(own[axis1], own[axis2], k=offset, dtype=bool), a, zeros_like(a))
    return red.sum(a, axis=(-2, -1), dtype=dtype)


@jit(static_argnames=("offset", "axis1", "axis2"))
def diagonal(a, offset=0, axis1=0, axis2=1):
    """``jax.numpy.diagonal``."""
    a = ensure_array("diagonal", a)
    if a.ndim < 2:
        raise ValueError("diagonal requires an array of at least two dimensions.")
    offset = base.concrete(operator.index, offset, "'offset' argument of jnp.diagonal()")
    own = a.shape

    def _default_diag(a):
        a = moveaxis(a, (axis1, axis2), (-2, -1))
        size = max(0, min(own[axis1] + min(offset, 0), own[axis2] - max(offset, 0)))
        i = arange(size)
        j = arange(abs(offset), abs(offset) + size)
        return a[..., i, j] if offset >= 0 else a[..., j, i]

    if own[0] != own[1] or a.ndim != 2 or offset != 0 or a.dtype.family == "b":
        return _default_diag(a)
    ones = eye(own[0], dtype=a.dtype)

    def _mosaic_diag(a):
        zero = np.array(0, a.dtype)
        return reducing.reduce(el.mul(ones, a), zero, el.add, (0,))
    return branches.platform_dependent(a, default=_default_diag, mosaic=_mosaic_diag)


def diag(v, k=0):
    """``jax.numpy.diag``."""
    return _diag(ensure_array("diag", v), operator.index(k))


@jit(static_argnames=("k",))
def _diag(v, k):
    if v.ndim == 1:
        n = v.shape[0] + abs(k)
        v = reducing.pad(v, shapes.full_like(v, 0, shape=()), ((max(0, -k), max(0, k), 0),))
        return where(eye(n, k=k, dtype=bool), v[:, None], shapes.full_like(v, 0, shape=()))
    if v.ndim == 2:
        return diagonal(v, offset=k)
    raise ValueError("diag input must be 1d or 2d")


@jit(static_argnames=("ord", "axis", "keepdims"))
def norm(x, ord=None, axis=None, keepdims=False):
    """``jax.numpy.linalg.norm``. OutOfScope for norms that need singular values."""
    x = ensure_array("jnp.linalg.norm", x)
    x, = promote_inexact(x)
    if axis is None:
        if ord is None:
            return sqrt(red.sum(real(x * conj(x)), keepdims=keepdims))
        axis = tuple(range(x.ndim))
    elif isinstance(axis, tuple):
        axis = tuple(base.canonical_axis(i, x.ndim) for i in axis)
    else:
        axis = (base.canonical_axis(axis, x.ndim),)
    if len(axis) == 1:
        return vector_norm(x, ord=2 if ord is None else ord, axis=axis, keepdims=keepdims)
    if len(axis) != 2:
        raise ValueError(f"Improper number of axes for norm: axis={axis!r}. Pass one axis to "
                         "compute a vector-norm, or two axes to compute a matrix-norm.")
    if ord is None or ord in ("f", "fro"):
        return sqrt(red.sum(real(x * conj(x)), axis=axis, keepdims=keepdims))
    if ord in ("nuc", 2, -2):
        raise OutOfScope(f"jax.numpy.linalg.norm(ord={ord!r}) of a matrix", "use ord='fro'")
    if ord not in (1, -1, math.inf, -math.inf):
        raise ValueError(f"Invalid order '{ord}' for matrix norm.")
    row, column = axis
    inner, outer = (row, column) if ord in (1, -1) else (column, row)
    if not keepdims and outer > inner:
        outer -= 1
    sums = red.sum(absolute(x), axis=inner, keepdims=keepdims)
    if ord > 0:
        return red.amax(sums, axis=outer, keepdims=keepdims, initial=0)
    return red.amin(sums, axis=outer, keepdims=keepdims)


def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    """``jax.numpy.linalg.vector_norm``."""
    x = ensure_array("jnp.linalg.vector_norm", x)
    if ord is None or ord == 2:
        return sqrt(red.sum(real(x * conj(x)), axis=axis, keepdims=keepdims))
    if ord == math.inf:
        return red.amax(absolute(x), axis=axis, keepdims=keepdims, initial=0)
    if ord == -math.inf:
        return red.amin(absolute(x), axis=axis, keepdims=keepdims)
    if ord == 0:
        return red.sum(x != 0, dtype=dtypes.real_part(base.dtype(x)), axis=axis,
                       keepdims=keepdims)
    if ord == 1:
        return red.sum(absolute(x), axis=axis, keepdims=keepdims)
    if isinstance(ord, str):
        hint = {"inf": "Use 'jax.numpy.inf' instead.",
                "-inf": "Use '-jax.numpy.inf' instead."}.get(ord, "")
        raise ValueError(f"Invalid order '{ord}' for vector norm.{hint}")
    magnitudes = absolute(x)
    exponent = base.const(magnitudes, ord)
    inverse = base.const(magnitudes, 1.0 / exponent)
    out = red.sum(magnitudes ** exponent, axis=axis, keepdims=keepdims)
    return power(out, inverse)
