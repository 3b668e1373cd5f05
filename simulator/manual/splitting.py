"""A `shard_map` inside `jax.checkpoint`: what is known of it, and what is computed again.

JAX source: ``jax/_src/shard_map.py: _partial_eval_jaxpr_custom_rule, _pe_custom_params,
_add_reshapes``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from simulator import tracing
from simulator.autodiff import splitting
from simulator.control_flow.call import eval_jaxpr_p
from simulator.facade.jax import lax
from simulator.functions import signature
from simulator.jaxprs import pruning
from simulator.jaxprs.jaxpr import DropVar, Eqn, Jaxpr, Var
from simulator.jaxprs.pruning import split_where, where
from simulator.manual import types
from simulator.manual.primitive import outer_effects, shard_map_p


def _traced(fun: Callable, avals: Sequence[Any], info: Any) -> Jaxpr:
    wanted = signature.flatten_call((0,) * len(avals), {}).with_leaves(avals)
    return tracing.trace_to_jaxpr(fun, wanted, info).jaxpr


def _with_axes(fresh: Sequence[bool], first: Jaxpr, second: Jaxpr) -> tuple[Jaxpr, Jaxpr]:
    """Both parts for residuals that have at least one axis. `fresh`: which ones `first` gives."""
    scalar = [f and not v.aval.shape for f, v in zip(fresh, second.invars)]
    if not any(scalar):
        return first, second
    count = sum(fresh)

    def known(*args: Any) -> list:
        outs = eval_jaxpr_p.bind(*args, call_jaxpr=first)
        n = len(outs) - count
        return [*outs[:n], *[lax.expand_dims(r, [0]) if not r.shape else r for r in outs[n:]]]

    def staged(*args: Any) -> list:
        n = len(fresh)
        residuals = [lax.squeeze(x, [0]) if s else x for x, s in zip(args, scalar)]
        return eval_jaxpr_p.bind(*residuals, *args[n:], call_jaxpr=second)

    again = [a.update(shape=(1,), spec=()) if s else a
             for a, s in zip(second.in_avals, [*scalar, *[False] * len(second.invars)])]
    return (_traced(known, first.in_avals, first.debug_info),
            _traced(staged, again, second.debug_info))


def _split(eqn: Eqn, unknown: list[bool], available: list[bool], policy: Callable
           ) -> splitting.SplitEqn:
    p, mesh = eqn.params, eqn.params["mesh"]
    check, manual = p["check_vma"], p["newly_manual_axes"]
    names = types.new_axes(mesh, manual)
    with types.inside(mesh, manual, check):
        parts = splitting.split(p["jaxpr"], unknown, available, policy)
        n = len(parts.known.outvars) - parts.num_res
        outs, residuals = parts.known.outvars[:n], parts.known.outvars[n:]
        known_outs, _ = split_where(eqn.outvars, parts.unknown)
        from_ins = pruning.forwarding(parts.known)[n:]
        index = {id(v): i for i, (v, b) in enumerate(zip(outs, known_outs))
                 if not isinstance(b, DropVar)}
        from_outs = [index.get(id(v)) for v in residuals]
        fresh = [i is None and o is None for i, o in zip(from_ins, from_outs)]
        known = pruning.prune_outputs(parts.known, [True] * n + fresh)
        known, staged = _with_axes(fresh, known, parts.staged)

    def own(variables: Sequence[Any]) -> list:
        return [types.spec_of_residual(v.aval, mesh, check, names)
                for v, f in zip(variables, fresh) if f]

    made = [Var(types.unshard(mesh, check, s, v.aval)) for s, v in zip(
        own(staged.invars), where(staged.invars[:parts.num_res], fresh))]
    known_ins, _ = split_where(eqn.invars, unknown)
    in_known, _ = split_where(p["in_specs"], unknown)
    out_known, _ = split_where(p["out_specs"], parts.unknown)
    out_known = [*out_known, *own(residuals)]

    def chosen(ins: Sequence, results: Sequence, rest: Sequence) -> list:
        left = iter(rest)
        return [ins[i] if i is not None else results[o] if o is not None else next(left)
                for i, o in zip(from_ins, from_outs)]

    one = dict(p, jaxpr=known, in_specs=tuple(in_known), out_specs=tuple(out_known))
    two = dict(p, jaxpr=staged, in_specs=(*chosen(in_known, out_known, own(staged.invars)),
                                          *where(p["in_specs"], available)),
               out_specs=tuple(where(p["out_specs"], parts.available)))
    missing = [v for v, a in zip(eqn.invars, available) if isinstance(v, Var) and not a]
    return splitting.SplitEqn(
        Eqn(known_ins, [*known_outs, *made], shard_map_p, one, outer_effects(known.effects, mesh),
            eqn.context),
        Eqn([*chosen(known_ins, known_outs, made), *where(eqn.invars, available)],
            list(where(eqn.outvars, parts.available)), shard_map_p, two,
            outer_effects(staged.effects, mesh), eqn.context),
        parts.unknown, parts.available,
        [*missing, *[known_outs[o] for o in sorted({o for o in from_outs if o is not None})],
         *made])


shard_map_p.split = _split
