"""The programs behind the figures, read from `content/scenarios/`."""

import dataclasses
import re
from pathlib import Path

from make.paths import SCENARIOS

PROSE = ("title", "kind", "about", "decisive", "expected", "source")


@dataclasses.dataclass(frozen=True)
class Scenario:
    """One program and the prose of its header.

    Attributes: `name` is its file name without `.py`, and its address. `about`
    lists station ids, `decisive` the label of the call that shows the point. What
    `# happens:` says is for readers of the file: no page shows it.
    """

    name: str
    title: str
    kind: str
    about: tuple[str, ...]
    decisive: str
    expected: str
    source: str
    text: str

    @classmethod
    def read(cls, path: Path) -> "Scenario":
        """A scenario from its program. ValueError when the header lacks a line."""
        text = path.read_text(encoding="utf-8")
        header = {}
        for line in text.splitlines():
            if not line.startswith("#"):
                break
            if match := re.match(r"#\s*(\w+):\s*(.*)", line):
                header[match[1]] = match[2].strip()
        missing = [name for name in PROSE if name not in header]
        if missing:
            raise ValueError(f"{path.name}: the header lacks {', '.join(missing)}")
        prose = {name: header[name] for name in PROSE}
        prose["about"] = tuple(header["about"].split())
        return cls(name=path.stem, text=text, **prose)


def all_scenarios() -> list[Scenario]:
    """Every scenario: stories, then minimal ones, then surprises, by name."""
    order = ("story", "minimal", "surprise")
    found = [Scenario.read(path) for path in SCENARIOS.glob("*.py")]
    return sorted(found, key=lambda item: (order.index(item.kind), item.name))
