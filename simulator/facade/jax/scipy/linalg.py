"""``jax.scipy.linalg``: factorizations, and solving with them.

JAX source: ``jax/_src/scipy/linalg.py``.
"""

from __future__ import annotations

import functools
from typing import Any

from simulator import explain
from simulator.api import jit
from simulator.batching.vmapping import vmap
from simulator.facade.jax import lax
from simulator.facade.jax import numpy as jnp
from simulator.facade.jax.lax import linalg as lax_linalg
from simulator.facade.jax.numpy.util import promote_inexact
from simulator.facade.public import missing as _missing
from simulator.linalg.solves import custom_linear_solve

__getattr__ = _missing("jax.scipy.linalg")


@jit(static_argnames=("lower",))
def _cholesky(a, lower):
    a, = promote_inexact(jnp.asarray(a))
    factor = lax_linalg.cholesky(a if lower else jnp.conj(a.mT), symmetrize_input=False)
    return factor if lower else jnp.conj(factor.mT)


def cholesky(a: Any, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True
             ) -> Any:
    """``jax.scipy.linalg.cholesky``: the upper factor, unless told."""
    return _cholesky(a, lower)


def cho_factor(a: Any, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True
               ) -> tuple:
    """``jax.scipy.linalg.cho_factor``: (factor, lower)."""
    return cholesky(a, lower=lower), lower


def _vectorized(solver: Any, name: str, call: str, factors: Any, b: Any, before: str = "(n,n)"
                ) -> Any:
    if b.ndim == 1:
        signature = f"{before},(n)->(n)"
    elif factors.ndim == b.ndim + 1 and factors.shape[-1] == b.shape[-1]:
        explain.python_warning(
            "FutureWarning",
            f"jax.scipy.linalg.{name}: batched 1D solves with b.ndim > 1 are deprecated, and in "
            f"the future will be treated as a batched 2D solve. Use {call}.squeeze(-1) to avoid "
            "this warning.")
        signature = f"{before},(n)->(n)"
    else:
        signature = f"{before},(n,k)->(n,k)"
    return jnp.vectorize(solver, signature=signature)


@jit(static_argnames=("lower",))
def _cho_solve(c, b, lower):
    c, b = promote_inexact(jnp.asarray(c), jnp.asarray(b))
    for turn in (not lower, lower):
        solver = functools.partial(lax_linalg.triangular_solve, left_side=True, lower=lower,
                                   transpose_a=turn, conjugate_a=turn)
        b = _vectorized(solver, "cho_solve", "cho_solve(c_and_lower, b[..., None])", c, b)(c, b)
    return b


def cho_solve(c_and_lower: tuple, b: Any, overwrite_b: bool = False, check_finite: bool = True
              ) -> Any:
    """``jax.scipy.linalg.cho_solve``, with what `cho_factor` gave."""
    c, lower = c_and_lower
    return _cho_solve(c, b, lower)


@jit(static_argnames=("trans", "lower", "unit_diagonal"))
def _solve_triangular(a, b, trans, lower, unit_diagonal):
    if trans not in (0, "N", 1, "T", 2, "C"):
        raise ValueError(f"Invalid 'trans' value {trans}")
    a, b = promote_inexact(jnp.asarray(a), jnp.asarray(b))
    solver = functools.partial(
        lax_linalg.triangular_solve, left_side=True, lower=lower, transpose_a=trans not in (0, "N"),
        conjugate_a=trans in (2, "C"), unit_diagonal=unit_diagonal)
    return _vectorized(solver, "solve_triangular", "solve_triangular(a, b[..., None])", a, b)(a, b)


def solve_triangular(a: Any, b: Any, trans: int | str = 0, lower: bool = False,
                     unit_diagonal: bool = False, overwrite_b: bool = False, debug: Any = None,
                     check_finite: bool = True) -> Any:
    """``jax.scipy.linalg.solve_triangular``."""
    return _solve_triangular(a, b, trans, lower, unit_diagonal)


@jit(static_argnames=("assume_a", "lower"))
def _solve(a, b, assume_a, lower):
    if assume_a != "pos":
        return jnp.linalg.solve(a, b)
    a, b = promote_inexact(jnp.asarray(a), jnp.asarray(b))
    lax_linalg.check_solve_shapes(a, b)
    factors = cho_factor(lax.stop_gradient(a), lower=lower)
    solver = functools.partial(
        custom_linear_solve, lambda x: lax_linalg.broadcasted_matvec(a, x),
        solve=lambda _, x: cho_solve(factors, x[..., None]).squeeze(-1), symmetric=True)
    if a.ndim == b.ndim + 1:
        return solver(b)
    return vmap(solver, b.ndim - 1, max(a.ndim, b.ndim) - 1)(b)


