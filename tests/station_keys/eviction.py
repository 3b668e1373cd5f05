"""How entries come and go: capacities, order of use, weak references, failures, clearing."""

from __future__ import annotations

import gc
import weakref

from simulator import api, fast_path, keys
from simulator.facade.jax import lax
from simulator.functions import signature
from tests.station_keys import Check
from tests.station_keys.process import Asked, Thing, direct
from tests.station_keys.program import check

CHECKS: list[Check] = [
    check("fast_path", "eviction", "the function is collected, and the chain below it", """
        h = jax.jit(lambda x: lax.sin(x))
        h(x)                                        #: M M M M M M M
        g(x)                                        #: M M M M M M M
        del h
        gc.collect()
        h = jax.jit(lambda x: lax.sin(x))
        h(x)                                        #: M M M M M M M
        g(x)                                        #: H
    """),
    check("trace", "eviction", "an equal function does not keep the entry of the first", """
        @dataclasses.dataclass(frozen=True)
        class Scale:
            by: float
            def __call__(self, x): return lax.sin(x)
        a, b = Scale(1.), Scale(1.)
        jax.jit(a)(x)                               #: M M M M M M M
        jax.jit(b)(x)                               #: M M H H . H
        del a
        gc.collect()
        jax.jit(b).lower(x)                         #: . M M M M
        jax.jit(b)(x)                               #: H
    """),
    check("lower", "eviction", "a jaxpr that is held keeps its computation", """
        tr = jax.jit(lambda x: lax.sin(x)).trace(x)
        tr.lower()                                  #: . . . M M
        gc.collect()
        tr.lower()                                  #: . . . H
    """),
    check("fast_path", "clearing", "_clear_cache of one function", """
        h = jax.jit(lambda x: lax.cos(x))
        g(x)                                        #: M M M M M M M
        h(x)                                        #: M M M M M M M
        g._clear_cache()
        g(x)                                        #: M H . H . H
        h(x)                                        #: H
    """),
    check("params", "clearing", "clear_cache of one function empties it for all", """
        h = jax.jit(lambda x: lax.cos(x))
        g(x)                                        #: M M M M M M M
        h(x)                                        #: M M M M M M M
        g.clear_cache()
        h(x)                                        #: H
        h(xn)                                       #: M M H H . H
        g(x)                                        #: M M M M M M M
    """),
    check("trace", "clearing", "clear_cache drops the traces of one function only", """
        h = jax.jit(lambda x: lax.cos(x))
        g.trace(x)                                  #: . M M
        h.trace(x)                                  #: . M M
        g.clear_cache()
        h.trace(x)                                  #: . M H
        g.trace(x)                                  #: . M M
    """),
    check("fast_path", "clearing", "clear_caches empties everything in memory", """
        lo = g.lower(x)
        lo.compile()                                #: . . . . . M M
        g(x)                                        #: M H . H . H
        lax.cos(x)                                  #: . . . . . . . . M
        jax.clear_caches()
        lo.compile()                                #: . . . . . H
        lo.compile({})                              #: . . . . . M M
        lax.cos(x)                                  #: . . . . . . . . M
        g(x)                                        #: M M M M M M M
        g(x)                                        #: H
    """),
    check("lower", "clearing", "clear_caches, while the jaxpr is held", """
        tr = jax.jit(f, keep_unused=True).trace(x)
        lo = tr.lower()
        jax.clear_caches()
        jax.jit(f, keep_unused=True, inline=True).lower(x)      #: . M M M M
        tr.lower()                                  #: . . . M M
        tr.lower()                                  #: . . . H
    """),
    check("fast_path", "clearing", "an old wrapper keeps its table, a new one gets another", """
        g(x)                                        #: M M M M M M M
        jax.clear_caches()
        g(x)                                        #: M M M M M M M
        jax.jit(f)(x)                               #: M M H H . H
        jax.jit(f)(x)                               #: H
        g(x)                                        #: H
    """),
    check("fast_path", "clearing", "a compiled function loses its entry, not its program", """
        c = g.lower(x).compile()
        c(x)                                        #: M
        c(x)                                        #: H
        jax.clear_caches()
        c(x)                                        #: M
        c(x)                                        #: H
    """),
    check("fast_path", "failures", "an exception leaves a dead entry", """
        fail = [True]
        def once(x):
            if fail.pop() if fail else False: raise ValueError('once')
            return lax.sin(x)
        h = jax.jit(once)
        h(x)                                        #: M M M !ValueError
        h(x)                                        #: F H H M M M M
        h(x)                                        #: F H . H . H
        h(xn)                                       #: M H . H . H
        h(xn)                                       #: H
        assert h._cache_size() == 2
        h._clear_cache()
        h(x)                                        #: M H . H . H
        h(x)                                        #: H
    """),
    check("trace", "failures", "a poisoned entry counts as a hit and runs again", """
        fail, runs = [True], []
        def once(x):
            runs.append(1)
            if fail.pop() if fail else False: raise ValueError('once')
            return lax.sin(x)
        jax.jit(once).trace(x)                      #: . M M !ValueError
        jax.jit(once).trace(x)                      #: . M H
        jax.jit(once).trace(x)                      #: . M H
        assert len(runs) == 3, runs
        first = jax.jit(once)
        first.trace(x)                              #: . M H
        first.trace(x)                              #: . H
        assert len(runs) == 4, runs
    """),
    check("params", "failures", "an empty cell counts as a hit and traces again", """
        fail = [True]
        def once(x):
            if fail.pop() if fail else False: raise ValueError('once')
            return lax.sin(x)
        h = jax.jit(once)
        h.trace(x)                                  #: . M M !ValueError
        h.trace(x)                                  #: . H H
        h.trace(x)                                  #: . H
    """),
    check("params", "failures", "no_tracing raises before params is asked", """
        g(x)                                        #: M M M M M M M
        with jax.no_tracing(True): g(x)             #: H
        with jax.no_tracing(True): g(xn)            #: M !RuntimeError
        g(xn)                                       #: F H . H . H
        with jax.no_tracing(True): jax.jit(f).trace(x)          #: . M H
        with jax.no_tracing(True): jax.jit(f).trace(1.)         #: . M M !RuntimeError
    """),
    check("fast_path", "failures", "effects: a dead entry from the start", """
        h = jax.jit(lambda x: (jax.debug.callback(lambda: None), lax.sin(x))[1])
        h(x)                                        #: M M M M M M M
        h(x)                                        #: F H . H . H
        assert h._cache_size() == 1
    """),
    check("fast_path", "failures", "arguments that have no signature", """
        class Thing: pass
        y = jax.device_put(xn)
        y.delete()
        g(x)                                        #: M M M M M M M
        g(Thing())                                  #: F !TypeError
        g(y)                                        #: F H . H . H !RuntimeError
        g('text')                                   #: F !TypeError
        h = jax.jit(lambda x: x)
        h(1)                                        #: M M M M M M M
        h(2 ** 40)                                  #: F !OverflowError
        assert g._cache_size() == 1 and h._cache_size() == 1
    """),
    check("fast_path", "failures", "staged calls leave nothing", """
        jax.jit(lambda x: g(x))(x)                  #: ?
        assert g._cache_size() == 0
        g(x)                                        #: M H . M M M M
    """),
    check("fast_path", "failures", "key reuse and no_execution", """
        with jax.debug_key_reuse(True): g(x)        #: ?
        with jax.debug_key_reuse(True): g(x)        #: ?
        g(x)                                        #: M M M M M M M
        with jax.no_execution(True): g(x)           #: M M M M M M M !RuntimeError
        with jax.no_execution(True): g(x)           #: F H . H . H !RuntimeError
        g(x)                                        #: H
    """),
    check("fast_path", "failures", "disable_jit asks nothing", """
        with jax.disable_jit(): g(x)                #: ?
        assert g._cache_size() == 0
        g(x)                                        #: M M M M M M M
    """),
]


