"""``jax.lax.linalg``: factorizations, triangular solves.

JAX source: ``jax/_src/lax/linalg.py``.
"""

from __future__ import annotations

import functools
import math
from typing import Any

from simulator.api import jit
from simulator.batching.vmapping import vmap
from simulator.errors import OutOfScope
from simulator.facade import numpy as np
from simulator.facade.jax.lax import base, loops, reducing, shapes
from simulator.facade.jax.lax import convert as conv
from simulator.facade.jax.lax import elementwise as el
from simulator.facade.jax.lax.products import dot_general
from simulator.facade.jax.numpy.creation import triangle
from simulator.facade.public import missing as _missing
from simulator.linalg import primitives as prims
from simulator.linalg.primitives import cholesky_p, eigh_p, lu_p, qr_p, svd_p, triangular_solve_p
from simulator.linalg.solves import custom_linear_solve
from simulator.primitives.dot import Precision
from simulator.types import dtypes

__getattr__ = _missing("jax.lax.linalg")


def t(x: Any) -> Any:
    """The last two axes exchanged."""
    return shapes.transpose(x, (*range(x.ndim - 2), x.ndim - 1, x.ndim - 2))


def h(x: Any) -> Any:
    """The same, conjugated."""
    return t(x).conj()


def tril(m: Any, k: int = 0) -> Any:
    """The lower triangle, without a jitted function around it."""
    mask = shapes.broadcast(triangle(dtypes.bool_, m.shape[-2:], k), m.shape[:-2])
    return el.select(mask, m, shapes.full_like(m, 0))


def triu(m: Any, k: int = 0) -> Any:
    """The upper triangle."""
    mask = shapes.broadcast(triangle(dtypes.bool_, m.shape[-2:], k - 1), m.shape[:-2])
    return el.select(mask, shapes.full_like(m, 0), m)


def symmetrize(x: Any) -> Any:
    """Half the sum of a matrix and its adjoint."""
    return (x + h(x)) / 2


def cholesky(x: Any, *, symmetrize_input: bool = True) -> Any:
    """``jax.lax.linalg.cholesky``."""
    if symmetrize_input:
        x = symmetrize(x)
    return tril(cholesky_p.bind(x))


def lu(x: Any) -> tuple:
    """``jax.lax.linalg.lu``: (factors, pivots, permutation)."""
    return tuple(lu_p.bind(x))


def lu_pivots_to_permutation(pivots: Any, permutation_size: int) -> Any:
    """``jax.lax.linalg.lu_pivots_to_permutation``."""
    return prims.lu_pivots_to_permutation_p.bind(pivots, permutation_size=permutation_size)


def householder_product(a: Any, taus: Any) -> Any:
    """``jax.lax.linalg.householder_product``."""
    return prims.householder_product_p.bind(a, taus)


def qr(x: Any, *, pivoting: bool = False, full_matrices: bool = True, use_magma: Any = None
       ) -> tuple:
    """``jax.lax.linalg.qr``."""
    if pivoting:
        raise OutOfScope("jax.lax.linalg.qr(pivoting=True)", "leave the option out")
    return tuple(qr_p.bind(x, pivoting=pivoting, full_matrices=full_matrices,
                           use_magma=use_magma))


def eigh(x: Any, *, lower: bool = True, symmetrize_input: bool = True,
         sort_eigenvalues: bool = True, subset_by_index: Any = None, implementation: Any = None
         ) -> tuple:
    """``jax.lax.linalg.eigh``: (vectors, values)."""
    if base.is_kind(x, "c") or subset_by_index is not None or implementation is not None:
        raise OutOfScope("jax.lax.linalg.eigh of complex matrices, and with options",
                         "give a real matrix")
    if symmetrize_input:
        x = symmetrize(x)
    v, w = eigh_p.bind(x, lower=lower, sort_eigenvalues=sort_eigenvalues,
                       subset_by_index=subset_by_index, algorithm=implementation)
    return v, w


