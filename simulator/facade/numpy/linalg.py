"""``numpy.linalg``: norms, inverses, determinants, factorizations of small matrices.

The numbers come from the model's own factorizations, in double precision and rounded once.
OutOfScope: what has vectors whose signs LAPACK chooses (``eigh``, ``svd`` with vectors),
and matrices that are not symmetric or definite where that matters.

NumPy source: ``numpy/linalg/_linalg.py``.
"""

from __future__ import annotations

import math
from typing import Any

from simulator.errors import OutOfScope
from simulator.facade.numpy.dispatching import dispatched as _dispatched
from simulator.facade.public import missing as _missing
from simulator.linalg import factorizations as _factors
from simulator.named_tuples import NamedTuple
from simulator.ndarrays import ndarray_make as make
from simulator.ndarrays import ndarray_products as products
from simulator.ndarrays import ndarray_reduce as reduce
from simulator.ndarrays.ndarray import NDArray
from simulator.ndarrays.ufuncs import UFUNCS
from simulator.types import dtype_core as dt


class LinAlgError(ValueError):
    """A matrix that has no such thing."""

    __module__ = "numpy.linalg"


class SlogdetResult(NamedTuple):
    """What `slogdet` returns."""

    sign: Any
    logabsdet: Any


class QRResult(NamedTuple):
    """What `qr` returns."""

    Q: Any
    R: Any


def _matrices(a, square: bool = True) -> tuple[NDArray, list]:
    """The array in floating point, and its matrices as lists of rows."""
    a = make.asarray(a)
    if a.dtype.family == "c":
        raise OutOfScope("numpy.linalg of complex matrices", "use real ones")
    a = a.astype(dt.float32 if a.dtype is dt.float32 else dt.float64)
    if a.ndim < 2:
        raise LinAlgError(f"{a.ndim}-dimensional array given. Array must be at least "
                          "two-dimensional")
    if square and a.shape[-1] != a.shape[-2]:
        raise LinAlgError("Last 2 dimensions of the array must be square")
    return a, a.reshape((-1, *a.shape[-2:])).tolist()


def _put(rows: list, shape, d) -> NDArray:
    return make.asarray(rows, dt.float64).reshape(shape).astype(d)


def _exactly(x: float) -> float:
    return x


def _solved(m: list, b: list) -> list:
    lu, _, order = _factors.lu(m, _exactly)
    if any(lu[i][i] == 0 for i in range(len(m))):
        raise LinAlgError("Singular matrix")
    rows = [b[i] for i in order]
    rows = _factors.triangular_solve(lu, rows, True, True, _exactly)
    return _factors.triangular_solve(lu, rows, False, False, _exactly)


