"""Programs that use names of JAX's source (`content/beneath/`): recorded on real JAX, and
never run on the model, which has none of these names."""

import dataclasses
import functools
import re

from make.paths import BENEATH, GOLDEN
from make.truth import outcome
from simulator.live.golden import load
from simulator.recordings.recording import Recording
from simulator.recordings.records import records


@dataclasses.dataclass(frozen=True)
class Beneath:
    """One program, and what real JAX did."""

    name: str
    title: str
    text: str
    real: Recording

    def row(self) -> dict:
        """For the table of the verification: each call or note, and its outcome."""
        calls = [{"label": one["label"], "real": outcome(one)} for one in records(self.real)]
        return {"name": self.name, "title": self.title, "text": self.text, "calls": calls}


@functools.cache
def programs() -> tuple[Beneath, ...]:
    """All of them, by name. Raises ValueError for a program without a title."""
    return tuple(_read(path) for path in sorted(BENEATH.glob("*.py")))


def is_one(name: str) -> bool:
    """Whether one of these programs has this name."""
    return any(program.name == name for program in programs())


def _read(path) -> Beneath:
    text = path.read_text(encoding="utf-8")
    title = re.match(r"# title: (.+)", text)
    if title is None:
        raise ValueError(f"{path.name} has no title")
    real = load(GOLDEN / "beneath" / f"{path.stem}.json")
    return Beneath(path.stem, title[1], text, real)
