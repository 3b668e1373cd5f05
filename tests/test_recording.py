"""The Recording data type: round trip, checking, derived forms."""

import copy
import json
import random

import pytest

from simulator.recordings import closest, event_data
from simulator.recordings.checking import RecordingError
from simulator.recordings.closest import SeenKeys, _apart, closest_key, differing
from simulator.recordings.recording import Call, Note, Recording
from simulator.recordings.records import records, table


def small() -> Recording:
    key, old = [("function", "f #1"), ("avals", "[f32[3]]")], [("function", "f #1"),
                                                               ("avals", "[f32[4]]")]
    events = [
        event_data.evict("params", 2, "cleared"),
        event_data.lookup("fast_path", "f", 0, "miss", key,
                         closest_key(key, [(old, "f(y)")])),
        event_data.work("python", "f", 0),
        event_data.lookup("params", "f", 0, "hit", key),
        event_data.log("WARNING:jax: a line"),
        event_data.store("fast_path", "f", 0, "stored"),
    ]
    call = Call("f(x)", 7, events=events, value="f32[3](0,1,2)", caches=event_data.count(events))
    return Recording("model", {"name": "p.py", "text": "…", "processes": 1},
                     [call, Note("files", [1, "two"], 8)])


def test_round_trip():
    text = small().to_json()
    assert Recording.from_json(text).to_json() == text
    assert "\n" not in text


def test_real_recordings_keep_their_times():
    found = small()
    found.calls[0].seconds = 0.25
    assert Recording.from_json(found.to_json()).calls[0].seconds == 0.25
    assert "seconds" not in small().data()["calls"][0]


def test_records_have_the_contract_fields_only():
    call, note = records(small())
    assert list(call) == ["label", "fast_path", "caches", "persistent", "exception", "value",
                          "log"]
    assert call["caches"]["params"] == [1, 0]
    assert note == {"label": "files", "note": [1, "two"]}


def test_records_name_the_process_where_there_are_several():
    found = small()
    found.program["processes"] = 2
    found.calls[1].process = 1
    assert [r["process"] for r in records(found)] == [0, 1]


def test_table_has_one_line_per_record():
    lines = table(records(small())).splitlines()
    assert len(lines) == 2
    assert "params 1hit" in lines[0] and "note" in lines[1]


def test_differing_fields_keep_the_order_of_the_new_key():
    new = [("a", "1"), ("b", "2"), ("c", "3")]
    assert differing(new, [("c", "0"), ("b", "2"), ("d", "4")]) == ["a", "c", "d"]


def test_closest_key_is_the_one_with_fewest_differences_the_latest_among_equals():
    new = [("a", "1"), ("b", "2")]
    earlier = [([("a", "1"), ("b", "0")], "first"), ([("a", "9"), ("b", "9")], "far"),
               ([("a", "0"), ("b", "2")], "last")]
    assert closest_key(new, earlier)["of"] == "last"
    assert closest_key(new, []) is None


def test_closest_of_many_drawn_keys_is_the_least_of_all_compared():
    draw = random.Random(7)

    def key():
        return tuple((name, ", ".join(draw.choices("xyz", k=draw.randint(1, 3)))) for name in "abc")

    for _ in range(300):
        new, earlier = key(), [(key(), str(i)) for i in range(draw.randint(1, 30))]
        apart = [(len(differs := differing(new, old)), _apart(new, old, differs),
                  -i) for i, (old, _) in enumerate(earlier)]
        assert closest_key(new, earlier)["of"] == str(-min(apart)[2])


def test_what_is_as_near_as_can_be_ends_the_comparing(monkeypatch):
    """A loop that jits again each time has hundreds of keys that differ in the function."""
    compared, compare = [], differing
    monkeypatch.setattr(closest, "differing",
                        lambda *keys: compared.append(keys) or compare(*keys))
    seen = SeenKeys()
    for i in range(300):
        seen.add("trace", (("function", f"f #{i}"), ("avals", "f32[3]")), f"call {i}")
    assert seen.closest("trace", (("function", "f #300"), ("avals", "f32[3]")))["of"] == "call 299"
    assert len(compared) < 5


def test_among_keys_that_differ_in_one_field_the_one_with_fewest_other_parts_is_closest():
    new = [("f", "f"), ("avals", "f32[], f32[48,8], f32[48]")]
    earlier = [([("f", "f"), ("avals", "f32[]*, f32[48,8], f32[48]")], "weak"),
               ([("f", "f"), ("avals", "f32[]*, f32[40,8], f32[40]")], "latest"),
               ([("f", "f"), ("avals", "f32[]")], "short")]
    assert closest_key(new, earlier)["of"] == "weak"
    assert closest_key(new, earlier[1:])["of"] == "short"


def test_signature_is_what_both_sides_must_agree_on():
    evict, look, work, _, line, store = map(event_data.signature, small().calls[0].events)
    assert evict == ("evict", "params")
    assert look == ("lookup", "fast_path", "f", 0, "miss")
    assert work == ("work", "python", "f", 0, None)
    assert line == ("log", "WARNING:jax: a line")
    assert store == ("store", "fast_path", "f", 0, "stored")


def broken():
    """(what to change, words that the message must have)"""
    def at(*path, value):
        def change(data):
            for step in path[:-1]:
                data = data[step]
            if value is KeyError:
                del data[path[-1]]
            else:
                data[path[-1]] = value
        return change

    return [
        (at("schema", value=2), "schema 1"),
        (at("producer", value="guess"), "producer"),
        (at("devices", value="four"), "devices"),
        (at("devices", value=True), "devices"),
        (at("program", "text", value=KeyError), "'text' is missing"),
        (at("calls", 0, "label", value=KeyError), "calls[0]: field 'label'"),
        (at("calls", 0, "colour", value="red"), "unknown field 'colour'"),
        (at("calls", 0, "caches", value={}), "calls[0].caches"),
        (at("calls", 0, "caches", "trace", value=[1]), "caches.trace"),
        (at("calls", 0, "log", value=[3]), "log[0]"),
        (at("calls", 0, "events", 1, "outcome", value="perhaps"), "events[1].outcome"),
        (at("calls", 0, "events", 1, "station", value="seventh"), "events[1].station"),
        (at("calls", 0, "events", 1, "key", value=[["a"]]), "events[1].key[0]"),
        (at("calls", 0, "events", 1, "closest", value={"key": []}), "closest"),
        (at("calls", 0, "events", 2, "work", value="dream"), "events[2].work"),
        (at("calls", 0, "events", 2, "kind", value="song"), "events[2]: kind"),
        (at("calls", 0, "events", 2, value=None), "events[2]: kind"),
        (at("calls", 0, value=[]), "calls[0]"),
        (at("calls", 1, "line", value="eight"), "calls[1].line"),
    ]


@pytest.mark.parametrize("change, words", broken())
def test_broken_data_is_refused_with_its_place(change, words):
    data = copy.deepcopy(json.loads(small().to_json()))
    change(data)
    with pytest.raises(RecordingError) as raised:
        Recording.from_data(data)
    assert words in str(raised.value)


@pytest.mark.parametrize("text", ["", "[]", "{", "null", '{"schema": 1}', '"x"'])
def test_text_that_is_no_recording_is_refused(text):
    with pytest.raises(RecordingError):
        Recording.from_json(text)
