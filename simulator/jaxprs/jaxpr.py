"""Jaxprs: the small functional programs that tracing writes down.

A `Jaxpr` owns its constants, as in JAX 0.11 (there is no closed twin any more).
Identity matters: lowering keys on the jaxpr *object*, so two equal jaxprs are
two keys.

JAX source: ``jax/_src/core.py: Jaxpr, JaxprEqn, Var, Literal``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from simulator.configuration.axis_env import NamedAxisEffect
from simulator.named_tuples import NamedTuple
from simulator.running import uncovered


class Var:
    """A variable of a jaxpr, told apart by identity.

    Args:
      aval: the `ShapedArray` it stands for.
    """

    __slots__ = ("aval", "__weakref__")

    def __init__(self, aval: Any):
        self.aval = aval

    def __repr__(self) -> str:
        return f"Var(id={id(self)}):{self.aval.str_short()}"


class DropVar(Var):
    """Stands for a result that nobody uses; a jaxpr shows it as ``_``."""

    __slots__ = ()


class Literal:
    """A scalar constant written in place.

    Args:
      val: a Python scalar or a 0-dimensional `NDArray`.
      aval: its `ShapedArray`.
    """

    __slots__ = ("val", "aval")

    def __init__(self, val: Any, aval: Any):
        self.val = val
        self.aval = aval

    def __repr__(self) -> str:
        kind = {int: "TypedInt", float: "TypedFloat", complex: "TypedComplex"}.get(type(self.val))
        shown = f"{kind}({self.val!r}, dtype={self.aval.dtype.name})" if kind else self.val
        return f"Literal({shown})"


class EqnContext:
    """Where an equation was traced: its rule is lowered as if from there.

    Args:
      place: see `simulator.running.source.here`.
      abstract_mesh, threefry_partitionable: the config states of then.

    JAX source: ``jax/_src/core.py: JaxprEqnContext``.
    """

    __slots__ = ("place", "abstract_mesh", "threefry_partitionable")

    def __init__(self, place: Any, abstract_mesh: Any, threefry_partitionable: bool):
        self.place = place
        self.abstract_mesh = abstract_mesh
        self.threefry_partitionable = threefry_partitionable


class Eqn:
    """One equation: ``outvars = primitive[params] invars``.

    `context` is an `EqnContext`, or None for an equation that was not traced.
    """

    __module__, __qualname__ = "jax._src.core", "JaxprEqn"  # messages show it

    __slots__ = ("invars", "outvars", "primitive", "params", "effects", "context", "_bodies")

    __getattr__ = uncovered.refusing("JaxprEqn", "ctx replace source_info", "'JaxprEqn'")

    def __init__(self, invars: list, outvars: list, primitive: Any, params: dict,
                 effects: frozenset = frozenset(), context: EqnContext | None = None):
        self.invars = invars
        self.outvars = outvars
        self.primitive = primitive
        self.params = params
        self.effects = effects
        self.context = context
        self._bodies: list[Jaxpr] | None = None

    @property
    def bodies(self) -> list[Jaxpr]:
        """The jaxprs in its parameters, see `subjaxprs`."""
        if self._bodies is None:
            self._bodies = subjaxprs(self.params)
        return self._bodies


class RuleParam:
    """A function among an equation's parameters; prints as its name."""

    __slots__ = ("function", "name")

    def __init__(self, function: Any, name: str):
        self.function, self.name = function, name

    def __call__(self, *args: Any) -> Any:
        return self.function(*args)

    def __str__(self) -> str:
        return self.name


class DebugInfo(NamedTuple):
    """Where a traced function came from. Part of the tracing key.

    Args:
      traced_for: ``"jit"``, ``"scan"``, …
      func_src_info: ``"f at file.py:3"``.
      arg_names: one name per leaf (``"x['a']"``), or None.
      result_paths: one path per result (``"result['b']"``), or None before tracing.
      func_name, func_filename, func_lineno: the parts of `func_src_info`.

    JAX source: ``jax/_src/core.py: DebugInfo``.
    """

    traced_for: str
    func_src_info: str
    arg_names: tuple[str, ...] | None
    result_paths: tuple[str, ...] | None
    func_name: str = ""
    func_filename: str | None = None
    func_lineno: int | None = None

    @property
    def shown_source(self) -> str:
        """The function's name, and its place when it is in the program's own folder."""
        return self.func_src_info if "<dir>/" in self.func_src_info else self.func_name


