"""Which calls of a long run are kept (`simulator.live.keeper`), without running one."""

import json
import types

import pytest

from simulator.live import keeper
from simulator.live.places import Place
from simulator.recordings import event_data

ONE = (Place("f(x)", 3, None),)
HIT = [event_data.lookup("fast_path", "f", 0, "hit"), event_data.work("execute", "f", 0)]
MISS = [event_data.lookup("fast_path", "f", 0, "miss"), event_data.work("compile", "f", 0)]
FALL = [event_data.lookup("fast_path", "f", 0, "fallback"), event_data.lookup("params", "f", 0, "hit"),
        event_data.work("execute", "f", 0)]


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Calls, given by their events, and what was written of them."""
    monkeypatch.setattr(keeper, "ALL", 3)
    nothing = types.SimpleNamespace(check_sizes=lambda: None, remember_sizes=lambda: None,
                                    begin=lambda: None, end=lambda: None, first_size=lambda: 1,
                                    hit_key=lambda target, name: [], call=None, entered=False)
    recorder = types.SimpleNamespace(watch=nothing, fast_path=nothing, stream=nothing)

    def run(calls, places=ONE):
        keeping = keeper.Keeper(str(tmp_path / "spool"), recorder, 0.0)
        for i, events in enumerate(calls):
            keeping.open(places[i % len(places)])
            nothing.call.events = list(events)
            keeping.end(None)
        keeping.finish(calls=keeping.number)
        lines = [json.loads(line) for line in (tmp_path / "spool").read_text().splitlines()]
        again = {line["again"][0]: line["again"][1] for line in lines if "again" in line}
        found = [line["call"] for line in lines if "call" in line]
        return sorted((call["number"], again.get(i, 0)) for i, call in enumerate(found))

    return run


def test_the_first_calls_and_the_last_one_are_kept(run):
    assert run([HIT] * 10) == [(1, 0), (2, 0), (3, 6), (10, 0)]


def test_every_miss_is_kept(run):
    found = run([MISS] + [HIT] * 5 + [MISS] + [HIT] * 4)
    assert found == [(1, 0), (2, 0), (3, 6), (7, 0), (11, 0)]
    assert sum(1 + more for _, more in found) == 11


def test_each_place_and_each_outcome_has_its_own_first_and_last(run):
    places = Place("f(x)", 3, None), Place("g(x)", 4, None)
    assert run([HIT] * 4 + [FALL] * 6, places) == [
        (1, 0), (2, 0), (3, 0), (4, 0), (5, 1), (6, 1), (9, 0), (10, 0)]


def test_what_there_is_to_keep_is_bounded(run, monkeypatch):
    monkeypatch.setattr(keeper, "LARGEST", 5_000)
    found = run([MISS] * 5_000)
    assert len(found) < 30 and sum(1 + more for _, more in found) == 5_000
