"""What `/open/` reads (`site/scripts/open/`): files that are whole, broken or hostile, and logs."""

import json
import subprocess

import pytest
from conftest import ROOT

from make.own_run import log_formats, sample
from make.paths import GOLDEN
from simulator.facts import facts
from simulator.live.golden import load

READ = """
import { clean } from "./site/scripts/open/clean.js";
import { isJson, parse } from "./site/scripts/open/parse.js";
import { costs, totals } from "./site/scripts/open/rows.js";
import { summarise } from "./site/scripts/open/summary.js";
let input = "";
for await (const part of process.stdin) input += part;
console.log(JSON.stringify(JSON.parse(input).map((text) => {
  if (!isJson(text)) return { log: true };
  try {
    const { data, notes } = parse(text), { recording, problems } = clean(data), { table, causes } = summarise(recording, () => {});
    const { texts, length, ...columns } = table;
    return { notes, problems, rows: length, totals: totals(table), costs: costs(table), states: [...table.states], flags: [...table.flags],
      funs: [...table.fun].map((place) => texts[place]), kinds: [...table.kind].map((place) => texts[place]), floors: [...table.floors],
      stations: [...table.stations], polluted: {}.polluted ?? null };
  } catch (error) {
    return { error: error.message, kind: error.constructor.name };
  }
})));
"""

SHARED = """
import { parseCalls } from "./site/scripts/open/calls.js";
let input = "";
for await (const part of process.stdin) input += part;
console.log(JSON.stringify(JSON.parse(input).map((text) => {
  const data = parseCalls(text), lists = new Set(data?.calls.map((call) => call.events));
  return { same: data && JSON.stringify(data) === JSON.stringify(JSON.parse(text)), lists: lists.size };
})));
"""

LOGS = """
import { logReader } from "./site/scripts/open/log.js";
let input = "";
for await (const part of process.stdin) input += part;
const { formats, texts } = JSON.parse(input), read = logReader(formats);
console.log(JSON.stringify(texts.map((text) => ({ ...read(text), seen: undefined }))));
"""


def node(script, data):
    result = subprocess.run(["node", "--input-type=module", "-e", script], input=json.dumps(data),
                            capture_output=True, text=True, cwd=ROOT, timeout=200)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def read(*texts):
    return node(READ, texts)


def read_logs(*texts):
    return node(LOGS, {"formats": json.loads(log_formats()), "texts": texts})


def text_of(**changes):
    return json.dumps(sample().data() | changes)


def call(**changes):
    return {"label": "f(x)", "line": 1, "process": 0, "events": [], "log": [], "exception": None,
            "value": None, "fast_path": False, "caches": {}, "persistent": []} | changes


def lookup(**changes):
    return {"kind": "lookup", "station": "fast_path", "fun": "f", "depth": 0, "outcome": "hit",
            "key": [], "closest": None} | changes


# -- recordings ------------------------------------------------------------------

def test_the_sample_is_read_whole():
    (found,) = read(text_of())
    assert found["problems"] == found["notes"] == []
    assert found["totals"]["calls"] == sample().run["calls"]
    assert {("<lambda>", "function", 5), ("step", "shape", 1), ("step", "weak", 2)} <= {
        (row["fun"], row["kind"], row["times"]) for row in found["costs"]}
    assert found["costs"] == sorted(found["costs"], key=lambda row: -row["seconds"])


def test_calls_read_with_what_they_share_are_those_of_the_text():
    """Whole recordings are read call by call; the data is that of JSON.parse, and like calls share their events."""
    texts = [load(path).to_json() for path in sorted((GOLDEN / "cases").glob("*.gz"))]
    assert all(one["same"] for one in node(SHARED, [sample().to_json(), text_of(), *texts]))
    one = call(events=[lookup()])
    again = [one | {"seconds": i / 7, "number": i} for i in range(5)] + [one | {"seconds": 1, "label": 'g("{\\"label\\":")'}]
    assert node(SHARED, [text_of(calls=again)]) == [{"same": True, "lists": 2}]


