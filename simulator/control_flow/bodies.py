"""The jaxprs inside loops and branches: traced, and cut to shape.

A body is traced by the tracing cache like any function: the same function object
with the same types is found again. What is cut from its jaxpr afterwards is
remembered by jaxpr, so that the same body always gives the same object; an eager
loop is looked up by that object.

JAX source: ``jax/_src/interpreters/partial_eval.py: separate_consts,
prune_jaxpr_outputs, move_binders_to_front, _jaxpr_forwarding, dce_jaxpr``;
``jax/_src/lax/control_flow/common.py: _merge_common_consts``.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from simulator import process, tracing
from simulator.caches import WeakrefLRUCache
from simulator.device_arrays.values import typeof
from simulator.functions import signature
from simulator.jaxprs import folding
from simulator.jaxprs import jaxpr as jaxprs
from simulator.jaxprs.jaxpr import Eqn, Jaxpr, Literal, Var
from simulator.types.avals import ShapedArray


def remembered(function: Callable) -> Callable:
    """Decorator: a memo of the process, its first argument held weakly.

    JAX source: ``jax/_src/util.py: weakref_lru_cache``; no station counts these.
    """
    name = f"{function.__module__}.{function.__qualname__}"

    @functools.wraps(function)
    def lookup(weak: Any, *rest: Any) -> Any:
        here = process.current()
        cache = here.side_caches.get(name)
        if cache is None:
            cache = WeakrefLRUCache(function, here.config.trace_context)
            here.side_caches[name] = cache
        return cache(weak, *rest)
    return lookup


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


@remembered
def _detached(jaxpr: Jaxpr) -> Jaxpr:
    return jaxprs.separate_consts(jaxpr)[0]


def separate_consts(jaxpr: Jaxpr) -> tuple[Jaxpr, list]:
    """The jaxpr with its constants as leading parameters, and the constants."""
    return (_detached(jaxpr) if jaxpr.consts else jaxpr), list(jaxpr.consts)


@remembered
def _with_outputs(jaxpr: Jaxpr, used: tuple[bool, ...]) -> Jaxpr:
    return jaxpr.replace(outvars=[v for v, u in zip(jaxpr.outvars, used) if u])


def prune_outputs(jaxpr: Jaxpr, used: Sequence[bool]) -> Jaxpr:
    """Fewer results; the equations stay."""
    return _with_outputs(jaxpr, tuple(used))


@remembered
def _moved(jaxpr: Jaxpr, to_front: tuple[bool, ...]) -> Jaxpr:
    front = [v for v, m in zip(jaxpr.invars, to_front) if m]
    return jaxpr.replace(invars=front + [v for v, m in zip(jaxpr.invars, to_front) if not m])


def move_to_front(jaxpr: Jaxpr, which: Sequence[bool]) -> Jaxpr:
    """Some parameters first."""
    return _moved(jaxpr, tuple(which))


def move_to_back(jaxpr: Jaxpr, which: Sequence[bool]) -> Jaxpr:
    """Some parameters last; `which` may be shorter than the parameters."""
    which = [*which, *[False] * (len(jaxpr.invars) - len(which))]
    return _moved(jaxpr, tuple(not w for w in which))


def forwarding(jaxpr: Jaxpr) -> list[int | None]:
    """For each result the parameter that it is, or None."""
    source: dict[Var, Any] = {v: v for v in jaxpr.invars}
    for eqn in jaxpr.eqns:
        if eqn.primitive.name not in ("convert_element_type", "broadcast_in_dim"):
            continue
        operand = eqn.invars[0]
        if isinstance(operand, Var):
            operand = source.get(operand, operand)
        if folding.forwards(eqn.primitive, operand.aval, eqn.params):
            source[eqn.outvars[0]] = operand
    place = {v: i for i, v in enumerate(jaxpr.invars)}
    return [None if isinstance(v, Literal) else place.get(source.get(v)) for v in jaxpr.outvars]


@remembered
def _dce(jaxpr: Jaxpr, used: tuple[bool, ...], keep: tuple[bool, ...]
         ) -> tuple[Jaxpr, list[bool]]:
    new, used_ins = jaxprs.dce(jaxpr, used)
    used_ins = [u or k for u, k in zip(used_ins, keep)]
    new.invars = [v for v, u in zip(new.invars, used_ins) if u]
    new.effects = frozenset().union(*[e.effects for e in new.eqns])
    return new, used_ins


def dce(jaxpr: Jaxpr, used: Sequence[bool], keep: Sequence[bool] | bool = False
        ) -> tuple[Jaxpr, list[bool]]:
    """Without what the used results do not need.

    Args:
      used: one bool per result. keep: parameters that stay in any case.

    Returns:
      The new jaxpr, unused parameters gone, and one bool per old parameter.
    """
    if isinstance(keep, bool):
        keep = [keep] * len(jaxpr.invars)
    return _dce(jaxpr, tuple(used), tuple(keep))


@remembered
def _padded(jaxpr: Jaxpr, own: int, left: tuple, right: tuple) -> Jaxpr:
    return jaxpr.replace(invars=[*map(Var, left), *jaxpr.invars[:own], *map(Var, right),
                                 *jaxpr.invars[own:]])


@remembered
def _deduplicated(jaxpr: Jaxpr, count: int, idents: tuple[int, ...]) -> Jaxpr:
    first: dict[int, Var] = {}
    chosen = {v: first.setdefault(i, v) for i, v in zip(idents, jaxpr.invars[:count])}

    def choose(atom: Any) -> Any:
        return chosen.get(atom, atom) if isinstance(atom, Var) else atom

    eqns = [Eqn([choose(a) for a in e.invars], e.outvars, e.primitive, e.params, e.effects,
                e.context) for e in jaxpr.eqns]
    return jaxpr.replace(invars=[*first.values(), *jaxpr.invars[count:]], eqns=eqns,
                         outvars=[choose(a) for a in jaxpr.outvars])


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


@remembered
def with_effects(jaxpr: Jaxpr, effects: frozenset) -> Jaxpr:
    """The same jaxpr, said to have these effects."""
    return jaxpr.replace(effects=effects)


def partition(mask: Sequence[bool], items: Sequence[Any]) -> tuple[list, list]:
    """(those where the mask is false, those where it is true)."""
    return ([x for x, m in zip(items, mask) if not m], [x for x, m in zip(items, mask) if m])


def merge(mask: Sequence[bool], where_false: Sequence[Any], where_true: Sequence[Any]) -> list:
    """Undo `partition`."""
    no, yes = iter(where_false), iter(where_true)
    return [next(yes) if m else next(no) for m in mask]
