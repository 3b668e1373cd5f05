"""sort and top_k.

JAX source: jax/_src/lax/lax.py: sort_p, _sort_lt_comparator, top_k_p.
"""

from __future__ import annotations

from simulator.ndarrays.ndarray_reduce import groups
from simulator.primitives.core import Primitive
from simulator.primitives.explicit import check_sort
from simulator.primitives.standard import Spec, shared_results, standard_multi
from simulator.types import dtype_core as dt


def _key(x):
    """Total order: numbers, then NaN; -0 equals 0; complex by real, then imaginary part."""
    if type(x) is complex:
        return (_key(x.real), _key(x.imag))
    return (1, 0.0) if x != x else (0, x)


def _sort_abstract(*avals, dimension, is_stable, num_keys):
    if any(a.shape != avals[0].shape for a in avals[1:]):
        raise TypeError("Arguments to sort must have equal shapes, got: "
                        + " ".join(str(a.shape) for a in avals))
    check_sort(avals, dimension)
    return list(avals)


def _sort_impl(*values, dimension, is_stable, num_keys):
    shape = values[0].shape

    def run(*lists):
        results = [list(v) for v in lists]
        for g in groups(shape, (dimension,))[0] if values[0].size else ():
            order = sorted(g, key=lambda p: tuple(_key(v[p]) for v in lists[:num_keys]))
            for v, out in zip(lists, results):
                for to, p in zip(g, order):
                    out[to] = v[p]
        return results
    return shared_results([Spec(v.shape, v.dtype) for v in values], run, values)


sort_p = Primitive("sort", abstract=_sort_abstract, impl=_sort_impl, multiple_results=True)


def _top_k_shapes(operand, *, k, axis, is_stable):
    shape = list(operand.shape)
    if operand.dtype.family == "c":
        raise ValueError("top_k is not compatible with complex inputs.")
    if k < 0:
        raise ValueError(f"k argument to top_k must be nonnegative, got {k}")
    if not shape:
        raise TypeError(f"top_k operand must have >= 1 dimension, got {operand.shape}")
    if not 0 <= axis < len(shape):
        raise ValueError(f"axis argument out of range: axis={axis} for "
                         f"operand.shape={operand.shape}")
    if shape[axis] < k:
        raise ValueError("k argument to top_k must be no larger than size along axis; got "
                         f"k={k} with shape={shape} and axis={axis}")
    shape[axis] = k
    return [tuple(shape)] * 2


def _top_k(ins, outs, values, *, k, axis, is_stable):
    shape = ins[0].shape
    picked, indices = [None] * _count(outs[0].shape), [None] * _count(outs[0].shape)
    targets = groups(outs[0].shape, (axis,))[0]
    for g, to in zip(groups(shape, (axis,))[0], targets):
        order = sorted(range(len(g)), key=lambda i: _key(values[g[i]]), reverse=True)
        # reverse=True keeps equal elements in their order, as XLA does.
        for t, i in zip(to, order):
            picked[t], indices[t] = values[g[i]], i
    return [picked, indices]


def _count(shape):
    n = 1
    for d in shape:
        n *= d
    return n


top_k_p = standard_multi("top_k", _top_k_shapes,
                         lambda x, **params: [x.dtype, dt.int32], _top_k,
                         weaks=lambda x, **params: [x.weak_type] * 2)