def norm(x, ord=None, axis=None, keepdims=False):
    """Norms of vectors by order, and of matrices: Frobenius, by rows, columns, singular
    values. OutOfScope: the nuclear norm along axes."""
    a = make.asarray(x)
    if a.dtype.family in "biu":
        a = a.astype(dt.float64)
    size = UFUNCS["absolute"](a)
    if ord is None or (ord == "fro" and (a.ndim == 2 or axis is not None)):
        return UFUNCS["sqrt"](reduce.sum(size * size, axis, keepdims=keepdims))
    axes = tuple(range(a.ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    if len(axes) == 1:
        return _vector(size, ord, axes[0], keepdims)
    if len(axes) == 2:
        if ord in (1, -1, math.inf, -math.inf):
            along, other = (axes if abs(ord) == 1 else axes[::-1])
            sums = reduce.sum(size, along, keepdims=True)
            out = (reduce.max if ord > 0 else reduce.min)(sums, other, keepdims=True)
            return out if keepdims else make.asarray(out).squeeze(axes)[()]
        if ord in (2, -2, "nuc") and a.ndim == 2 and not keepdims:
            values = svdvals(a)
            return values[0] if ord == 2 else values[-1] if ord == -2 else reduce.sum(values)
        if isinstance(ord, (int, float)) and a.ndim == 2:
            raise ValueError("Invalid norm order for matrices.")
    if len(axes) > 2:
        raise ValueError("Improper number of dimensions to norm.")
    raise OutOfScope(f"numpy.linalg.norm with ord {ord!r}")


def _vector(size: NDArray, ord, axis: int, keepdims: bool):
    if ord == math.inf:
        return reduce.max(size, axis, keepdims=keepdims)
    if ord == -math.inf:
        return reduce.min(size, axis, keepdims=keepdims)
    if ord == 0:
        return reduce.sum((size != 0).astype(size.dtype), axis, keepdims=keepdims)
    if isinstance(ord, str):
        raise ValueError(f"Invalid norm order '{ord}' for vectors")
    return reduce.sum(size ** ord, axis, keepdims=keepdims) ** (1 / ord)


def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    """The norm of vectors, of all elements without an axis."""
    return norm(make.asarray(x).ravel() if axis is None else x, ord, 0 if axis is None else axis,
                keepdims)


def solve(a, b):
    """The solutions of systems of equations. LinAlgError for a singular matrix."""
    a, rows = _matrices(a)
    b = make.asarray(b)
    to = a.dtype if b.dtype is a.dtype else dt.float64
    if a.ndim != 2 or b.ndim > 2:
        raise OutOfScope("numpy.linalg.solve of stacks of matrices", "solve one at a time")
    if b.shape[0] != a.shape[0]:
        raise ValueError("solve: Input operand 1 has a mismatch in its core dimension 0")
    right = b.reshape(b.shape[0], -1).astype(dt.float64).tolist()
    return _put(_solved(rows[0], right), b.shape, to)


def inv(a):
    """The inverses of matrices. LinAlgError for a singular one."""
    a, rows = _matrices(a)
    return _put([_solved(m, _factors.identity(len(m))) for m in rows], a.shape, a.dtype)


def slogdet(a):
    """The sign of determinants, and the logarithms of their sizes."""
    a, rows = _matrices(a)
    signs, logs = [], []
    for m in rows:
        d = _determinant(m)
        signs.append(math.copysign(1.0, d) if d else 0.0)
        logs.append(math.log(abs(d)) if d else -math.inf)
    shape = a.shape[:-2]
    return SlogdetResult(_put(signs, shape, a.dtype)[()], _put(logs, shape, a.dtype)[()])


def _determinant(m: list) -> float:
    lu, pivots, _ = _factors.lu(m, _exactly)
    product = math.prod(lu[i][i] for i in range(len(m)))
    return -product if sum(p != i for i, p in enumerate(pivots)) % 2 else product


def det(a):
    """The determinants of matrices."""
    a, rows = _matrices(a)
    return _put([_determinant(m) for m in rows], a.shape[:-2], a.dtype)[()]


def cholesky(a, /, *, upper=False):
    """The triangular factors of positive definite matrices. LinAlgError for others."""
    a, rows = _matrices(a)
    found = [_factors.cholesky(m) for m in rows]
    if any(x != x for m in found for row in m for x in row):
        raise LinAlgError("Matrix is not positive definite")
    out = _put(found, a.shape, a.dtype)
    return out.swapaxes(-1, -2) if upper else out


def qr(a, mode="reduced"):
    """Orthogonal columns times a triangle. OutOfScope: other modes, stacks."""
    a, rows = _matrices(a, square=False)
    if a.ndim != 2 or mode not in ("reduced", "complete", "r"):
        raise OutOfScope(f"numpy.linalg.qr with mode {mode!r}, or of stacks")
    m, n = a.shape
    packed, taus = _factors.householder(rows[0])
    k = m if mode == "complete" else min(m, n)
    upper = [[packed[i][j] if i <= j else 0.0 for j in range(n)] for i in range(k)]
    r = _put(upper, (k, n), a.dtype)
    return r if mode == "r" else QRResult(
        _put(_factors.reflections(packed, taus, k), (m, k), a.dtype), r)


def eigvalsh(a, UPLO="L"):
    """The eigenvalues of symmetric matrices, in ascending order."""
    a, rows = _matrices(a)
    lower = UPLO.upper() == "L"
    rows = [[[m[max(i, j)][min(i, j)] if lower else m[min(i, j)][max(i, j)]
              for j in range(len(m))] for i in range(len(m))] for m in rows]
    return _put([_factors.eigh(m)[0] for m in rows], a.shape[:-1], a.dtype)


def svdvals(x, /):
    """The singular values of matrices, in descending order."""
    a, rows = _matrices(x, square=False)
    k = min(a.shape[-2:])
    return _put([_singular(m) for m in rows], (*a.shape[:-2], k), a.dtype)


def _tall(m: list) -> list:
    return m if len(m) >= len(m[0]) else _factors.transposed(m)


def _singular(m: list) -> list:
    return _factors.svd(_tall(m))[1]


def svd(a, full_matrices=True, compute_uv=True, hermitian=False):
    """The singular values. OutOfScope: the vectors, whose signs LAPACK chooses."""
    if compute_uv:
        raise OutOfScope("the signs of singular vectors", "use compute_uv=False")
    return svdvals(a)


def matrix_rank(A, tol=None, hermitian=False, *, rtol=None):
    """How many singular values are not small. OutOfScope: a tolerance of one's own."""
    from simulator.types.limits import finfo
    a = make.asarray(A)
    if tol is not None or rtol is not None or hermitian:
        raise OutOfScope("numpy.linalg.matrix_rank with tol", "leave it out")
    if a.ndim < 2:
        return int(not reduce.all(a == 0))
    s = svdvals(a)
    least = reduce.max(s, -1, keepdims=True) * max(a.shape[-2:]) * float(finfo(s.dtype).eps)
    return reduce.sum(s > least, -1)


def cond(x, p=None):
    """The largest singular value over the smallest, or norms of a matrix and its inverse."""
    if p is None or p in (2, -2):
        s = svdvals(x)
        return s[..., 0] / s[..., -1] if p != -2 else s[..., -1] / s[..., 0]
    return norm(x, p) * norm(inv(x), p)


def pinv(a, rcond=None, hermitian=False, *, rtol=None):
    """The pseudo-inverse of a matrix. OutOfScope: tolerances, stacks."""
    from simulator.types.limits import finfo
    a, rows = _matrices(a, square=False)
    if rcond is not None or rtol is not None or a.ndim != 2:
        raise OutOfScope("numpy.linalg.pinv with a tolerance, or of stacks")
    tall = _tall(rows[0])
    u, s, vt = _factors.svd(tall)
    least = max(a.shape) * float(finfo(a.dtype).eps) * max(s)
    k = len(s)
    out = [[sum(vt[j][i] * u[r][j] / s[j] for j in range(k) if s[j] > least)
            for r in range(len(tall))] for i in range(k)]
    return _put(out if tall is rows[0] else _factors.transposed(out), a.shape[::-1], a.dtype)


def lstsq(a, b, rcond=None):
    """The least squares solution, residuals, rank and singular values."""
    a, b = make.asarray(a), make.asarray(b)
    x = products.dot(pinv(a), b)
    rank, s = int(matrix_rank(a)), svdvals(a)
    apart = b - products.dot(a, x)
    full = rank == a.shape[1] < a.shape[0]
    left = make.asarray(reduce.sum(apart * apart, 0)).reshape(-1) if full else \
        make.asarray([], x.dtype)
    return x, left, make.asarray(rank, dt.int32)[()], s


def matrix_power(a, n):
    """A square matrix multiplied with itself."""
    a, _ = make.asarray(a), _matrices(a)
    if n < 0:
        a, n = inv(a), -n
    out = None
    for _ in range(n):
        out = a if out is None else products.matmul(out, a)
    return _put(_factors.identity(a.shape[-1]), a.shape, a.dtype) if out is None else out.copy()


def multi_dot(arrays, *, out=None):
    """The product of several matrices."""
    product = make.asarray(arrays[0])
    for a in arrays[1:]:
        product = products.dot(product, make.asarray(a))
    return product


def eigh(a, UPLO="L"):
    """OutOfScope: LAPACK chooses the signs of the vectors."""
    raise OutOfScope("the signs of eigenvectors", "use numpy.linalg.eigvalsh")


globals().update(_dispatched(globals()))

__getattr__ = _missing("numpy.linalg")
