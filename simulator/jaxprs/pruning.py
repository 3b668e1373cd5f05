"""Jaxprs cut down and rearranged, each result remembered by the jaxpr it came from.

JAX source: ``jax/_src/interpreters/partial_eval.py: _dce_jaxpr, prune_jaxpr_outputs,
dedup_jaxpr_outputs, _jaxpr_forwarding, move_binders_to_back, convert_constvars_jaxpr``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from simulator.autodiff.memo import by_jaxpr
from simulator.configuration.axis_env import NamedAxisEffect
from simulator.jaxprs import folding
from simulator.jaxprs.jaxpr import DebugInfo, Jaxpr, Literal, Var, opened
from simulator.references.ref_types import of_equations


def where(values: Sequence[Any], keep: Sequence[bool]) -> tuple:
    """The values that are kept."""
    return tuple(v for v, k in zip(values, keep, strict=True) if k)


def split_where(values: Sequence[Any], which: Sequence[bool]) -> tuple[list, list]:
    """(those not in `which`, those in it)."""
    return ([v for v, w in zip(values, which, strict=True) if not w],
            [v for v, w in zip(values, which, strict=True) if w])


def merge(which: Sequence[bool], others: Sequence[Any], those: Sequence[Any]) -> list:
    """The inverse of `split_where`."""
    rest, picked = iter(others), iter(those)
    return [next(picked) if w else next(rest) for w in which]


def unnamed(info: DebugInfo) -> DebugInfo:
    """The same function, its arguments and results not named."""
    return info._replace(arg_names=None, result_paths=None)


def _named(info: DebugInfo | None, ins: Sequence[bool] | None, outs: Sequence[bool] | None
           ) -> DebugInfo | None:
    def cut(names: Any, keep: Any) -> Any:
        if names is None or keep is None or len(names) != len(keep):
            return names
        return where(names, keep)
    return info and info._replace(arg_names=cut(info.arg_names, ins),
                                  result_paths=cut(info.result_paths, outs))


def dce(jaxpr: Jaxpr, used_outputs: Sequence[bool] | bool = True,
        instantiate: Sequence[bool] | bool = False) -> tuple[Jaxpr, list[bool]]:
    """Drop what the used outputs do not need, the parameters too.

    Args:
      instantiate: parameters to keep, used or not.

    Returns:
      The new jaxpr, and which parameters it still has. Constants stay.
    """
    if isinstance(used_outputs, bool):
        used_outputs = [used_outputs] * len(jaxpr.outvars)
    if isinstance(instantiate, bool):
        instantiate = [instantiate] * len(jaxpr.invars)
    return _dce(jaxpr, tuple(used_outputs), tuple(instantiate))


@by_jaxpr
def _dce(jaxpr: Jaxpr, used_outputs: tuple, instantiate: tuple) -> tuple[Jaxpr, list[bool]]:
    outvars = where(jaxpr.outvars, used_outputs)
    live = {id(v) for v in outvars if isinstance(v, Var)}
    kept = []
    for eqn in reversed(jaxpr.eqns):
        used_outs = [id(v) in live for v in eqn.outvars]
        if not any(used_outs) and all(isinstance(e, NamedAxisEffect) for e in eqn.effects):
            continue
        if eqn.primitive.dce_rule is not None:
            eqn = eqn.primitive.dce_rule(eqn, used_outs)
            if eqn is None:
                continue
        live.update(id(v) for v in eqn.invars if isinstance(v, Var))
        kept.append(eqn)
    used = [inst or id(v) in live for v, inst in zip(jaxpr.invars, instantiate)]
    return jaxpr.replace(invars=where(jaxpr.invars, used), outvars=outvars, eqns=kept[::-1],
                         effects=of_equations(kept),
                         debug_info=_named(jaxpr.debug_info, used, used_outputs)), used


def prune_outputs(jaxpr: Jaxpr, keep: Sequence[bool]) -> Jaxpr:
    """Without some outputs; the equations stay."""
    return _prune_outputs(jaxpr, tuple(keep))


@by_jaxpr
def _prune_outputs(jaxpr: Jaxpr, keep: tuple) -> Jaxpr:
    return jaxpr.replace(outvars=where(jaxpr.outvars, keep),
                         debug_info=_named(jaxpr.debug_info, None, keep))


def dedup_outputs(jaxpr: Jaxpr, kept_prefix: int, may: Sequence[bool] | None = None
                  ) -> tuple[Jaxpr, list[int | None]]:
    """Without outputs, behind the first `kept_prefix`, that repeat an earlier one.

    Args:
      may: which of the first ones may be repeated; all of them when left out.

    Returns:
      The new jaxpr, and per old output the new one that it repeats, or None.
    """
    index = {id(v): i for i, v in enumerate(jaxpr.outvars[:kept_prefix]) if may is None or may[i]}
    count = kept_prefix
    forwards: list[int | None] = [None] * kept_prefix
    for v in jaxpr.outvars[kept_prefix:]:
        found = index.get(id(v))
        if found is None:
            index[id(v)] = count
            count += 1
        forwards.append(found)
    return prune_outputs(jaxpr, [f is None for f in forwards]), forwards


def forwarding(jaxpr: Jaxpr) -> list[int | None]:
    """Per output the parameter that it is, or None."""
    same: dict[int, Any] = {id(v): v for v in jaxpr.invars}
    for eqn in jaxpr.eqns:
        if eqn.invars and folding.forwards(eqn.primitive, eqn.invars[0].aval, eqn.params):
            atom = eqn.invars[0]
            same[id(eqn.outvars[0])] = same.get(id(atom), atom)
    index = {id(v): i for i, v in enumerate(jaxpr.invars)}
    return [None if isinstance(v, Literal) else index.get(id(same.get(id(v))))
            for v in jaxpr.outvars]


def substitute(forwards: Sequence[int | None], source: Sequence[Any], values: Sequence[Any]
               ) -> list:
    """Put forwarded values back among the `values` that were computed."""
    rest = iter(values)
    return [next(rest) if f is None else source[f] for f in forwards]


def move_to_back(jaxpr: Jaxpr, to_move: Sequence[bool]) -> Jaxpr:
    """With some parameters behind the others."""
    return _move_to_back(jaxpr, tuple(to_move))


@by_jaxpr
def _move_to_back(jaxpr: Jaxpr, to_move: tuple) -> Jaxpr:
    front, back = split_where(jaxpr.invars, to_move)
    info = jaxpr.debug_info
    if info is not None and info.arg_names is not None and len(info.arg_names) == len(to_move):
        first, last = split_where(info.arg_names, to_move)
        info = info._replace(arg_names=(*first, *last))
    return jaxpr.replace(invars=front + back, debug_info=info)


def open_consts(jaxpr: Jaxpr) -> Jaxpr:
    """Constants as leading parameters."""
    return _open_consts(jaxpr) if jaxpr.consts else jaxpr


@by_jaxpr
def _open_consts(jaxpr: Jaxpr) -> Jaxpr:
    return opened(jaxpr)
