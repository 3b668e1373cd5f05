"""Programs in `tests/programs` that must come out the same on the model and on real JAX."""

from pathlib import Path

from simulator.live import compare

PROGRAMS = Path(__file__).parent / "programs"


def assert_agrees(name: str) -> None:
    """Run ``programs/<name>.py`` on both sides; compare records and events."""
    result = compare.compare(PROGRAMS / f"{name}.py", events=True)
    assert result.verdict == compare.AGREES, "\n".join([result.why, *result.differences[:10]])


def lines_agree(name: str) -> None:
    """As `assert_agrees`; labels and lines of calls are compared too."""
    result = compare.compare(PROGRAMS / f"{name}.py", events=True)
    assert result.verdict == compare.AGREES, "\n".join([result.why, *result.differences[:10]])
    assert [(c.label, c.line) for c in result.model.calls] == [
        (c.label, c.line) for c in result.real.calls]
