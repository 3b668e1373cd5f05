"""Help for checks that ask a cache itself: a simulated process, and lookups without work."""

from __future__ import annotations

import contextlib
from typing import Any, Callable, Iterator

from simulator import events, keys, process
from tests.station_keys import Check

@contextlib.contextmanager
def simulated() -> Iterator[process.Process]:
    """A fresh simulated process with four devices, entered."""
    here = process.Process({}, events.Recorder())
    here.config.update("jax_num_cpu_devices", 4)
    before = process.enter(here)
    try:
        yield here
    finally:
        process.enter(before)


class Thing:
    """Anything that can be held weakly: stands for a jaxpr, a module, a function."""


class Asked:
    """One cache of a process, with its computation replaced by one that costs nothing.

    Values are given by field name; those not given have a default. `hit` and `miss`
    assert what a lookup is.
    """

    def __init__(self, here: process.Process, table: keys.KeyTable, weak: Any = None):
        self.cache = here.python_caches()[table.station]
        self.cache.compute = lambda *values: object()
        self.cache.on_lookup = None
        self.names = table.names[1:]
        self.weak = Thing() if weak is None and table.weak is not None else weak

    def _outcome(self, weak: Any, fields: dict) -> str:
        values = {name: () for name in self.names} | {
            name.replace("_", " ") if name not in self.names else name: value
            for name, value in fields.items()}
        assert set(values) == set(self.names), fields
        weak = self.weak if weak is None else weak
        before = self.cache.hits
        self.cache(*(() if weak is None else (weak,)), *values.values())
        return "hit" if self.cache.hits > before else "miss"

    def hit(self, weak: Any = None, **fields: Any) -> None:
        assert self._outcome(weak, fields) == "hit", f"missed with {fields}"

    def miss(self, weak: Any = None, **fields: Any) -> None:
        assert self._outcome(weak, fields) == "miss", f"hit with {fields}"


def direct(checks: list[Check], station: str, field: str, name: str) -> Callable:
    """Decorator: `function(here)` becomes a check, run inside a simulated process."""
    def register(function: Callable[[process.Process], None]) -> Callable:
        def run() -> None:
            with simulated() as here:
                function(here)
        checks.append(Check(station, field, name, run))
        return function
    return register
