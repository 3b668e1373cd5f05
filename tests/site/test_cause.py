"""Causes (`site/scripts/cause.js`): what they say of recordings of real JAX, and that the
model's recordings lead to the same ones."""

import json
import subprocess

import pytest
from conftest import ROOT

from key_text import shown
from make.chapters import all_chapters
from make.paths import GOLDEN
from simulator.errors import OutOfScope
from simulator.live.golden import load
from simulator.running.program import observe_text

NODE = """
import { readCalls } from "./site/scripts/recording.js";
import { causesOf } from "./site/scripts/cause.js";
let text = "";
for await (const part of process.stdin) text += part;
console.log(JSON.stringify(JSON.parse(text).map((recording) => {
  const calls = readCalls(recording);
  return causesOf(calls, recording.program.text).map((cause, i) => ({ label: calls[i].label, ...cause }));
})));
"""


def causes(*recordings):
    """The causes of each recording, as `cause.js` reads them."""
    result = subprocess.run(
        ["node", "--input-type=module", "-e", NODE],
        input=json.dumps(recordings), capture_output=True, text=True, cwd=ROOT, timeout=120,
    )
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def test_trees_are_said_as_in_the_still_pictures():
    """`sayField` and `key_text.shown`, over all fields of all recorded keys."""
    recordings = [json.loads(path.read_text("utf-8")) for path in sorted((GOLDEN / "scenarios").glob("*.json"))]
    fields = sorted({
        tuple(field) for recording in recordings for call in recording["calls"]
        for event in call.get("events", ()) for field in event.get("key") or ()
    })
    script = """
        import { sayField } from "./site/scripts/arguments.js";
        let text = "";
        for await (const part of process.stdin) text += part;
        console.log(JSON.stringify(JSON.parse(text).map(([field, value]) => sayField(field, value))));
    """
    result = subprocess.run(
        ["node", "--input-type=module", "-e", script],
        input=json.dumps(fields), capture_output=True, text=True, cwd=ROOT, timeout=120,
    )
    assert result.returncode == 0, result.stderr
    said = json.loads(result.stdout)
    assert said == [shown(*field) for field in fields]
    assert sum(a != b for (_, a), b in zip(fields, said)) > 50


def golden(name):
    (path,) = (GOLDEN / "cases").glob(f"{name}*.json.gz")
    return load(path).data()


DECISIVE = {
    "01_": ("jit(lambda) iteration 1", "recompiled", "function"),
    "03_": ("weak avg, step 1", "recompiled", "weak"),
    "04_": ("different tuple", "recompiled", "static"),
    "06_": ("v=0", "recompiled", "alike"),
    "10_": ("Partial(lambda), same text", "recompiled", "metadata"),
    "15_": ("np padding, n=9", "recompiled", "shape"),
    "16_": ("arange(3): int32", "recompiled", "dtype"),
    "18_": ("f(a, y=b)", "recompiled", "keywords"),
    "21_": ("list", "recompiled", "tree"),
    "22_": ("bias=array", "recompiled", "none"),
    "37_": ("after f.clear_cache()", "recompiled", "cleared"),
    "43_": ("after(x): directory set", "loaded", "loaded"),
    "49_": ("g(x) after jax.clear_caches()", "recompiled", "cleared"),
    "51_": ("body defined in the call #1", "retraced", "function"),
    "58_": ("debug.callback #1", "Python path", "effects"),
    "67_": ("if on a tracer #0", "raised", "tracer"),
    "72_": ("donating", "recompiled", "donation"),
    "73_": ("set_mesh", "recompiled", "mesh"),
    "75_": ("np.ndarray", "Python path", "numpy"),
    "78_": ("2 arguments", "recompiled", "arity"),
    "79_": ("jax.Array", "raised", "unhashable"),
    "84_": ("device 1", "recompiled", "placement"),
    "85_": ("committed only (no trace miss)", "recompiled", "commit"),
    "90_": ("trace under mesh b", "Python path", "mesh"),
    "96_": ("d0", "recompiled", "setting"),
    "103_": ("2", "recompiled", "context"),
}


# The model compares with the entries that are there, the recorder also with those that went.
TOLD_OTHERWISE = {
    ("39_aot_wrong_signature.py", "weak Python scalar"),
    ("39_aot_wrong_signature.py", "np.ndarray"),
    ("202_compiled_survives_clear_caches.py", "compiled(x), caches cleared"),
    ("49_clear_caches.py", "g(np array) after f.clear_cache()"),
    ("60_refs_no_fast_path.py", "ref argument #1"),
    ("60_refs_no_fast_path.py", "ref argument #2"),
    # the model writes a NumPy number in a key as it writes a Python one
    ("79_array_as_static_argument.py", "int"),
    ("85_explain_argument_changes.py", "sharding of y"),
}


def test_decisive_calls_of_real_jax_have_their_cause():
    found = causes(*(golden(name) for name in DECISIVE))
    for (name, (label, word, kind)), calls in zip(DECISIVE.items(), found):
        # a program of two processes has each label twice
        told = [(call["word"], call["kind"]) for call in calls if call["label"] == label]
        assert (word, kind) in told, f"{name}{label}: {told}"


def test_a_cause_names_its_field_and_both_values():
    (calls,) = causes(golden("15_"))
    cause = next(call for call in calls if call["label"] == "np padding, n=9")
    assert cause["field"] == {
        "station": "trace", "name": "avals", "now": "f32[16]", "before": "f32[8]",
        "of": cause["field"]["of"],
    }
    assert "`x`" in cause["sentence"] and "`f32[16]`" in cause["sentence"]


