"""``jax.custom_batching``: functions that say themselves what `jax.vmap` makes of them.

Each call traces the function (the tracing cache is asked); what is applied is an
equation with the jaxpr and the rule. Under a map the rule runs instead.

JAX source: ``jax/_src/custom_batching.py``.

Simplified: such a function is not differentiated.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from simulator import tracing
from simulator.autodiff.custom_calls import arguments
from simulator.batching import axes
from simulator.batching.rules import rule, size_of
from simulator.device_arrays.values import typeof
from simulator.errors import OutOfScope
from simulator.functions import signature
from simulator.jaxprs import applying, evaluate, lower_fun
from simulator.jaxprs.jaxpr import Eqn, Jaxpr, separate_consts
from simulator.primitives.core import Primitive
from simulator.trees import pytrees


class custom_vmap:
    """A function with a batching rule of its own.

    Errors: AttributeError when called without a rule; TypeError for arguments that do
    not fit the function; ValueError for a rule whose results do not.
    """

    __module__ = "jax._src.custom_batching"  # messages show it

    def __init__(self, fun: Callable):
        functools.update_wrapper(self, fun)
        self.fun = fun
        self.vmap_rule: Callable | None = None

    def def_vmap(self, vmap_rule: Callable) -> Callable:
        """Set the rule: ``(axis_size, in_batched, *args) -> (out, out_batched)``."""
        self.vmap_rule = vmap_rule
        return vmap_rule

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        info = signature.debug_info("custom_vmap fun", self.fun, args, kwargs)
        args = arguments(self.fun, info.func_name, args, kwargs, "custom_vmap")
        if not self.vmap_rule:
            raise AttributeError("No batching rule defined for custom_vmap function "
                                 f"{info.func_name} using def_vmap.")
        flat = signature.flatten_call(args, {})
        leaves, tree = pytrees.tree_flatten(args)
        avals = [typeof(x) for x in leaves]
        traced = tracing.trace_to_jaxpr(self.fun, flat.with_leaves(avals), info)
        jaxpr, consts = separate_consts(traced.jaxpr)
        both = pytrees.tree_structure((list(consts), args))
        outs = custom_vmap_p.bind(*consts, *leaves, call=jaxpr, rule=_Rule(self.vmap_rule),
                                  in_tree=both, out_tree=traced.out_tree)
        return traced.out_tree.unflatten(outs)


class _Rule:
    """The user's rule; what the function closes over is never mapped."""

    def __init__(self, function: Callable):
        self.function = function

    def __call__(self, size: int, mapped: tuple, args: tuple) -> Any:
        if any(pytrees.tree_leaves(mapped[0])):
            raise AssertionError(mapped[0])
        return self.function(size, list(mapped[1]), *args[1])

    def __str__(self) -> str:
        return str(self.function)


def _call(args: tuple, call: Jaxpr) -> list:
    return applying.call(call, args)


custom_vmap_p = Primitive(
    "custom_vmap_call", multiple_results=True,
    abstract=lambda *avals, call, **params: call.out_avals,
    impl=lambda *values, call, **params: evaluate.run(call, values),
    effects=lambda params: params["call"].effects)
custom_vmap_p.eager = lambda *args, call, **params: _call(args, call)


def _no_derivative(*args: Any, **params: Any) -> Any:
    raise OutOfScope("the derivative of a jax.custom_batching.custom_vmap function",
                     "differentiate a function without a batching rule of its own")


custom_vmap_p.jvp = _no_derivative


@lower_fun.rule("custom_vmap_call")
def _lower(eqn: Eqn) -> list[Jaxpr]:
    call = eqn.params["call"]
    return [lower_fun.trace(lambda *args: _call(args, call), *[a.aval for a in eqn.invars],
                            name="custom_vmap_impl")]


@rule("custom_vmap_call")
def _batch(primitive: Primitive, axis: Any, vals: list, dims: list, *, call: Jaxpr, rule: Any,
           in_tree: Any, out_tree: Any) -> tuple:
    size = size_of(vals, dims)
    vals = [x if d is None else axes.moveaxis(x, d, 0) for x, d in zip(vals, dims)]
    out, out_mapped = rule(size, in_tree.unflatten([d is not None for d in dims]),
                           in_tree.unflatten(vals))
    outs, tree = pytrees.tree_flatten(out)
    mapped, mapped_tree = pytrees.tree_flatten(out_mapped)
    _check(getattr(rule.function, "__name__", "<unnamed rule>"), out_tree, tree, mapped_tree)
    return outs, [0 if m else None for m in mapped]


def _check(name: str, original: Any, tree: Any, mapped_tree: Any) -> None:
    if tree != mapped_tree:
        raise ValueError("structure of output value and output batching specification returned by "
                         f"custom vmap rule ({name}) do not match.\nOutput values: {tree}\n"
                         f"Batching spec: {mapped_tree}")
    if tree != original:
        raise ValueError(f"structure of output returned by custom vmap rule ({name}) does not match "
                         f"that of original custom-vmapped function.\nOriginal output: {original}\n"
                         f"Rule output: {tree}")


def sequential_vmap(f: Callable) -> custom_vmap:
    """A function that is called for one element after the other, in a loop."""
    from simulator.facade.jax.lax import loops
    wrapped = custom_vmap(f)

    @wrapped.def_vmap
    def rule(axis_size: int, in_batched: list, *args: Any) -> tuple:
        def pick(wanted: bool) -> list:
            return pytrees.tree_map(lambda m, x: x if m == wanted else None, in_batched,
                                    list(args))
        rest = pick(False)

        def one(mapped: list) -> Any:
            return wrapped(*pytrees.tree_map(lambda m, x, y: x if m else y, in_batched, mapped,
                                             rest))
        out = loops.map(one, pick(True))
        return out, pytrees.tree_map(lambda _: True, out)

    return wrapped
