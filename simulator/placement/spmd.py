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

from typing import Any

from simulator.jaxprs.jaxpr import Eqn, Jaxpr
from simulator.placement import spmd_axes, spmd_factors, spmd_loops
from simulator.placement.sharding_types import UNSPECIFIED
from simulator.placement.spmd_axes import Axes
from simulator.placement.spmd_program import Program
from simulator.placement.spmd_values import Unknown, Value


class Spreading:
    """Passes axes on between the values of a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.value = program.value

    def spread(self) -> None:
        """Passes axes along factors until nothing changes."""
        changed = True
        while changed:
            changed = any([self._spread_tie(tie) for tie in self.program.ties])
            for eqn in self.program.equations:
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
    def _carry(source: Value, pieces: list, target: Value, wanted: list, sizes: list) -> bool:
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
    def _mark(value: Value) -> bool:
        if value.pinned or value.unknown:
            return False
        value.unknown = True
        return True


def specs(jaxpr: Jaxpr, in_shardings: list,
          out_shardings: list) -> tuple[list[tuple | None], list[tuple | None]]:
    """Per argument and per result the axes per dimension that XLA chooses; None: unknown.

    Args:
      in_shardings, out_shardings: what was asked for; UNSPECIFIED is left open.
    """
    program = Program()
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
        Spreading(program).spread()
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
