"""The recorder against recordings made by an independent one that patches nothing.

``tests/golden/reference.json.gz`` holds what that one wrote, by the name of the program.
"""

import gzip
import json

import pytest

from simulator.live import golden
from simulator.live.observe import observe_text
from simulator.recordings.records import records

from .conftest import everything

REFERENCE = json.loads(gzip.decompress((golden.GOLDEN / "reference.json.gz").read_bytes()))
SAMPLE = ["07_static_self_mutated_stale", "36_debug_nans_rerun", "43_persistent_dir_set_late",
          "49_clear_caches", "54_vmap_of_jit", "105_static_argument_errors"]


def kept(name):
    return golden.load(golden.GOLDEN / "cases" / f"{name}.json.gz")


def disagreements(found, name):
    got = json.loads(json.dumps(records(found)))
    wanted = [{part: old.get(part) for part in new} for old, new in zip(REFERENCE[name], got)]
    return [] if got == wanted and len(got) == len(REFERENCE[name]) else [(wanted, got)]


@pytest.mark.parametrize("name", REFERENCE)
def test_kept_recordings_agree_with_the_reference(name):
    assert disagreements(kept(name), name) == []


@pytest.mark.real_jax
@pytest.mark.parametrize("name", REFERENCE if everything() else SAMPLE)
def test_recordings_made_now_agree_with_the_reference(name, server):
    found = observe_text(f"{name}.py", kept(name).program["text"], launch=server)
    assert disagreements(found, name) == []
