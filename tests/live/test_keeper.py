"""Which calls of a long run are kept (`simulator.live.keeper`), without running one."""

import json
import os
import types

import pytest

from simulator.live import keeper
from simulator.live.places import Place
from simulator.live.spool import Spool
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
        keeping.finish([], calls=keeping.number)
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


def test_a_program_may_close_the_file_and_use_its_number(tmp_path):
    spool, own = Spool(str(tmp_path / "spool")), tmp_path / "of_the_program"
    spool.write("one\n")
    os.close(spool._number)
    with own.open("w") as file:
        assert file.fileno() == spool._number
        spool.write("two\n")
        spool.close()
        file.write("mine")
    assert own.read_text() == "mine" and (tmp_path / "spool").read_text() == "one\ntwo\n"


def test_a_disk_that_is_full_is_told_once(run, tmp_path, monkeypatch):
    write, room = os.write, [1100]

    def scarce(number, data):
        done = write(number, data[:room[0]])
        room[0] -= done
        if not done:
            raise OSError(28, "No space left on device")
        return done

    monkeypatch.setattr(os, "write", scarce)
    monkeypatch.setattr(os, "truncate", lambda path, size, cut=os.truncate: (cut(path, size),
                                                                            room.__setitem__(0, 500)))
    assert [number for number, _ in run([MISS] * 9)] == [1, 2]
    end = json.loads((tmp_path / "spool").read_text().splitlines()[-1])["end"]
    assert end["limits"] == ["calls from number 3 on are counted, but could not be written down: "
                             "No space left on device"]


def test_what_there_is_to_keep_is_bounded(run, monkeypatch):
    monkeypatch.setattr(keeper, "LARGEST", 5_000)
    found = run([MISS] * 5_000)
    assert len(found) < 30 and sum(1 + more for _, more in found) == 5_000
