"""``jax.custom_vjp``: a function with a backward pass of its own.

Called eagerly the function just runs; under a trace it becomes one equation, with the
forward rule beside it, not yet traced. Differentiated in reverse the forward rule runs in
its place, and the backward rule when the linear part is transposed.

JAX source: ``jax/_src/custom_derivatives.py: custom_vjp, _flatten_fwd, _flatten_bwd,
lift_fwd``; ``jax/_src/interpreters/partial_eval.py:
DynamicJaxprTrace.process_custom_vjp_call``.
"""

from __future__ import annotations

import dataclasses
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
    thunk,
)
from simulator.autodiff.custom_errors import check_bwd_result, check_fwd_result
from simulator.autodiff.custom_jvp import _JaxprFun, pruned
from simulator.autodiff.zeros import SymbolicZero, Zero, tangent_aval, zeros
from simulator.device_arrays.values import abstractify
from simulator.errors import OutOfScope, UnexpectedTracerError
from simulator.functions import signature
from simulator.jaxprs import applying, dynamic_trace, evaluate, pruning
from simulator.jaxprs.jaxpr import Eqn, Jaxpr, RuleParam
from simulator.jaxprs.tracer import Tracer
from simulator.primitives.core import Primitive
from simulator.trees import pytrees


@dataclasses.dataclass(slots=True)
class CustomVJPPrimal:
    """What a forward rule with ``symbolic_zeros`` gets for an argument."""

    value: Any
    perturbed: bool


class custom_vjp:
    """A function whose forward and backward rules are given by the user.

    Args:
      fun: the function.
      nondiff_argnums, nondiff_argnames: arguments passed on as they are; the backward
        rule gets them first.

    Errors: AttributeError when called without rules; TypeError for arguments that do
    not fit the function, and for rules whose results do not; UnexpectedTracerError for
    a traced argument that is not differentiated.
    """

    __module__ = "jax._src.custom_derivatives"  # messages name the type

    def __init__(self, fun: Callable, nondiff_argnums: Sequence[int] = (),
                 nondiff_argnames: Sequence[str] = ()):
        if process.running():  # the library's own are made before a program runs
            process.current().config.check_limits("jax.custom_vjp", "jax_custom_vjp3")
        functools.update_wrapper(self, fun)
        self.fun = fun
        self.nondiff_argnums = nondiff_positions(fun, nondiff_argnums, nondiff_argnames)
        self.fwd: Callable | None = None
        self.bwd: Callable | None = None
        self.symbolic_zeros = False

    def defvjp(self, fwd: Callable, bwd: Callable, symbolic_zeros: bool = False,
               optimize_remat: bool = False) -> None:
        """Set the rules.

        Args:
          fwd: ``(*args) -> (result, residuals)``.
          bwd: ``(residuals, cotangent) -> cotangents``, one per argument.
        """
        if optimize_remat:
            raise OutOfScope("custom_vjp.defvjp(optimize_remat=…)", "leave it out")
        self.fwd, self.bwd, self.symbolic_zeros = fwd, bwd, symbolic_zeros

    def defvjp_with_logs(self, *args: Any, **kwargs: Any) -> None:
        """OutOfScope: ``custom_vjp.defvjp_with_logs``."""
        raise OutOfScope("custom_vjp.defvjp_with_logs", "use defvjp")

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        info = signature.debug_info("custom_vjp fun", self.fun, args, kwargs,
                                    static_argnums=self.nondiff_argnums)
        name = info.func_name
        if self.fwd is None or self.bwd is None:
            raise AttributeError(f"No VJP defined for custom_vjp function {name} using defvjp.")
        args = arguments(self.fun, name, args, kwargs, "custom_vjp")
        for i in self.nondiff_argnums:
            _refuse_tracers(args[i])
        fun, dynamic, static = split_static(self.fun, args, self.nondiff_argnums)
        fwd, _, _ = split_static(self.fwd, args, self.nondiff_argnums)
        leaves, tree = pytrees.tree_flatten(dynamic)
        flat = Flattened(fun, tree, "custom_vjp fun")
        flat_fwd = _FlatForward(fwd, name, getattr(self.fwd, "__name__", "<unknown>"), tree, flat,
                                self.symbolic_zeros)
        flat_bwd = _FlatBackward(functools.partial(self.bwd, *static) if static else self.bwd,
                                 getattr(self.bwd, "__name__", "<unknown>"), tree,
                                 [abstractify(x) for x in leaves], flat_fwd,
                                 info.func_src_info)
        outs = custom_vjp_call_p.bind(*leaves, fun=flat, fwd=flat_fwd, bwd=flat_bwd,
                                      out_trees=flat_fwd.trees,
                                      symbolic_zeros=self.symbolic_zeros)
        return (flat if flat.out_tree is not None else flat_fwd).out_tree.unflatten(outs)