# --- capacities --------------------------------------------------------------------------

def _entry(table: fast_path.Table, number: int) -> bool:
    """Look a signature up, insert it if it is missing; whether it was there."""
    key = fast_path.CallSignature((), (), (signature.Static(number),), (), (), (), (), ())
    return not table.entry(key)[1]


@direct(CHECKS, "fast_path", "capacity", "8192 entries, all functions together, oldest use first")
def _(here):
    cache = here.fast_path
    nothing = fast_path.Attributes((), (), None, None, (), (), ())
    one, other = Thing(), Thing()
    mine, theirs = (cache.table(fun, nothing) for fun in (one, other))
    assert mine is not theirs and cache.table(one, nothing) is mine
    for number in (1, 2, 3):
        _entry(mine, number)
    for number in range(8192 - 3):
        _entry(theirs, number)
    assert len(cache) == 8192 and len(mine.entries) == 3
    assert _entry(mine, 1)                       # used: now the youngest
    _entry(theirs, 9000)
    assert len(cache) == 8192
    assert _entry(mine, 1) and not _entry(mine, 2) and len(mine.entries) == 2
    assert not _entry(mine, 3)
    del other, theirs
    gc.collect()
    assert len(cache) == 3


def _capacity(table: keys.KeyTable, size: int) -> None:
    @direct(CHECKS, table.station, "capacity", f"{size}, oldest use first")
    def _(here):
        asked = Asked(here, table)
        for number in range(size):
            asked.miss(context=(number,))
        assert len(asked.cache) == size
        asked.hit(context=(0,))                  # used: now the youngest
        asked.miss(context=(size,))
        assert len(asked.cache) == size
        asked.hit(context=(0,))
        asked.miss(context=(1,))                 # the oldest use had to go


