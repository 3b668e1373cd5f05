"""How XLA's partitioner spreads shardings over a program, as far as it is simple.

On an Auto mesh the caller may leave open how results are cut; the compiler then
passes what it knows from operands to results and back until nothing changes. An
operation says which dimensions of its operands and results go together (one
"factor"); all members of a factor get the same mesh axes.

Simplified: where two sources disagree, or an operation is not listed here, the
answer is "unknown" and not a guess.

JAX source: none; the partitioner is Shardy (openxla/shardy: propagation).
"""

from __future__ import annotations

import math
from typing import Any

from simulator.jaxprs.jaxpr import Eqn, Jaxpr, Literal, Var
from simulator.placement import spmd_axes, spmd_factors, spmd_loops
from simulator.placement.partition_spec import UNCONSTRAINED, PartitionSpec
from simulator.placement.sharding_types import UNSPECIFIED, NamedSharding
from simulator.placement.spmd_axes import Axes

_CALLS = {"jit": "jaxpr", "custom_jvp_call": "call_jaxpr", "custom_vjp_call": "call_jaxpr",
          "closed_call": "call_jaxpr", "remat2": "jaxpr", "checkpoint": "jaxpr"}


class Unknown(Exception):
    """The partitioner's choice cannot be followed."""


class _Value:
    """What is known of one array: axes per dimension, and whether that is final.

    An array without elements is a constant for XLA before anything is spread: it has
    no axes, whatever was asked for, and passes none on.
    """

    __slots__ = ("dims", "empty", "pinned", "unknown")

    def __init__(self, shape: tuple):
        self.dims: list[Axes] = [()] * len(shape)
        self.pinned = self.empty = 0 in shape
        self.unknown = False

    def pin(self, sharding: Any) -> None:
        self.pinned = True
        if self.empty or not isinstance(sharding, NamedSharding):
            return
        for dim, part in enumerate(sharding.spec.partitions):
            if part is not None and part is not UNCONSTRAINED:
                names = part if isinstance(part, tuple) else (part,)
                self.dims[dim] = tuple((n, 1, sharding.mesh.shape[n]) for n in names)

    def offer(self, dim: int, axes: Axes) -> bool:
        """Takes over `axes` for a dimension; True when that is news."""
        have = self.dims[dim]
        if self.pinned or spmd_axes.starts(axes, have):
            return False
        if not spmd_axes.starts(have, axes):
            raise Unknown
        if any(spmd_axes.overlap(axes, d) for i, d in enumerate(self.dims) if i != dim):
            return False   # an axis cuts an array only once
        self.dims[dim] = axes
        return True