def _refuse_tracers(value: Any) -> None:
    if any(isinstance(leaf, Tracer) for leaf in pytrees.tree_leaves(value)):
        raise UnexpectedTracerError(
            "Found a JAX Tracer object passed as an argument to a custom_vjp function in a "
            "position indicated by nondiff_argnums as non-differentiable. Tracers cannot be passed "
            "as non-differentiable arguments to custom_vjp functions; instead, nondiff_argnums "
            "should only be used for arguments that can't be or contain JAX tracers, e.g. "
            "function-valued arguments. In particular, array-valued arguments should typically not "
            "be indicated as nondiff_argnums.")


class _FlatForward:
    """The forward rule on flat values: each argument followed by "is it perturbed?"."""

    def __init__(self, rule: Callable, fun_name: str, rule_name: str, tree: Any,
                 primal: Flattened, symbolic_zeros: bool):
        self.rule, self.fun_name, self.__name__ = rule, fun_name, rule_name
        self.tree, self.primal, self.symbolic_zeros = tree, primal, symbolic_zeros
        self.out_tree: Any = None
        self._trees: Any = None

    def __call__(self, *args: Any) -> list:
        given = ([CustomVJPPrimal(x, p) for x, p in zip(args[::2], args[1::2])]
                 if self.symbolic_zeros else list(args[::2]))
        outs, self.out_tree, residuals, res_tree = check_fwd_result(
            self.rule(*self.tree.unflatten(given)), self)
        index = {id(x): i for i, x in enumerate(given)}
        forwards = [index.get(id(r)) for r in residuals]
        self._trees = self.out_tree, res_tree, forwards
        return [*[r for r, f in zip(residuals, forwards) if f is None], *outs]

    def trees(self) -> tuple:
        """(structure of the results, of the residuals, which residual is which argument)."""
        return self._trees


class _FlatBackward:
    """The backward rule on flat values."""

    def __init__(self, rule: Callable, name: str, tree: Any, avals: list, fwd: _FlatForward,
                 source: str):
        self.rule, self.__name__, self.tree, self.avals = rule, name, tree, avals
        self.fwd, self.source = fwd, source

    def __call__(self, *args: Any) -> list:
        out_tree, res_tree, _ = self.fwd.trees()
        n = res_tree.num_leaves
        given = self.rule(res_tree.unflatten(args[:n]), out_tree.unflatten(args[n:]))
        return check_bwd_result(given, self.tree, self.avals, self.source)


class CustomVJPCall(Primitive):
    """Goes to a trace by its own door, with the function and the rules not yet traced."""

    def bind_with(self, trace: Any, args: Any, params: dict) -> list:
        return trace.process_custom_vjp_call(self, args=args, **params)

    def bind_params(self, params: dict) -> dict:
        jaxpr, skipped, rule = params["call_jaxpr"], params["num_consts"], params["fwd_jaxpr_thunk"]
        const_avals, bwd = [v.aval for v in jaxpr.invars[:skipped]], params["bwd"]

        def fwd(*args: Any) -> list:
            primals, nonzeros = args[::2], args[1::2]
            if any(nonzeros[:skipped]):
                raise CustomVJPException()
            return applying.eval_jaxpr(rule(*nonzeros[skipped:]), primals[skipped:])

        def backward(*args: Any) -> list:
            return [*map(Zero, const_avals), *bwd(*args)]
        fwd.__name__, backward.__name__ = rule.name, str(bwd)
        return {"fun": _JaxprFun(jaxpr), "fwd": fwd, "bwd": backward,
                "out_trees": params["out_trees"], "symbolic_zeros": params["symbolic_zeros"]}


