"""The type of a reference, and the effects of using one.

A reference is a box that holds an array. Its type says what is inside. Reading or
writing it is an *effect on that variable*: it is written down in the jaxpr, it keeps
equations alive whose results nobody uses, and it keeps a call off the fast path.

JAX source: ``jax/_src/state/types.py: AbstractRef, RefEffect``;
``jax/_src/core.py: InternalMutableArrayEffect``.

Simplified: no memory spaces and no kinds.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from simulator.named_tuples import NamedTuple
from simulator.types.avals import ShapedArray


class AbstractRef:
    """The type of a reference to an array of type `inner`. Equal when `inner` is."""

    __slots__ = ("inner", "__weakref__")
    __module__ = "jax._src.state.types"

    def __init__(self, inner: ShapedArray):
        self.inner = inner

    shape = property(lambda self: self.inner.shape)
    dtype = property(lambda self: self.inner.dtype)
    ndim = property(lambda self: self.inner.ndim)
    size = property(lambda self: self.inner.size)
    weak_type = property(lambda self: self.inner.weak_type)
    mesh = property(lambda self: self.inner.mesh)
    spec = property(lambda self: self.inner.spec)
    sharding = property(lambda self: self.inner.sharding)
    inner_aval = property(lambda self: self.inner)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AbstractRef) and self.inner == other.inner

    def __hash__(self) -> int:
        return hash((AbstractRef, self.inner))

    def str_short(self, short_dtypes: bool = False, mesh_axis_types: bool = False) -> str:
        """``Ref{float32[3]}``."""
        return f"Ref{{{self.inner.str_short(short_dtypes, mesh_axis_types)}}}"

    def __repr__(self) -> str:
        return self.str_short()


class RefEffect(NamedTuple):
    """One way of using one reference.

    Args:
      name: ``"Read"``, ``"Write"`` or ``"Accum"``. var: the variable, by identity.
    """

    name: str
    var: Any

    def __str__(self) -> str:
        return self.name


class _Internal:
    name = "InternalMutableArray"

    def __str__(self) -> str:
        return self.name


INTERNAL = _Internal()
"""The effect of making a reference, or of ending its life."""


class Mutation(NamedTuple):
    """What a program does to references.

    captured: references passed after the arguments.
    results: per result the position of the used argument whose reference gets it, or None.
    """

    captured: tuple
    results: tuple


NOTHING = Mutation((), ())


TAKES_REFS = frozenset({"new_ref", "freeze", "get", "swap", "addupdate", "jit", "scan", "while",
                        "cond", "eval_jaxpr"})
"""Primitives that may have a reference as an operand; those with a body pass it on."""


def is_ref(aval: Any) -> bool:
    """Whether a type is that of a reference."""
    return isinstance(aval, AbstractRef)


def has_refs(jaxpr: Any) -> bool:
    """Whether a program has references of its own, is given some or captured some."""
    return (INTERNAL in jaxpr.effects or touches_refs(jaxpr.effects)
            or any(map(is_ref, jaxpr.in_avals)))


def touches_refs(effects: Iterable[Any]) -> bool:
    """Whether references from outside are read or written."""
    return any([isinstance(e, RefEffect) for e in effects])


def outside(effects: Iterable[Any], invars: list, atoms: list) -> frozenset:
    """The effects of a call: those on its parameters become effects on its arguments."""
    argument = {id(v): a for v, a in zip(invars, atoms)}
    return frozenset(e._replace(var=argument[id(e.var)]) if isinstance(e, RefEffect) else e
                     for e in effects)


def of_bodies(params: dict, atoms: list) -> frozenset:
    """The effects of an equation with bodies, on its operands."""
    if "branches" in params:
        inside = [(b, atoms[1:]) for b in params["branches"]]
    elif "cond_jaxpr" in params:
        n, m = params["cond_nconsts"], params["body_nconsts"]
        inside = [(params["cond_jaxpr"], atoms[:n] + atoms[n + m:]),
                  (params["body_jaxpr"], atoms[n:])]
    else:
        inside = [(params.get("jaxpr") or params["call_jaxpr"], atoms)]
    return frozenset().union(*[outside(j.effects, j.invars, a) for j, a in inside])


def of_equations(eqns: Iterable[Any]) -> frozenset:
    """The effects of equations one after the other, as seen from outside: nobody sees what
    happens to a reference that was made in there."""
    eqns = [e for e in eqns if e.effects or e.primitive.name == "new_ref"]
    own = {id(e.outvars[0]) for e in eqns if e.primitive.name == "new_ref"}
    return frozenset(f for e in eqns for f in e.effects
                     if not (isinstance(f, RefEffect) and id(f.var) in own))
