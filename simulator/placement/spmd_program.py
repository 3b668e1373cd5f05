"""A program as the partitioner sees it: calls and loops opened, and what was said of each value."""

from __future__ import annotations

import math
from typing import Any

from simulator.jaxprs.jaxpr import Eqn, Jaxpr, Literal, Var
from simulator.placement import spmd_loops
from simulator.placement.partition_spec import PartitionSpec
from simulator.placement.sharding_types import UNSPECIFIED, NamedSharding
from simulator.placement.spmd_values import Unknown, Value

_CALLS = {"jit": "jaxpr", "custom_jvp_call": "call_jaxpr", "custom_vjp_call": "call_jaxpr",
          "closed_call": "call_jaxpr", "remat2": "jaxpr", "checkpoint": "jaxpr"}


class Program:
    """A jaxpr with calls opened, and what is known of each of its values."""

    def __init__(self) -> None:
        self.values: dict[Any, Value] = {}
        self.equations: list[Eqn] = []
        self.ties: list[spmd_loops.Tie] = []
        self.alias: dict[Any, Any] = {}
        self.reshaped: dict[Any, Any] = {}   # result of a reshape -> what it was made of
        self.sizes: dict[str, int] = {}      # of the mesh axes
        self.open: list[tuple[Any, frozenset]] = []  # values that more axes would go through

    def find(self, atom: Any) -> Any:
        """The value that an atom stands for, through the calls that hand it on."""
        while atom in self.alias:
            atom = self.alias[atom]
        return atom

    def value(self, atom: Any) -> Value | None:
        """What is known of an atom; None for a literal."""
        if isinstance(atom, Literal):
            return None
        atom = self.find(atom)
        if isinstance(atom, Literal):
            return None
        if atom not in self.values:
            self.values[atom] = Value(getattr(atom.aval, "shape", ()))
        return self.values[atom]

    def load(self, jaxpr: Jaxpr) -> None:
        """Adds the equations of a jaxpr, with those of inner calls in place."""
        for eqn in jaxpr.eqns:
            loop = spmd_loops.opened(eqn, _renamed)
            if loop is not None:
                self.alias.update(loop.alias)
                self.ties += loop.ties
                for body in loop.jaxprs:
                    self.load(body)
                continue
            inner = eqn.params.get(_CALLS.get(eqn.primitive.name, ""))
            if inner is None:
                self._add(eqn)
                continue
            # An inner jaxpr is shared between calls: give each call its own names.
            inner = _renamed(inner)
            asked = eqn.params.get("in_shardings") or [UNSPECIFIED] * len(eqn.invars)
            for var, atom, sharding in zip(inner.invars, eqn.invars, asked):
                self._placed(atom, var, sharding)
            self.load(inner)
            asked = eqn.params.get("out_shardings") or [UNSPECIFIED] * len(eqn.outvars)
            for var, atom, sharding in zip(eqn.outvars, inner.outvars, asked):
                self._placed(atom, var, sharding)

    def pin(self, atom: Any, sharding: Any) -> None:
        """An array's sharding is said."""
        if isinstance(sharding, NamedSharding):
            self.sizes.update(sharding.mesh.shape)
        self.value(atom).pin(sharding)

    def _add(self, eqn: Eqn) -> None:
        name = eqn.primitive.name
        if name == "reshape" and eqn.params["dimensions"] is None:
            # A reshape of a reshape is one reshape.
            source = self.find(eqn.invars[0])
            source = self.reshaped.get(source, source)
            self.reshaped[eqn.outvars[0]] = source
            eqn = Eqn([source], eqn.outvars, eqn.primitive, eqn.params, eqn.effects)
        if name == "shard_map":
            self._manual(eqn)
            return
        self.equations.append(eqn)
        if name == "sharding_constraint":
            _check_even(eqn.params["sharding"], eqn.outvars[0].aval.shape)
            self.pin(eqn.outvars[0], eqn.params["sharding"])
            return
        # With Explicit axes the type of every result says where it is.
        for out in eqn.outvars:
            mesh = getattr(out.aval, "mesh", None)
            if mesh is not None and mesh.are_all_axes_explicit:
                self.pin(out, NamedSharding(mesh, PartitionSpec(*out.aval.spec)))

    def _placed(self, atom: Any, var: Var, sharding: Any) -> None:
        """`var` is `atom`, cut as a call asks for, if it asks."""
        from simulator.facade.jax.lax.placing import sharding_constraint_p
        if sharding is UNSPECIFIED or isinstance(atom, Literal):
            self.alias[var] = atom
        else:
            self._add(Eqn([atom], [var], sharding_constraint_p, {"sharding": sharding}))

    def _manual(self, eqn: Eqn) -> None:
        """A `shard_map` says how its operands and results are cut, and nothing goes through."""
        p = eqn.params
        left_out = frozenset(p["mesh"].axis_names) - p["newly_manual_axes"]
        if left_out:
            self.open += [(atom, left_out) for atom in (*eqn.invars, *eqn.outvars)]
        for atom, spec in zip(eqn.invars, p["in_specs"]):
            self._placed(atom, Var(atom.aval), NamedSharding(p["mesh"], spec))
        for out, spec in zip(eqn.outvars, p["out_specs"]):
            self.pin(out, NamedSharding(p["mesh"], spec))

    def check_open(self) -> None:
        """Unknown where an axis goes into a `shard_map` that is not written for it."""
        for atom, axes in self.open:
            value = self.value(atom)
            if value is not None and any(name in axes for dim in value.dims
                                         for name, _, _ in dim):
                raise Unknown


def _check_even(sharding: Any, shape: tuple) -> None:
    # Where a part of an axis would still divide, XLA cuts the border by that part.
    if isinstance(sharding, NamedSharding):
        layout = sharding._to_xla_hlo_sharding(len(shape))
        for n, tiles in zip(shape, () if layout.replicated else layout.tiles):
            if n % tiles and math.gcd(n, tiles) > 1:
                raise Unknown


def _renamed(jaxpr: Jaxpr) -> Jaxpr:
    names: dict[Any, Any] = {}

    def new(atom: Any) -> Any:
        if isinstance(atom, Literal):
            return atom
        if atom not in names:
            names[atom] = Var(atom.aval)
        return names[atom]

    eqns = [Eqn([new(a) for a in e.invars], [new(v) for v in e.outvars], e.primitive, e.params,
                e.effects) for e in jaxpr.eqns]
    return Jaxpr([new(v) for v in jaxpr.constvars], jaxpr.consts, [new(v) for v in jaxpr.invars],
                 [new(a) for a in jaxpr.outvars], eqns, jaxpr.effects)
