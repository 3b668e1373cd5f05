"""``jax.custom_jvp``: a function with a derivative of its own.

Called eagerly the function just runs. Under a trace it becomes one equation with the
function's jaxpr inside and the rule, not yet traced, beside it; that trace asks no
cache. Differentiated, the rule runs in its place.

JAX source: ``jax/_src/custom_derivatives.py: custom_jvp, _flatten_jvp, lift_jvp``;
``jax/_src/interpreters/partial_eval.py: DynamicJaxprTrace.process_custom_jvp_call``.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from simulator import process
from simulator.autodiff.custom_calls import (
    Flattened,
    arguments,
    nondiff_positions,
    opened,
    split_static,
    stop_gradients,
    thunk,
)
from simulator.autodiff.custom_errors import check_jvp_result
from simulator.autodiff.memo import by_jaxpr
from simulator.autodiff.zeros import SymbolicZero, add, tangent_aval, zero_of
from simulator.device_arrays.values import abstractify
from simulator.functions import signature
from simulator.jaxprs import applying, dynamic_trace, evaluate, pruning
from simulator.jaxprs.jaxpr import Eqn, Jaxpr, RuleParam
from simulator.primitives.core import Primitive
from simulator.trees import pytrees


class custom_jvp:
    """A function whose JVP rule is given by the user.

    Args:
      fun: the function.
      nondiff_argnums, nondiff_argnames: arguments passed on as they are.

    Errors: AttributeError when called without a rule; TypeError for arguments
    that do not fit the function, and for rules whose results do not.
    """

    __module__ = "jax._src.custom_derivatives"  # messages show it

    def __init__(self, fun: Callable, nondiff_argnums: Sequence[int] = (),
                 nondiff_argnames: Sequence[str] = ()):
        if process.running():  # the library's own are made before a program runs
            process.current().config.check_limits("jax.custom_jvp", "jax_custom_jvp3")
        functools.update_wrapper(self, fun)
        self.fun = fun
        self.nondiff_argnums = nondiff_positions(fun, nondiff_argnums, nondiff_argnames)
        self.jvp: Callable | None = None
        self.symbolic_zeros = False

    def defjvp(self, jvp: Callable, symbolic_zeros: bool = False) -> Callable:
        """Set the rule, ``(primals, tangents) -> (result, tangent)``; also a decorator."""
        self.jvp, self.symbolic_zeros = jvp, symbolic_zeros
        return jvp

    def defjvps(self, *jvps: Callable | None) -> None:
        """Set one rule per argument, ``(tangent, result, *primals) -> tangent``."""
        if self.nondiff_argnums:
            raise TypeError("Can't use ``defjvps`` with ``nondiff_argnums``.")

        def jvp(primals: Any, tangents: Any) -> Any:
            out = self(*primals)
            zeros = pytrees.tree_map(zero_of, out)
            parts = [rule(t, out, *primals) if rule else zeros for t, rule in zip(tangents, jvps)]
            return out, pytrees.tree_map(lambda _, *ts: functools.reduce(add, ts), out, *parts)
        self.defjvp(jvp)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        info = signature.debug_info("custom_jvp fun", self.fun, args, kwargs,
                                    static_argnums=self.nondiff_argnums)
        name = info.func_name
        if self.jvp is None:
            raise AttributeError(f"No JVP defined for custom_jvp function {name} using defjvp.")
        args = arguments(self.fun, name, args, kwargs, "custom_jvp")
        args = stop_gradients(args, self.nondiff_argnums)
        fun, dynamic, static = split_static(self.fun, args, self.nondiff_argnums)
        leaves, tree = pytrees.tree_flatten(dynamic)
        flat = Flattened(fun, tree)
        rule = functools.partial(self.jvp, *static) if static else self.jvp
        flat_rule = _FlatRule(rule, name, getattr(self.jvp, "__name__", "<unknown>"), tree, flat)
        outs = custom_jvp_call_p.bind(*leaves, fun=flat, jvp=flat_rule,
                                      symbolic_zeros=self.symbolic_zeros)
        return (flat if flat.out_tree is not None else flat_rule).out_tree.unflatten(outs)


class _FlatRule:
    """The rule on flat values: primals and tangents in, results and tangents out."""

    def __init__(self, rule: Callable, fun_name: str, rule_name: str, tree: Any,
                 primal: Flattened):
        self.rule, self.fun_name, self.__name__ = rule, fun_name, rule_name
        self.tree, self.primal = tree, primal
        self.out_tree: Any = None

    def __call__(self, *args: Any) -> list:
        n = len(args) // 2
        pair = self.rule(self.tree.unflatten(args[:n]), self.tree.unflatten(args[n:]))
        outs, tangents, self.out_tree = check_jvp_result(pair, self)
        return [*outs, *tangents]


class CustomJVPCall(Primitive):
    """Goes to a trace by its own door, with the function and the rule not yet traced."""

    def bind_with(self, trace: Any, args: Any, params: dict) -> list:
        return trace.process_custom_jvp_call(self, args=args, **params)

    def bind_params(self, params: dict) -> dict:
        jaxpr, skipped, rule = params["call_jaxpr"], params["num_consts"], params["jvp_jaxpr_fun"]

        def jvp(*xs: Any) -> list:
            n = len(xs) // 2
            primals, tangents = xs[skipped:n], xs[n + skipped:]
            traced, out_zeros = rule(*[type(t) is SymbolicZero for t in tangents])
            outs = applying.eval_jaxpr(traced, [*primals, *[
                t for t in tangents if type(t) is not SymbolicZero]])
            rest = iter(outs[len(out_zeros):])
            return [*outs[:len(out_zeros)],
                    *[SymbolicZero(tangent_aval(abstractify(p))) if z else next(rest)
                      for p, z in zip(outs, out_zeros)]]
        jvp.__name__ = rule.name
        return {"fun": _JaxprFun(jaxpr), "jvp": jvp, "symbolic_zeros": params["symbolic_zeros"]}


class _JaxprFun:
    """The function of an equation, as a function again."""

    def __init__(self, jaxpr: Jaxpr):
        self.jaxpr, self.info = jaxpr, jaxpr.debug_info

    def __call__(self, *args: Any) -> list:
        return applying.call(self.jaxpr, args)


def _stage(trace: Any, tracers: list, params: dict) -> list:
    avals = [t.aval for t in tracers]
    jaxpr = dynamic_trace.trace_flat(params["fun"], avals, params["fun"].info)
    rule = params["jvp"]

    def traced_rule(*zeros: bool) -> tuple[Jaxpr, list[bool]]:
        out_zeros: list[bool] = []

        def jvp(*args: Any) -> list:
            rest = iter(args[len(avals):])
            tangents = [SymbolicZero(tangent_aval(a)) if z else next(rest)
                        for a, z in zip(avals, zeros)]
            outs = rule(*args[:len(avals)], *tangents)
            n = len(outs) // 2
            out_zeros.extend(type(t) is SymbolicZero for t in outs[n:])
            return [*outs[:n], *[t for t in outs[n:] if type(t) is not SymbolicZero]]

        ins = [*avals, *[tangent_aval(a) for a, z in zip(avals, zeros) if not z]]
        return dynamic_trace.trace_flat(jvp, ins, pruning.unnamed(jaxpr.debug_info)), out_zeros

    closed, consts = opened(jaxpr)
    kept = {"call_jaxpr": closed, "jvp_jaxpr_fun": RuleParam(thunk(traced_rule), rule.__name__),
            "num_consts": len(consts), "symbolic_zeros": params["symbolic_zeros"]}
    return trace.emit(custom_jvp_call_p, [*map(trace.lift, consts), *tracers],
                      closed.out_avals, kept, closed.effects)


def _shown(eqn: Eqn, names: Any) -> list:
    p = dict(eqn.params, jvp=str(eqn.params["jvp_jaxpr_fun"]))
    del p["jvp_jaxpr_fun"]
    if not p["num_consts"]:
        del p["num_consts"]
    return [("name", p["call_jaxpr"].debug_info.func_name), *sorted(p.items())]


@by_jaxpr
def pruned(jaxpr: Jaxpr, used: tuple) -> Jaxpr:
    """The function's jaxpr with fewer results; the rule may still need every argument."""
    return pruning.dce(jaxpr.replace(debug_info=pruning.unnamed(jaxpr.debug_info)), used, True)[0]


