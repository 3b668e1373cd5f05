"""From references to arrays: what happens to a jaxpr before it is lowered.

Every reference parameter becomes an array parameter, and its last value one more
result. References that the function captured become parameters, too. References
that live inside only disappear. The new jaxpr is traced by a Python function, so
each new jaxpr with references asks the tracing cache once more, always in vain.

JAX source: ``jax/_src/interpreters/pxla.py: _discharge_refs_jaxpr, _discharge_refs,
_move_mutable_consts``; ``jax/_src/state/discharge.py``.
"""

from __future__ import annotations

import functools
from typing import Any

from simulator import process, tracing
from simulator.caches import WeakrefLRUCache
from simulator.errors import OutOfScope
from simulator.functions import signature
from simulator.jaxprs.eqn_context import as_traced
from simulator.jaxprs.jaxpr import Jaxpr, Literal
from simulator.named_tuples import NamedTuple
from simulator.placement import shardings
from simulator.placement.shardings import UNSPECIFIED
from simulator.references.ref import Ref
from simulator.references.ref_types import INTERNAL, NOTHING, Mutation, is_ref, touches_refs


class Discharged(NamedTuple):
    """A jaxpr without references and what goes with it, one entry per parameter or result."""

    jaxpr: Jaxpr
    in_shardings: tuple
    out_shardings: tuple
    donated: tuple
    mutation: Mutation


def discharge(jaxpr: Jaxpr, in_shardings: tuple, out_shardings: tuple,
              donated: tuple) -> Discharged:
    """Take the references out of a program that is about to be lowered and has some."""
    if not (touches_refs(jaxpr.effects) or any(map(is_ref, jaxpr.in_avals))):
        jaxpr = state(jaxpr).replace(debug_info=jaxpr.debug_info)
        return Discharged(jaxpr, in_shardings, out_shardings, donated, NOTHING)
    new, mutation = _cached("refs", _refs)(jaxpr)
    in_shardings += tuple(shardings.finalize_arg_sharding(r.sharding, True)
                          for r in mutation.captured)
    donated += (False,) * len(mutation.captured)
    given = iter(out_shardings)
    out_shardings = tuple(next(given) if i is None else in_shardings[i]
                          for i in mutation.results)
    return Discharged(new, in_shardings, out_shardings, donated, mutation)


def state(jaxpr: Jaxpr) -> Jaxpr:
    """The jaxpr on arrays: one parameter and one more result per reference."""
    return _cached("state", _state)(jaxpr)


def refused(what: str) -> OutOfScope:
    """The OutOfScope for `what` cannot be done with a Ref."""
    return OutOfScope(what, "pass arrays, and write the result to the Ref afterwards")


def _cached(name: str, compute: Any) -> WeakrefLRUCache:
    here = process.current()
    key = f"discharge {name}"
    if key not in here.side_caches:
        here.side_caches[key] = WeakrefLRUCache(compute, here.config.trace_context)
    return here.side_caches[key]


def move_captured(jaxpr: Jaxpr) -> tuple[Jaxpr, tuple]:
    """Turn captured references into the last parameters; return them, too."""
    pairs = list(zip(jaxpr.constvars, jaxpr.consts))
    refs = [(v, c) for v, c in pairs if isinstance(c, Ref)]
    rest = [(v, c) for v, c in pairs if not isinstance(c, Ref)]
    moved = jaxpr.replace(constvars=[v for v, _ in rest], consts=[c for _, c in rest],
                          invars=[*jaxpr.invars, *(v for v, _ in refs)],
                          debug_info=_unnamed(jaxpr.debug_info))
    return moved, tuple(c for _, c in refs)


def _unnamed(info: Any) -> Any:
    return info._replace(arg_names=None, result_paths=None)


def _refs(jaxpr: Jaxpr) -> tuple[Jaxpr, Mutation]:
    moved, captured = move_captured(jaxpr)
    new = state(moved)
    places = [i for i, v in enumerate(moved.invars) if is_ref(v.aval)]
    return new, Mutation(captured, (None,) * len(moved.outvars) + tuple(places))


def _state(jaxpr: Jaxpr) -> Jaxpr:
    avals = [v.aval.inner if is_ref(v.aval) else v.aval for v in jaxpr.invars]
    run = functools.partial(_eval_jaxpr_discharge_state, jaxpr)
    call = signature.flatten_call((0,) * len(avals), {}).with_leaves(avals)
    return tracing.trace_to_jaxpr(run, call, _unnamed(jaxpr.debug_info)).jaxpr


