"""``jax_debug_key_reuse``: a random key may be consumed once.

With the option on every call leaves the fast path: jitted functions are bound as
equations, their jaxprs are checked, and key arrays remember what was consumed.

A signature says what an operation does to keys: *sinks* consume an argument,
*sources* are fresh results, *forwards* pass a key on. Consumed is `ALL`, or a set
of flat positions after a slice.

JAX source: ``jax/experimental/key_reuse/_core.py``.
"""

from __future__ import annotations

import functools
import itertools
import weakref
from collections.abc import Callable
from typing import Any

from simulator.errors import KeyReuseError
from simulator.jaxprs.jaxpr import Eqn, Jaxpr, Literal
from simulator.named_tuples import NamedTuple
from simulator.randomness.key_arrays import PRNGKeyArray

ALL = "all"
Mask = Any  # ALL, or a frozenset of flat positions


class Signature(NamedTuple):
    """sinks: {argument: mask}. sources: results. forwards: {result: argument}."""

    sinks: dict[int, Mask] = {}
    sources: frozenset[int] = frozenset()
    forwards: dict[int, int] = {}


_PASSES = Signature(forwards={0: 0})
_SIGNATURES: dict[str, Signature] = {
    "random_clone": Signature(sources=frozenset({0})),
    "random_bits": Signature({0: ALL}),
    "random_fold_in": Signature(sources=frozenset({0})),
    "random_seed": Signature(sources=frozenset({0})),
    "random_split": Signature({0: ALL}, frozenset({0})),
    "random_wrap": Signature(sources=frozenset({0})),
    "random_unwrap": Signature(),
    "debug_callback": Signature(),
    "eq": Signature(), "ne": Signature(),
    "dynamic_update_slice": Signature({1: ALL}, forwards={0: 0}),
    "scatter": Signature({2: ALL}, forwards={0: 0}),
    **dict.fromkeys(("broadcast_in_dim", "copy", "stage", "convert_element_type", "reshape",
                     "squeeze", "sharding_constraint", "reshard", "dynamic_slice", "gather"),
                    _PASSES),
}


def _slice(eqn: Eqn) -> Signature:
    aval = eqn.invars[0].aval
    if aval.dtype.family != "k":
        return _PASSES
    p = eqn.params
    ranges = [range(a, b, s) for a, b, s in zip(
        p["start_indices"], p["limit_indices"], p["strides"] or (1,) * aval.ndim)]
    taken = set()
    for index in itertools.product(*ranges):
        flat = 0
        for i, n in zip(index, aval.shape):
            flat = flat * n + i
        taken.add(flat)
    return Signature({0: _mask(taken, aval.size)}, frozenset({0}))


def _concatenate(eqn: Eqn) -> Signature:
    if len(eqn.invars) == 1:
        return _PASSES
    return Signature(dict.fromkeys(range(len(eqn.invars)), ALL), frozenset({0}))


_DYNAMIC: dict[str, Callable[[Eqn], Signature]] = {
    "slice": _slice,
    "concatenate": _concatenate,
    "unstack": lambda eqn: Signature({0: ALL}, frozenset(range(len(eqn.outvars)))),
    "device_put": lambda eqn: Signature(forwards={i: i for i in range(len(eqn.invars))}),
    "jit": lambda eqn: signature_of(eqn.params["jaxpr"]),
}


def _mask(positions: set, size: int) -> Mask:
    return ALL if len(positions) == size else frozenset(positions)


def _overlap(a: Mask, b: Mask) -> bool:
    if not a or not b:
        return False
    return True if ALL in (a, b) else bool(a & b)


def _union(a: Mask, b: Mask, size: int) -> Mask:
    if not a or not b:
        return a or b
    return ALL if ALL in (a, b) else _mask(set(a | b), size)


def _of_equation(eqn: Eqn) -> Signature:
    name = eqn.primitive.name
    if name in _DYNAMIC:
        return _DYNAMIC[name](eqn)
    known = _SIGNATURES.get(name)
    if known is not None:
        return known
    return Signature({i: ALL for i, v in enumerate(eqn.invars) if _is_key(v)})


def _is_key(atom: Any) -> bool:
    return atom.aval.dtype.family == "k"


_known: Any = weakref.WeakKeyDictionary()


def signature_of(jaxpr: Jaxpr) -> Signature:
    """What a jaxpr does to its keys. KeyReuseError when it uses one twice."""
    if jaxpr not in _known:
        _known[jaxpr] = _check(jaxpr)
    return _known[jaxpr]


def _check(jaxpr: Jaxpr) -> Signature:
    consumed: dict[Any, Mask] = {}
    passed: dict[Any, Any] = {}

    def origin(atom: Any) -> Any:
        while not isinstance(atom, Literal) and atom in passed:
            atom = passed[atom]
        return atom

    for eqn in jaxpr.eqns:
        signature = _of_equation(eqn)
        for out, arg in signature.forwards.items():
            passed[eqn.outvars[out]] = eqn.invars[arg]
        for arg, mask in signature.sinks.items():
            if not _is_key(eqn.invars[arg]):
                continue
            var = origin(eqn.invars[arg])
            if _overlap(consumed.get(var), mask):
                raise KeyReuseError(f"In {eqn.primitive}, argument {arg} is already consumed.")
            consumed[var] = _union(consumed.get(var), mask, var.aval.size)
        for i, var in enumerate(eqn.outvars):
            if _is_key(var) and var not in passed:
                consumed[var] = None if i in signature.sources else ALL
    inputs = [*jaxpr.invars, *jaxpr.constvars]
    outs = [(i, origin(v)) for i, v in enumerate(jaxpr.outvars) if _is_key(v)]
    return Signature(
        {i: consumed[v] for i, v in enumerate(inputs) if _is_key(v) and consumed.get(v)},
        frozenset(i for i, v in outs if v not in inputs and not consumed.get(v)),
        {i: inputs.index(v) for i, v in outs if v in inputs})


def checked(primitive: Any, evaluate: Callable, args: tuple, params: dict) -> Any:
    """Evaluate a primitive on arrays, with the check.

    Errors: KeyReuseError when an argument was consumed before.
    """
    name = primitive.name
    if name == "device_put" or name not in _SIGNATURES and name not in _DYNAMIC:
        return evaluate(primitive, args, params)
    consts = params["jaxpr"].consts if name == "jit" else []
    if name == "jit":
        signature = signature_of(params["jaxpr"])
    elif name in _SIGNATURES:
        signature = _SIGNATURES[name]
    else:
        # JAX traces the primitive to learn what it does; that asks the caches.
        from simulator.api import make_jaxpr
        signature = signature_of(make_jaxpr(functools.partial(primitive.bind, **params))(*args))
    values = [*args, *consts]
    for i, mask in signature.sinks.items():
        if isinstance(values[i], PRNGKeyArray) and _overlap(values[i]._consumed, mask):
            what = "jit-compiled function" if name == "jit" else name
            raise KeyReuseError(f"Previously-consumed key passed to {what} at index {i}")
    result = evaluate(primitive, args, params)
    _consume(signature, values, result if primitive.multiple_results else [result])
    return result


def _consume(signature: Signature, values: list, results: list) -> None:
    for i, mask in signature.sinks.items():
        if isinstance(values[i], PRNGKeyArray):
            values[i]._consumed = _union(values[i]._consumed, mask, values[i].size)
    for i, out in enumerate(results):
        if isinstance(out, PRNGKeyArray):
            out._consumed = None if i in signature.sources else ALL
            source = values[signature.forwards[i]] if i in signature.forwards else None
            if isinstance(source, PRNGKeyArray):
                out._consumed = source._consumed

