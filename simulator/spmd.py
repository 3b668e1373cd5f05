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

from simulator.jaxpr import Eqn, Jaxpr, Literal, Var
from simulator.partition_spec import UNCONSTRAINED
from simulator.sharding_types import UNSPECIFIED, NamedSharding

_ELEMENTWISE = set("""abs acos acosh add add_any and asin asinh atan atan2 atanh cbrt ceil clamp
conj convert_element_type copy copy_p cos cosh digamma div eq erf erf_inv erfc exp exp2 expm1
floor ge gt imag integer_pow is_finite le lgamma log log1p logistic lt max min mul ne neg nextafter
not or pow population_count real reduce_precision rem round rsqrt select_n shift_left
shift_right_arithmetic shift_right_logical sign sin sinh sqrt square stop_gradient sub tan tanh xor
sharding_constraint reshard optimization_barrier cumsum cumprod cummax cummin cumlogsumexp""".split())
_REDUCTIONS = {"reduce_sum", "reduce_max", "reduce_min", "reduce_prod", "reduce_and", "reduce_or",
               "reduce_xor", "argmax", "argmin"}
_CALLS = {"jit": "jaxpr", "custom_jvp_call": "call_jaxpr", "custom_vjp_call": "call_jaxpr",
          "closed_call": "call_jaxpr", "remat2": "jaxpr", "checkpoint": "jaxpr"}


_PLACED = {"sharding_constraint": "sharding", "reshard": "dst_sharding"}


class Unknown(Exception):
    """The partitioner's choice cannot be followed."""


def _axes(part: Any) -> tuple:
    if part is None or part is UNCONSTRAINED:
        return ()
    return part if isinstance(part, tuple) else (part,)


class _Value:
    """What is known of one array: axes per dimension, and whether that is final."""

    __slots__ = ("dims", "pinned", "unknown")

    def __init__(self, ndim: int):
        self.dims: list[tuple] = [()] * ndim
        self.pinned = False
        self.unknown = False

    def pin(self, sharding: Any) -> None:
        if isinstance(sharding, NamedSharding):
            parts = list(sharding.spec.partitions)
            self.dims = [_axes(p) for p in parts] + [()] * (len(self.dims) - len(parts))
        self.pinned = True

    def offer(self, dim: int, axes: tuple) -> bool:
        """Takes over `axes` for a dimension; True when that is news."""
        have = self.dims[dim]
        if self.pinned or have == axes or not axes:
            return False
        if have:
            raise Unknown
        if any(a in other for other in self.dims for a in axes):
            return False   # an axis cuts an array only once
        self.dims[dim] = axes
        return True


def _factors(eqn: Eqn) -> list[list[tuple[Any, int]]] | None:
    """[[(atom, dimension), …] per factor], or None when the operation is not covered."""
    name, p = eqn.primitive.name, eqn.params
    outs = eqn.outvars
    shape = outs[0].aval.shape if outs else ()
    if name in _ELEMENTWISE:
        members = [a for a in (*eqn.invars, *outs) if a.aval.shape == shape]
        return [[(a, i) for a in members] for i in range(len(shape))]
    if not outs or not eqn.invars:
        return []
    operand, inner = eqn.invars[0], eqn.invars[0].aval.shape
    if name == "broadcast_in_dim":
        return [[(operand, i), (outs[0], o)] for i, o in enumerate(p["broadcast_dimensions"])
                if inner[i] == shape[o]]
    if name == "transpose":
        return [[(operand, i), (outs[0], o)] for o, i in enumerate(p["permutation"])]
    if name in _REDUCTIONS:
        kept = [i for i in range(len(inner)) if i not in p["axes"]]
        return [[(operand, i), (outs[0], o)] for o, i in enumerate(kept)]
    if name in ("squeeze", "reshape", "expand_dims"):
        left, right = ([i for i, n in enumerate(s) if n != 1] for s in (inner, shape))
        if [inner[i] for i in left] != [shape[i] for i in right]:
            return None
        return [[(operand, i), (outs[0], o)] for i, o in zip(left, right)]
    if name == "dot_general":
        return _dot_factors(eqn)
    if name in ("slice", "pad", "rev", "concatenate", "dynamic_slice"):
        return [[(a, i) for a in (*eqn.invars, outs[0]) if len(a.aval.shape) == len(shape)]
                for i in range(len(shape))
                if all(a.aval.shape[i] == shape[i] for a in eqn.invars
                       if len(a.aval.shape) == len(shape)) and i not in p.get("dimensions", ())]
    return None


