"""Mutants of how entries come and go: capacities, order of use, failures, clearing."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from simulator import api, caches, fast_path, jit_call, process
from simulator.jaxprs import module
from tests.mutation.mutants import Mutant


class _InOrderOfEntry(OrderedDict):
    def move_to_end(self, key: Any, last: bool = True) -> None:
        """A use does not make an entry younger."""


def _process(change: Callable[[process.Process], None]) -> Callable[[], None]:
    """A mutant of every process, made after it has started."""
    def apply() -> None:
        start = process.Process.__init__

        def started(self, *args: Any, **kwargs: Any) -> None:
            start(self, *args, **kwargs)
            change(self)
        process.Process.__init__ = started  # type: ignore[method-assign]
    return apply


def _capacity(station: str, change: str, size: int | None) -> Mutant:
    def set_size(here: process.Process) -> None:
        if station == "fast_path":
            here.fast_path.capacity = size
        else:
            here.python_caches()[station].maxsize = size
    return Mutant(station, "capacity", change, _process(set_size))


def _replace(owner: Any, name: str, make: Callable[[Any], Any]) -> Callable[[], None]:
    return lambda: setattr(owner, name, make(getattr(owner, name)))


def _per_function(entry: Callable) -> Callable:
    def found(self: fast_path.Table, key: Any) -> Any:
        capacity, self.cache.capacity = self.cache.capacity, 10 ** 9
        answer = entry(self, key)
        self.cache.capacity = capacity
        if len(self.entries) > capacity:
            oldest = self.entries.pop(next(iter(self.entries)))
            self.cache.order.pop(oldest, None)
        return answer
    return found


def _forget_failures(run: Callable) -> Callable:
    def running(self: Any, weak: Any, rest: tuple) -> Any:
        try:
            return run(self, weak, rest)
        except BaseException:
            self._drop(next(reversed(self._order)))
            raise
    return running


def _keep_late_results(call: Callable) -> Callable:
    def called(self: Any, weak: Any, *rest: Any) -> Any:
        result = call(self, weak, *rest)
        entry = next(reversed(self._order), None)
        if entry is not None and not entry.full:
            entry.result, entry.full = result, True
        return result
    return called


def _no_dead_entries(miss: Callable) -> Callable:
    def missed(self: Any, here: Any, args: tuple, kwargs: dict, entry: Any, key: Any) -> Any:
        try:
            return miss(self, here, args, kwargs, entry, key)
        finally:
            if entry in entry.table.cache.order and not entry.usable:
                del entry.table.entries[entry.slot]
                del entry.table.cache.order[entry]
    return missed


def _dead_entries_recover(fallback: Callable) -> Callable:
    def fell_back(self: Any, here: Any, args: tuple, kwargs: dict, key: Any, entry: Any,
                  why: str) -> Any:
        if entry is None or entry.usable:
            return fallback(self, here, args, kwargs, key, entry, why)
        found = self._in_python(here, args, kwargs)
        entry.executable, entry.out_tree = found.executable, found.out_tree
        return found.result
    return fell_back


def _strong_functions(table: Callable) -> Callable:
    kept: list = []

    def tabled(self: Any, fun: Any, attributes: Any) -> Any:
        kept.append(fun)
        return table(self, fun, attributes)
    return tabled


def _clear_cache(*steps: str) -> Callable[[], None]:
    def clear(self: Any) -> None:
        here = process.current()
        known = {"own": self._clear_cache, "all fast": here.fast_path.clear,
                 "trace": lambda: here.trace.evict(self._fun), "all traces": here.trace.clear,
                 "params": here.params.clear,
                 "own params": lambda: here.params.evict(self._fun)}
        for step in steps:
            known[step]()
    return lambda: setattr(api.PjitFunction, "clear_cache", clear)


def _clear_all_but(station: str) -> Callable[[], None]:
    def without(clear: Callable) -> Callable:
        def cleared(self: process.Process) -> None:
            kept = self.fast_path if station == "fast_path" else self.python_caches()[station]
            kept.clear = lambda: None
            clear(self)
            del kept.clear
        return cleared
    return _replace(process.Process, "clear_caches", without)


def _shared_again(clear: Callable) -> Callable:
    def cleared(self: fast_path.FastPathCache) -> None:
        tables = dict(self.tables)
        clear(self)
        self.tables.update(tables)
    return cleared


CACHE, TABLE = caches.WeakrefLRUCache, fast_path.Table

MUTANTS = [
    *(_capacity(station, f"{size} entries", size) for station, sizes in (
        ("fast_path", (8191, 8193, 4096)), ("params", (2047, 2049, 10 ** 9)), ("trace", (2048,)),
        ("lower", (2047, 2049)), ("hlo", (2047, 2049)), ("compile", (2047, 2049)),
        ("prim", (4095, 4097, 2048))) for size in sizes),
    Mutant("fast_path", "capacity", "for each function", _replace(TABLE, "entry", _per_function)),
    Mutant("fast_path", "capacity", "the oldest entry goes, used or not",
           lambda: setattr(fast_path, "OrderedDict", _InOrderOfEntry)),
    Mutant("params", "capacity", "the oldest entry goes, used or not",
           lambda: setattr(caches, "OrderedDict", _InOrderOfEntry)),
    Mutant("fast_path", "eviction", "functions are held strongly",
           _replace(fast_path.FastPathCache, "table", _strong_functions)),
    Mutant("hlo", "eviction", "a module keeps its jaxpr alive",
           lambda: setattr(module, "_copy", lambda jaxpr, done: jaxpr)),
    Mutant("trace", "failures", "a failed computation leaves nothing",
           _replace(CACHE, "_run", _forget_failures)),
    Mutant("trace", "failures", "a poisoned entry is filled later",
           _replace(CACHE, "__call__", _keep_late_results)),
    Mutant("fast_path", "failures", "no dead entries",
           _replace(jit_call.CppFunction, "_miss", _no_dead_entries)),
    Mutant("fast_path", "failures", "dead entries recover",
           _replace(jit_call.CppFunction, "_fallback", _dead_entries_recover)),
    Mutant("params", "clearing", "clear_cache spares the params", _clear_cache("own", "trace")),
    Mutant("params", "clearing", "clear_cache drops only its own params",
           _clear_cache("own", "trace", "own params")),
    Mutant("trace", "clearing", "clear_cache spares the traces", _clear_cache("own", "params")),
    Mutant("trace", "clearing", "clear_cache drops all traces",
           _clear_cache("own", "all traces", "params")),
    Mutant("fast_path", "clearing", "clear_cache spares the fast path",
           _clear_cache("trace", "params")),
    Mutant("fast_path", "clearing", "clear_cache empties the fast path of all",
           _clear_cache("all fast", "trace", "params")),
    Mutant("fast_path", "clearing", "tables are shared again after clear_caches",
           _replace(fast_path.FastPathCache, "clear", _shared_again)),
    *(Mutant(station, "clearing", "clear_caches spares it", _clear_all_but(station))
      for station in ("fast_path", "params", "trace", "lower", "hlo", "compile", "prim")),
]
