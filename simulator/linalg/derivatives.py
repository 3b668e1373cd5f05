"""The derivatives of factorizations and of triangular solves. Importing this sets them.

JAX source: ``jax/_src/lax/linalg.py: _cholesky_jvp_rule, _triangular_solve_jvp_rule_a,
_triangular_solve_transpose_rule, _lu_jvp_rule, qr_jvp_rule, _eigh_jvp_rule,
_svd_jvp_rule``.
"""

from __future__ import annotations

import functools
from typing import Any

from simulator.autodiff import jvp
from simulator.autodiff.rules.common import nonzero
from simulator.autodiff.zeros import zero_of
from simulator.errors import OutOfScope
from simulator.facade import numpy as np
from simulator.facade.jax.lax import base, products, reducing, shapes
from simulator.facade.jax.lax import elementwise as el
from simulator.facade.jax.lax.linalg import h, symmetrize, t, triangular_solve, tril, triu
from simulator.jaxprs import applying
from simulator.linalg.primitives import (
    cholesky_p,
    eigh_p,
    lu_p,
    qr_p,
    svd_p,
    triangular_solve_p,
)
from simulator.primitives.convert import convert_element_type_p
from simulator.primitives.dot import Precision


def _eye(dtype: Any, n: int) -> Any:
    rows = shapes.broadcasted_iota(np.int32, (n, n), 0)
    same = el.eq(el.add(rows, np.int32(0)), shapes.broadcasted_iota(np.int32, (n, n), 1))
    return convert_element_type_p.bind(same, new_dtype=dtype, weak_type=False, sharding=None)


def _dot(a: Any) -> Any:
    product = products.dot if a.ndim == 2 else products.batch_matmul
    return functools.partial(product, precision=Precision.HIGHEST)


def _cholesky(primals: list, tangents: list) -> tuple:
    (x,), (sigma_dot,) = primals, tangents
    lower = tril(cholesky_p.bind(x))

    def phi(y: Any) -> Any:
        below = tril(y)
        return below / shapes.expand_dims(base.const(y, 1) + _eye(y.dtype, y.shape[-1]),
                                          range(below.ndim - 2))

    tmp = triangular_solve(lower, sigma_dot, left_side=False, transpose_a=True, conjugate_a=True,
                           lower=True)
    dot = products.batch_matmul(
        lower, phi(triangular_solve(lower, tmp, left_side=True, transpose_a=False, lower=True)),
        precision=Precision.HIGHEST)
    return lower, dot


def _solve_a(g_a: Any, ans: Any, a: Any, b: Any, *, left_side: bool, lower: bool,
             transpose_a: bool, conjugate_a: bool, unit_diagonal: bool) -> Any:
    m, n = b.shape[-2:]
    k = 1 if unit_diagonal else 0
    g_a = el.neg(tril(g_a, k=-k) if lower else triu(g_a, k=k))
    g_a = t(g_a) if transpose_a else g_a
    g_a = g_a.conj() if conjugate_a else g_a
    dot = _dot(g_a)
    inverse = functools.partial(
        triangular_solve, a, left_side=left_side, lower=lower, transpose_a=transpose_a,
        conjugate_a=conjugate_a, unit_diagonal=unit_diagonal)
    if left_side:
        return inverse(dot(g_a, ans)) if m > n else dot(inverse(g_a), ans)
    return inverse(dot(ans, g_a)) if m < n else dot(ans, inverse(g_a))


def _solve_transpose(cotangent: Any, a: Any, b: Any, *, transpose_a: bool, **params: Any) -> list:
    return [None, triangular_solve(a, cotangent, transpose_a=not transpose_a, **params)]


def _lu_inner(lu: Any, a_dot: Any, permutation: Any) -> Any:
    m, n = a_dot.shape
    k = min(m, n)
    zero = base.const(lu, 0)
    left = reducing.pad(tril(lu[:, :k], -1), zero, [(0, 0, 0), (0, m - k, 0)])
    left = left + _eye(a_dot.dtype, m)
    u_eye = reducing.pad(_eye(a_dot.dtype, n - k), zero, ((k, 0, 0), (k, 0, 0)))
    right = reducing.pad(triu(lu[:k, :]), zero, [(0, n - k, 0), (0, 0, 0)]) + u_eye
    la = triangular_solve(left, a_dot[permutation], left_side=True, transpose_a=False, lower=True,
                          unit_diagonal=True)
    lau = triangular_solve(right, la, left_side=False, transpose_a=False, lower=False)
    with applying.states(jax_default_matmul_precision="highest"):
        l_dot = left @ tril(lau, -1)
        u_dot = triu(lau) @ right
    return l_dot + u_dot


def _lu(primals: list, tangents: list) -> tuple:
    from simulator.batching.vmapping import vmap
    (a,), (a_dot,) = primals, tangents
    lu, pivots, permutation = lu_p.bind(a)
    inner = _lu_inner
    for _ in a.shape[:-2]:
        inner = vmap(inner)
    return ([lu, pivots, permutation],
            [inner(lu, a_dot, permutation), zero_of(pivots), zero_of(permutation)])


def _qr(primals: list, tangents: list, *, full_matrices: bool, **params: Any) -> tuple:
    (x,), (dx,) = primals, tangents
    q, r = qr_p.bind(x, full_matrices=full_matrices, **params)
    m, n = x.shape[-2:]
    if m < n or (full_matrices and m != n):
        raise OutOfScope("the derivative of a QR decomposition of another shape",
                         "decompose a matrix with at least as many rows as columns, reduced")
    dx_rinv = triangular_solve(r, dx)
    qt = h(q) @ dx_rinv
    below = tril(qt, -1)
    do = below - h(below)
    unit = shapes.expand_dims(_eye(do.dtype, n), range(qt.ndim - 2))
    do = do + unit * (qt - qt.real.astype(qt.dtype))
    return [q, r], [q @ (do - qt) + dx_rinv, (qt - do) @ r]


def _diagonal(s: Any) -> Any:
    i = shapes.iota("int32", min(s.shape[-2], s.shape[-1]))
    return s[..., i, i]


def _eigh(primals: list, tangents: list, **params: Any) -> tuple:
    (a,), (a_dot,) = primals, tangents
    v, w_real = eigh_p.bind(symmetrize(a), **params)
    w = w_real.astype(a.dtype)
    unit = _eye(a.dtype, a.shape[-1])
    with applying.states(jax_numpy_rank_promotion="allow"):
        inverse = el.integer_pow(unit + w[..., np.newaxis, :] - w[..., np.newaxis], -1) - unit
    dot = _dot(a)
    inner = dot(dot(h(v), a_dot), v)
    return [v, w_real], [dot(v, inverse * inner), _diagonal(inner.real)]


def _svd(primals: list, tangents: list, *, compute_uv: bool, **params: Any) -> tuple:
    (a,), (da,) = primals, tangents
    if compute_uv:
        raise OutOfScope("the derivative of singular vectors", "ask for the values alone")
    with applying.states(jax_default_matmul_precision="float32"):
        s, u, vt = svd_p.bind(a, **{**params, "full_matrices": False, "compute_uv": True})
        left, right = h(u), h(vt)
        return [s], [_diagonal((left @ da @ right).real)]


cholesky_p.jvp = _cholesky
triangular_solve_p.jvp = jvp.standard(
    triangular_solve_p, _solve_a, lambda g, _, a, b, **params: triangular_solve(a, g, **params),
    with_result=True)
triangular_solve_p.transpose = nonzero(_solve_transpose)
lu_p.jvp, qr_p.jvp, eigh_p.jvp, svd_p.jvp = _lu, _qr, _eigh, _svd
