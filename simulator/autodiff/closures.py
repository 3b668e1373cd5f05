"""``jax.custom_gradient`` and ``jax.closure_convert``.

Both trace a function of the program on types and keep its jaxpr: the one the rule that
goes with a result, the other a function whose captured tracers become arguments.

JAX source: ``jax/_src/custom_derivatives.py: custom_gradient, Residuals,
closure_convert, _maybe_perturbed``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simulator import process, tracing
from simulator.autodiff.custom_vjp import custom_vjp
from simulator.autodiff.jvp import JVPTracer
from simulator.autodiff.zeros import is_zero, tangent_aval
from simulator.caches import WeakrefLRUCache
from simulator.device_arrays.values import abstractify, typeof
from simulator.errors import OutOfScope
from simulator.functions import signature
from simulator.jaxprs import applying, pruning
from simulator.jaxprs.jaxpr import Jaxpr
from simulator.jaxprs.tracer import DynamicJaxprTracer, Tracer
from simulator.trees import pytrees
from simulator.trees.registries import register_for_all
from simulator.types.dtypes import float0


class Residuals:
    """The traced rule, and the values that it captured."""

    def __init__(self, jaxpr: Jaxpr, in_tree: Any, out_tree: Any, consts: Any):
        self.jaxpr, self.in_tree, self.out_tree, self.consts = jaxpr, in_tree, out_tree, consts


register_for_all(Residuals, lambda r: (r.consts, (r.jaxpr, r.in_tree, r.out_tree)),
                 lambda meta, consts: Residuals(*meta, consts))


def custom_gradient(fun: Callable | None = None, *, with_logs: bool = False) -> Any:
    """``jax.custom_gradient``: `fun` returns its result and the rule for its gradient."""
    if with_logs:
        raise OutOfScope("jax.custom_gradient(with_logs=True)", "leave the option out")
    if fun is None:
        return custom_gradient

    def wrapped_fun(*args: Any, **kwargs: Any) -> Any:
        return fun(*args, **kwargs)[0]

    wrapped_fun.__name__ = getattr(fun, "__name__", "<unnamed>")
    wrapped_fun.__qualname__ = getattr(fun, "__qualname__", "<unnamed>")

    def fwd(*args: Any, **kwargs: Any) -> tuple[Any, Residuals]:
        result, rule = fun(*args, **kwargs)
        call = signature.flatten_call((result,), {})
        info = signature.debug_info("custom_gradient fwd", rule, (result,), {})
        avals = [tangent_aval(abstractify(x)) for x in call.leaves]
        traced = tracing.trace_to_jaxpr(rule, call.with_leaves(avals), info)
        out_tree = pytrees.tree_structure(((result,), {}))
        return result, Residuals(pruning.open_consts(traced.jaxpr), traced.out_tree, out_tree,
                                 traced.jaxpr.consts)

    def bwd(res: Residuals, cts: Any) -> Any:
        leaves, tree = pytrees.tree_flatten(((cts,), {}))
        if tree != res.out_tree:
            raise TypeError(f"{res.out_tree}\n!=\n{tree}")
        outs = res.in_tree.unflatten(applying.eval_jaxpr(res.jaxpr, [*res.consts, *leaves]))
        return (outs,) if pytrees.treedef_is_leaf(res.in_tree) else outs

    ruled = custom_vjp(wrapped_fun)
    ruled.defvjp(fwd, bwd)
    return ruled


def closure_convert(fun: Callable, *example_args: Any) -> tuple[Callable, list]:
    """``jax.closure_convert``: a function of its arguments and of the tracers in its closure,
    and these tracers."""
    call = signature.flatten_call(example_args, {})
    avals = tuple(typeof(x) for x in call.leaves)
    info = signature.debug_info("closure_convert", fun, example_args, {})
    return _converted(fun, pytrees.tree_structure((example_args, {})), call.with_leaves(avals), info)


def _converted(fun: Callable, in_tree: Any, call: Any, info: Any) -> tuple[Callable, list]:
    here = process.current()
    cache = here.side_caches.get("closure_convert")
    if cache is None:
        cache = here.side_caches["closure_convert"] = WeakrefLRUCache(
            _convert, here.config.trace_context)
    return cache(fun, in_tree, call, info)


def _convert(fun: Callable, in_tree: Any, call: Any, info: Any) -> tuple[Callable, list]:
    traced = tracing.trace_to_jaxpr(fun, call, info)
    jaxpr, consts = pruning.open_consts(traced.jaxpr), list(traced.jaxpr.consts)
    moved = [_maybe_perturbed(c) for c in consts]
    kept, hoisted = pruning.split_where(consts, moved)

    def converted_fun(*args_hconsts: Any) -> Any:
        count = len(args_hconsts) - len(hoisted)
        args, given = args_hconsts[:count], args_hconsts[count:]
        leaves, tree = pytrees.tree_flatten((tuple(args), {}))
        if tree != in_tree:
            raise TypeError("The inputs to the closure produced by closure_convert must have the "
                            "same Pytree structure as the example arguments passed when "
                            f"closure_convert was called. Expected {in_tree}, but got {tree}")
        values = pruning.merge(moved, kept, given)
        return traced.out_tree.unflatten(applying.eval_jaxpr(jaxpr, [*values, *leaves]))

    return converted_fun, hoisted


def _maybe_perturbed(x: Any) -> bool:
    # Whether a value can have a tangent.
    if not isinstance(x, Tracer):
        return False
    if isinstance(x, JVPTracer):
        return not is_zero(x.tangent) or _maybe_perturbed(x.primal)
    if isinstance(x, DynamicJaxprTracer):
        return tangent_aval(x.aval).dtype is not float0
    return True
