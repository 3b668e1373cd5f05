"""The recorder against recordings made by an independent one that patches nothing."""

import json

import pytest

from simulator import recording
from simulator.live import golden
from simulator.live.observe import observe

from .conftest import everything, reference_cases

CASES = reference_cases()
PROGRAMS = sorted(CASES.glob("*.py")) if CASES else []
SAMPLE = {"07_static_self_mutated_stale", "36_debug_nans_rerun", "43_persistent_dir_set_late",
          "49_clear_caches", "54_vmap_of_jit", "105_static_argument_errors"}

pytestmark = pytest.mark.skipif(not PROGRAMS, reason="no reference cases here")


def disagreements(found, program):
    expected = json.loads((CASES / "expected" / f"{program.stem}.json").read_text())
    got = json.loads(json.dumps(recording.records(found)))
    wanted = [{name: old.get(name) for name in new} for old, new in zip(expected, got)]
    return [] if got == wanted and len(got) == len(expected) else [(wanted, got)]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_kept_recordings_agree_with_the_reference(program):
    kept = golden.load(golden.GOLDEN / "cases" / f"{program.stem}.json.gz")
    assert kept.program["text"] == program.read_text()
    assert disagreements(kept, program) == []


@pytest.mark.real_jax
@pytest.mark.parametrize("program", [p for p in PROGRAMS if everything() or p.stem in SAMPLE],
                         ids=lambda path: path.stem)
def test_recordings_made_now_agree_with_the_reference(program):
    assert disagreements(observe(program), program) == []