def solve(a: Any, b: Any, lower: bool = False, overwrite_a: bool = False,
          overwrite_b: bool = False, debug: bool = False, check_finite: bool = True,
          assume_a: str = "gen") -> Any:
    """``jax.scipy.linalg.solve``. ValueError for an unknown kind of matrix."""
    kinds = ["gen", "sym", "her", "pos"]
    if assume_a not in kinds:
        raise ValueError(f"Expected assume_a to be one of {kinds}; got {assume_a!r}")
    return _solve(a, b, assume_a, lower)


def inv(a: Any, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """``jax.scipy.linalg.inv``."""
    return jnp.linalg.inv(a)


def det(a: Any, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """``jax.scipy.linalg.det``."""
    return jnp.linalg.det(a)


@jit(static_argnames=("overwrite_a", "check_finite"))
def lu_factor(a, overwrite_a=False, check_finite=True):
    """``jax.scipy.linalg.lu_factor``: (factors, pivots)."""
    a, = promote_inexact(jnp.asarray(a))
    factors, pivots, _ = lax_linalg.lu(a)
    return factors, pivots


@jit(static_argnames=("trans", "overwrite_b", "check_finite"))
def lu_solve(lu_and_piv, b, trans=0, overwrite_b=False, check_finite=True):
    """``jax.scipy.linalg.lu_solve``, with what `lu_factor` gave."""
    factors, pivots = lu_and_piv
    factors, b = promote_inexact(jnp.asarray(factors), jnp.asarray(b))
    permutation = lax_linalg.lu_pivots_to_permutation(pivots, factors.shape[-2])
    solver = functools.partial(lax_linalg.lu_solve, trans=trans)
    return _vectorized(solver, "lu_solve", "lu_solve(lu_and_piv, b[..., None])", factors, b,
                       "(n,n),(n)")(factors, permutation, b)


@jit(static_argnames=("full_matrices", "compute_uv"))
def _svd(a, *, full_matrices, compute_uv):
    a, = promote_inexact(jnp.asarray(a))
    return lax_linalg.svd(a, full_matrices=full_matrices, compute_uv=compute_uv)


def svd(a: Any, full_matrices: bool = True, compute_uv: bool = True, overwrite_a: bool = False,
        check_finite: bool = True, lapack_driver: str = "gesdd") -> Any:
    """``jax.scipy.linalg.svd``."""
    return _svd(a, full_matrices=full_matrices, compute_uv=compute_uv)


@jit(static_argnames=("lower", "eigvals_only", "eigvals", "type"))
def _eigh(a, b, lower, eigvals_only, eigvals, type):
    if b is not None:
        raise NotImplementedError("Only the b=None case of eigh is implemented")
    if type != 1:
        raise NotImplementedError("Only the type=1 case of eigh is implemented.")
    if eigvals is not None:
        raise NotImplementedError("Only the eigvals=None case of eigh is implemented.")
    a, = promote_inexact(jnp.asarray(a))
    v, w = lax_linalg.eigh(a, lower=lower)
    return w if eigvals_only else (w, v)


def eigh(a: Any, b: Any = None, lower: bool = True, eigvals_only: bool = False,
         overwrite_a: bool = False, overwrite_b: bool = False, turbo: bool = True,
         eigvals: Any = None, type: int = 1, check_finite: bool = True) -> Any:
    """``jax.scipy.linalg.eigh``: (values, vectors)."""
    return _eigh(a, b, lower, eigvals_only, eigvals, type)


@jit(static_argnames=("mode", "pivoting"))
def _qr(a, mode, pivoting):
    if mode not in ("full", "r", "economic"):
        raise ValueError(f"Unsupported QR decomposition mode '{mode}'")
    a, = promote_inexact(jnp.asarray(a))
    q, r = lax_linalg.qr(a, pivoting=pivoting, full_matrices=mode != "economic")
    return (r,) if mode == "r" else (q, r)


def qr(a: Any, overwrite_a: bool = False, lwork: Any = None, mode: str = "full",
       pivoting: bool = False, check_finite: bool = True) -> tuple:
    """``jax.scipy.linalg.qr``, without pivoting."""
    return _qr(a, mode, pivoting)
