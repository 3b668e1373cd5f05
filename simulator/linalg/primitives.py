"""Factorizations as primitives: types in and out, numbers, what lowering traces.

JAX source: ``jax/_src/lax/linalg.py: cholesky_p, lu_p, triangular_solve_p, geqrf_p,
householder_product_p, qr_p, eigh_p, svd_p, lu_pivots_to_permutation_p``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from simulator.batching import axes
from simulator.batching.rules import leading, rule, size_of
from simulator.jaxprs import lower_fun
from simulator.jaxprs.jaxpr import Eqn
from simulator.linalg import factorizations as fact
from simulator.linalg import loose
from simulator.primitives.core import Primitive
from simulator.primitives.standard import standard_multi
from simulator.types import dtypes


def _cut(values: list, shape: Sequence[int]) -> list:
    """A flat list as the matrices (or vectors, in one row) of a batch."""
    *_, m, n = shape
    size = m * n
    return [[values[i + r * n:i + (r + 1) * n] for r in range(m)]
            for i in range(0, len(values), size or 1)] if size else [
        [[] for _ in range(m)] for _ in range(math.prod(shape[:-2]))]


def _flat(matrices: list) -> list:
    return [x for matrix in matrices for row in matrix for x in row]


def _define(name: str, ranks: tuple[int, ...], result_shapes: Callable, kernel: Callable, *,
            result_dtypes: Callable | None = None, single: bool = True, rounds: bool = False
            ) -> Primitive:
    """A primitive on matrices with any number of leading axes.

    Args:
      ranks: of each operand. result_shapes: ``(*shapes, **params) -> shapes``, without
        the leading axes. kernel: ``(*matrices, **params) -> matrices``, for one of the
        batch; a vector is a matrix of one row. rounds: whether it takes what rounds a number.
    """
    def shapes(*avals: Any, **params: Any) -> list:
        for i, (rank, aval) in enumerate(zip(ranks, avals)):
            if aval.ndim < rank:
                raise TypeError(f"Input {i} to {name} must have rank at least {rank}, but got "
                                f"shape={tuple(aval.shape)}")
        batch = [tuple(a.shape[:a.ndim - r]) for a, r in zip(avals, ranks)]
        own = [tuple(a.shape[a.ndim - r:]) for a, r in zip(avals, ranks)]
        if len({len(b) for b in batch}) > 1:
            raise TypeError(f"All inputs to {name} must have the same number of batch dimensions, "
                            f"but got {[len(b) for b in batch]} batch dimensions for the inputs.")
        return [(*batch[0], *s) for s in result_shapes(*own, **params)]

    def kinds(*avals: Any, **params: Any) -> list:
        for i, aval in enumerate(avals):
            if aval.dtype.family not in "fc" or aval.dtype.itemsize < 4:
                raise TypeError(f"{name} does not accept dtype {aval.dtype.name} at position {i}. "
                                f"Accepted dtypes at position {i} are subtypes of float32, float64, "
                                "complex64, complex128.")
        count = len(shapes(*avals, **params))
        return (result_dtypes or (lambda dtype, **params: [dtype] * count))(avals[0].dtype, **params)

    def run(ins: list, outs: list, *lists: list, **params: Any) -> list[list]:
        batches = [_cut(values, (*spec.shape[:-1], 1, spec.shape[-1]) if rank == 1 else spec.shape)
                   for values, spec, rank in zip(lists, ins, ranks)]
        if rounds:
            dtype = ins[0].dtype
            params["rounded"] = lambda x: dtypes.normalize([x], dtype)[0]
        found = [kernel(*one, **params) for one in zip(*batches)]
        results = [_flat([f[i] for f in found]) for i in range(len(outs))]
        return [dtypes.normalize(values, out.dtype) for values, out in zip(results, outs)]

    made = standard_multi(name, shapes, kinds, run)
    if single:
        made.multiple_results = False
        several, impl = made.abstract, made.impl
        made.abstract = lambda *avals, **params: several(*avals, **params)[0]
        made.impl = lambda *values, **params: impl(*values, **params)[0]
    rule(name)(leading)
    return made


# --- the primitives ------------------------------------------------------------

def _square(name: str) -> Callable:
    def shapes(a: tuple, **params: Any) -> list:
        if a[0] != a[1]:
            raise ValueError(f"The input to {name} must be a square matrix. Got shape {a}.")
        return [a]
    return shapes


cholesky_p = _define("cholesky", (2,), _square("cholesky"), lambda a: [fact.cholesky(a)])


def _lu(a: list, rounded: Callable) -> tuple:
    both, pivots, order = fact.lu(a, rounded)
    return both, [pivots], [order]


lu_p = _define("lu", (2,), lambda a: [a, (min(a),), (a[0],)], _lu, single=False, rounds=True,
               result_dtypes=lambda dtype: [dtype, dtypes.int32, dtypes.int32])


def _permutation(pivots: list, *, permutation_size: int) -> list:
    order = list(range(permutation_size))
    for i, j in enumerate(pivots[0]):
        order[i], order[j] = order[j], order[i]
    return [[order]]


def _permutation_type(pivots: Any, *, permutation_size: int) -> Any:
    return pivots.update(shape=(*pivots.shape[:-1], permutation_size), weak_type=False)


lu_pivots_to_permutation_p = Primitive(
    "lu_pivots_to_permutation", abstract=_permutation_type,
    impl=lambda pivots, *, permutation_size: pivots.__class__.lazy(
        (*pivots.shape[:-1], permutation_size), dtypes.int32,
        lambda values: _flat([_permutation(p, permutation_size=permutation_size)[0]
                              for p in _cut(values, (*pivots.shape[:-1], 1, pivots.shape[-1]))]),
        [pivots]))
rule("lu_pivots_to_permutation")(leading)


def _solve_shapes(a: tuple, b: tuple, *, left_side: bool, **params: Any) -> list:
    if a[0] != a[1]:
        raise ValueError("The first input to triangular_solve must be a square matrix. Got shape "
                         f"{a}.")
    if a[-1] != b[-2 if left_side else -1]:
        raise ValueError(f"Incompatible shapes for arguments to triangular_solve: {a} and {b}.")
    return [b]


def _solve(a: list, b: list, *, left_side: bool, lower: bool, transpose_a: bool,
           conjugate_a: bool, unit_diagonal: bool, rounded: Callable) -> list:
    if conjugate_a:
        a = [[x.conjugate() for x in row] for row in a]
    if transpose_a:
        a, lower = fact.transposed(a), not lower
    if left_side:
        return [fact.triangular_solve(a, b, lower, unit_diagonal, rounded)]
    flipped = fact.triangular_solve(fact.transposed(a), fact.transposed(b), not lower,
                                    unit_diagonal, rounded)
    return [fact.transposed(flipped)]


triangular_solve_p = _define("triangular_solve", (2, 2), _solve_shapes, _solve, rounds=True)


@rule("triangular_solve")
def _batch_solve(primitive: Primitive, axis: Any, vals: list, dims: list, *, left_side: bool,
                 **params: Any) -> tuple:
    (a, b), (a_dim, b_dim) = vals, dims
    params["left_side"] = left_side
    if a_dim is not None:
        size = size_of(vals, dims)
        return primitive.bind(*[axes.at_front(x, d, size, axis.part) for x, d in zip(vals, dims)],
                              **params), 0
    # One matrix for all: the mapped axis is a part of the right sides.
    b = axes.moveaxis(b, b_dim, b.ndim - 1 if left_side else b.ndim - 2)
    if left_side:
        flat, dim = (*b.shape[:-2], b.shape[-2] * b.shape[-1]), b.ndim - 1
    else:
        flat, dim = (*b.shape[:-3], b.shape[-3] * b.shape[-2], b.shape[-1]), b.ndim - 2
    return primitive.bind(a, b.reshape(flat), **params).reshape(b.shape), dim


def _geqrf(a: list) -> tuple:
    both, taus = fact.householder(a)
    return both, [taus]


geqrf_p = _define("geqrf", (2,), lambda a: [a, (min(a),)], _geqrf, single=False)


def _product_shapes(a: tuple, taus: tuple) -> list:
    if a[0] < a[1]:
        raise ValueError("The first argument to householder_product must have at least as many rows "
                         f"as columns, got shape {a}")
    return [a]


householder_product_p = _define(
    "householder_product", (2, 1), _product_shapes,
    lambda a, taus: [fact.reflections(a, taus[0], len(a[0]))])


def _qr(a: list, *, full_matrices: bool, **params: Any) -> tuple:
    both, taus = fact.householder(a)
    m, n = len(a), len(a[0])
    k = m if full_matrices else min(m, n)
    q = fact.reflections(both, taus, k)
    return q, [[x if j >= i else 0.0 for j, x in enumerate(row)] for i, row in enumerate(both[:k])]


def _qr_shapes(a: tuple, *, full_matrices: bool, **params: Any) -> list:
    k = a[0] if full_matrices else min(a)
    return [(a[0], k), (k, a[1])]


qr_p = _define("qr", (2,), _qr_shapes, _qr, single=False)


def _real(dtype: Any) -> Any:
    return dtypes.real_part(dtype)


def _with_choice(name: str, *args: Any, **kwargs: Any) -> Primitive:
    """Vectors are chosen when the primitive is applied, not when somebody looks."""
    made = _define(name, *args, single=False, **kwargs)
    impl = made.impl
    made.impl = lambda *values, **params: impl(*values, **params, choice=loose.choice())
    made.pure = False
    return made


def _eigh(a: list, *, lower: bool, choice: int = 0, **params: Any) -> tuple:
    n = len(a)
    a = [[a[max(i, j)][min(i, j)] if lower else a[min(i, j)][max(i, j)] for j in range(n)]
         for i in range(n)]
    values, vectors = fact.eigh(a)
    return fact.transposed(loose.turned(fact.transposed(vectors), values, choice)), [values]


def _eigh_shapes(a: tuple, **params: Any) -> list:
    if a[0] != a[1]:
        raise ValueError("Argument to symmetric eigendecomposition must have shape [..., n, n], got "
                         f"shape {a}")
    return [a, (a[0],)]


eigh_p = _with_choice("eigh", (2,), _eigh_shapes, _eigh,
                      result_dtypes=lambda dtype, **params: [dtype, _real(dtype)])


def _svd(a: list, *, full_matrices: bool, compute_uv: bool, choice: int = 0, **params: Any) -> tuple:
    u, values, vt = fact.svd(a)
    if not compute_uv:
        return ([values],)
    left = loose.turned(fact.transposed(u), values, choice)
    right = loose.turned(vt, values, choice)
    if full_matrices:
        left = fact.completed([*left, *[None] * (len(a) - len(left))], len(a))
        right = fact.completed([*right, *[None] * (len(a[0]) - len(right))], len(a[0]))
        # What is free has a choice of its own.
        k = len(values)
        left[k:] = loose.turned(left[k:], (), choice)
        right[k:] = loose.turned(right[k:], (), choice)
    return [values], fact.transposed(left), right


def _svd_shapes(a: tuple, *, full_matrices: bool, compute_uv: bool, **params: Any) -> list:
    k = min(a)
    if not compute_uv:
        return [(k,)]
    return [(k,), (a[0], a[0] if full_matrices else k), (a[1] if full_matrices else k, a[1])]


def _svd_dtypes(dtype: Any, *, compute_uv: bool, **params: Any) -> list:
    return [_real(dtype), dtype, dtype][:3 if compute_uv else 1]


svd_p = _with_choice("svd", (2,), _svd_shapes, _svd, result_dtypes=_svd_dtypes)


# --- lowering ------------------------------------------------------------------

@lower_fun.rule("lu")
def _lower_lu(eqn: Eqn) -> list:
    pivots, rows = eqn.outvars[1].aval, eqn.outvars[2].aval.shape[-1]
    return [lower_fun.trace(lambda x: lu_pivots_to_permutation_p.bind(x, permutation_size=rows),
                            pivots, name="<lambda>", said="<lambda>(x)")]


@lower_fun.rule("lu_pivots_to_permutation")
def _lower_permutation(eqn: Eqn) -> list:
    from simulator.facade.jax.lax import linalg
    size = eqn.params["permutation_size"]
    return [lower_fun.trace(lambda x: linalg.generic_permutation(x, size), eqn.invars[0].aval,
                            name="<lambda>", said="_generic_lu_pivots_to_permutation(*args)")]


@lower_fun.rule("qr")
def _lower_qr(eqn: Eqn) -> list:
    from simulator.facade.jax.lax import linalg
    full = eqn.params["full_matrices"]
    return [lower_fun.trace(lambda a: linalg.qr_by_reflections(a, full), eqn.invars[0].aval,
                            name="_qr_lowering", said="_qr_lowering(*args)")]