def _eval_jaxpr_discharge_state(jaxpr: Jaxpr, *args: Any) -> list:
    env: dict[Any, Any] = dict(zip(jaxpr.constvars, jaxpr.consts))
    env.update(zip(jaxpr.invars, args))

    def read(atom: Any) -> Any:
        return atom.val if isinstance(atom, Literal) else env[atom]

    for eqn in jaxpr.eqns:
        values = [read(a) for a in eqn.invars]
        with as_traced(eqn.context):
            rule = RULES.get(eqn.primitive.name)
            if rule is not None and (INTERNAL in eqn.effects
                                     or any(is_ref(a.aval) for a in eqn.invars)):
                outs, after = rule(eqn, values)
                env.update((eqn.invars[i], v) for i, v in after.items())
            elif any(is_ref(a.aval) for a in eqn.invars):
                raise refused(f"a Ref inside {eqn.primitive.name}")
            else:
                if eqn.primitive.name == "shard_map" and INTERNAL in eqn.effects:
                    raise refused("a Ref inside jax.shard_map")
                outs = eqn.primitive.bind(*values, **eqn.primitive.bind_params(eqn.params))
                outs = outs if eqn.primitive.multiple_results else [outs]
        env.update(zip(eqn.outvars, outs))
    return [*map(read, jaxpr.outvars), *(env[v] for v in jaxpr.invars if is_ref(v.aval))]


# --- one rule per primitive: (equation, values) -> results, {operand: new value} ----

def _get(eqn: Any, values: list) -> tuple[list, dict]:
    from simulator.facade.jax import lax
    x, *integers = values
    index = eqn.params["tree"].index
    if index is None or index.trivial:
        return [x], {}
    if index.static:
        ends = [p.start + (p.size - 1) * p.stride + 1 for p in index.parts]
        return [lax.slice(x, [p.start for p in index.parts], ends,
                          [p.stride for p in index.parts])], {}
    return [lax.squeeze(lax.dynamic_slice(x, _starts(index, integers), _sizes(index)),
                        index.squeezed)], {}


def _starts(index: Any, integers: list) -> list:
    from simulator.facade.jax import lax
    from simulator.types import dtypes
    if any(p is not None and p.stride > 1 for p in index.parts):
        raise OutOfScope("a Ref with a slice that has a step", "read all of it with ref[...]")
    return [lax.convert_element_type(s, dtypes.int32) for s in index.starts(integers)]


def _sizes(index: Any) -> list:
    return [1 if p is None else p.size for p in index.parts]


def _swap(eqn: Any, values: list) -> tuple[list, dict]:
    from simulator.facade.jax import lax
    x, new, *integers = values
    index = eqn.params["tree"].index
    if index is None or index.trivial:
        return [x], {0: new}
    old = lax.squeeze(lax.dynamic_slice(x, _starts(index, integers), _sizes(index)),
                      index.squeezed)
    filled = lax.expand_dims(new, index.squeezed)
    return [old], {0: lax.dynamic_update_slice(x, filled, _starts(index, integers))}


def _addupdate(eqn: Any, values: list) -> tuple[list, dict]:
    from simulator.facade.jax import lax
    x, value, *integers = values
    index = eqn.params["tree"].index
    if index is None or index.trivial:
        return [], {0: x + value}
    starts = _starts(index, integers)
    old = lax.dynamic_slice(x, starts, _sizes(index))
    filled = lax.expand_dims(value, index.squeezed)
    return [], {0: lax.dynamic_update_slice(x, old + filled, starts)}


def _same(eqn: Any, values: list) -> tuple[list, dict]:
    return values, {}


def _jit(eqn: Any, values: list) -> tuple[list, dict]:
    p, inner = dict(eqn.params), eqn.params["jaxpr"]
    p["jaxpr"] = new = state(inner)
    if any(map(is_ref, inner.in_avals)) or touches_refs(inner.effects):
        if any(s is not UNSPECIFIED for s in (*p["in_shardings"], *p["out_shardings"])):
            raise OutOfScope("a Ref passed to a nested jax.jit with in_shardings or "
                             "out_shardings", "leave them out of the inner jax.jit")
        for side, avals in (("in", new.in_avals), ("out", new.out_avals)):
            p[f"{side}_shardings"] = (UNSPECIFIED,) * len(avals)
            p[f"{side}_layouts"] = (None,) * len(avals)
    outs = eqn.primitive.bind(*values, **p)
    last = iter(outs[len(inner.outvars):])
    return (outs[:len(inner.outvars)],
            {i: next(last) for i, a in enumerate(eqn.invars) if is_ref(a.aval)})


RULES = {"get": _get, "swap": _swap, "addupdate": _addupdate, "new_ref": _same,
          "freeze": _same, "jit": _jit}