class Jaxpr:
    """A traced function.

    Args:
      constvars, consts: captured values, pairwise.
      invars: parameters.
      outvars: results, each a `Var` or a `Literal`.
      eqns: the equations in order.
      effects: set of effect names; anything here keeps a call off the fast path.
      debug_info: see `DebugInfo`.
    """

    __module__ = "jax._src.core"  # messages show it

    __slots__ = ("constvars", "consts", "invars", "outvars", "eqns", "effects",
                 "debug_info", "_primitives", "__weakref__")

    __getattr__ = uncovered.refusing("Jaxpr", "all_invars is_high literals map_jaxpr num_consts "
                                     "pretty_print with_consts")

    def __init__(self, constvars: Sequence[Var], consts: Sequence[Any], invars: Sequence[Var],
                 outvars: Sequence[Any], eqns: Sequence[Eqn], effects: frozenset,
                 debug_info: DebugInfo | None = None):
        self.constvars = list(constvars)
        self.consts = list(consts)
        self.invars = list(invars)
        self.outvars = list(outvars)
        self.eqns = list(eqns)
        self.effects = effects
        self.debug_info = debug_info
        self._primitives: frozenset | None = None

    @property
    def primitives(self) -> frozenset:
        """Every primitive in it, however deep. Found once: equations stay as they are."""
        if self._primitives is None:
            found = {eqn.primitive for eqn in self.eqns}
            for eqn in self.eqns:
                for inner in eqn.bodies:
                    found |= inner.primitives
            self._primitives = frozenset(found)
        return self._primitives

    @property
    def in_avals(self) -> list:
        """The types of the arguments."""
        return [v.aval for v in self.invars]

    @property
    def out_avals(self) -> list:
        """The types of the results."""
        return [v.aval for v in self.outvars]

    @property
    def jaxpr(self) -> Jaxpr:
        """The jaxpr itself: an accessor of ``ClosedJaxpr`` that JAX keeps."""
        # ClosedJaxpr's old accessor, which JAX keeps.
        return self

    def replace(self, **changes: Any) -> Jaxpr:
        """Return a new jaxpr (a new identity) with some parts exchanged."""
        fields = {"constvars": self.constvars, "consts": self.consts, "invars": self.invars,
                  "outvars": self.outvars, "eqns": self.eqns, "effects": self.effects,
                  "debug_info": self.debug_info}
        return Jaxpr(**{**fields, **changes})

    def __str__(self) -> str:
        from simulator.jaxprs.jaxpr_text import jaxpr_text
        return jaxpr_text(self)

    __repr__ = __str__


CALLBACKS = frozenset({"pure_callback", "io_callback", "debug_callback", "debug_print"})
"""Primitives that call functions of the program while the compiled program runs."""


def subjaxprs(params: dict) -> list[Jaxpr]:
    """The jaxprs inside an equation's parameters, in order."""
    found = [v for v in params.values() if isinstance(v, (Jaxpr, tuple))]
    if not found:                                                    # nearly always
        return found
    return [item for value in found for item in (value if isinstance(value, tuple) else (value,))
            if isinstance(item, Jaxpr)]


def opened(jaxpr: Jaxpr) -> Jaxpr:
    """Constants as leading parameters, which have no names."""
    info = jaxpr.debug_info
    if info is not None and info.arg_names is not None:
        info = info._replace(arg_names=("",) * len(jaxpr.consts) + tuple(info.arg_names))
    return jaxpr.replace(constvars=[], consts=[], invars=jaxpr.constvars + jaxpr.invars,
                         debug_info=info)


def separate_consts(jaxpr: Jaxpr) -> tuple[Jaxpr, list]:
    """Turn constants into leading parameters.

    Needed when a constant is a tracer of an outer trace: the value is not known
    yet, so it has to arrive as an argument. JAX source:
    ``jax/_src/interpreters/partial_eval.py: separate_consts``.
    """
    return opened(jaxpr), list(jaxpr.consts)


def dce(jaxpr: Jaxpr, used_outputs: Sequence[bool]) -> tuple[Jaxpr, list[bool]]:
    """Drop equations whose results nobody uses, and say which parameters are used.

    Equations with effects stay, except that an axis is named. The parameters stay in place; callers prune
    them. JAX source: ``jax/_src/interpreters/partial_eval.py: dce_jaxpr``.

    Returns:
      The new jaxpr with only the used outputs, and one bool per parameter.
    """
    outvars = [v for v, used in zip(jaxpr.outvars, used_outputs) if used]
    live = set(outvars)    # literals among them do no harm
    kept: list[Eqn] = []
    for eqn in reversed(jaxpr.eqns):
        used_outs = [v in live for v in eqn.outvars]
        if not any(used_outs) and all([isinstance(e, NamedAxisEffect) for e in eqn.effects]):
            continue
        new_eqn = eqn
        rule = eqn.primitive.dce_rule
        if rule is not None:
            new_eqn = rule(eqn, used_outs)
            if new_eqn is None:
                continue
        live.update(new_eqn.invars)
        kept.append(new_eqn)
    kept.reverse()
    pairs = [(v, c) for v, c in zip(jaxpr.constvars, jaxpr.consts) if v in live]
    new = jaxpr.replace(constvars=[v for v, _ in pairs], consts=[c for _, c in pairs],
                        outvars=outvars, eqns=kept)
    return new, [v in live for v in jaxpr.invars]
