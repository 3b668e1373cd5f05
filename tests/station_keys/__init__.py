"""Checks of every cache key: one field is changed, and the lookup must notice, or must not.

A `Check` belongs to one field of one station. Most are programs in a small
notation (`program.py`), which run on the model and on real JAX alike; where no
program can change a field alone, a check asks the cache itself (`process.py`).

`all_checks()` is what ``test_station_keys.py`` runs, and what the mutation check
(``python -m tests.mutation``) runs against every mutant.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable


@dataclasses.dataclass(frozen=True)
class Check:
    """One fact about one field.

    station: a station id. field: the field's name in `simulator.keys`, or
    what else is pinned ("eviction"). name: the fact, in words.
    run: raises AssertionError where the model says otherwise.
    text, expected: the program and its answers by call, for checks that are one; None
    for those on the cache itself.
    """

    station: str
    field: str
    name: str
    run: Callable[[], None]
    text: str | None = None
    expected: dict[str, str] | None = None

    @property
    def id(self) -> str:
        """The check's name in a report of tests."""
        return f"{self.station}-{self.field}-{self.name}".replace(" ", "_")


def all_checks() -> list[Check]:
    """Every check, station by station."""
    from tests.station_keys import (
        compiling,
        configs,
        disk,
        eviction,
        function_key,
        hlo,
        lower,
        memo,
        params,
        prim,
        signature,
        signature_trees,
        trace,
    )
    modules = (function_key, signature, signature_trees, configs, params, trace, lower, hlo, memo,
               compiling, disk, prim, eviction)
    found = [check for module in modules for check in module.CHECKS]
    names = [check.id for check in found]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise ValueError(f"two checks with one name: {sorted(twice)}")
    return found