def svd(x: Any, *, full_matrices: bool = True, compute_uv: bool = True,
        subset_by_index: Any = None, algorithm: Any = None) -> Any:
    """``jax.lax.linalg.svd``: (U, values, V transposed), or the values alone."""
    if base.is_kind(x, "c") or subset_by_index is not None or algorithm is not None:
        raise OutOfScope("jax.lax.linalg.svd of complex matrices, and with options",
                         "give a real matrix")
    outs = svd_p.bind(x, full_matrices=full_matrices, compute_uv=compute_uv,
                      subset_by_index=subset_by_index, algorithm=algorithm)
    if not compute_uv:
        return outs[0]
    s, u, vt = outs
    return u, s, vt


def triangular_solve(a: Any, b: Any, *, left_side: bool = False, lower: bool = False,
                     transpose_a: bool = False, conjugate_a: bool = False,
                     unit_diagonal: bool = False) -> Any:
    """``jax.lax.linalg.triangular_solve``."""
    conjugate_a = conjugate_a and base.is_kind(a, "c")
    vector = base.ndim(b) == base.ndim(a) - 1
    if vector:
        b = shapes.expand_dims(b, (-1 if left_side else -2,))
    out = triangular_solve_p.bind(
        a, b, left_side=left_side, lower=lower, transpose_a=transpose_a, conjugate_a=conjugate_a,
        unit_diagonal=unit_diagonal)
    if vector:
        out = out[..., 0] if left_side else out[..., 0, :]
    return out


# --- what lowering traces ------------------------------------------------------

def _lu_pivots_body_fn_inner(i: Any, permutation: Any, swaps: Any) -> Any:
    j = swaps[i]
    x, y = permutation[i], permutation[j]
    permutation = permutation.at[i].set(y)
    return permutation.at[j].set(x)


def _lu_pivots_body_fn(i: Any, permutation_and_swaps: Any) -> tuple:
    permutation, swaps = permutation_and_swaps
    fn = _lu_pivots_body_fn_inner
    for _ in swaps.shape[:-1]:
        fn = vmap(fn, in_axes=(None, 0, 0), out_axes=0)
    return fn(i, permutation, swaps), swaps


def generic_permutation(swaps: Any, size: int) -> Any:
    """Row exchanges as a permutation, by a loop."""
    batch, k = swaps.shape[:-1], swaps.shape[-1]
    permutation = shapes.broadcasted_iota(np.int32, (*batch, size), len(batch))
    if not (size and k):
        return permutation
    found, _ = loops.fori_loop(np.array(0, np.int32), np.array(k, np.int32), _lu_pivots_body_fn,
                               (permutation, swaps))
    return found


def qr_by_reflections(a: Any, full_matrices: bool) -> tuple:
    """``qr`` by its two parts."""
    *batch, m, n = a.shape
    r, taus = prims.geqrf_p.bind(a)
    if m < n:
        q = householder_product(r[..., :m, :m], taus)
    elif full_matrices:
        zero = shapes.full_like(r, 0, shape=())
        q = reducing.pad(r, zero, [(0, 0, 0)] * (len(batch) + 1) + [(0, m - n, 0)])
        q = householder_product(q, taus)
    else:
        q = householder_product(r, taus)
        r = r[..., :n, :n]
    return q, triu(r)


# --- solving -------------------------------------------------------------------

def _broadcast_to(x: Any, shape: tuple) -> Any:
    return shapes.broadcast_in_dim(x, shape, range(len(shape) - x.ndim, len(shape)))


