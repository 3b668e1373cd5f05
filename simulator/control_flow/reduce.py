"""The `reduce` primitive: fold axes with a function of the program's own.

The function is traced once per process, types and origin: the same function object finds
its jaxpr again, and an eager call is looked up by both.

JAX source: ``jax/_src/lax/lax.py: reduce, _variadic_reduction_jaxpr, _reduce_shape_rule,
_reduce_batch_rule, _reduce_jvp_rule, reduce_p``.

Simplified: elements are folded one after the other; XLA may fold halves first. One mesh
axis that is Explicit is refused.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from simulator import process, tracing
from simulator.autodiff.zeros import is_zero
from simulator.batching import axes
from simulator.batching.rules import rule
from simulator.caches import StrongLRUCache
from simulator.control_flow import running
from simulator.device_arrays.values import typeof
from simulator.functions import signature
from simulator.jaxprs.jaxpr import Jaxpr
from simulator.ndarrays.ndarray import NDArray
from simulator.ndarrays.ndarray_reduce import groups
from simulator.primitives.core import Primitive
from simulator.trees import pytrees
from simulator.types.avals import ShapedArray


def reduce(operands: list, tree: Any, inits: list, computation: Callable, init_values: Any,
           dimensions: tuple) -> Any:
    """Bind the primitive; `tree` is the structure of the operands and of the result."""
    cache = process.current().side_caches
    if "variadic_reduction_jaxpr" not in cache:
        cache["variadic_reduction_jaxpr"] = StrongLRUCache(
            _traced, process.current().config.trace_context)
    info = signature.debug_info("reduce comp", computation, (init_values, init_values), {})
    jaxpr, out_tree = cache["variadic_reduction_jaxpr"](
        computation, info, tuple(map(typeof, inits)), tree)
    outs = reduce_p.bind(*operands, *inits, computation=computation, jaxpr=jaxpr,
                         dimensions=dimensions)
    return out_tree.unflatten(outs)


def _traced(computation: Callable, info: Any, avals: tuple, tree: Any) -> tuple:
    pair = tree.unflatten(avals)
    both, in_tree = pytrees.tree_flatten((pair, pair))

    def flat_computation(*flat: Any) -> Any:
        return computation(*in_tree.unflatten(flat))
    call = signature.flatten_call((0,) * len(both), {}).with_leaves(both)
    found = tracing.trace_to_jaxpr(flat_computation, call, info)
    return found.jaxpr, found.out_tree


def _abstract(*avals: ShapedArray, computation: Callable, jaxpr: Jaxpr, dimensions: tuple) -> list:
    half = len(avals) // 2
    operands, inits = avals[:half], avals[half:]
    if any(a.shape for a in inits):
        raise ValueError(f"reduce found non-scalar initial value: {[a.shape for a in inits]}")
    if [a.dtype for a in operands] != [a.dtype for a in inits]:
        raise TypeError("reduce operand dtypes should match corresponding initial value dtypes, "
                        f"got operands={list(operands)} and initial_values={list(inits)}")
    return [ShapedArray(_kept(a.shape, dimensions), a.dtype, a.weak_type and i.weak_type)
            for a, i in zip(operands, inits)]


def _kept(shape: tuple, dimensions: tuple) -> tuple[int, ...]:
    return tuple(n for i, n in enumerate(shape) if i not in dimensions)


def _impl(*values: NDArray, jaxpr: Jaxpr, dimensions: tuple, **params: Any) -> list:
    half = len(values) // 2
    shape = values[0].shape

    def compute(*given: NDArray) -> list[list]:
        lists = [v.cell.force() for v in given[:half]]
        if not dimensions:      # XLA takes the operation away, and the first value with it
            return lists
        starts = [v.cell.force() for v in given[half:]]
        budget = running.Budget("jax.lax.reduce")
        found: list[list] = [[] for _ in lists]
        for group in groups(shape, dimensions)[0]:
            totals = [NDArray((), v.dtype, list(s)) for v, s in zip(given, starts)]
            for place in group:
                items = [NDArray((), v.dtype, [data[place]]) for v, data in zip(given, lists)]
                totals = running.step(jaxpr, [*totals, *items], budget)
            for out, total in zip(found, totals):
                out.append(total.cell.force()[0])
        return found
    avals = [ShapedArray(_kept(v.shape, dimensions), v.dtype) for v in values[:half]]
    return running.results(avals, compute, values, [jaxpr])


reduce_p = Primitive("reduce", abstract=_abstract, impl=_impl, multiple_results=True)


@rule("reduce")
def _batch(primitive: Primitive, axis: Any, vals: list, dims: list, *, computation: Callable,
           jaxpr: Jaxpr, dimensions: tuple) -> tuple:
    half = len(vals) // 2
    if any(d is not None for d in dims[half:]):
        raise NotImplementedError
    operands = [axes.at_front(x, d, axis.size, axis.part) for x, d in zip(vals, dims[:half])]
    outs = primitive.bind(*operands, *vals[half:], computation=computation, jaxpr=jaxpr,
                          dimensions=tuple(d + 1 for d in dimensions))
    return outs, [0] * half


def _jvp(primals: list, tangents: list, *, computation: Callable, jaxpr: Jaxpr, dimensions: tuple
         ) -> tuple:
    # The reduced axes to the front, as one; then halves are folded with each other.
    from simulator.autodiff import gradients
    from simulator.batching.vmapping import vmap
    from simulator.facade.jax import lax
    from simulator.facade.jax.lax import base
    from simulator.jaxprs import applying
    half = len(primals) // 2
    inits = primals[half:]
    if not all(map(is_zero, tangents[half:])):
        raise NotImplementedError("Gradient of general lax.reduce with non-zero tangents for "
                                  "initial values to reduction not implemented")
    shape = base.shape(primals[0])
    others = tuple(i for i in range(len(shape)) if i not in dimensions)
    kept = tuple(shape[i] for i in others)
    flat = (math.prod(shape[i] for i in dimensions), *kept)

    def folded(x: Any) -> Any:
        return lax.reshape(x, flat, (*dimensions, *others))

    def computed(*args: Any) -> list:
        return applying.eval_jaxpr(jaxpr, args)
    fold: Callable = computed
    for _ in range(len(others) + 1):
        fold = vmap(fold)

    def tree(*xs: Any) -> Any:
        while xs[0].shape[0] > 1:
            n = xs[0].shape[0]
            first = (n + 1) // 2
            ones = [lax.slice_in_dim(x, 0, first) for x in xs]
            twos = [lax.slice_in_dim(x, first, None) for x in xs]
            if n - first != first:
                twos = [lax.pad(x, i, [(0, 1, 0)] + [(0, 0, 0)] * len(others))
                        for x, i in zip(twos, inits)]
            xs = fold(*ones, *twos)
        if not xs[0].shape[0]:
            return [lax.full(kept, i) for i in inits]
        return tuple(lax.squeeze(x, (0,)) for x in xs)
    xs = tuple(map(folded, primals[:half]))
    return gradients.jvp(tree, xs, tuple(map(folded, tangents[:half])))


reduce_p.jvp = _jvp
