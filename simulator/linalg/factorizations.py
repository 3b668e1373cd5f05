"""The numbers of factorizations, for small matrices given as lists of rows.

Signs and pivots are LAPACK's. Elimination and substitution round after every operation,
as it does; the others are computed in double precision and rounded at the end.

JAX source: ``jax/_src/lax/linalg.py``, which calls LAPACK: ``potrf``, ``getrf``,
``geqrf``, ``orgqr``, ``trsm``; ``syevd`` and ``gesdd`` for the values.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

Matrix = list[list[Any]]


def identity(n: int) -> Matrix:
    """The n by n matrix with ones on the diagonal."""
    return [[1.0 if i == j else 0.0 for j in range(n)] for i in range(n)]


def transposed(a: Matrix) -> Matrix:
    """Rows and columns exchanged."""
    return [list(column) for column in zip(*a)]


def cholesky(a: Matrix) -> Matrix:
    """The lower factor, from the lower triangle; NaNs when there is none."""
    n = len(a)
    lower = [[0.0] * n for _ in range(n)]
    for j in range(n):
        left = a[j][j] - sum(abs(lower[j][k]) ** 2 for k in range(j))
        if not left.real > 0:
            return [[math.nan] * n for _ in range(n)]
        lower[j][j] = math.sqrt(left.real)
        for i in range(j + 1, n):
            done = sum(lower[i][k] * _conj(lower[j][k]) for k in range(j))
            lower[i][j] = (a[i][j] - done) / lower[j][j]
    return lower


def _conj(x: Any) -> Any:
    return x.conjugate() if isinstance(x, complex) else x


def lu(a: Matrix, r: Callable) -> tuple[Matrix, list[int], list[int]]:
    """(both factors in one matrix, with which row each row was exchanged, the permutation).

    Args:
      r: rounds a number to the type.
    """
    a = [list(row) for row in a]
    m, n = len(a), len(a[0]) if a else 0
    pivots, order = [], list(range(m))
    for j in range(min(m, n)):
        # A row of NaNs wins over none.
        best = max(range(j, m), key=lambda i: (_size(a[i][j]), -i))
        pivots.append(best)
        a[j], a[best] = a[best], a[j]
        order[j], order[best] = order[best], order[j]
        if a[j][j] != 0:
            for i in range(j + 1, m):
                a[i][j] = r(a[i][j] / a[j][j])
                for k in range(j + 1, n):
                    a[i][k] = r(a[i][k] - r(a[i][j] * a[j][k]))
    return a, pivots, order


def _size(x: Any) -> float:
    if isinstance(x, complex):
        return abs(x.real) + abs(x.imag)
    return -1.0 if math.isnan(x) else abs(x)


def triangular_solve(a: Matrix, b: Matrix, lower: bool, unit: bool, r: Callable) -> Matrix:
    """x with a x = b, for a triangular a; `r` rounds a number to the type."""
    n = len(a)
    x = [list(row) for row in b]
    for i in range(n) if lower else reversed(range(n)):
        known = range(i) if lower else reversed(range(i + 1, n))
        for k in known:
            x[i] = [r(v - r(a[i][k] * w)) for v, w in zip(x[i], x[k])]
        if not unit:
            x[i] = [r(_divided(v, a[i][i])) for v in x[i]]
    return x


def _divided(x: Any, y: Any) -> Any:
    if y != 0:
        return x / y
    if isinstance(x, complex) or isinstance(y, complex):
        return complex(math.nan, math.nan)
    return math.nan if x == 0 or math.isnan(x) else math.copysign(math.inf, x) * math.copysign(1, y)


def householder(a: Matrix) -> tuple[Matrix, list]:
    """``geqrf``: R above the diagonal, the reflections below it, and their factors."""
    a = [list(row) for row in a]
    m, n = len(a), len(a[0]) if a else 0
    taus = []
    for j in range(min(m, n)):
        alpha, below = a[j][j], [a[i][j] for i in range(j + 1, m)]
        norm = math.sqrt(sum(abs(x) ** 2 for x in below))
        if norm == 0 and not (isinstance(alpha, complex) and alpha.imag):
            taus.append(0.0)
            continue
        real = alpha.real
        beta = -math.copysign(math.sqrt(abs(alpha) ** 2 + norm ** 2), real)
        tau = (beta - alpha) / beta
        v = [1.0, *[x / (alpha - beta) for x in below]]
        taus.append(tau)
        a[j][j] = beta
        for i, x in enumerate(v[1:], j + 1):
            a[i][j] = x
        for k in range(j + 1, n):
            dot = sum(_conj(x) * a[j + i][k] for i, x in enumerate(v))
            for i, x in enumerate(v):
                a[j + i][k] -= _conj(tau) * x * dot
    return a, taus


def reflections(a: Matrix, taus: list, columns: int) -> Matrix:
    """``orgqr``: the first columns of the product of reflections."""
    m = len(a)
    q = [[1.0 if i == j else 0.0 for j in range(columns)] for i in range(m)]
    for j in reversed(range(len(taus))):
        v = [1.0, *[a[i][j] for i in range(j + 1, m)]]
        for k in range(columns):
            dot = sum(_conj(x) * q[j + i][k] for i, x in enumerate(v))
            for i, x in enumerate(v):
                q[j + i][k] -= taus[j] * x * dot
    return q


def eigh(a: Matrix) -> tuple[list[float], Matrix]:
    """Eigenvalues in ascending order, and eigenvectors as columns, of a real symmetric matrix.

    By Jacobi's rotations. LAPACK may give any of the vectors the other sign.
    """
    n = len(a)
    a, v = [list(row) for row in a], identity(n)
    if any(math.isnan(x) or math.isinf(x) for row in a for x in row):
        return [math.nan] * n, [[math.nan] * n for _ in range(n)]
    for _ in range(60):
        off = sum(a[i][j] ** 2 for i in range(n) for j in range(n) if i != j)
        if off <= 1e-34 * sum(x * x for row in a for x in row):
            break
        for p in range(n):
            for q in range(p + 1, n):
                if a[p][q]:
                    _rotate(a, v, p, q)
    order = sorted(range(n), key=lambda i: a[i][i])
    return [a[i][i] for i in order], [[row[i] for i in order] for row in v]


def _rotate(a: Matrix, v: Matrix, p: int, q: int) -> None:
    theta = (a[q][q] - a[p][p]) / (2 * a[p][q])
    t = math.copysign(1, theta) / (abs(theta) + math.sqrt(theta * theta + 1))
    c = 1 / math.sqrt(t * t + 1)
    s = t * c
    for row in (*a, *v):
        row[p], row[q] = c * row[p] - s * row[q], s * row[p] + c * row[q]
    a[p], a[q] = ([c * x - s * y for x, y in zip(a[p], a[q])],
                  [s * x + c * y for x, y in zip(a[p], a[q])])


def svd(a: Matrix) -> tuple[Matrix, list[float], Matrix]:
    """(U with as many columns as there are values, values in descending order, V transposed).

    By one-sided rotations: the columns of a V are made orthogonal.
    """
    m, n = len(a), len(a[0])
    if m < n:
        u, s, vt = svd(transposed(a))
        return transposed(vt), s, transposed(u)
    columns, v = transposed(a), identity(n)
    for _ in range(60):
        moved = False
        for p in range(n):
            for q in range(p + 1, n):
                x, y = columns[p], columns[q]
                xx, yy, xy = _dot(x, x), _dot(y, y), _dot(x, y)
                if abs(xy) <= 1e-17 * math.sqrt(xx * yy) or not xy:
                    continue
                moved = True
                theta = (yy - xx) / (2 * xy)
                t = math.copysign(1, theta) / (abs(theta) + math.sqrt(theta * theta + 1))
                c = 1 / math.sqrt(t * t + 1)
                for pair in (columns, v):
                    x, y = pair[p], pair[q]
                    pair[p] = [c * i - t * c * j for i, j in zip(x, y)]
                    pair[q] = [t * c * i + c * j for i, j in zip(x, y)]
        if not moved:
            break
    sizes = [math.sqrt(_dot(c, c)) for c in columns]
    order = sorted(range(n), key=lambda i: -sizes[i])
    tiny = 1e-300 + 1e-15 * max(sizes, default=0.0)
    u = [[x / sizes[i] for x in columns[i]] if sizes[i] > tiny else None for i in order]
    return transposed(completed(u, m)), [sizes[i] for i in order], [v[i] for i in order]


def _dot(x: list, y: list) -> float:
    return sum(a * b for a, b in zip(x, y))


def completed(rows: list, length: int) -> Matrix:
    """Orthonormal rows, those that are None chosen freely."""
    found = [r for r in rows if r is not None]
    for i, row in enumerate(rows):
        if row is not None:
            continue
        for axis in range(length):
            new = [1.0 if j == axis else 0.0 for j in range(length)]
            for _ in range(2):
                for other in found:
                    along = _dot(new, other)
                    new = [x - along * y for x, y in zip(new, other)]
            size = math.sqrt(_dot(new, new))
            if size > 0.1 / math.sqrt(length):
                break
        rows[i] = [x / size for x in new]
        found.append(rows[i])
    return rows
