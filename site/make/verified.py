"""What the page of the verification shows of the checks: sections, each with its rows and what
they come to, in the words that stand in the list at its top and on its fold."""

import dataclasses

from make.scenarios import Scenario
from make.truth import CallCheck, Check


@dataclasses.dataclass(frozen=True)
class Row:
    """One program: its calls on both sides, or the reason why there are none."""

    name: str
    title: str
    text: str
    calls: tuple[CallCheck, ...]
    refused: bool
    reason: str
    page: str


@dataclasses.dataclass(frozen=True)
class Section:
    """A table of programs under a heading."""

    id: str
    title: str
    text: str
    checks: tuple[Row, ...]

    @property
    def differ(self) -> int:
        """How many calls differ; a section with one is never folded."""
        return sum(not call.agrees for row in self.checks for call in row.calls)

    @property
    def refused(self) -> int:
        """How many programs the model refuses."""
        return sum(row.refused for row in self.checks)

    @property
    def told(self) -> str:
        """`40 programs, 160 calls: 159 agree, 1 differs, no programs refused`."""
        calls = sum(len(row.calls) for row in self.checks)
        agree = calls - self.differ
        return (
            f"{counted(len(self.checks), 'program')}, {counted(calls, 'call')}: "
            f"{agree} {_verb(agree, 'agree')}, {self.differ} {_verb(self.differ, 'differ')}, "
            f"{counted(self.refused, 'program')} refused"
        )


def sections(scenarios: list[Scenario], checks: list[Check], cases: list[Check]) -> list[Section]:
    """The programs behind the figures, and the real-world cases."""
    titles = {scenario.name: scenario.title for scenario in scenarios}
    return [
        Section(
            "scenarios",
            "The programs behind the figures",
            "Every figure plays one of these.",
            tuple(row(found, titles[found.name]) for found in checks),
        ),
        Section(
            "cases",
            "Real-world cases",
            "Programs rebuilt from public questions, issues and tests of JAX.",
            tuple(row(found, found.name) for found in cases),
        ),
    ]


def row(found: Check, title: str) -> Row:
    """A check as the table shows it; a case has a number for a title, and its text with it."""
    if found.reason:
        reason = f"Refused: {found.reason}"
    elif found.real is None:
        reason = "Not recorded on real JAX yet."
    else:
        reason = ""
    case = found.name[0].isdigit()
    return Row(
        name=f"case-{found.name}" if case else found.name,
        title=found.name.partition("_")[2].replace("_", " ") if case else title,
        text=found.text if case else "",
        calls=found.calls,
        refused=found.model is None,
        reason=reason,
        page=f"embed/{found.name}/" if found.model and title != found.name else "",
    )


def counted(number: int, word: str) -> str:
    """`1 call`, `2 calls`, `no calls`."""
    return f"{number or 'no'} {word}{'' if number == 1 else 's'}"


def _verb(number: int, word: str) -> str:
    return f"{word}s" if number == 1 else word
