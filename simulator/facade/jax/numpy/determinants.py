"""``jax.numpy.linalg.det`` and ``slogdet``: small ones by a formula, others by LU factors.

JAX source: ``jax/_src/numpy/linalg.py: det, _det_2x2, _det_3x3, slogdet, _slogdet_lu,
_cofactor_solve``.
"""

from __future__ import annotations

from typing import Any

from simulator.api import jit
from simulator.autodiff.custom_jvp import custom_jvp
from simulator.errors import OutOfScope
from simulator.facade import numpy as np
from simulator.facade.jax.lax import base, shapes
from simulator.facade.jax.lax import linalg as lax_linalg
from simulator.facade.jax.numpy import arithmetic, reductions
from simulator.facade.jax.numpy import math_functions as ufuncs
from simulator.facade.jax.numpy.choosing import where
from simulator.facade.jax.numpy.constructors import array, asarray
from simulator.facade.jax.numpy.creation import ones, zeros_like
from simulator.facade.jax.numpy.cumulating import cumprod
from simulator.facade.jax.numpy.diagonals import diagonal, trace
from simulator.facade.jax.numpy.factoring import solve
from simulator.facade.jax.numpy.index_arrays import ix_
from simulator.facade.jax.numpy.joining import concatenate
from simulator.facade.jax.numpy.moving import tile
from simulator.facade.jax.numpy.predicates import isinf, isnan
from simulator.facade.jax.numpy.ranges import arange
from simulator.facade.jax.numpy.reshaping import broadcast_to
from simulator.facade.jax.numpy.statistics import count_nonzero
from simulator.facade.jax.numpy.util import ensure_array, ensure_arrays, promote_inexact
from simulator.named_tuples import NamedTuple


class SlogdetResult(NamedTuple):
    """What `slogdet` returns."""

    sign: Any
    logabsdet: Any


@custom_jvp
def _slogdet_small(a):
    if a.shape[-1] == 1:
        det = a[..., 0, 0]
    else:
        a00, a01 = a[..., 0, 0], a[..., 0, 1]
        a10, a11 = a[..., 1, 0], a[..., 1, 1]
        det = (a00 * a11) - (a01 * a10)
    size = ufuncs.abs(det)
    return ufuncs.sign(det), ufuncs.real(ufuncs.log(size))


@_slogdet_small.defjvp
def _slogdet_small_jvp(primals, tangents):
    (x,), (g,) = primals, tangents
    sign, ans = _slogdet_small(x)
    if x.shape[-1] == 1:
        ans_dot = g[..., 0, 0] / x[..., 0, 0]
    else:
        x00, x01 = x[..., 0, 0], x[..., 0, 1]
        x10, x11 = x[..., 1, 0], x[..., 1, 1]
        det = (x00 * x11) - (x01 * x10)
        ans_dot = (g[..., 0, 0] * x11 - g[..., 0, 1] * x10
                   - g[..., 1, 0] * x01 + g[..., 1, 1] * x00) / det
    return (sign, ans), _with_sign(x, sign, ans_dot)


def _with_sign(x, sign, ans_dot):
    # The tangents of both results.
    if base.is_kind(x, "c"):
        return ((ans_dot - ufuncs.real(ans_dot).astype(ans_dot.dtype)) * sign,
                ufuncs.real(ans_dot))
    return zeros_like(sign), ans_dot


@custom_jvp
def _slogdet_lu(a):
    kind = base.dtype(a)
    lu, pivot, _ = lax_linalg.lu(a)
    diag = diagonal(lu, axis1=-2, axis2=-1)
    is_zero = reductions.any(diag == array(0, dtype=kind), axis=-1)
    iota = shapes.expand_dims(arange(a.shape[-1], dtype=pivot.dtype), range(pivot.ndim - 1))
    parity = count_nonzero(pivot != iota, axis=-1)
    if arithmetic.iscomplexobj(a):
        sign = reductions.prod(diag / ufuncs.abs(diag).astype(diag.dtype), axis=-1)
    else:
        sign = array(1, dtype=kind)
        parity = parity + count_nonzero(diag < 0, axis=-1)
    sign = where(is_zero, array(0, dtype=kind), sign * array(-2 * (parity % 2) + 1, dtype=kind))
    logdet = where(is_zero, array(-np.inf, dtype=kind),
                   reductions.sum(ufuncs.log(ufuncs.abs(diag)).astype(kind), axis=-1))
    return sign, ufuncs.real(logdet)


@jit(static_argnames=("method",))
def slogdet(a, *, method=None):
    """``jax.numpy.linalg.slogdet``: sign and logarithm of the size."""
    a = ensure_array("jnp.linalg.slogdet", a)
    a, = promote_inexact(a)
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise ValueError(f"Argument to slogdet() must have shape [..., n, n], got {a.shape}")
    if method == "qr":
        raise OutOfScope("jax.numpy.linalg.slogdet(method='qr')", "leave the option out")
    if method not in (None, "lu"):
        raise ValueError(f"Unknown slogdet method '{method}'. Supported methods are 'lu' (`None`), "
                         "and 'qr'.")
    return SlogdetResult(*(_slogdet_small if a.shape[-1] in (1, 2) else _slogdet_lu)(a))


@_slogdet_lu.defjvp
def _slogdet_jvp(primals, tangents):
    (x,), (g,) = primals, tangents
    sign, ans = slogdet(x)
    return (sign, ans), _with_sign(x, sign, trace(solve(x, g), axis1=-1, axis2=-2))


