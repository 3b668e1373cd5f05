"""The configuration states in the keys: all 127, each flipped alone.

Which state is in which key is read from what real JAX was seen to do
(``simulator/data``). A flip goes past the parser of the state: keys hold values, and
compare them whatever they are.
"""

from __future__ import annotations

import json
import pathlib
from typing import Any

import simulator
from simulator import fast_path, keys
from simulator.functions import signature
from tests.station_keys import Check
from tests.station_keys.process import Asked, direct, simulated
from tests.station_keys.program import check

DATA = json.loads((pathlib.Path(simulator.__file__).parent / "data" / "jax-0.11.1.json")
                  .read_text(encoding="utf-8"))
IN_JIT_KEY = frozenset(DATA["jit_key"])
IN_TRACE_CONTEXT = frozenset(DATA["trace_context"])
STATES = [state["name"] for state in DATA["states"]]
PYTHON_STATIONS = (keys.PARAMS, keys.TRACE, keys.LOWER, keys.HLO, keys.COMPILE, keys.PRIM)


class Flipped:
    """A value no state has."""

    def __init__(self, number: int):
        self.number = number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Flipped) and self.number == other.number

    def __hash__(self) -> int:
        return self.number


def _fast_path(here: Any) -> Any:
    table = here.fast_path.table(_fast_path, fast_path.Attributes((), (), None, None, (), (), ()))
    empty = signature.ArgumentSignature((), (), (), ())

    def ask() -> str:
        key, _ = fast_path.call_signature(empty, [])
        return "miss" if table.entry(key)[1] else "hit"
    return ask


def _outcomes(name: str, values: list) -> dict[str, list[str]]:
    """Per station, the outcome of the same lookup under each value of a state."""
    with simulated() as here:
        asked = {"fast_path": _fast_path(here)}
        for table in PYTHON_STATIONS:
            cache = Asked(here, table)
            asked[table.station] = cache.outcome
        found: dict[str, list[str]] = {station: [] for station in asked}
        for value in values:
            if value is not None:
                here.config.set_local(name, value)
            for station, ask in asked.items():
                found[station].append(ask())
        return found


def _flip(name: str) -> None:
    values = [None, Flipped(1), Flipped(1), Flipped(2), Flipped(1)]
    seen = _outcomes(name, values)
    for station, outcomes in seen.items():
        noticed = name in (IN_JIT_KEY if station == "fast_path" else IN_TRACE_CONTEXT)
        wanted = ["miss", "miss", "hit", "miss", "hit"] if noticed else ["miss", *["hit"] * 4]
        assert outcomes == wanted, f"{name} at {station}: {outcomes}, expected {wanted}"


CHECKS = [Check("fast_path" if name in IN_JIT_KEY else "params", "configs", name,
                lambda name=name: _flip(name)) for name in STATES]


@direct(CHECKS, "fast_path", "configs", "as many as in JAX, in its order")
def _(here):
    assert here.config.jit_key_names() == DATA["jit_key"] and len(DATA["jit_key"]) == 51
    assert here.config.trace_context_names() == DATA["trace_context"]
    assert len(DATA["trace_context"]) == 50


