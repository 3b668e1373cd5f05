"""The shardings that a program mentions, not of its arguments and results.

JAX source: `jax/_src/dispatch.py: get_intermediate_shardings`.
"""

from __future__ import annotations

from typing import Any

from simulator.jaxprs.jaxpr import Eqn, Jaxpr
from simulator.placement.mesh_types import AbstractMesh
from simulator.placement.sharding_base import Sharding
from simulator.placement.sharding_types import UNSPECIFIED, NamedSharding

INSIDE = "sharding_constraint"
"""What messages call a sharding from inside, until it is known which equation's it is."""


def intermediate(jaxpr: Jaxpr) -> list[tuple[Any, Eqn]]:
    """The shardings that a jaxpr mentions, each with its equation, in order."""
    out = []
    for eqn in jaxpr.eqns:
        name, p = eqn.primitive.name, eqn.params
        if name == "sharding_constraint":
            s = p["sharding"]
            if not (isinstance(s, NamedSharding) and isinstance(s.mesh, AbstractMesh)):
                out.append((s, eqn))
        elif name == "jit":
            out.extend((s, eqn) for s in (*p["in_shardings"], *p["out_shardings"]))
        elif name == "shard_map" and not isinstance(p["mesh"], AbstractMesh):
            out.extend((NamedSharding(p["mesh"], spec), eqn)
                       for spec in (*p["in_specs"], *p["out_specs"]))
        elif name == "device_put":
            out.extend((s, eqn) for s in p["devices"] if isinstance(s, Sharding))
        for sub in eqn.bodies:
            out.extend(intermediate(sub))
    return out


_MENTIONING = frozenset({"sharding_constraint", "jit", "shard_map", "device_put"})


def shardings_inside(jaxpr: Jaxpr) -> tuple:
    """The shardings that a jaxpr mentions: each once, in order, UNSPECIFIED left out."""
    if _MENTIONING.isdisjoint(primitive.name for primitive in jaxpr.primitives):
        return ()
    return tuple(dict.fromkeys(s for s, _ in intermediate(jaxpr) if s is not UNSPECIFIED))