ODD = [
    '{"label":"a","x":{"events":[],"seconds":2},"seconds":1}', '{"label":"a","seconds":1,"x":{"y":1,"seconds":2}}',
    '{"label":"a","events":[1],"seconds":1,"events":[2]}', '{"label":"a","events":[],"seconds":1},5', '{"label":"a"},{"label":"b"} ',
    '{"label":"a","x":{"label":"b"},"seconds":1}', '{"label":"a","__proto__":{"log":[1]},"seconds":1,"__proto__":{"line":2}}',
    '{"label":"a","note":"the calls stand here"}', '{"label":"a"}],"more":["the calls stand here"', '{"label":"a"}],"calls":[{"label":"b"}',
    '{"label":"a","x":[1,"seconds"],"seconds" :1}', '{"label":"a" , "seconds":1,"number":2}', '{"seconds":1}', ""]
AROUND = [('{"schema":1,"calls":[', "]}"), ('{"x":{"calls":[', ']},"calls":[]}'), ('{"calls":["the calls stand here"],"x":{"calls":[', "]}}")]


def test_whatever_a_text_holds_it_is_read_as_json():
    """Where a text is not written as recordings are, JSON.parse decides; nowhere is anything else read."""
    texts = [before + calls + after for calls in ODD for before, after in AROUND]
    assert [text for text, found in zip(texts, node(SHARED, texts)) if found["same"] is False] == []


def test_copied_rows_are_those_that_would_be_read():
    """A call that found everything is a copy of one like it: the same, wherever a recording starts."""
    texts = [json.dumps(load(path).data()) for path in sorted((GOLDEN / "cases").glob("*.gz"))]
    doubled = []
    for text in texts:
        data = json.loads(text)
        calls = [item for item in data["calls"] if "note" not in item]
        again = [item for one in calls for item in ([one, one] if one["fast_path"] else [one])]
        doubled += [json.dumps(data | {"calls": calls}), json.dumps(data | {"calls": again})]
    found = read(*doubled)
    for once, twice, text in zip(found[::2], found[1::2], doubled[::2]):
        fast = [one["fast_path"] for one in json.loads(text)["calls"]]
        for name, width in (("states", 1), ("funs", 1), ("kinds", 1), ("floors", 6), ("stations", 8)):
            rows = [once[name][i * width:(i + 1) * width] for i in range(once["rows"])]
            expected = [row for row, is_fast in zip(rows, fast) for row in ([row, row] if is_fast else [row])]
            assert [twice[name][i * width:(i + 1) * width] for i in range(twice["rows"])] == expected


def test_calls_that_were_only_counted_are_in_the_totals():
    calls = [call(events=[lookup(), {"kind": "work", "work": "execute", "fun": "f", "depth": 0}],
                  fast_path=True, seconds=1e-5, number=7, again=99_993, again_seconds=0.9)]
    (found,) = read(text_of(calls=calls))
    assert found["totals"]["calls"] == found["totals"]["fast"] == 99_994
    assert found["rows"] == 1