CHECKS += [
    check("fast_path", "configs", "a state in both keys", """
        g(x)                                                            #: M M M M M M M
        with jax.default_matmul_precision('highest'): g(x)              #: M M M M M M M
        with jax.default_matmul_precision('float32'): g(x)              #: M M M M M M M
        with jax.default_matmul_precision(''.join('highest')): g(x)     #: H
        g(x)                                                            #: H
    """),
    check("fast_path", "configs", "a state in the jit key only", """
        g(x)                                                            #: M M M M M M M
        jax.config.update('jax_optimization_level', 'O1')
        g(x)                                                            #: M H . H . H
        jax.config.update('jax_optimization_level', 'UNKNOWN')
        g(x)                                                            #: H
        jax.config.update('jax_memory_fitting_level', 'O1')
        g(x)                                                            #: M H . H . H
    """),
    check("fast_path", "configs", "a state in the trace context only", """
        g(x)                                                            #: M M M M M M M
        jax.config.update('jax_high_dynamic_range_gumbel', True)
        g(x)                                                            #: H
        g(xn)                                                           #: M M M M M M M
        jax.config.update('jax_high_dynamic_range_gumbel', False)
        g(xn)                                                           #: H
    """),
    check("fast_path", "configs", "a state in neither", """
        g(x)                                                            #: M M M M M M M
        jax.config.update('jax_log_compiles', True)
        jax.config.update('jax_default_prng_impl', 'rbg')
        jax.config.update('jax_debug_infs', True)
        g(x)                                                            #: H
        g(xn)                                                           #: M H . H . H
    """),
    check("fast_path", "configs", "one list longer than the other", """
        g(x)                                                            #: M M M M M M M
        ctx = jax.make_user_context(0)
        g(x)                                                            #: M M M M M M M
        g(x)                                                            #: H
    """),
    check("fast_path", "configs", "values by ==, never their type", """
        ctx = jax.make_user_context(0)
        g(x)                                                            #: M M M M M M M
        with ctx(1): g(x)                                               #: M M M M M M M
        with ctx(1.0): g(x)                                             #: H
        with ctx(True): g(x)                                            #: H
        with ctx(1.0): g(xn)                                            #: M H . H . H
        with ctx('ab'): g(x)                                            #: M M M M M M M
        with ctx(''.join(['a', 'b'])): g(x)                             #: H
        with ctx(0.0): g(x)                                             #: H
    """),
    check("fast_path", "configs", "the same value object is equal to itself", """
        ctx, nan = jax.make_user_context(0), float('nan')
        with ctx(nan): g(x)                                             #: M M M M M M M
        with ctx(nan): g(x)                                             #: H
        with ctx(float('nan')): g(x)                                    #: M M M M M M M
    """),
    check("fast_path", "configs", "not hashed here, but further down", """
        ctx = jax.make_user_context(0)
        with ctx([1]): g(x)                                             #: M !TypeError
        with ctx([1]): g(x)                                             #: F !TypeError
        with ctx([2]): g(x)                                             #: M !TypeError
    """),
    check("fast_path", "configs", "of the calling thread", """
        import threading
        def elsewhere(*args):
            thread = threading.Thread(target=g, args=args)
            thread.start()
            thread.join()
        g(x)                                                            #: M M M M M M M
        elsewhere(x)                                                    #: H
        with jax.default_matmul_precision('highest'): elsewhere(x)      #: H
        jax.config.update('jax_default_matmul_precision', 'highest')
        elsewhere(x)                                                    #: M M M M M M M
        g(x)                                                            #: H
    """),
    check("fast_path", "configs", "the current trace", """
        def outer(y):
            g(x)
            return y
        jax.make_jaxpr(outer)(x)                                        #: ?
        jax.make_jaxpr(outer)(xn)                                       #: ?
        jax.make_jaxpr(lambda y: outer(y))(x)                           #: ?
        assert g._cache_size() == 2, 'one for each trace that ran'
        g(x)                                                            #: M H . M M M M
        g(x)                                                            #: H
        assert g._cache_size() == 3
    """),
    check("params", "trace context", "a state of the context, for every station", """
        tr = jax.jit(f, keep_unused=True).trace(x)
        lo = tr.lower()
        lo.compile()                                                    #: . . . . . M M
        tr.lower()                                                      #: . . . H
        lo.compile({})                                                  #: . . . . . M H
        jax.config.update('jax_default_matmul_precision', 'highest')
        lo.compile()                                                    #: . . . . . H
        lo.compile({})                                                  #: . . . . . M M
        tr.lower()                                                      #: . . . M M
        jax.jit(f).trace(x)                                             #: . M M
        jax.config.update('jax_default_matmul_precision', None)
        jax.jit(f).trace(x)                                             #: . M H
    """),
    check("params", "trace context", "values by ==, for every station", """
        ctx = jax.make_user_context(0)
        k = jax.jit(f, keep_unused=True)
        tr = k.trace(x)
        lo = tr.lower()
        with ctx(1): k.trace(x)                                         #: . M M
        with ctx(1.0): k.trace(x)                                       #: . H
        with ctx(1.0): jax.jit(f).trace(x)                              #: . M H
        with ctx(1): tr.lower()                                         #: . . . M M
        with ctx(1.0): tr.lower()                                       #: . . . H
        with ctx(True): jax.jit(f, keep_unused=True, inline=True).trace(x).lower()  #: . M H M M
        with ctx(1): jax.jit(f, keep_unused=True, donate_argnums=0).lower(x)        #: . M H M M
        late = jax.jit(f, keep_unused=True, donate_argnums=0, inline=True)
        with ctx(1.0): late.lower(x)                                    #: . M H M H
        with ctx(1): lo.compile({})                                     #: . . . . . M M
        with ctx(1.0): lo.compile({})                                   #: . . . . . M H
        with ctx(1): lax.cos(x)                                         #: . . . . . . . . M
        with ctx(1.0): lax.cos(x)                                       #: . . . . . . . . H
    """),
    check("prim", "trace context", "a state of the context", """
        lax.sin(x)                                                      #: . . . . . . . . M
        lax.sin(x)                                                      #: . . . . . . . . H
        with jax.default_matmul_precision('highest'): lax.sin(x)        #: . . . . . . . . M
        with jax.default_matmul_precision('highest'): lax.sin(x)        #: . . . . . . . . H
        jax.config.update('jax_optimization_level', 'O1')
        lax.sin(x)                                                      #: . . . . . . . . H
    """),
]
