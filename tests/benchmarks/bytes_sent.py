"""Compressed bytes before a first interaction, of an embed, of the engine."""

from make.paths import DIST
from make.sizes import BUDGETS
from make.sizes import measure as sizes
from tests.benchmarks.report import Result


def measure() -> list[Result]:
    """The largest page, embed and engine, compressed, in kB."""
    found = []
    for kind, label in (
        ("page", "page before first interaction"),
        ("embed", "embed"),
        ("engine", "engine"),
    ):
        largest = max((s for s in sizes(DIST) if s.kind == kind), key=lambda s: s.bytes)
        budget = BUDGETS[kind] / 1000
        found.append(Result(label, largest.bytes / 1000, "kB", largest.name, ("<=", budget)))
    return found