class _Program:
    """A jaxpr with calls opened, and what is known of each of its values."""

    def __init__(self) -> None:
        self.values: dict[Any, _Value] = {}
        self.equations: list[Eqn] = []
        self.ties: list[spmd_loops.Tie] = []
        self.alias: dict[Any, Any] = {}
        self.reshaped: dict[Any, Any] = {}   # result of a reshape -> what it was made of
        self.sizes: dict[str, int] = {}      # of the mesh axes
        self.open: list[tuple[Any, frozenset]] = []  # values that more axes would go through

    def find(self, atom: Any) -> Any:
        while atom in self.alias:
            atom = self.alias[atom]
        return atom

    def value(self, atom: Any) -> _Value | None:
        if isinstance(atom, Literal):
            return None
        atom = self.find(atom)
        if isinstance(atom, Literal):
            return None
        if atom not in self.values:
            self.values[atom] = _Value(getattr(atom.aval, "shape", ()))
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

    def spread(self) -> None:
        """Passes axes along factors until nothing changes."""
        changed = True
        while changed:
            changed = any([self._spread_tie(tie) for tie in self.ties])
            for eqn in self.equations:
                pieces = spmd_factors.pieces(eqn)
                if pieces is not None:
                    changed |= self._reshape(eqn, *pieces) or self._spread_unknown(eqn)
                    continue
                factors = spmd_factors.factors(eqn)
                if factors is None:
                    changed |= self._give_up(eqn)
                    continue
                for factor in factors:
                    changed |= self._spread_factor(factor)
                changed |= self._spread_unknown(eqn)

    def _spread_factor(self, factor: list) -> bool:
        members = [(v, d) for a, d in factor if (v := self.value(a)) is not None]
        found = dict.fromkeys(v.dims[d] for v, d in members if v.dims[d])
        if not found:
            return False
        if len(found) > 1:
            # Each keeps what it was told; who would win elsewhere is not followed.
            if any(not v.pinned and v.dims[d] for v, d in members):
                raise Unknown
            return any([self._mark(v) for v, d in members])
        axes = next(iter(found))
        return any([v.offer(d, axes) for v, d in members])

    def _spread_tie(self, tie: spmd_loops.Tie) -> bool:
        rank = min(len(a.aval.shape) - start for a, start in tie)
        news = any([self._spread_factor([(a, start + d) for a, start in tie])
                    for d in range(rank)])
        return self._infect([a for a, _ in tie]) or news

    def _reshape(self, eqn: Eqn, left: list, right: list, sizes: list) -> bool:
        operand, out = self.value(eqn.invars[0]), self.value(eqn.outvars[0])
        if operand is None or out is None:
            return False
        news = self._carry(operand, left, out, right, sizes)
        return self._carry(out, right, operand, left, sizes) or news

    @staticmethod
    def _carry(source: _Value, pieces: list, target: _Value, wanted: list, sizes: list) -> bool:
        dealt: dict[int, tuple[Axes, bool]] = {}
        for axes, run in zip(source.dims, pieces):
            dealt |= spmd_axes.deal(axes, run, sizes)
        news = False
        for dim, run in enumerate(wanted):
            axes = ()
            for piece in run:
                taken, full = dealt.get(piece, ((), False))
                axes = spmd_axes.merged([*axes, *taken])
                if not full:
                    break
            news |= target.offer(dim, axes)
        return news

    def _give_up(self, eqn: Eqn) -> bool:
        known = [v for a in (*eqn.invars, *eqn.outvars) if (v := self.value(a)) is not None]
        if not any(v.unknown or any(v.dims) for v in known):
            return False
        return any([self._mark(v) for v in known])

    def _spread_unknown(self, eqn: Eqn) -> bool:
        return self._infect([*eqn.invars, *eqn.outvars])

    def _infect(self, atoms: list) -> bool:
        known = [v for a in atoms if (v := self.value(a)) is not None]
        return any(v.unknown for v in known) and any([self._mark(v) for v in known])

    @staticmethod
    def _mark(value: _Value) -> bool:
        if value.pinned or value.unknown:
            return False
        value.unknown = True
        return True


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


def specs(jaxpr: Jaxpr, in_shardings: list,
          out_shardings: list) -> tuple[list[tuple | None], list[tuple | None]]:
    """Per argument and per result the axes per dimension that XLA chooses; None: unknown.

    Args:
      in_shardings, out_shardings: what was asked for; UNSPECIFIED is left open.
    """
    program = _Program()
    try:
        for var, sharding in zip(jaxpr.invars, in_shardings):
            if sharding is not UNSPECIFIED:
                program.pin(var, sharding)
        program.load(jaxpr)
        for atom, sharding in zip(jaxpr.outvars, out_shardings):
            value = program.value(atom)
            # A result that is an argument keeps the argument's sharding.
            if sharding is not UNSPECIFIED and value is not None and not value.pinned:
                program.pin(atom, sharding)
        program.spread()
        program.check_open()
    except Unknown:
        return [None] * len(jaxpr.invars), [None] * len(jaxpr.outvars)

    def chosen(atom: Any) -> tuple | None:
        value = program.value(atom)
        if value is None:
            return ()
        return None if value.unknown else tuple(
            spmd_axes.whole(n, axes, program.sizes) for n, axes in zip(atom.aval.shape, value.dims))

    return list(map(chosen, jaxpr.invars)), list(map(chosen, jaxpr.outvars))