for _table in (keys.PARAMS, keys.LOWER, keys.HLO, keys.COMPILE):
    _capacity(_table, 2048)
_capacity(keys.PRIM, 4096)


@direct(CHECKS, "trace", "capacity", "none")
def _(here):
    asked = Asked(here, keys.TRACE)
    for number in range(9000):
        asked.miss(context=(number,))
    assert len(asked.cache) == 9000
    asked.hit(context=(0,))


# --- weak references ---------------------------------------------------------------------

def _held_weakly(table: keys.KeyTable) -> None:
    @direct(CHECKS, table.station, table.weak.name, "held weakly")
    def _(here):
        weak, kept = Thing(), Thing()
        asked = Asked(here, table, kept)
        asked.miss(weak=weak)
        asked.miss(weak=kept)
        assert len(asked.cache) == 2
        gone = weakref.ref(weak)
        del weak
        gc.collect()
        assert gone() is None, f"{table.station} holds its first argument"
        assert len(asked.cache) == 1
        asked.hit(weak=kept)


for _table in (keys.PARAMS, keys.TRACE, keys.LOWER, keys.HLO, keys.COMPILE):
    _held_weakly(_table)


@direct(CHECKS, "hlo", "eviction", "from the function down, one after the other")
def _(here):
    def fun(x):
        return lax.sin(x)

    wrapper = api.jit(fun)
    wrapper(1.0)
    wrapper.lower(1.0).compile({})
    stations = ("fast_path", "params", "trace", "lower", "hlo", "compile")
    assert {station: here.sizes()[station] for station in stations} == dict.fromkeys(stations, 1)
    assert len(here.dce) == 1
    del fun, wrapper
    gc.collect()
    assert {station: here.sizes()[station] for station in stations} == dict.fromkeys(stations, 0)
    assert len(here.dce) == 0


@direct(CHECKS, "prim", "eviction", "everything is held strongly")
def _(here):
    asked = Asked(here, keys.PRIM)
    thing = Thing()
    asked.miss(primitive=thing, params=())
    kept = weakref.ref(thing)
    del thing
    gc.collect()
    assert kept() is not None and len(asked.cache) == 1


@direct(CHECKS, "fast_path", "eviction", "statics and shardings are held strongly")
def _(here):
    fun, static = Thing(), Thing()
    table = here.fast_path.table(fun, fast_path.Attributes((), (), None, None, (), (), ()))
    key = fast_path.CallSignature((), (), (signature.Static(static),), (), (), (), (), ())
    table.entry(key)
    kept = weakref.ref(static)
    del static, key
    gc.collect()
    assert kept() is not None
    del fun, table
    gc.collect()
    assert kept() is None and len(here.fast_path) == 0


@direct(CHECKS, "trace", "failures", "a failed computation stays, empty; prim keeps nothing")
def _(here):
    asked = Asked(here, keys.TRACE)
    prim = Asked(here, keys.PRIM)
    runs = []

    def fail(*values):
        runs.append(values)
        raise ValueError

    for cache in (asked, prim):
        cache.cache.compute = fail
        for _ in range(3):
            try:
                cache.outcome()
            except ValueError:
                continue
            raise AssertionError("the error did not come through")
    assert (asked.cache.misses, asked.cache.hits, len(asked.cache)) == (1, 2, 1)
    assert (prim.cache.misses, prim.cache.hits, len(prim.cache)) == (3, 0, 0)
    assert len(runs) == 6
