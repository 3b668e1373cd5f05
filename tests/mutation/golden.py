"""The second line of tests: recordings of real JAX, compared with the mutated model."""

from __future__ import annotations

from simulator.errors import OutOfScope
from simulator.live import compare, golden
from simulator.recordings.recording import Recording
from simulator.recordings.records import records
from simulator.running import program
from tests.mutation.runner import Test


def tests() -> list[Test]:
    """One per golden recording that the model, as it is, agrees with."""
    found = []
    for path in sorted(golden.GOLDEN.glob("*/*.json*")):
        kept = golden.load(path)
        try:
            _agree(kept)
        except (AssertionError, OutOfScope, program.ProgramError):
            continue
        found.append((f"golden {path.name.split('.')[0]}", lambda kept=kept: _agree(kept)))
    return found


def _agree(kept: Recording) -> None:
    model = program.observe_text(kept.program["text"], name=kept.program["name"], keys=False)
    found = compare.differences(records(model), records(kept))
    found += compare.event_differences(model, kept)
    assert not found, found[0]