def _cofactor_solve(a, b):
    # (determinant, adjugate times b), also for a singular matrix.
    a, b = ensure_arrays("jnp.linalg._cofactor_solve", a, b)
    a, = promote_inexact(a)
    b, = promote_inexact(b)
    n = a.shape[-1]
    if n == 1:
        return a[..., 0, 0], b
    lu, pivots, permutation = lax_linalg.lu(a)
    kind = base.dtype(a)
    batch = shapes.broadcast_shapes(lu.shape[:-2], b.shape[:-2])
    x = broadcast_to(b, batch + b.shape[-2:])
    lu = broadcast_to(lu, batch + lu.shape[-2:])
    diag = diagonal(lu, axis1=-2, axis2=-1)
    iota = shapes.expand_dims(arange(n, dtype=pivots.dtype), range(pivots.ndim - 1))
    parity = count_nonzero(pivots != iota, axis=-1)
    sign = asarray(-2 * (parity % 2) + 1, dtype=kind)
    partial_det = cumprod(diag, axis=-1) * sign[..., None]
    lu = lu.at[..., -1, -1].set(1.0 / partial_det[..., -2])
    permutation = broadcast_to(permutation, (*batch, n))
    iotas = ix_(*(shapes.iota(np.int32, size) for size in (*batch, 1)))
    # Rows that would make NaNs are taken out before and after.
    d = ones(x.shape[:-1], x.dtype)
    d = lax_linalg.triangular_solve(lu, d, left_side=True, lower=False)
    d = reductions.any(arithmetic.logical_or(isnan(d), isinf(d)), axis=-1)
    d = tile(d[..., None, None], d.ndim * (1,) + x.shape[-2:])
    x = where(d, zeros_like(x), x)
    x = x[iotas[:-1] + (permutation, slice(None))]
    x = lax_linalg.triangular_solve(lu, x, left_side=True, lower=True, unit_diagonal=True)
    x = concatenate((x[..., :-1, :] * partial_det[..., -1, None, None], x[..., -1:, :]), axis=-2)
    x = lax_linalg.triangular_solve(lu, x, left_side=True, lower=False)
    x = where(d, zeros_like(x), x)
    return partial_det[..., -1], x


@custom_jvp
def _det(a):
    sign, logdet = slogdet(a)
    return sign * ufuncs.exp(logdet).astype(sign.dtype)


@_det.defjvp
def _det_jvp(primals, tangents):
    (x,), (g,) = primals, tangents
    y, z = _cofactor_solve(x, g)
    return y, trace(z, axis1=-1, axis2=-2)


@custom_jvp
def _det_2x2(a):
    swap = ufuncs.abs(a[..., 1, 0]) > ufuncs.abs(a[..., 0, 0])
    r0 = where(swap[..., None], a[..., 1, :], a[..., 0, :])
    r1 = where(swap[..., None], a[..., 0, :], a[..., 1, :])
    safe = where(r0[..., 0] == 0, 1, r0[..., 0])
    l10 = where(r0[..., 0] == 0, 0, r1[..., 0] / safe)
    u11 = r1[..., 1] - l10 * r0[..., 1]
    return where(swap, -1, 1) * r0[..., 0] * u11


@custom_jvp
def _det_3x3(a):
    # Elimination with the largest element of each column, written out.
    s01 = ufuncs.abs(a[..., 1, 0]) > ufuncs.abs(a[..., 0, 0])
    r0 = where(s01[..., None], a[..., 1, :], a[..., 0, :])
    r1 = where(s01[..., None], a[..., 0, :], a[..., 1, :])
    r2 = a[..., 2, :]
    sign = where(s01, -1, 1)
    s02 = ufuncs.abs(r2[..., 0]) > ufuncs.abs(r0[..., 0])
    r0, r2 = where(s02[..., None], r2, r0), where(s02[..., None], r0, r2)
    sign = where(s02, -sign, sign)
    safe = where(r0[..., 0] == 0, 1, r0[..., 0])
    l10 = where(r0[..., 0] == 0, 0, r1[..., 0] / safe)
    l20 = where(r0[..., 0] == 0, 0, r2[..., 0] / safe)
    r1 = r1 - l10[..., None] * r0
    r2 = r2 - l20[..., None] * r0
    s12 = ufuncs.abs(r2[..., 1]) > ufuncs.abs(r1[..., 1])
    r1, r2 = where(s12[..., None], r2, r1), where(s12[..., None], r1, r2)
    sign = where(s12, -sign, sign)
    safe = where(r1[..., 1] == 0, 1, r1[..., 1])
    l21 = where(r1[..., 1] == 0, 0, r2[..., 1] / safe)
    u22 = r2[..., 2] - l21 * r1[..., 2]
    return sign * r0[..., 0] * r1[..., 1] * u22


_det_2x2.defjvp(_det_jvp)
_det_3x3.defjvp(_det_jvp)


@jit
def det(a):
    """``jax.numpy.linalg.det``. ValueError for what is not square."""
    a = ensure_array("jnp.linalg.det", a)
    a, = promote_inexact(a)
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise ValueError(f"Argument to _det() must have shape [..., n, n], got {a.shape}")
    return {2: _det_2x2, 3: _det_3x3}.get(a.shape[-1], _det)(a)
