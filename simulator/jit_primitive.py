"""The ``jit`` primitive: a jitted function as one equation of another jaxpr.

JAX source: ``jax/_src/pjit.py: jit_p, pjit_staging_rule, _pjit_call_impl``.
"""

from __future__ import annotations

import weakref
from typing import Any

from simulator.jaxprs import evaluate
from simulator.jaxprs.inline import Inline
from simulator.jaxprs.jaxpr import Eqn, Jaxpr, dce
from simulator.placement.shardings import UNSPECIFIED
from simulator.primitives.core import Primitive
from simulator.references.ref_types import is_ref, outside

_ANYWHERE = frozenset({UNSPECIFIED})


def _abstract(*avals: Any, jaxpr: Jaxpr, **params: Any) -> list:
    return jaxpr.out_avals


def _impl(*values: Any, jaxpr: Jaxpr, **params: Any) -> list:
    return evaluate.run(jaxpr, values)


def _stage(trace: Any, tracers: list, params: dict) -> list:
    if params["compiler_options_kvs"]:
        raise ValueError(
            "`compiler_options` can only be passed to top-level `jax.jit`. Got "
            f"compiler_options={dict(params['compiler_options_kvs'])} specified on a nested jit "
            f"with name: {params['name']}")
    if (params["inline"] is Inline.JAX_EARLY and _ANYWHERE.issuperset(params["in_shardings"])
            and _ANYWHERE.issuperset(params["out_shardings"])):
        return trace.inline(params["jaxpr"], tracers)
    if any([is_ref(v.aval) for v in params["jaxpr"].constvars]):
        from simulator.references.discharge import move_captured
        jaxpr, refs = move_captured(params["jaxpr"])
        tracers = [*tracers, *map(trace.lift, refs)]
        params = dict(params, jaxpr=jaxpr,
                      in_shardings=(*params["in_shardings"], *(UNSPECIFIED,) * len(refs)),
                      in_layouts=(*params["in_layouts"], *(None,) * len(refs)),
                      donated_invars=(*params["donated_invars"], *(False,) * len(refs)))
    return trace.stage(jit_p, tracers, params)


def _eager(*args: Any, **params: Any) -> list:
    # Reached when an equation is evaluated rather than called, or when key reuse
    # is checked: a temporary wrapper with a fast path entry of its own.
    from simulator.jit_eager import call_jaxpr
    return call_jaxpr(args, params)


def _shown(eqn: Eqn, names: Any) -> list:
    p = dict(eqn.params)
    del p["inline"]
    for key in ("donated_invars", "keep_unused", "compiler_options_kvs"):
        value = p[key]
        if not (any(value) if isinstance(value, tuple) else value):
            del p[key]
    for key in ("in_shardings", "out_shardings"):
        if all(s is UNSPECIFIED for s in p[key]):
            del p[key]
    for key in ("in_layouts", "out_layouts"):
        if all(v is None for v in p[key]):
            del p[key]
    if p["ctx_mesh"].empty:
        del p["ctx_mesh"]
    if id(p["jaxpr"]) not in names.shared:
        names.alias(p["jaxpr"].invars, eqn.invars)
        names.alias(p["jaxpr"].outvars, eqn.outvars)
    name = p.pop("name")
    return [("name", name), *sorted(p.items())]


_pruned: Any = weakref.WeakKeyDictionary()


def _dce(eqn: Eqn, used: list[bool]) -> Eqn | None:
    # The same inner jaxpr pruned the same way must stay one object: the module
    # holds one function for it.
    jaxpr = eqn.params["jaxpr"]
    known = _pruned.setdefault(jaxpr, {})
    if tuple(used) not in known:
        new, used_ins = dce(jaxpr, used)
        new.invars = [v for v, u in zip(new.invars, used_ins) if u]
        known[tuple(used)] = new, used_ins
    new, used_ins = known[tuple(used)]
    if not any(used) and not new.effects:
        return None

    def keep(values: Any, which: list[bool]) -> tuple:
        return tuple([v for v, u in zip(values, which) if u])

    p = dict(eqn.params, jaxpr=new)
    for key in ("in_shardings", "in_layouts", "donated_invars"):
        p[key] = keep(p[key], used_ins)
    for key in ("out_shardings", "out_layouts"):
        p[key] = keep(p[key], used)
    invars = list(keep(eqn.invars, used_ins))
    return Eqn(invars, list(keep(eqn.outvars, used)), eqn.primitive, p,
               outside(new.effects, new.invars, invars), eqn.context)


jit_p = Primitive("jit", abstract=_abstract, impl=_impl, multiple_results=True,
                  effects=lambda params: params["jaxpr"].effects)
jit_p.staging_rule = _stage
jit_p.eager = _eager
jit_p.shown_params = _shown
jit_p.dce_rule = _dce