def _dot_factors(eqn: Eqn) -> list[list[tuple[Any, int]]]:
    (contract_l, contract_r), (batch_l, batch_r) = eqn.params["dimension_numbers"]
    left, right = eqn.invars
    out = eqn.outvars[0]
    factors = [[(left, a), (right, b)] for a, b in zip(contract_l, contract_r)]
    position = 0
    for a, b in zip(batch_l, batch_r):
        factors.append([(left, a), (right, b), (out, position)])
        position += 1
    for atom, used in ((left, (*contract_l, *batch_l)), (right, (*contract_r, *batch_r))):
        for i in range(len(atom.aval.shape)):
            if i not in used:
                factors.append([(atom, i), (out, position)])
                position += 1
    return factors


class _Program:
    """A jaxpr with calls opened, and what is known of each of its values."""

    def __init__(self) -> None:
        self.values: dict[Any, _Value] = {}
        self.equations: list[Eqn] = []
        self.alias: dict[Any, Any] = {}

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
            self.values[atom] = _Value(len(getattr(atom.aval, "shape", ())))
        return self.values[atom]

    def load(self, jaxpr: Jaxpr) -> None:
        """Adds the equations of a jaxpr, with those of inner calls in place."""
        for eqn in jaxpr.eqns:
            inner = eqn.params.get(_CALLS.get(eqn.primitive.name, ""))
            if inner is None:
                self.equations.append(eqn)
                if eqn.primitive.name in _PLACED:
                    self.value(eqn.outvars[0]).pin(eqn.params[_PLACED[eqn.primitive.name]])
                continue
            # An inner jaxpr is shared between calls: give each call its own names.
            inner = _renamed(inner)
            self.alias.update(zip(inner.invars, eqn.invars))
            self.load(inner)
            self.alias.update(zip(eqn.outvars, inner.outvars))

    def spread(self) -> None:
        """Passes axes along factors until nothing changes."""
        changed = True
        while changed:
            changed = False
            for eqn in self.equations:
                factors = _factors(eqn)
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
            raise Unknown
        axes = next(iter(found))
        return any([v.offer(d, axes) for v, d in members])

    def _give_up(self, eqn: Eqn) -> bool:
        known = [v for a in (*eqn.invars, *eqn.outvars) if (v := self.value(a)) is not None]
        if not any(v.unknown or any(v.dims) for v in known):
            return False
        return any([self._mark(v) for v in known])

    def _spread_unknown(self, eqn: Eqn) -> bool:
        known = [v for a in (*eqn.invars, *eqn.outvars) if (v := self.value(a)) is not None]
        return any(v.unknown for v in known) and any([self._mark(v) for v in known])

    @staticmethod
    def _mark(value: _Value) -> bool:
        if value.pinned or value.unknown:
            return False
        value.unknown = True
        return True


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
                program.value(var).pin(sharding)
        program.load(jaxpr)
        for atom, sharding in zip(jaxpr.outvars, out_shardings):
            value = program.value(atom)
            # A result that is an argument keeps the argument's sharding.
            if sharding is not UNSPECIFIED and value is not None and not value.pinned:
                value.pin(sharding)
        program.spread()
    except Unknown:
        return [None] * len(jaxpr.invars), [None] * len(jaxpr.outvars)

    def chosen(atom: Any) -> tuple | None:
        value = program.value(atom)
        if value is None:
            return ()
        return None if value.unknown else tuple(value.dims)

    return list(map(chosen, jaxpr.invars)), list(map(chosen, jaxpr.outvars))
