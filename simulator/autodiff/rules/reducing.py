"""Derivatives of reductions, of sorting and of choosing the largest.

JAX source: ``jax/_src/lax/lax.py: _reduce_sum_transpose_rule, _reduce_chooser_jvp_rule,
_reduce_jvp, _sort_jvp, _top_k_jvp``.
"""

from __future__ import annotations

import math
from typing import Any

from simulator.autodiff import jvp
from simulator.autodiff.linearize import Linear
from simulator.autodiff.rules.common import eq_meet, linear, numpy_ints, primitive
from simulator.autodiff.zeros import Zero, is_zero, tangent_aval, zero_of
from simulator.device_arrays.values import abstractify
from simulator.facade.jax import lax
from simulator.facade.jax.lax import base
from simulator.primitives.all import GatherDimensionNumbers, GatherScatterMode, sort_p
from simulator.types import dtypes


def _sum(t: Any, x: Any, *, axes: tuple, out_sharding: Any = None) -> list:
    shape = x.aval.shape
    kept = numpy_ints(i for i in range(len(shape)) if i not in axes)
    return [lax.broadcast_in_dim(t, shape, kept, out_sharding=base.sharding_of(x.aval))]


def _chooser(g: Any, out: Any, x: Any, *, axes: tuple, **params: Any) -> Any:
    shape = [1 if i in axes else n for i, n in enumerate(base.shape(x))]
    chosen = lax.convert_element_type(eq_meet(x, lax.reshape(out, shape)), base.dtype(g))
    counts = lax.reduce_sum(chosen, axes)
    return lax.div(lax.reduce_sum(lax.mul(g, chosen), axes), counts)


def _prod(primals: list, tangents: list, *, axes: tuple, **params: Any) -> tuple:
    # The reduced axes to the front, as one; then halves are multiplied with each other.
    from simulator.autodiff import gradients
    from simulator.facade.jax import vmap
    (x,), (t,) = primals, tangents
    shape = base.shape(x)
    others = tuple(i for i in range(len(shape)) if i not in axes)
    order = (*axes, *others)
    flat = (math.prod(shape[i] for i in axes), *[shape[i] for i in others])
    one = base.const(x, 1)

    def product(a: Any, b: Any) -> Any:
        return lax.mul(a, b)
    for _ in range(len(others) + 1):
        product = vmap(product)

    def tree(a: Any) -> Any:
        while a.shape[0] > 1:
            n = a.shape[0]
            half = (n + 1) // 2
            first, second = lax.slice_in_dim(a, 0, half), lax.slice_in_dim(a, half, None)
            if n - half != half:
                second = lax.pad(second, one, [(0, 1, 0)] + [(0, 0, 0)] * (len(a.shape) - 1))
            a = product(first, second)
        if a.shape[0] == 0:
            return lax.full(tuple(shape[i] for i in others), one)
        return lax.squeeze(a, (0,))
    return gradients.jvp(tree, (lax.reshape(x, flat, order),), (lax.reshape(t, flat, order),))


def _index_dtype(shape: tuple) -> Any:
    return dtypes.uint64 if any(n >= 1 << 32 for n in shape) else dtypes.uint32


def _sort(primals: list, tangents: list, *, dimension: int, is_stable: bool, num_keys: int
          ) -> tuple:
    shape = base.shape(primals[0])
    iota = lax.broadcasted_iota(_index_dtype(shape), shape, dimension,
                                out_sharding=base.sharding_of(abstractify(primals[0])))
    *outs, index = sort_p.bind(*primals, iota, dimension=dimension, is_stable=is_stable,
                               num_keys=num_keys)
    others = numpy_ints(i for i in range(len(shape)) if i != dimension)
    numbers = GatherDimensionNumbers((), (dimension,), (dimension,), others, others)
    index = lax.expand_dims(index, (len(shape),))
    return outs, [t if is_zero(t) else lax.gather(
        t, index, numbers, (1,) * len(shape), mode=GatherScatterMode.PROMISE_IN_BOUNDS)
        for t in tangents]


def _top_k(primals: list, tangents: list, *, k: int, axis: int, is_stable: bool) -> tuple:
    values, index = primitive("top_k").bind(*primals, k=k, axis=axis, is_stable=is_stable)
    (t,) = tangents
    if is_zero(t):
        return (values, index), (zero_of(values), zero_of(index))
    rank = len(index.shape)
    others = tuple(i for i in range(rank) if i != axis)
    numbers = GatherDimensionNumbers((), (axis,), (axis,), others, others)
    picked = lax.gather(t, lax.reshape(index, (*index.shape, 1)), numbers, (1,) * rank)
    return (values, index), (picked, zero_of(index))


def _or(is_vjp: bool, nonzeros: list[bool], primals: list, params: dict
        ) -> Linear:
    out = primitive("reduce_or").bind(*primals, **params)
    aval = tangent_aval(abstractify(out))
    return Linear([out], [False], [], lambda residuals, tangents: [Zero(aval)])


linear("reduce_sum", _sum)
for _name in ("reduce_max", "reduce_min"):
    primitive(_name).jvp = jvp.standard(primitive(_name), _chooser, with_result=True)
for _name in ("argmax", "argmin"):
    primitive(_name).jvp = jvp.vanishing(primitive(_name))
primitive("reduce_prod").jvp = _prod
primitive("reduce_or").linearize = _or
sort_p.jvp = _sort
primitive("top_k").jvp = _top_k
