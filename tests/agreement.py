"""Programs in `tests/programs` that must come out the same on the model and on real JAX."""

from pathlib import Path

from simulator.live import compare
from simulator.live.observe import observe

PROGRAMS = Path(__file__).parent / "programs"


def assert_agrees(name: str, server) -> None:
    """Run ``programs/<name>.py`` on both sides; compare records and events."""
    _agreeing(name, server)


def lines_agree(name: str, server) -> None:
    """As `assert_agrees`; labels and lines of calls are compared too."""
    found = _agreeing(name, server)
    assert [(c.label, c.line) for c in found.model.calls] == [
        (c.label, c.line) for c in found.real.calls]


def _agreeing(name: str, server) -> compare.Comparison:
    path = PROGRAMS / f"{name}.py"
    found = compare.compare_text(path.name, path.read_text(encoding="utf-8"),
                                 lambda: observe(path, launch=server), events=True, keys=True)
    assert found.verdict == compare.AGREES, "\n".join([found.why, *found.differences[:10]])
    return found
