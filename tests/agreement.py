"""Programs that must come out the same on the model and on real JAX."""

from pathlib import Path

from simulator.live import compare
from simulator.live.observe import observe

PROGRAMS = Path(__file__).parent / "programs"


def assert_agrees(path: Path, server) -> compare.Comparison:
    """Run a program on both sides; compare records, events and keys."""
    found = compare.compare_text(path.name, path.read_text(encoding="utf-8"),
                                 lambda: observe(path, launch=server), events=True, keys=True)
    assert found.verdict == compare.AGREES, "\n".join([found.why, *found.differences[:10]])
    return found


def lines_agree(path: Path, server) -> None:
    """As `assert_agrees`; labels and lines of calls are compared too."""
    found = assert_agrees(path, server)
    assert [(c.label, c.line) for c in found.model.calls] == [
        (c.label, c.line) for c in found.real.calls]
