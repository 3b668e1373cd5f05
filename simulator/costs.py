"""``Compiled.cost_analysis()`` and ``memory_analysis()``: what XLA says about a program.

XLA counts on the program it made, not on the one it was given. So only programs are
counted that it leaves as they are: every result used once, none of the patterns that it
rewrites. Numbers that depend on how it fused the operations are refused.

JAX source: ``jax/_src/stages.py: Compiled.cost_analysis``; XLA's
``HloCostAnalysis: HandleElementwiseOp, HandleDot, HandleReduce``.
"""

from __future__ import annotations

import builtins
import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

from simulator.errors import OutOfScope
from simulator.jaxprs.jaxpr import Eqn, Jaxpr, Literal, Var
from simulator.jaxprs.module import Module

_ARITHMETIC = frozenset({"add", "sub", "mul", "max", "min"})
_TRANSCENDENTAL = frozenset({"sin", "cos", "tanh"})
_FUNCTIONS = frozenset({"jit", "custom_jvp_call", "custom_vjp_call"})
_SUMS = frozenset({"add", "sub"})
_COUNTED = ("flops", "transcendentals")
_ADVICE = ("XLA counts after it has rewritten the program; the model counts plain sums, products "
           "and matrix products; ask real JAX")


def refused(what: str) -> OutOfScope:
    """The OutOfScope that says: XLA's number for `what` depends on how it rewrote the program."""
    return OutOfScope(what, _ADVICE)


class dict(builtins.dict):  # what JAX returns is called so
    """Some of XLA's numbers by name; the others are refused."""

    def __missing__(self, key: Any) -> Any:
        if key in _COUNTED:
            raise KeyError(key)  # nothing of that kind was counted
        raise refused(f"Compiled.cost_analysis()[{key!r}]")

    def get(self, key: Any, default: Any = None) -> Any:
        """Like ``dict.get`` for what was counted; OutOfScope for any other of XLA's numbers."""
        return self[key] if key in self else default

    def _all(self, *args: Any, **kwargs: Any) -> Any:
        raise refused("all of Compiled.cost_analysis()")

    __iter__ = __len__ = __repr__ = __eq__ = keys = values = items = copy = _all

    def __contains__(self, key: Any) -> bool:
        if key not in _COUNTED:
            raise refused(f"{key!r} in Compiled.cost_analysis()")
        return builtins.dict.__contains__(self, key)


class CompiledMemoryStats:
    """What a program needs on a device, in bytes; what XLA plans is refused."""

    __module__ = "jaxlib._jax"

    def __init__(self, module: Module):
        in_bytes = [_bytes(a) for a in module.in_avals]
        out_bytes = [_bytes(a) for a in module.out_avals]
        self.argument_size_in_bytes = sum(in_bytes)
        # Several results come with a table of their addresses.
        table = 8 * len(out_bytes) if len(out_bytes) != 1 else 0
        self.output_size_in_bytes = sum(out_bytes) + table
        self.alias_size_in_bytes = sum(
            size for size, alias in zip(in_bytes, module.donation.aliases) if alias is not None)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        raise refused(f"Compiled.memory_analysis().{name}")

    def __repr__(self) -> str:
        raise refused("all of Compiled.memory_analysis()")


def memory(module: Module) -> CompiledMemoryStats:
    """``Compiled.memory_analysis()``."""
    if module.num_devices != 1:
        raise refused("Compiled.memory_analysis of a program of several devices")
    return CompiledMemoryStats(module)


def _bytes(aval: Any) -> int:
    return math.prod(aval.shape) * aval.dtype.itemsize


def cost(module: Module) -> dict:
    """``Compiled.cost_analysis()``: its ``flops`` and ``transcendentals``.

    Errors: OutOfScope for a program that XLA would rewrite.
    """
    if module.num_devices != 1:
        raise refused("Compiled.cost_analysis of a program of several devices")
    found = dict()
    flops = transcendentals = 0.0
    program = _Program(module.jaxpr)
    for eqn, operands in program.eqns:
        program.check(eqn, operands)
        name, size = eqn.primitive.name, math.prod(eqn.outvars[0].aval.shape)
        if name in _TRANSCENDENTAL:
            transcendentals += size
        elif name == "dot_general":
            (left, _), _ = eqn.params["dimension_numbers"]
            flops += 2 * size * math.prod(eqn.invars[0].aval.shape[i] for i in left)
        elif name != "broadcast_in_dim":
            flops += size
    for key, number in (("flops", flops), ("transcendentals", transcendentals)):
        if number:
            found[key] = number
    return found