@pytest.mark.parametrize("part", range(4))
def test_model_and_real_jax_lead_to_the_same_causes(part):
    real, model = [], []
    for path in sorted((GOLDEN / "cases").glob("*.json.gz"))[part::4]:
        data = load(path).data()
        try:
            mine = observe_text(data["program"]["text"], name=data["program"]["name"])
        except OutOfScope:
            continue
        real.append(data)
        model.append(mine.data())
    assert len(real) > 10
    for data, mine, theirs in zip(real, causes(*model), causes(*real)):
        name = data["program"]["name"]
        assert [call["word"] for call in mine] == [call["word"] for call in theirs], name
        for one, other in zip(mine, theirs):
            if (name, one["label"]) not in TOLD_OTHERWISE:
                assert one["kind"] == other["kind"], f"{name}: {one['label']}"


def test_every_fix_points_at_a_chapter_and_a_heading(dist):
    script = (ROOT / "site" / "scripts" / "fixes.js").read_text(encoding="utf-8")
    fixes = json.loads(script.partition("export const FIXES = ")[2].rstrip().rstrip(";"))
    chapters = {chapter.place for chapter in all_chapters()}
    for kind, fix in fixes.items():
        place, _, heading = fix["at"].partition("#")
        assert place in chapters, kind
        page = (dist / place / "index.html").read_text(encoding="utf-8")
        assert f'id="{heading}"' in page, f"{kind}: {fix['at']}"


def test_a_compiled_object_and_its_function_are_not_taken_for_each_other():
    calls = load(GOLDEN / "scenarios" / "ahead_of_time.json").data()
    found, = causes(calls)
    labels = [call["label"] for call in calls["calls"]]
    kinds = {label: cause["kind"] for label, cause in zip(labels, found, strict=True)}
    assert kinds["compiled(x)"] == kinds["g(x)"] == "entered"


def test_what_is_compiled_within_a_call_is_counted_beside_it():
    calls, = causes(load(GOLDEN / "scenarios" / "vmap_of_a_jit.json").data())
    beside = {call["label"]: call["beside"] for call in calls}
    assert (beside["jax.vmap(g)(x)"], beside["jax.vmap(g)(x) again"], beside["kept(x)"]) == (1, 0, 0)


def test_a_loop_whose_body_is_made_again_compiles_again_and_says_so():
    """Real JAX, a program without marks: three rounds of the same lines."""
    data = load(GOLDEN / "programs" / "bodies_made_again.json.gz").data()
    calls, = causes(data)
    told = [(call["label"], call["fun"], call["word"], call["kind"]) for call in calls
            if call["fun"] in ("scan", "while", "cond") and call["state"] == "compiled"]
    fresh = [("lax.scan(lambda total, x: (total + x, total), 0.0, xs)", "scan"),
             ("lax.fori_loop(0, 3, lambda i, total: total * i, 1.0)", "scan"),
             ("lax.while_loop(lambda state: state < 3, lambda state: state + 1, 0)", "while"),
             ("lax.cond(turn > 1, lambda x: x + 1, lambda x: x - 1, 3.0)", "cond")]
    once = [("lax.scan(running, 0.0, xs)", "scan"), ("lax.while_loop(below, more, 0)", "while")]
    assert told == [(*call, "compiled", "eager-first") for call in (*fresh, *once)] \
        + [(*call, "recompiled", "body") for call in fresh] * 2
    cause = next(call for call in calls if call["kind"] == "body")
    assert cause["again"] and cause["field"]["name"] == "params"
    assert cause["field"]["before"] == "Jaxpr #1" != cause["field"]["now"]
    assert "`scan`" in cause["sentence"] and "`Jaxpr #1`" in cause["sentence"]
    assert observe_causes(data) == [(call["word"], call["kind"]) for call in calls]


def observe_causes(data):
    mine, = causes(observe_text(data["program"]["text"], name=data["program"]["name"]).data())
    return [(call["word"], call["kind"]) for call in mine]


LIBRARY_STEPS = {
    "flax_step": ("state, value = train_step(state, x, y)", "x"),
    "equinox_step": ("model, moments, value = train_step(model, moments, x, y)", "rest"),
}


@pytest.mark.parametrize("name", LIBRARY_STEPS)
def test_recordings_of_steps_written_with_libraries_are_read(name):
    """flax, equinox and optax, recorded by `tests.benchmarks.libraries --record`: every call has a
    cause, lines are the program's and not the libraries', and the step is named."""
    label, argument = LIBRARY_STEPS[name]
    data = load(GOLDEN / "own" / f"{name}.json.gz").data()
    calls, = causes(data)
    own = {line.strip()[:100] for line in data["program"]["text"].splitlines()}
    assert {call["label"] for call in calls} <= own
    steps = [call for call in calls if call["label"] == label]
    assert len(steps) > 900 and {call["fun"] for call in steps} == {"train_step"}
    dear = [call for call in steps if call["state"] == "compiled"]
    assert [(call["word"], call["kind"]) for call in dear] == [
        ("compiled", "first"), ("recompiled", "shape")]
    assert argument in dear[-1]["sentence"]
    assert dear[-1]["field"]["now"] == "f32[12,8]" and dear[-1]["field"]["before"] == "f32[16,8]"
    assert all(call["kind"] and call["sentence"] for call in calls)
