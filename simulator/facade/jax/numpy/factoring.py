"""``jax.numpy.linalg``: factorizations, inverses, and solving.

JAX source: ``jax/_src/numpy/linalg.py``.
"""

from __future__ import annotations

import functools
import operator
from typing import Any

from simulator.api import jit
from simulator.autodiff.custom_jvp import custom_jvp
from simulator.errors import OutOfScope
from simulator.facade import numpy as np
from simulator.facade.jax.lax import base, shapes
from simulator.facade.jax.lax import convert as conv
from simulator.facade.jax.lax import linalg as lax_linalg
from simulator.facade.jax.numpy import arithmetic, contractions, reductions
from simulator.facade.jax.numpy import math_functions as ufuncs
from simulator.facade.jax.numpy.choosing import where
from simulator.facade.jax.numpy.constructors import array, asarray
from simulator.facade.jax.numpy.creation import empty, eye, zeros
from simulator.facade.jax.numpy.diagonals import norm
from simulator.facade.jax.numpy.predicates import isnan
from simulator.facade.jax.numpy.reshaping import broadcast_to, expand_dims
from simulator.facade.jax.numpy.util import ensure_array, ensure_arrays, promote_inexact
from simulator.facade.jax.numpy.vectorizing import vectorize
from simulator.named_tuples import NamedTuple
from simulator.primitives.dot import Precision
from simulator.types.limits import finfo


class EighResult(NamedTuple):
    """What `eigh` returns."""

    eigenvalues: Any
    eigenvectors: Any


class QRResult(NamedTuple):
    """What `qr` returns."""

    Q: Any
    R: Any


class SVDResult(NamedTuple):
    """What `svd` returns."""

    U: Any
    S: Any
    Vh: Any


@jit(static_argnames=("upper", "symmetrize_input"))
def cholesky(a, *, upper=False, symmetrize_input=True):
    """``jax.numpy.linalg.cholesky``."""
    a = ensure_array("jnp.linalg.cholesky", a)
    a, = promote_inexact(a)
    lower = lax_linalg.cholesky(a, symmetrize_input=symmetrize_input)
    return lower.mT.conj() if upper else lower


@jit(static_argnames=("mode",))
def qr(a, mode="reduced"):
    """``jax.numpy.linalg.qr``. ValueError for an unknown mode."""
    a = ensure_array("jnp.linalg.qr", a)
    a, = promote_inexact(a)
    if mode == "raw":
        raise OutOfScope("jax.numpy.linalg.qr(mode='raw')", "use mode='reduced'")
    if mode not in ("reduced", "r", "full", "complete"):
        raise ValueError(f"Unsupported QR decomposition mode '{mode}'")
    q, r = lax_linalg.qr(a, pivoting=False, full_matrices=mode == "complete")
    return r if mode == "r" else QRResult(q, r)


@jit(static_argnames=("UPLO", "symmetrize_input"))
def eigh(a, UPLO=None, symmetrize_input=True):
    """``jax.numpy.linalg.eigh``. ValueError for an unknown triangle."""
    a = ensure_array("jnp.linalg.eigh", a)
    if UPLO not in (None, "L", "U"):
        raise ValueError(f"UPLO must be one of None, 'L', or 'U', got {UPLO}")
    a, = promote_inexact(a)
    v, w = lax_linalg.eigh(a, lower=UPLO != "U", symmetrize_input=symmetrize_input)
    return EighResult(w, v)


@jit(static_argnames=("UPLO", "symmetrize_input"))
def eigvalsh(a, UPLO="L", *, symmetrize_input=True):
    """``jax.numpy.linalg.eigvalsh``."""
    a = ensure_array("jnp.linalg.eigvalsh", a)
    a, = promote_inexact(a)
    w, _ = eigh(a, UPLO, symmetrize_input=symmetrize_input)
    return w


@jit(static_argnames=("full_matrices", "compute_uv", "hermitian", "subset_by_index"))
def svd(a, full_matrices=True, compute_uv=True, hermitian=False, subset_by_index=None):
    """``jax.numpy.linalg.svd``."""
    a = ensure_array("jnp.linalg.svd", a)
    a, = promote_inexact(a)
    if hermitian:
        raise OutOfScope("jax.numpy.linalg.svd(hermitian=True)", "use eigh")
    found = lax_linalg.svd(a, full_matrices=full_matrices, compute_uv=compute_uv,
                           subset_by_index=subset_by_index)
    return SVDResult(*found) if compute_uv else found