class _Program:
    """The operations of a jaxpr, those of functions inside among them."""

    def __init__(self, jaxpr: Jaxpr):
        self.made: builtins.dict[Any, tuple[Eqn, list]] = {}
        self.same: builtins.dict[Any, Any] = {}
        self.eqns = list(self._flat(jaxpr))
        self.outs = [self._source(v) for v in jaxpr.outvars]
        self.uses = Counter(o for _, operands in self.eqns for o in operands if isinstance(o, Var))
        self.uses.update(o for o in self.outs if isinstance(o, Var))
        self.forms: set[tuple] = set()

    def _source(self, atom: Any) -> Any:
        while isinstance(atom, Var) and atom in self.same:
            atom = self.same[atom]
        return atom

    def _flat(self, jaxpr: Jaxpr) -> Iterator[tuple[Eqn, list]]:
        if jaxpr.consts:
            raise refused("Compiled.cost_analysis of a program with constants")
        for eqn in jaxpr.eqns:
            operands = [self._source(a) for a in eqn.invars]
            if eqn.primitive.name in _FUNCTIONS:
                inner = eqn.params.get("jaxpr", eqn.params.get("call_jaxpr"))
                if inner in self.same:
                    raise refused("Compiled.cost_analysis of a function called twice")
                self.same[inner] = inner
                self.same.update(zip(inner.invars, operands))
                yield from self._flat(inner)
                self.same.update((v, self._source(o))
                                 for v, o in zip(eqn.outvars, inner.outvars))
            else:
                self.made[eqn.outvars[0]] = eqn, operands
                yield eqn, operands

    def check(self, eqn: Eqn, operands: list) -> None:
        """OutOfScope unless XLA leaves the operation alone."""
        name, out = eqn.primitive.name, eqn.outvars[0]
        what = refused(f"Compiled.cost_analysis of {name}")
        form = self._form(out)
        if form in self.forms:
            raise refused("Compiled.cost_analysis of something computed twice")
        self.forms.add(form)
        if self.uses[out] != 1 or any(a.aval.dtype.name != "float32" for a in eqn.invars):
            raise what
        if name == "dot_general":
            (left, right), (batch, _) = eqn.params["dimension_numbers"]
            if batch or len(left) != 1 or any(o in self.made for o in operands):
                raise what
        elif name == "broadcast_in_dim":
            if operands[0] in self.made or not isinstance(operands[0], Var):
                raise what
        elif name in _ARITHMETIC:
            self._check_arithmetic(name, operands, what)
        elif name == "integer_pow" and eqn.params["y"] == 2:
            if operands[0] in self.made:
                raise what
        elif name not in _TRANSCENDENTAL or self._name(operands[0]) in _TRANSCENDENTAL:
            raise what

    def _form(self, atom: Any) -> Any:
        # Equal for equal computations.
        if isinstance(atom, Literal):
            return float(atom.val)
        if atom not in self.made:
            return atom
        eqn, operands = self.made[atom]
        return eqn.primitive.name, str(eqn.params), tuple(map(self._form, operands))

    def _name(self, atom: Any) -> str:
        made = self.made.get(atom) if isinstance(atom, Var) else None
        return made[0].primitive.name if made else ""

    def _check_arithmetic(self, name: str, operands: list, what: OutOfScope) -> None:
        constants = [float(o.val) for o in operands if isinstance(o, Literal)]
        inner = [o for o in operands if isinstance(o, Var) and o in self.made]
        if operands[0] is operands[1] and name != "mul" or len(constants) > 1:
            raise what
        nothing = {"add": (0,), "sub": (0,), "mul": (0, 1)}.get(name, ())
        if any(abs(c) in nothing or not math.isfinite(c) for c in constants):
            raise what
        for o in inner:
            other, given = self._name(o), self.made[o][1]
            with_constant = any(isinstance(g, Literal) for g in given)
            if constants and with_constant and (other == name or {other, name} <= _SUMS
                                                or "max" in (other, name) or "min" in (other, name)):
                raise what
            if not constants and (with_constant or len(inner) > 1) and other in _ARITHMETIC:
                raise what
