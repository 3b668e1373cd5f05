"""What the model says beside what real JAX did, call by call.

The model runs here; real JAX ran when the golden recordings were made
(`simulator.live`), so the build needs no JAX (`simulator.live.golden` only reads them here).
"""

import dataclasses
import json
from itertools import zip_longest
from pathlib import Path

from make.model import Model
from simulator.live.compare import calls_agree
from simulator.live.golden import load
from simulator.live.key_differences import lookups_agree
from simulator.recordings.recording import Recording
from simulator.recordings.records import records


@dataclasses.dataclass(frozen=True)
class CallCheck:
    """One call on both sides: short outcomes, and whether they are the same."""

    label: str
    model: str
    real: str
    agrees: bool


@dataclasses.dataclass(frozen=True)
class Check:
    """One program on both sides. `reason` says why the model has no recording;
    `real` is None when the program was never recorded. `lookups`: those whose key is
    equal on both sides, field by field, and all of them."""

    name: str
    text: str
    model: Recording | None
    real: Recording | None
    reason: str
    calls: tuple[CallCheck, ...]
    lookups: tuple[int, int]

    @property
    def agreeing(self) -> int:
        """How many calls agree with real JAX."""
        return sum(call.agrees for call in self.calls)

    @property
    def agree(self) -> str:
        """For the figure's badge: ``7/7``, or nothing when never checked."""
        return f"{self.agreeing}/{len(self.calls)}" if self.calls else ""


def check(model: Model, name: str, text: str, golden: Path) -> Check:
    """Runs a program on the model and holds it against its golden recording."""
    ours, reason = model.run(text, f"{name}.py")
    real = load(golden) if golden.exists() else None
    if not (ours and real):
        return Check(name, text, ours, real, reason, (), (0, 0))
    equal, asked = map(sum, zip(*lookups_agree(ours, real)))
    return Check(name, text, ours, real, reason, _compare(ours, real), (equal, asked))


def _compare(model: Recording, real: Recording) -> tuple[CallCheck, ...]:
    agreed = calls_agree(model, real)
    both = zip_longest(records(model), records(real), agreed)
    return tuple(
        CallCheck((mine or its)["label"], outcome(mine), outcome(its), bool(agrees))
        for mine, its, agrees in both
    )


def outcome(record: dict | None) -> str:
    """A record as a few words: `C++ hit`, `miss trace lower`, an exception."""
    if record is None:
        return "no such call"
    if "note" in record:
        return f"note {json.dumps(record['note'])}"
    parts = ["C++ hit"] if record["fast_path"] else []
    for word, place in (("hit", 0), ("miss", 1)):
        named = [
            name if pair[place] == 1 else f"{name}×{pair[place]}"
            for name, pair in record["caches"].items()
            if pair[place]
        ]
        if named:
            parts.append(f"{word} {' '.join(named)}")
    disk = {"cache_hits": "disk hit", "cache_misses": "disk miss"}
    parts += [disk[name] for name in record["persistent"] if name in disk]
    if record["exception"]:
        parts.append(record["exception"].split(":")[0])
    return ", ".join(parts) or "nothing asked"
