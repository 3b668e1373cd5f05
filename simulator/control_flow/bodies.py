"""The jaxprs inside loops and branches: traced, and made to fit together.

A body is traced by the tracing cache like any function: the same function object
with the same types is found again. What is cut from its jaxpr afterwards is
remembered by jaxpr, so that the same body always gives the same object; an eager
loop is looked up by that object.

JAX source: ``jax/_src/interpreters/partial_eval.py: separate_consts``;
``jax/_src/lax/control_flow/common.py: _merge_common_consts, _make_closed_jaxpr``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from simulator import tracing
from simulator.autodiff.memo import by_jaxpr
from simulator.device_arrays.values import typeof
from simulator.functions import signature
from simulator.jaxprs import pruning
from simulator.jaxprs.jaxpr import Eqn, Jaxpr, Var
from simulator.references.ref_types import RefEffect
from simulator.types.avals import ShapedArray


def trace(fun: Callable, trees: Sequence[Any], avals: Sequence[ShapedArray], debug_info: Any
          ) -> tuple[Jaxpr, Any]:
    """Ask the tracing cache for a body.

    Args:
      fun: the program's function. trees: the structure of each argument.
      avals: the types of all leaves. debug_info: part of the key.

    Returns:
      The jaxpr, its constants still attached, and the structure of the result.
    """
    call = signature.FlatCall(tuple(trees), (), tuple(avals), ())
    traced = tracing.trace_to_jaxpr(fun, call, debug_info)
    return traced.jaxpr, traced.out_tree


def trace_flat(fun: Callable, avals: Sequence[ShapedArray], debug_info: Any) -> Jaxpr:
    """Trace a function of single arrays (JAX's ``_make_closed_jaxpr``)."""
    call = signature.flatten_call((0,) * len(avals), {}).with_leaves(avals)
    return tracing.trace_to_jaxpr(fun, call, debug_info).jaxpr


def separate_consts(jaxpr: Jaxpr) -> tuple[Jaxpr, list]:
    """The jaxpr with its constants as leading parameters, and the constants."""
    return pruning.open_consts(jaxpr), list(jaxpr.consts)


@by_jaxpr
def _padded(jaxpr: Jaxpr, own: int, left: tuple, right: tuple) -> Jaxpr:
    return jaxpr.replace(invars=[*map(Var, left), *jaxpr.invars[:own], *map(Var, right),
                                 *jaxpr.invars[own:]])


@by_jaxpr
def _deduplicated(jaxpr: Jaxpr, count: int, idents: tuple[int, ...]) -> Jaxpr:
    first: dict[int, Var] = {}
    chosen = {v: first.setdefault(i, v) for i, v in zip(idents, jaxpr.invars[:count])}

    def choose(atom: Any) -> Any:
        return chosen.get(atom, atom) if isinstance(atom, Var) else atom

    def chosen_effects(effects: frozenset) -> frozenset:
        return frozenset(e._replace(var=choose(e.var)) if isinstance(e, RefEffect) else e
                         for e in effects)

    eqns = [Eqn([choose(a) for a in e.invars], e.outvars, e.primitive, e.params,
                chosen_effects(e.effects), e.context) for e in jaxpr.eqns]
    return jaxpr.replace(invars=[*first.values(), *jaxpr.invars[count:]], eqns=eqns,
                         outvars=[choose(a) for a in jaxpr.outvars],
                         effects=chosen_effects(jaxpr.effects))


def share_consts(bodies: Sequence[Jaxpr], consts: Sequence[list]) -> tuple[list[Jaxpr], list]:
    """Give all branches the same leading parameters: the constants of every one of them.

    Constants are told apart by identity.
    """
    every = [c for own in consts for c in own]
    avals = tuple(map(typeof, every))
    shared, start = [], 0
    for body, own in zip(bodies, consts):
        end = start + len(own)
        padded = _padded(body, len(own), avals[:start], avals[end:])
        shared.append(_deduplicated(padded, len(every), tuple(map(id, every))))
        start = end
    return shared, list({id(c): c for c in every}.values())


def with_all_effects(jaxprs: Sequence[Jaxpr]) -> list[Jaxpr]:
    """Branches said to have the effects of all of them, on their own parameters."""
    joined: set = set()
    for jaxpr in jaxprs:
        place = {id(v): i for i, v in enumerate(jaxpr.invars)}
        joined.update(e._replace(var=place[id(e.var)]) if isinstance(e, RefEffect) else e
                      for e in jaxpr.effects)
    return [_with_effects(jaxpr, frozenset(joined)) for jaxpr in jaxprs]


@by_jaxpr
def _with_effects(jaxpr: Jaxpr, effects: frozenset) -> Jaxpr:
    return jaxpr.replace(effects=frozenset(
        e._replace(var=jaxpr.invars[e.var]) if isinstance(e, RefEffect) else e for e in effects))
