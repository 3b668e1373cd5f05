"""Does the machinery see what it should? ``python -m tests.mutation.selftest`` prints JSON.

A process of its own, because it forks: a test process may have threads.
"""

from __future__ import annotations

import json

from simulator import keys
from tests.mutation import runner
from tests.mutation.mutants import Mutant, all_mutants
from tests.station_keys import all_checks


def _endless() -> None:
    while True:
        pass


def verdicts() -> dict[str, list]:
    """[killer, broken] of three odd mutants, and whether the parent stayed as it was."""
    checks = [check for check in all_checks() if check.station == "memo"]
    tables = [(table.fields, table.weak_key) for table in keys.TABLES]

    def one(change: str, apply=lambda: None, tests=None, limit=60.0) -> list:
        mutant = Mutant("memo", "options", change, apply)
        (found,) = runner.run([mutant], tests or (lambda m: runner.in_order(m, checks)),
                              limit=limit)
        return [found.killer, found.broken]

    found = {
        "nothing": one("nothing"),
        "nonsense": one("nonsense", lambda: keys.LOWER.compare("no such field", id)),
        "hangs": one("hangs", tests=lambda mutant: [("endless", _endless)], limit=1.0),
        "breaks": one("breaks", tests=lambda mutant: [("sum", lambda: 1 + "")]),
    }
    memo = [m for m in all_mutants() if m.station == "memo"]
    killed = [v.killer for v in runner.run(memo, lambda m: runner.in_order(m, checks))]
    untouched = tables == [(table.fields, table.weak_key) for table in keys.TABLES]
    return {**found, "parent": [all(killed), untouched]}


if __name__ == "__main__":
    print(json.dumps(verdicts()))