class CustomVJPException(Exception):
    """A custom_vjp function was differentiated by a value it closes over."""

    def __init__(self) -> None:
        super().__init__(
            "Detected differentiation of a custom_vjp function with respect to a closed-over "
            "value. That isn't supported because the custom VJP rule only specifies how to "
            "differentiate the custom_vjp function with respect to explicit input parameters. Try "
            "passing the closed-over value into the custom_vjp function as an argument, and "
            "adapting the custom_vjp fwd and bwd rules.")


def _stage(trace: Any, tracers: list, params: dict) -> list:
    avals = [t.aval for t in tracers]
    info = pruning.unnamed(params["fun"].info)
    jaxpr = dynamic_trace.trace_flat(params["fun"], avals, info)
    rule, out_trees = params["fwd"], params["out_trees"]

    def traced_rule(*nonzeros: bool) -> Jaxpr:
        def fwd(*args: Any) -> list:
            return rule(*[x for pair in zip(args, nonzeros) for x in pair])
        return dynamic_trace.trace_flat(fwd, avals, info)

    closed, consts = opened(jaxpr)

    def shifted() -> tuple:
        out_tree, res_tree, forwards = out_trees()
        return out_tree, res_tree, [f if f is None else f + len(consts) for f in forwards]

    kept = {"call_jaxpr": closed, "fwd_jaxpr_thunk": RuleParam(thunk(traced_rule), rule.__name__),
            "num_consts": len(consts), "bwd": RuleParam(params["bwd"], params["bwd"].__name__),
            "out_trees": shifted, "symbolic_zeros": params["symbolic_zeros"]}
    return trace.emit(custom_vjp_call_p, [*map(trace.lift, consts), *tracers],
                      closed.out_avals, kept, closed.effects)


def _shown(eqn: Eqn, names: Any) -> list:
    p = dict(eqn.params, fwd=str(eqn.params["fwd_jaxpr_thunk"]))
    del p["fwd_jaxpr_thunk"], p["out_trees"]
    if not p["num_consts"]:
        del p["num_consts"]
    return [("name", p["call_jaxpr"].debug_info.func_name), *sorted(p.items())]


def _dce(eqn: Eqn, used: list[bool]) -> Eqn | None:
    if not any(used) and not eqn.effects:
        return None
    p = eqn.params
    jaxpr, rule, bwd = p["call_jaxpr"], p["fwd_jaxpr_thunk"], p["bwd"]

    def smaller(*nonzeros: bool) -> Jaxpr:
        traced = rule(*nonzeros)
        _, _, forwards = p["out_trees"]()
        return pruned(traced, (True,) * sum(f is None for f in forwards) + tuple(used))

    def backward(*args: Any) -> list:
        _, res_tree, _ = p["out_trees"]()
        n = res_tree.num_leaves
        rest = iter(args[n:])
        make = SymbolicZero if p["symbolic_zeros"] else zeros
        return bwd(*args[:n], *[next(rest) if u else make(tangent_aval(v.aval))
                                for u, v in zip(used, jaxpr.outvars)])

    return Eqn(eqn.invars, list(pruning.where(eqn.outvars, used)), eqn.primitive,
               dict(p, call_jaxpr=pruned(jaxpr, tuple(used)),
                    fwd_jaxpr_thunk=RuleParam(thunk(smaller), rule.name),
                    bwd=RuleParam(backward, bwd.name)),
               jaxpr.effects, eqn.context)


custom_vjp_call_p = CustomVJPCall(
    "custom_vjp_call", multiple_results=True,
    abstract=lambda *avals, call_jaxpr, **params: call_jaxpr.out_avals,
    impl=lambda *values, call_jaxpr, **params: evaluate.run(call_jaxpr, values))
custom_vjp_call_p.staging_rule = _stage
custom_vjp_call_p.shown_params = _shown
custom_vjp_call_p.dce_rule = _dce
