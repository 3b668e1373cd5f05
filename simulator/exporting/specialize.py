"""A jaxpr with symbols as sizes, for given numbers of the symbols.

JAX leaves that to XLA ("shape refinement"). Here the types are computed again from the
parameters on; what the operations do with numbers needs their parameters only.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from simulator.exporting.dimensions import Dimension
from simulator.jaxprs.jaxpr import Eqn, Jaxpr, Literal, Var


def specialize(jaxpr: Jaxpr, sizes: Mapping[str, int]) -> Jaxpr:
    """`jaxpr` with every symbol replaced by its number."""
    return _jaxpr(jaxpr, sizes) if sizes else jaxpr


def _jaxpr(jaxpr: Jaxpr, sizes: Mapping[str, int]) -> Jaxpr:
    env: dict[Var, Var] = {}

    def var(old: Var) -> Var:
        if old not in env:
            env[old] = Var(old.aval.update(shape=_value(old.aval.shape, sizes)))
        return env[old]

    def atom(old: Any) -> Any:
        return old if isinstance(old, Literal) else var(old)

    eqns = [Eqn([atom(a) for a in e.invars], [var(v) for v in e.outvars], e.primitive,
                {k: _value(v, sizes) for k, v in e.params.items()}, e.effects, e.context)
            for e in jaxpr.eqns]
    return jaxpr.replace(constvars=list(map(var, jaxpr.constvars)),
                         invars=list(map(var, jaxpr.invars)), eqns=eqns,
                         outvars=list(map(atom, jaxpr.outvars)))


def _value(value: Any, sizes: Mapping[str, int]) -> Any:
    if isinstance(value, Dimension):
        return value.value(sizes)
    if isinstance(value, Jaxpr):
        return _jaxpr(value, sizes)
    if type(value) in (tuple, list):
        return type(value)(_value(v, sizes) for v in value)
    return value
