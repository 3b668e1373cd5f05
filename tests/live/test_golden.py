"""Golden recordings are whole, and real JAX still does what they say."""

import pytest

from simulator.live import golden
from simulator.live.observe import observe_text

from .conftest import everything

KEPT = sorted([*(golden.GOLDEN / "scenarios").glob("*.json"),
               *(golden.GOLDEN / "beneath").glob("*.json"),
               *(golden.GOLDEN / "programs").glob("*.json.gz"),
               *(golden.GOLDEN / "cases").glob("*.json.gz")])
SAMPLE = {"opening", "beneath_the_public_names", "minimal_disk_restart", "poisoned_trace", "explained_recursion", "66_threads",
          "67_exception_while_tracing", "106_axis_env_in_key"}


def stem(path):
    return path.name.split(".")[0]


@pytest.mark.parametrize("path", KEPT, ids=stem)
def test_a_kept_recording_can_be_read(path):
    found = golden.load(path)
    assert found.producer == "jax" and found.calls
    assert path.stat().st_size < 1 << 20


def test_every_scenario_has_a_kept_recording_of_its_present_text():
    for scenario in sorted([*golden.SCENARIOS.glob("*.py"), *golden.BENEATH.glob("*.py")]):
        kept = golden.load(golden.GOLDEN / scenario.parent.name / f"{scenario.stem}.json")
        assert kept.program["text"] == scenario.read_text(), (
            f"run python -m simulator.live golden {scenario.stem}")


@pytest.mark.real_jax
@pytest.mark.parametrize("path", [p for p in KEPT if everything() or stem(p) in SAMPLE], ids=stem)
def test_real_jax_has_not_drifted(path, server):
    kept = golden.load(path)
    found = observe_text(kept.program["name"], kept.program["text"], launch=server)
    assert golden.drift(kept, found) == []


@pytest.mark.real_jax
@pytest.mark.parametrize("name", ["minimal_disk_restart", "106_axis_env_in_key"])
def test_recording_twice_gives_the_same_file(name, tmp_path):
    [item] = golden.chosen([name])
    files = [tmp_path / "one.json.gz", tmp_path / "two.json.gz"]
    for file in files:
        golden.save(file, golden.record(item))
    assert files[0].read_bytes() == files[1].read_bytes()


def test_writing_a_recording_gives_the_same_bytes(tmp_path):
    for name in ("a.json", "a.json.gz"):
        found = golden.load(KEPT[0])
        golden.save(tmp_path / name, found)
        first = (tmp_path / name).read_bytes()
        golden.save(tmp_path / name, golden.load(tmp_path / name))
        assert (tmp_path / name).read_bytes() == first