def svdvals(x, /):
    """``jax.numpy.linalg.svdvals``."""
    x = ensure_array("jnp.linalg.svdvals", x)
    return svd(x, compute_uv=False, hermitian=False)


@jit
def solve(a, b):
    """``jax.numpy.linalg.solve``. ValueError for shapes that do not fit."""
    a, b = ensure_arrays("jnp.linalg.solve", a, b)
    a, b = promote_inexact(a, b)
    if a.ndim < 2:
        raise ValueError(f"left hand array must be at least two dimensional; got {a.shape=}")
    if (b.ndim > 1 and a.ndim == b.ndim + 1 and a.shape[-1] == b.shape[-1]
            and a.shape[-1] != b.shape[-2]):
        raise ValueError(
            f"Invalid shapes for solve: {a.shape}, {b.shape}. Prior to JAX v0.5.0, this would have "
            "been treated as a batched 1-dimensional solve. To recover this behavior, use solve(a, "
            "b[..., None]).squeeze(-1).")
    signature = "(m,m),(m)->(m)" if b.ndim == 1 else "(m,m),(m,n)->(m,n)"
    return vectorize(lax_linalg.solve, signature=signature)(a, b)


@jit
def inv(a):
    """``jax.numpy.linalg.inv``. ValueError for what is not square."""
    arr = ensure_array("jnp.linalg.inv", a)
    if arr.ndim < 2 or arr.shape[-1] != arr.shape[-2]:
        raise ValueError(f"Argument to inv must have shape [..., n, n], got {arr.shape}.")
    return solve(arr, shapes.broadcast(eye(arr.shape[-1], dtype=arr.dtype), arr.shape[:-2]))


@jit(static_argnames=("n",))
def matrix_power(a, n):
    """``jax.numpy.linalg.matrix_power``, by repeated squaring."""
    arr = ensure_array("jnp.linalg.matrix_power", a)
    if arr.ndim < 2:
        raise TypeError(f"{arr.ndim}-dimensional array given. Array must be at least "
                        "two-dimensional")
    if arr.shape[-2] != arr.shape[-1]:
        raise TypeError("Last 2 dimensions of the array must be square")
    try:
        n = operator.index(n)
    except TypeError as error:
        raise TypeError(f"exponent must be an integer, got {n}") from error
    if n == 0:
        return broadcast_to(eye(arr.shape[-2], dtype=arr.dtype), arr.shape)
    if n < 0:
        arr, n = inv(arr), abs(n)
    if n == 1:
        return arr
    if n <= 3:
        return arr @ arr if n == 2 else (arr @ arr) @ arr
    power = result = None
    while n > 0:
        power = arr if power is None else power @ power
        n, bit = divmod(n, 2)
        if bit:
            result = power if result is None else result @ power
    return result


# --- by singular values --------------------------------------------------------

@jit(static_argnames=("hermitian",))
def matrix_rank(M, rtol=None, *, hermitian=False, tol=None):  # noqa: N803
    """``jax.numpy.linalg.matrix_rank``."""
    M = ensure_array("jnp.linalg.matrix_rank", M)  # noqa: N806
    if tol is not None:
        if rtol is not None:
            raise ValueError("matrix_rank: only one of tol or rtol may be specified.")
        rtol = tol
    M, = promote_inexact(M)  # noqa: N806
    if M.ndim < 2:
        return (M != 0).any().astype(np.int32)
    values = svd(M, full_matrices=False, compute_uv=False, hermitian=hermitian)
    if rtol is None:
        rtol = (values.max(-1) * np.max(np.array(M.shape[-2:])).astype(values.dtype)
                * finfo(values.dtype).eps)
    rtol = expand_dims(rtol, base.ndim(rtol))
    return reductions.sum(values > rtol, axis=-1)


def pinv(a, rtol=None, hermitian=False, *, rcond=None):
    """``jax.numpy.linalg.pinv``."""
    if rcond is not None:
        if rtol is not None:
            raise ValueError("pinv: only one of rtol and rcond may be specified.")
        rtol = rcond
    return _pinv(a, rtol, hermitian)


