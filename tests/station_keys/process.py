"""Help for checks that ask a cache itself: a simulated process, and lookups without work."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from simulator import events, keys, process
from simulator.jaxprs.jaxpr import DebugInfo
from simulator.placement import shardings
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


_NO_SHARDINGS = shardings.SemanticallyEqualShardings((), ())
_DEFAULTS = {"num_devices": 1, "device_assignment": None, "keep_unused": False, "name": "f",
             "module_name": "jit(f)", "primitive": "sin", "ctx mesh": None, "ctx_mesh": None,
             "inline": None, "debug info": DebugInfo("jit", "f", (), None)}


class Asked:
    """One cache of a process, with its computation replaced by one that costs nothing.

    Values are given by field name, the trace context as `context`; those not given have
    a default. `hit` and `miss` assert what a lookup is.
    """

    def __init__(self, here: process.Process, table: keys.KeyTable, weak: Any = None):
        self.cache = here.python_caches()[table.station]
        self.cache.compute = lambda *values: object()
        self.cache.on_lookup = None
        self.context = self.cache.context
        names = table.names[1:]
        self.defaults = {name: _DEFAULTS.get(name, ()) for name in names}
        if table is keys.HLO:
            self.defaults |= {"in_shardings": _NO_SHARDINGS, "out_shardings": _NO_SHARDINGS}
        self.weak = Thing() if weak is None and table.weak is not None else weak

    def outcome(self, weak: Any = None, context: tuple | None = None, **fields: Any) -> str:
        """"hit" or "miss"."""
        values = self.defaults | {
            name if name in self.defaults else name.replace("_", " "): value
            for name, value in fields.items()}
        assert len(values) == len(self.defaults), fields
        self.cache.context = self.context if context is None else lambda: context
        weak = self.weak if weak is None else weak
        before = self.cache.hits
        self.cache(*(() if weak is None else (weak,)), *values.values())
        return "hit" if self.cache.hits > before else "miss"

    def hit(self, **values: Any) -> None:
        """AssertionError unless the call with these values hits."""
        assert self.outcome(**values) == "hit", f"missed with {values}"

    def miss(self, **values: Any) -> None:
        """AssertionError unless the call with these values misses."""
        assert self.outcome(**values) == "miss", f"hit with {values}"


def direct(checks: list[Check], station: str, field: str, name: str) -> Callable:
    """Decorator: `function(here)` becomes a check, run inside a simulated process."""
    def register(function: Callable[[process.Process], None]) -> Callable:
        def run() -> None:
            with simulated() as here:
                function(here)
        checks.append(Check(station, field, name, run))
        return function
    return register
