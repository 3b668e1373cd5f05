"""``checkify.checkify``: a function whose checks are one more result.

The function is traced with all arguments held fast, so that every call traces anew.
Then its equations are applied again, one after the other, and each that can go wrong
also changes the `Error` that goes along. Functions inside are rewritten once: what is
made of a jaxpr is kept by it, and found again by the same jaxpr and the same `Error`.

JAX source: ``jax/_src/checkify.py: checkify, checkify_jaxpr_flat,
jaxpr_to_checkify_jaxpr, default_checkify_rule``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from simulator import tracing
from simulator.autodiff.memo import by_jaxpr
from simulator.checking.error_types import (
    NO_ERROR,
    DivisionByZeroError,
    Error,
    FailedCheckError,
    NaNError,
    OOBError,
)
from simulator.errors import OutOfScope
from simulator.functions import signature
from simulator.jaxprs import pruning
from simulator.jaxprs.eqn_context import as_traced
from simulator.jaxprs.jaxpr import Jaxpr, Literal, subjaxprs

user_checks = frozenset({FailedCheckError})
nan_checks = frozenset({NaNError})
index_checks = frozenset({OOBError})
div_checks = frozenset({DivisionByZeroError})
float_checks = nan_checks | div_checks
automatic_checks = float_checks | index_checks
all_checks = automatic_checks | user_checks

# Primitive name -> rule: (primitive, error, enabled, *values, **params) -> (error, results).
RULES: dict[str, Callable] = {}


def rule(*names: str) -> Callable:
    """Decorator: the rule of these primitives."""
    def register(function: Callable) -> Callable:
        RULES.update(dict.fromkeys(names, function))
        return function
    return register


def checkify(f: Callable, errors: frozenset = user_checks) -> Callable:
    """``checkify.checkify``: returns ``(error, result)`` where `f` returns ``result``.

    Args:
      errors: the kinds of errors to look for.
    """
    def checked_fun(*args: Any, **kwargs: Any) -> tuple[Error, Any]:
        info = pruning.unnamed(signature.debug_info("checkify", f, args, kwargs))
        traced = tracing.trace_to_jaxpr(lambda: f(*args, **kwargs),
                                        signature.flatten_call((), {}), info)
        jaxpr = pruning.open_consts(traced.jaxpr)
        error, outs = apply(jaxpr, errors, NO_ERROR, traced.jaxpr.consts)
        return error, traced.out_tree.unflatten(outs)
    return checked_fun


def apply(jaxpr: Jaxpr, enabled: frozenset, error: Error, args: Sequence[Any]
          ) -> tuple[Error, list]:
    """Apply the equations of `jaxpr` under the current trace, with their checks."""
    env: dict[Any, Any] = dict(zip(jaxpr.constvars, jaxpr.consts))
    env.update(zip(jaxpr.invars, args))

    def read(atom: Any) -> Any:
        return atom.val if isinstance(atom, Literal) else env[atom]

    for eqn in jaxpr.eqns:
        checked = RULES.get(eqn.primitive.name, _plain)
        with as_traced(eqn.context):
            error, outs = checked(eqn.primitive, error, enabled, *map(read, eqn.invars),
                                  **eqn.params)
        env.update(zip(eqn.outvars, outs if eqn.primitive.multiple_results else [outs]))
    return error, [read(a) for a in jaxpr.outvars]


def _plain(primitive: Any, error: Error, enabled: frozenset, *values: Any, **params: Any
           ) -> tuple[Error, Any]:
    if any(subjaxprs(params)) and primitive.name not in _WITHOUT_CHECKS:
        raise OutOfScope(f"checkify of {primitive.name}", "check outside of it")
    return error, primitive.bind(*values, **params)


# Their functions are of scalars and cannot go wrong.
_WITHOUT_CHECKS = frozenset({"reduce", "scatter-sub", "reduce_window"})


@by_jaxpr
def checked(jaxpr: Jaxpr, enabled: frozenset, err_tree: Any, *avals: Any
            ) -> tuple[Jaxpr, Any, set]:
    """A jaxpr with its checks: an `Error` before the parameters and before the results.

    Args:
      avals: the types of the leaves of the `Error` and of the parameters.

    Returns:
      The jaxpr, the structure of (error, results), and the kinds of errors in it.
    """
    kinds: list[set] = []

    def fun_wrapped(*vals: Any) -> tuple[Error, list]:
        n = err_tree.num_leaves
        error, outs = apply(jaxpr, enabled, err_tree.unflatten(vals[:n]), vals[n:])
        kinds.append(set(error._pred))
        return error, outs

    call = signature.flatten_call((0,) * len(avals), {}).with_leaves(avals)
    traced = tracing.trace_to_jaxpr(fun_wrapped, call, pruning.unnamed(jaxpr.debug_info))
    return traced.jaxpr, traced.out_tree, kinds[0]