@jit(static_argnames=("hermitian",))
def _pinv(a, rtol=None, hermitian=False):
    a = ensure_array("jnp.linalg.pinv", a)
    arr, = promote_inexact(a)
    m, n = arr.shape[-2:]
    if not (m and n):
        return empty((*arr.shape[:-2], n, m), arr.dtype)
    arr = ufuncs.conj(arr)
    if rtol is None:
        rtol = 10. * max(m, n) * array(finfo(arr.dtype).eps)
    rtol = asarray(rtol)
    u, s, vh = svd(arr, full_matrices=False, hermitian=hermitian)
    rtol = shapes.expand_dims(rtol[..., np.newaxis], range(s.ndim - rtol.ndim - 1))
    cutoff = rtol * s[..., 0:1]
    s = where(s > cutoff, s, np.inf).astype(u.dtype)
    found = contractions.matmul(vh.mT, arithmetic.divide(u.mT, s[..., np.newaxis]),
                                precision=Precision.HIGHEST)
    return conv.convert_element_type(found, arr.dtype)


_pinv = custom_jvp(_pinv, nondiff_argnums=(1, 2))


@_pinv.defjvp
def _pinv_jvp(rtol, hermitian, primals, tangents):
    raise OutOfScope("the derivative of jax.numpy.linalg.pinv", "use solve")


def _lstsq(a, b, rcond, *, numpy_resid=False):
    a, b = promote_inexact(a, b)
    if a.shape[0] != b.shape[0]:
        raise ValueError("Leading dimensions of input arrays must match")
    was_vector = b.ndim == 1
    if was_vector:
        b = b[:, None]
    for x, wanted in ((a, "two-dimensional"), (b, "one or two-dimensional")):
        if x.ndim != 2:
            raise TypeError(f"{x.ndim}-dimensional array given. Array must be {wanted}")
    m, n = a.shape
    if a.size == 0:
        s, rank = empty(0, dtype=a.dtype), array(0, dtype=int)
        x = zeros((n, *b.shape[1:]), dtype=a.dtype)
    else:
        eps = finfo(a.dtype).eps
        rcond = float(eps) * max(n, m) if rcond is None else where(rcond < 0, eps, rcond)
        u, s, vt = svd(a, full_matrices=False)
        mask = (s > 0) & (s >= array(rcond, dtype=s.dtype) * s[0])
        rank = mask.sum()
        safe = where(mask, s, 1).astype(a.dtype)
        inverse = where(mask, 1 / safe, 0)[:, np.newaxis]
        inner = contractions.matmul(u.conj().T, b, precision=Precision.HIGHEST)
        x = contractions.matmul(vt.conj().T, inverse * inner, precision=Precision.HIGHEST)
    if numpy_resid and (rank < n or m <= n):
        resid = asarray([])
    else:
        estimate = contractions.matmul(a, x, precision=Precision.HIGHEST)
        resid = norm(b - estimate, axis=0) ** 2
    return x.ravel() if was_vector else x, resid, rank, s


_jit_lstsq = jit(functools.partial(_lstsq, numpy_resid=False))


def lstsq(a, b, rcond=None, *, numpy_resid=False):
    """``jax.numpy.linalg.lstsq``: (solution, residuals, rank, singular values)."""
    a, b = ensure_arrays("jnp.linalg.lstsq", a, b)
    return _lstsq(a, b, rcond, numpy_resid=True) if numpy_resid else _jit_lstsq(a, b, rcond)


@jit(static_argnames=("p",))
def cond(x, p=None):
    """``jax.numpy.linalg.cond``."""
    arr = ensure_array("cond", x)
    if arr.ndim < 2:
        raise ValueError(f"jnp.linalg.cond: input array must be at least 2D; got {arr.shape=}")
    if not (arr.shape[-1] and arr.shape[-2]):
        raise ValueError(f"jnp.linalg.cond: input array must not be empty; got {arr.shape=}")
    if p is None or p == 2:
        s = svdvals(x)
        return s[..., 0] / s[..., -1]
    if p == -2:
        s = svdvals(x)
        r = s[..., -1] / s[..., 0]
    else:
        if arr.shape[-2] != arr.shape[-1]:
            raise ValueError(f"jnp.linalg.cond: for {p=}, array must be square; got {arr.shape=}")
        r = norm(x, ord=p, axis=(-2, -1)) * norm(inv(x), ord=p, axis=(-2, -1))
    return where(isnan(r) & ~isnan(x).any(axis=(-2, -1)), np.inf, r)
