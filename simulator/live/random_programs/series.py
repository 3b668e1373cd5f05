"""What was run and what came out, kept in a file: a long run may be cut and goes on later.

Program number i of a seed is the same as long as the sources that draw it are; so an entry
of the file is about one seed and one state of these sources. Counts are taken from the
programs as they are run, and nothing else is added to them. A program that differs is
listed with its difference, one that is refused by its number, until it has been run again
and agrees.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import pathlib

from simulator.recordings.recording import JAX_VERSION

FILE = pathlib.Path(__file__).resolve().parent.parent.parent / "data" / "random-programs.json"
_DRAW_NOTHING = ("__init__.py", "blocks.py", "series.py")
_COUNTED = ("programs", "calls", "lookups", "agree", "out_of_scope")


def drawn_by() -> str:
    """A short name for the present state of the sources that draw programs."""
    digest = hashlib.sha256()
    for path in sorted(pathlib.Path(__file__).parent.glob("*.py")):
        if path.name not in _DRAW_NOTHING:
            digest.update(path.read_bytes())
    return digest.hexdigest()[:8]


class Series:
    """The entry of one seed in the file.

    Args:
      seed: of the series. file: where the entries of all seeds are.
    """

    def __init__(self, seed: int, file: pathlib.Path = FILE):
        self._file, self.seed, self.source = file, seed, drawn_by()
        found = [one for one in self._others(None) if self._mine(one)]
        today = datetime.date.today().isoformat()
        self.entry = found[0] if found else {
            "seed": seed, "drawn_by": self.source, "jax": JAX_VERSION, "next": 0,
            **dict.fromkeys(_COUNTED, 0), "differ": [], "refused": [], "began": today, "ended": today}

    def _mine(self, one: dict) -> bool:
        return (one["seed"], one["drawn_by"], one["jax"]) == (
            self.seed, self.source, JAX_VERSION)

    def _others(self, mine: dict | None) -> list[dict]:
        """The entries in the file; with `mine`, those of other seeds."""
        kept = json.loads(self._file.read_text(encoding="utf-8"))["seeds"] if self._file.exists() else []
        return [one for one in kept if mine is None or not self._mine(one)]

    def todo(self, count: int) -> list[int]:
        """Numbers to run so that programs 0 … `count` - 1 are done: first those that did not agree."""
        before = [number for number, _ in self.entry["differ"]] + self.entry["refused"]
        return sorted(before) + list(range(self.entry["next"], count))

    def add(self, number: int, verdict: str, calls: int, lookups: int, difference: str = "") -> None:
        """One program was run. A number that differed before is not counted twice.

        Args:
          verdict: ``agree``, ``out_of_scope`` or ``differ``.
        """
        entry = self.entry
        if number in entry["refused"]:
            entry["refused"].remove(number)
            entry["out_of_scope"] -= 1
        entry["differ"] = [one for one in entry["differ"] if one[0] != number]
        if verdict == "differ":
            entry["differ"].append([number, difference])
        elif verdict == "out_of_scope":
            entry["refused"].append(number)
            entry["out_of_scope"] += 1
        else:
            entry[verdict] += 1
            entry["calls"] += calls
            entry["lookups"] += lookups
        if number >= entry["next"]:
            entry["programs"] += 1
            entry["next"] = number + 1
        entry["ended"] = datetime.date.today().isoformat()

    def save(self) -> None:
        """Write the file, with the totals of all seeds."""
        seeds = sorted([*self._others(self.entry), self.entry],
                       key=lambda one: (one["began"], one["seed"], one["drawn_by"]))
        totals = {name: sum(one[name] for one in seeds) for name in _COUNTED}
        totals["differ"] = sum(len(one["differ"]) for one in seeds)
        dates = {"began": min(one["began"] for one in seeds), "ended": max(one["ended"] for one in seeds)}
        self._file.write_text(json.dumps({**totals, **dates, "jax": JAX_VERSION, "seeds": seeds},
                                         indent=1) + "\n", encoding="utf-8")