def _lu_solve_core(lu: Any, permutation: Any, b: Any, trans: int) -> Any:
    x = shapes.reshape(b, (lu.shape[0], math.prod(b.shape[1:])))
    if trans == 0:
        x = x[permutation, :]
        x = triangular_solve(lu, x, left_side=True, lower=True, unit_diagonal=True)
        x = triangular_solve(lu, x, left_side=True, lower=False)
    elif trans in (1, 2):
        x = triangular_solve(lu, x, left_side=True, lower=False, transpose_a=True,
                             conjugate_a=trans == 2)
        x = triangular_solve(lu, x, left_side=True, lower=True, unit_diagonal=True,
                             transpose_a=True, conjugate_a=trans == 2)
        _, back = reducing.sort_key_val(permutation, shapes.iota("int32", permutation.shape[0]))
        x = x[back, :]
    else:
        raise ValueError(f"'trans' value must be 0, 1, or 2, got {trans}")
    return shapes.reshape(x, b.shape)


@jit(static_argnums=(3,))
def _lu_solve(lu: Any, permutation: Any, b: Any, trans: int) -> Any:
    vector = lu.ndim == b.ndim + 1
    if vector:
        b = b[..., np.newaxis]
    batch = shapes.broadcast_shapes(lu.shape[:-2], permutation.shape[:-1], b.shape[:-2])
    lu = _broadcast_to(lu, (*batch, *lu.shape[-2:]))
    permutation = _broadcast_to(permutation, (*batch, permutation.shape[-1]))
    b = _broadcast_to(b, (*batch, *b.shape[-2:]))
    fn = _lu_solve_core
    for _ in batch:
        fn = vmap(fn, in_axes=(0, 0, 0, None))
    x = fn(lu, permutation, b, trans)
    return x[..., 0] if vector else x


def lu_solve(lu: Any, permutation: Any, b: Any, trans: int = 0) -> Any:
    """``jax.lax.linalg``'s solve with finished factors."""
    return _lu_solve(conv.asarray(lu), conv.asarray(permutation), conv.asarray(b), trans)


def broadcasted_matvec(a: Any, b: Any) -> Any:
    """The product of matrices with vectors, exactly."""
    batch = shapes.broadcast_shapes(a.shape[:-2], b.shape[:-1])
    a = _broadcast_to(a, (*batch, *a.shape[-2:]))
    b = _broadcast_to(b, (*batch, b.shape[-1]))
    own = tuple(range(len(batch)))
    return dot_general(a, b, (((a.ndim - 1,), (b.ndim - 1,)), (own, own)),
                       precision=Precision.HIGHEST)


def check_solve_shapes(a: Any, b: Any) -> None:
    """ValueError for matrices that do not fit."""
    if not (a.ndim >= 2 and b.ndim in (a.ndim, a.ndim - 1)
            and a.shape[-1] == a.shape[-2] == b.shape[a.ndim - 2]):
        raise ValueError("The arguments to solve must have shapes a=[..., m, m] and b=[..., m, k] "
                         f"or b=[..., m]; got a={a.shape} and b={b.shape}")


def solve(a: Any, b: Any) -> Any:
    """One solve by LU factors, differentiated as a solve."""
    check_solve_shapes(a, b)
    wanted = tuple(da if db == 1 else db for da, db in zip((*a.shape[:-1], 1), b.shape))
    b = shapes.broadcast_in_dim(b, wanted, range(b.ndim))
    factors, _, permutation = lu(el.stop_gradient(a))
    custom_solve = functools.partial(
        custom_linear_solve,
        lambda x: broadcasted_matvec(a, x),
        solve=lambda _, x: lu_solve(factors, permutation, x, trans=0),
        transpose_solve=lambda _, x: lu_solve(factors, permutation, x, trans=1))
    if a.ndim == b.ndim + 1:
        return custom_solve(b)
    return vmap(custom_solve, b.ndim - 1, max(a.ndim, b.ndim) - 1)(b)


solve.__name__ = solve.__qualname__ = "_solve"

__all__ = ["cholesky", "eigh", "householder_product", "lu", "lu_pivots_to_permutation", "qr",
           "svd", "triangular_solve"]

from simulator.linalg import derivatives as _derivatives  # noqa: E402, F401  (sets them)
