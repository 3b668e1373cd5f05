"""A jaxpr split in two by what is known and by what a policy lets be saved.

Unlike `partial_eval.unzip` nothing is traced: equations are handed to one part, the
other, or both. What is known but may not be saved is computed in both.

JAX source: ``jax/_src/interpreters/partial_eval.py: partial_eval_jaxpr_custom,
closed_call_partial_eval_custom_rule, call_partial_eval_custom_rule``;
``jax/_src/pjit.py: _pjit_partial_eval_custom_params_updater``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from simulator.autodiff.memo import by_jaxpr
from simulator.errors import OutOfScope
from simulator.jaxprs.jaxpr import Eqn, Jaxpr, Var, subjaxprs
from simulator.jaxprs.pruning import prune_outputs, split_where, unnamed, where
from simulator.jit_primitive import jit_p
from simulator.named_tuples import NamedTuple
from simulator.placement.shardings import UNSPECIFIED


class Parts(NamedTuple):
    """Two jaxprs for one.

    Args:
      known: of the known parameters; gives the known results, then the residuals.
      staged: of the residuals, then the available parameters.
      unknown, available: per result, whether it is unknown and whether `staged` gives it.
      num_res: number of residuals.
    """

    known: Jaxpr
    staged: Jaxpr
    unknown: list[bool]
    available: list[bool]
    num_res: int


class SplitEqn(NamedTuple):
    """One equation split: for the known part (None: nothing of it is known), for the staged
    one, and the new residuals."""

    known: Eqn | None
    staged: Eqn
    unknown: list[bool]
    available: list[bool]
    residuals: list[Var]


def split(jaxpr: Jaxpr, unknown: Sequence[bool], available: Sequence[bool], policy: Callable,
          out_unknown: Sequence[bool] | None = None, out_available: bool = False) -> Parts:
    """Split a jaxpr.

    Args:
      unknown: which parameters are unknown.
      available: which parameters the staged part has.
      policy: may the result of ``(primitive, *types, **params)`` be saved?
      out_unknown: results that count as unknown in any case.
      out_available: whether the staged part gives every result.
    """
    return _split(jaxpr, tuple(unknown), tuple(available), policy,
                  tuple(out_unknown or [False] * len(jaxpr.outvars)), out_available)


@by_jaxpr
def _split(jaxpr: Jaxpr, unknown: tuple, available: tuple, policy: Callable,
           force_unknown: tuple, force_available: bool) -> Parts:
    state: dict[int, tuple[bool, bool]] = {}
    residuals: dict[int, Var] = {}
    known_eqns: list[Eqn] = []
    staged_eqns: list[Eqn] = []
    for v, u, a in zip(jaxpr.invars, unknown, available):
        state[id(v)] = u, a
    for v in jaxpr.constvars:
        state[id(v)] = False, True

    def read(atom: Any) -> tuple[bool, bool]:
        return state[id(atom)] if isinstance(atom, Var) else (False, True)

    def stage(eqn: Eqn, makes_unknown: bool) -> None:
        for atom in eqn.invars:
            if isinstance(atom, Var) and not read(atom)[1]:
                residuals[id(atom)] = atom
        staged_eqns.append(eqn)
        state.update((id(v), (makes_unknown, True)) for v in eqn.outvars)

    for eqn in jaxpr.eqns:
        flags = [read(a) for a in eqn.invars]
        unk, ava = [u for u, _ in flags], [a for _, a in flags]
        if eqn.primitive.split is not None:
            found = eqn.primitive.split(eqn, unk, ava, policy)
            if found.known is not None:
                known_eqns.append(found.known)
            staged_eqns.append(found.staged)
            residuals.update((id(r), r) for r in found.residuals)
            state.update((id(v), f) for v, f in zip(
                eqn.outvars, zip(found.unknown, found.available)))
        elif eqn.primitive.name not in _PLAIN and any(subjaxprs(eqn.params)):
            raise OutOfScope(f"{eqn.primitive.name} inside jax.checkpoint",
                             "checkpoint its body instead")
        elif any(unk):
            stage(eqn, True)
        else:
            known_eqns.append(eqn)
            if eqn.effects or _saves(policy, eqn):
                state.update((id(v), (False, False)) for v in eqn.outvars)
            else:
                stage(eqn, False)
    outs = [read(a) for a in jaxpr.outvars]
    if force_available:
        residuals.update((id(v), v) for v, (_, a) in zip(jaxpr.outvars, outs) if not a)
    out_unknown = [u or f for (u, _), f in zip(outs, force_unknown)]
    out_available = [a or force_available for _, a in outs]
    made = list(residuals.values())
    info = unnamed(jaxpr.debug_info)
    known = jaxpr.replace(
        invars=split_where(jaxpr.invars, unknown)[0],
        outvars=[*split_where(jaxpr.outvars, out_unknown)[0], *made], eqns=known_eqns,
        effects=_effects(known_eqns), debug_info=info)
    staged = jaxpr.replace(
        invars=[*made, *where(jaxpr.invars, available)],
        outvars=list(where(jaxpr.outvars, out_available)), eqns=staged_eqns,
        effects=_effects(staged_eqns), debug_info=info)
    return Parts(known, staged, out_unknown, out_available, len(made))


# Equations with a jaxpr inside that are handed over whole.
_PLAIN = frozenset({"custom_jvp_call", "custom_vjp_call", "scatter", "scatter-add", "scatter-sub",
                    "scatter-mul", "scatter-min", "scatter-max"})


def _saves(policy: Callable, eqn: Eqn) -> bool:
    verdict = policy(eqn.primitive, *[a.aval for a in eqn.invars], **eqn.params)
    if not isinstance(verdict, bool):
        raise OutOfScope("a checkpoint policy that returns no bool", "return True or False")
    return verdict


def _effects(eqns: Sequence[Eqn]) -> frozenset:
    return frozenset().union(*[e.effects for e in eqns])


def _split_jit(eqn: Eqn, unknown: list[bool], available: list[bool], policy: Callable
               ) -> SplitEqn:
    params = eqn.params
    free = tuple(s is UNSPECIFIED for s in params["in_shardings"])
    known, staged, out_unknown, out_available, num_res, from_ins, from_outs = _split_closed(
        params["jaxpr"], tuple(unknown), tuple(available), free, policy)
    known_ins, _ = split_where(eqn.invars, unknown)
    known_outs, _ = split_where(eqn.outvars, out_unknown)
    fresh = [i is None and o is None for i, o in zip(from_ins, from_outs)]
    made = [Var(v.aval) for v in staged.invars[:num_res]]
    rest = iter(where(made, fresh))
    residuals = [known_outs[o] if o is not None else known_ins[i] if i is not None else next(rest)
                 for i, o in zip(from_ins, from_outs)]
    one, two = dict(params, jaxpr=known), dict(params, jaxpr=staged)
    out_known = [not u for u in out_unknown]
    for name, filler in (("in_shardings", UNSPECIFIED), ("in_layouts", None),
                         ("donated_invars", False)):
        one[name] = where(params[name], [not u for u in unknown])
        two[name] = (filler,) * num_res + where(params[name], available)
    for name, filler in (("out_shardings", UNSPECIFIED), ("out_layouts", None)):
        one[name] = where(params[name], out_known) + (filler,) * sum(fresh)
        two[name] = where(params[name], out_available)
    missing = [v for v, a in zip(eqn.invars, available) if isinstance(v, Var) and not a]
    return SplitEqn(
        Eqn(known_ins, [*known_outs, *where(made, fresh)], jit_p, one, known.effects, eqn.context),
        Eqn([*residuals, *where(eqn.invars, available)], list(where(eqn.outvars, out_available)),
            jit_p, two, staged.effects, eqn.context),
        out_unknown, out_available, [*missing, *residuals])


@by_jaxpr
def _split_closed(jaxpr: Jaxpr, unknown: tuple, available: tuple, free: tuple, policy: Callable
                  ) -> tuple:
    parts = split(jaxpr, unknown, available, policy)
    n = len(parts.known.outvars) - parts.num_res
    outs, residuals = parts.known.outvars[:n], parts.known.outvars[n:]
    allowed, _ = split_where(free, unknown)
    ins = {id(v): i for i, (v, ok) in enumerate(zip(parts.known.invars, allowed)) if ok}
    index = {id(v): i for i, v in enumerate(outs)}
    from_ins = [ins.get(id(v)) for v in residuals]
    from_outs = [index.get(id(v)) for v in residuals]
    fresh = [i is None and o is None for i, o in zip(from_ins, from_outs)]
    return (prune_outputs(parts.known, [True] * n + fresh), parts.staged, parts.unknown,
            parts.available, parts.num_res, from_ins, from_outs)


def split_call(eqn: Eqn, unknown: list[bool], available: list[bool], policy: Callable,
               known_params: dict, staged_params: dict) -> SplitEqn:
    """Split a call whose jaxpr has no constants, nothing forwarded."""
    parts = split(eqn.params["jaxpr"], unknown, available, policy)
    known_ins, _ = split_where(eqn.invars, unknown)
    known_outs, _ = split_where(eqn.outvars, parts.unknown)
    made = [Var(v.aval) for v in parts.staged.invars[:parts.num_res]]
    missing = [v for v, a in zip(eqn.invars, available) if isinstance(v, Var) and not a]
    return SplitEqn(
        Eqn(known_ins, [*known_outs, *made], eqn.primitive,
            dict(eqn.params, jaxpr=parts.known, **known_params), parts.known.effects, eqn.context),
        Eqn([*made, *where(eqn.invars, available)],
            list(where(eqn.outvars, parts.available)), eqn.primitive,
            dict(eqn.params, jaxpr=parts.staged, **staged_params), parts.staged.effects,
            eqn.context),
        parts.unknown, parts.available, [*missing, *made])


jit_p.split = _split_jit