BAD = {
    "nothing": ("{}", "neither a schema nor calls"),
    "null inside": ("[null]", "This is a list"),
    "short form": ('[{"label": "f", "caches": {}}]', "--recording"),
    "number": ("[1", "nothing before it can be shown"),
    "schema": ('{"schema": 7, "calls": []}', "schema is 7"),
    "schema text": ('{"schema": "<img src=x onerror=alert(1)>", "calls": []}', "“<img src=x"),
    "no calls": ('{"schema": 1}', "calls is missing"),
    "calls no list": ('{"schema": 1, "calls": {"length": 9}}', "calls is an object"),
    "deep": ('{"schema":1,"calls":' + "[" * 200_000, "nothing before it|cannot be read|nested"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_recording_is_refused_by_name(name):
    text, words = BAD[name]
    (found,) = read(text)
    assert "error" in found or name == "deep", found
    if "error" in found:
        assert found["kind"] == "RecordingError"
        assert any(word in found["error"] for word in words.split("|")), found["error"]
    else:
        assert any("damaged" in note for note in found["notes"])


def test_what_can_be_read_of_a_broken_file_is_shown():
    whole = text_of()
    head, mark, calls = whole.partition('"calls": [')
    cut, nan, deep = read(whole[:len(whole) // 2],
                          head + mark + calls.replace('"seconds": ', '"seconds": NaN, "x": ', 1),
                          whole.replace('"log": []', '"log": ' + "[" * 50_000 + "]" * 50_000, 1))
    assert 10 < cut["rows"] < sample().run["calls"]
    assert "ends in the middle" in cut["notes"][0] and str(cut["rows"]) in cut["notes"][0]
    assert "NaN" in nan["notes"][0] and "1 call cannot" in nan["notes"][0]
    assert nan["rows"] == len(sample().calls) - 1 and deep["rows"] > 0


def test_what_is_wrong_inside_is_named_and_left_out():
    proto = json.loads('{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}')
    calls = [
        7, None, [], call(label=9), call(events="no"), call(events=[{"kind": "spell"}, lookup()]),
        call(events=[lookup(station="attic")]), call(events=[lookup(key=[["a"]])]),
        call(events=[lookup(depth=-1)]), call(events=[lookup(closest={"key": [], "differs": [3], "of": ""})]),
        call(seconds=-1, again=1e400, number="x", line="7", log=[3]), call(**proto), call(__proto__=[]),
        call(label="ok", events=[lookup(fun="__proto__"), lookup(fun="constructor", key=[["__proto__", "x"]])]),
    ]
    text = json.dumps({"schema": 1, "producer": "<b>", "jax": "0", "devices": -3, "calls": calls}).replace("Infinity", "1e400")
    (found,) = read(text)
    assert found["rows"] == 10 and found["polluted"] is None
    told = " ".join(found["problems"])
    for words in ("program.text is missing", "calls[0] is 7", "calls[3].label is 9", "calls[4].events is “no”",
                  "calls[5].events[0] is no event: kind “spell”", "station “attic”", "calls[7].events[0]", "depth is -1"):
        assert words in told, (words, told)


def test_a_text_of_something_else_is_a_log():
    found = read("Compiling jit(f)\n", "[2026-01-01 10:00] hello\n", "<html></html>", "\x00\x01\x02")
    assert found == [{"log": True}] * 4


# -- logs ------------------------------------------------------------------------

def test_every_line_of_every_case_is_recognised():
    names, texts = [], []
    for folder in ("cases", "programs", "scenarios"):
        for path in sorted((GOLDEN / folder).glob("*.json*")):
            lines = [line for one in load(path).calls for line in getattr(one, "log", ())]
            if lines:
                names.append(path.name)
                texts.append("\n".join(lines))
    found = read_logs(*texts)
    assert len(found) > 150 and sum(log["total"] for log in found) > 10_000
    for name, log, text in zip(names, found, texts):
        known = {line["at"] for group in log["groups"] for line in group["lines"]}
        known |= {line["at"] for line in log["loose"]}
        missing = [line for at, line in enumerate(text.splitlines(), 1) if at not in known]
        assert not missing and log["known"] == log["total"], (name, missing[:3])


MIXED = """step 1 of 3
\x1b[33mWARNING:2026-11-30 02:00:01,120:jax._src.interpreters.partial_eval:1902: TRACING CACHE MISS at /home/me/train.py:31:20 (main):\x1b[0m
  never seen function:
    step id=140 defined at /home/me/train.py:10
2026-11-30 W0000 loading data, 3 files
Finished tracing step for jit in 0.250000000 sec
W1130 02:00:01.5 77 pxla.py:2100] Compiling jit(step) with global shapes and types (ShapedArray(float32[8]), ShapedArray(float32[48,8])). Argument mapping: (UnspecifiedValue, UnspecifiedValue).
Finished jaxpr to MLIR module conversion jit(step) in 0.05 sec
PERSISTENT COMPILATION CACHE MISS for 'jit_step' with key 'jit_step-1234'
Finished XLA compilation of jit(step) in 1.5 sec
Not writing persistent cache entry for 'jit_step' because it took < 2.00 seconds to compile (1.50s)
WARNING:jax._src.interpreters.partial_eval:TRACING CACHE MISS at /home/me/train.py:31:20 (main):
  for step defined at /home/me/train.py:10
  all previously seen cache keys differ. For the closest previous key:
  different input types:
  * at x, now f32[40,8] and before f32[48,8]
WARNING:jax._src.interpreters.pxla:Compiling jit(step) with global shapes and types (ShapedArray(float32[8]), ShapedArray(float32[40,8])). Argument mapping: (UnspecifiedValue, UnspecifiedValue).
/home/me/train.py:3: UserWarning: mine
Compiling jit(other) with global shapes and types (ShapedArray(float32[3]),). Argument mapping: (UnspecifiedValue,).
Compiling jit(other) with global shapes and types (ShapedArray(float32[4]),). Argument mapping: (UnspecifiedValue,).
Compiling jit(other) with global shapes and types (ShapedArray(float32[4]),). Argument mapping: (UnspecifiedValue,).
done
"""


def test_a_log_among_other_output():
    (log,) = read_logs(MIXED)
    step, other = log["groups"]
    assert step["fun"] == "step" and step["where"] == "/home/me/train.py:31:20"
    assert [(c["kind"], c["name"], c["now"], c["before"]) for c in step["causes"]] == [
        ("first", "", "", ""), ("shape", "x", "f32[40,8]", "f32[48,8]")]
    assert step["seconds"] == {"traced": 0.25, "lowered": 0.05, "compiled": 1.5}
    assert step["counts"]["disk-miss"] == step["counts"]["disk-skip"] == 1
    assert [(c["kind"], c["sure"]) for c in other["causes"]] == [
        ("first", True), ("shape", False), ("unexplained", False)]
    assert [line["what"] for line in log["loose"]] == ["warning"]
    assert (log["total"], log["known"]) == (22, 19)


CARRIED = {
    "kubernetes": lambda i: f"2026-11-30T12:00:{i:02}.{123456 * i}Z std{'err' if i % 5 else 'out'} F ",
    "rank": lambda i: f"[rank{i % 2}] ",
    "torchrun": lambda i: "[default0]:",
    "compose": lambda i: "trainer-1  | ",
    "journal": lambda i: f"Nov 30 12:00:{i:02} node7 python[77]: ",
    "two of them": lambda i: f"[pod/train-0/main] 2026-11-30 12:00:{i:02},120 ",
    "srun": lambda i: "12: ",
}


@pytest.mark.parametrize("name", CARRIED)
def test_what_stands_before_every_line_is_left_out(name):
    lines = MIXED.splitlines()
    text = "".join(f"{CARRIED[name](i)}{line}\n" for i, line in enumerate(lines)) + "one without\n"
    (found,), (expected,) = read_logs(text), read_logs(MIXED + "one without\n")
    assert (found["prefix"], expected["prefix"]) == (CARRIED[name](0), "")
    assert found == expected | {"prefix": CARRIED[name](0)}
    assert read(text) == [{"log": True}]


def test_hostile_logs_are_text():
    text = ("Finished tracing __proto__ for jit in 1.0 sec\nFinished tracing <img src=x onerror=alert(1)> "
            "for jit in 1e999 sec\nCompiling jit(constructor) with global shapes and types "
            + "(" * 50_000 + "\n" + "TRACING CACHE MISS at " * 5_000 + "\n" + "\n".join(["* at a, now b and before c"] * 99))
    (log,) = read_logs(text)
    assert [group["fun"] for group in log["groups"]][:2] == ["__proto__", "<img src=x onerror=alert(1)>"]


def test_the_words_fit_what_jax_logs_today():
    """log-words.js is held against simulator/data, and leaves no line about caches out."""
    script = 'import { DETAILS, LINES } from "./site/scripts/open/log-words.js"; console.log(JSON.stringify([LINES, DETAILS]));'
    lines, details = node(script, None)
    formats = [message["format"] for message in facts()["messages"]]
    parts = [part.strip() for text in formats for part in text.split("\n")]
    for word in lines:
        assert word.get("old") or any(text.startswith(word["of"]) for text in formats), word
    for word in details:
        assert any(part.startswith(word["of"]) for part in parts), word
    for message in facts()["messages"]:
        if message["call"] in ("logger.log", "dispatch.log_elapsed_time"):
            assert any(message["format"].startswith(word["of"]) for word in lines), message