def _dce(eqn: Eqn, used: list[bool]) -> Eqn | None:
    if not any(used) and not eqn.effects:
        return None
    jaxpr = pruned(eqn.params["call_jaxpr"], tuple(used))
    rule, symbolic = eqn.params["jvp_jaxpr_fun"], eqn.params["symbolic_zeros"]

    def smaller(*zeros: bool) -> tuple[Jaxpr, list[bool]]:
        traced, out_zeros = rule(*zeros)
        tangents = [u for u, z in zip(used, out_zeros) if not z] if symbolic else used
        return (pruning.dce(traced, [*used, *tangents], True)[0],
                [z for u, z in zip(used, out_zeros) if u])

    return Eqn(eqn.invars, list(pruning.where(eqn.outvars, used)), eqn.primitive,
               dict(eqn.params, call_jaxpr=jaxpr,
                    jvp_jaxpr_fun=RuleParam(thunk(smaller), rule.name)),
               jaxpr.effects, eqn.context)


custom_jvp_call_p = CustomJVPCall(
    "custom_jvp_call", multiple_results=True,
    abstract=lambda *avals, call_jaxpr, **params: call_jaxpr.out_avals,
    impl=lambda *values, call_jaxpr, **params: evaluate.run(call_jaxpr, values))
custom_jvp_call_p.staging_rule = _stage
custom_jvp_call_p.shown_params = _shown
custom_jvp_call_p.dce_rule = _dce
