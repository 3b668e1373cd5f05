"""Products of arrays, diagonals, real and imaginary parts.

Simplified: the products of a matrix product are added in double precision and
rounded once.
"""

from __future__ import annotations

import operator

from simulator.errors import OutOfScope
from simulator.ndarrays.beyond import only
from simulator.ndarrays.cells import broadcast_strides, strided
from simulator.ndarrays.ndarray_core import NDArray
from simulator.ndarrays.ndarray_make import asarray, broadcast_shapes, result_dtype
from simulator.ndarrays.ndarray_reduce import sum as sum_
from simulator.types import dtype_core as dt
from simulator.types.rounding import cast, normalize
from simulator.types.scalar_types import as_scalar


def diagonal(a, offset=0, axis1=0, axis2=1):
    """The diagonals of the matrices over two axes, along a new last axis."""
    a = asarray(a)
    rest = [i for i in range(a.ndim) if i not in (axis1 % a.ndim, axis2 % a.ndim)]
    a = a.transpose([axis1 % a.ndim, axis2 % a.ndim, *rest])
    rows = range(max(0, -offset), a.shape[0])
    at = [(i, i + offset) for i in rows if 0 <= i + offset < a.shape[1]]
    out = a[[i for i, _ in at], [j for _, j in at]] if at else a[:0, 0]
    return out.transpose([*range(1, out.ndim), 0])


def trace(a, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    """The sums of the diagonals of the matrices over two axes. OutOfScope: ``out``."""
    only("trace", out=out)
    return sum_(diagonal(a, offset, axis1, axis2), axis=-1, dtype=dtype)


def real(a):
    """Real parts; the same array when it is not complex."""
    a = asarray(a)
    if a.dtype.family != "c":
        return a
    return NDArray.lazy(a.shape, dt.real_part(a.dtype), lambda v: [x.real for x in v], [a])


def imag(a):
    """Imaginary parts; zeros when it is not complex."""
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
    batch = broadcast_shapes(x.shape[:-2], y.shape[:-2])
    to = result_dtype([(a, 0), (b, 0)])
    n, k, m = x.shape[-2], x.shape[-1], y.shape[-1]
    shape = batch + (() if rows else (n,)) + (() if cols else (m,))

    def run(v, w):
        v, w = cast(v, x.dtype, to), cast(w, y.dtype, to)
        bx = strided(batch, broadcast_strides(x.shape[:-2], batch))
        by = strided(batch, broadcast_strides(y.shape[:-2], batch))
        out = []
        for p, q in zip(bx, by):
            p, q = p * n * k, q * k * m
            for i in range(n):
                row = v[p + i * k:p + (i + 1) * k]
                for j in range(m):
                    out.append(sum(map(operator.mul, row, w[q + j:q + k * m:m])))
        if to.family in "fc":
            # An empty product is the integer 0.
            out = [x + 0.0 for x in out]
        return normalize(out, to)
    return as_scalar(NDArray.lazy(shape, to, run, [x, y]))


def dot(a, b, out=None):
    """The product of vectors and matrices; elementwise with a scalar. ValueError when sizes
    do not agree. OutOfScope: more than 2 dimensions, ``out``."""
    only("dot", out=out)
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
