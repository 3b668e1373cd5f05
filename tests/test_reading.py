"""Which lookups of a call are its own: those of bodies and of programs in lowering are not."""
import gzip
import json
from pathlib import Path

import pytest

from key_text import shown
from reading import differences, read_calls
from sentence import sentence

GOLDEN = Path(__file__).parent / "golden" / "scenarios"


def read(name):
    recording = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    return {call.label: call for call in read_calls(recording)}


def verdicts(call):
    return [floor.verdict for floor in call.floors]


def test_a_trace_in_lowering_is_no_trace_of_the_function():
    call = read("asked_while_lowering")["total(xs)"]
    assert verdicts(call) == ["miss", "hit", "none", "miss", "miss", "skipped"]
    assert "trace" not in call.main.works
    assert "raised" not in call.floors[1].why


def test_what_others_in_the_line_asked_is_told():
    call = read("vmap_of_a_jit")["jax.vmap(g)(x)"]
    assert [floor.word for floor in call.floors] == ["miss"] * 3 + ["not asked by it"] * 2 + ["not asked"]
    assert sentence(call).endswith("Within it, f was lowered and compiled.")
    known = read("vmap_of_a_jit")["jax.vmap(g)(x) again"]
    assert [floor.word for floor in known.floors] == ["miss", "hit"] + ["not asked"] * 4
    assert sentence(known).endswith("nothing was traced or compiled.")
    carried = sentence(read("tangents_along")["jax.jvp(g, (x,), (x,))"])
    assert carried.endswith("in params. Within it, g was lowered and compiled.")


def test_the_trace_of_a_body_does_not_stand_for_the_function():
    calls = read("asked_while_lowering")
    assert calls["total.trace(xs)"].main.fun == "total"
    found = calls["other(xs)"].floors[2]
    assert (found.verdict, [look["fun"] for look in found.lookups]) == ("miss", ["other"])


def test_a_body_asked_for_from_outside_is_a_way_of_its_own():
    call = read("scan_body")["a body defined once, again"]
    assert [(way.fun, len(way.lookups)) for way in call.falls] == [("body", 1), ("scan", 2)]


def test_a_failed_trace_is_still_the_function_s_own():
    call = read("poisoned_trace")["first new wrapper"]
    assert (verdicts(call)[2], call.main.works[:2]) == ("hit", ["python", "trace"])


def test_a_compiled_object_is_not_held_against_the_list_of_functions():
    calls = read("ahead_of_time")
    first, wrong, function = (calls[label].floors[0] for label in (
        "compiled(x)", "compiled(wrong)", "g(x)"))
    assert (first.verdict, first.deciding["closest"]) == ("miss", None)
    assert "of its own" in first.why
    assert wrong.deciding["closest"]["differs"][0] == "avals"
    assert function.deciding["closest"] is None


def test_what_lines_before_the_calls_left_is_no_key_to_compare_with():
    floors = read("opening")["g(x)"].floors
    assert {floor.deciding["closest"]["of"] for floor in floors[:5]} == {"before the first call"}
    assert [floor.why for floor in floors[:4]] == ["No entry of this function yet."] * 3 + ["No entry of this jaxpr yet."]
    assert "stored f #1" in read("opening")["a fresh lambda"].floors[0].why


def test_an_entry_of_the_same_function_from_before_the_calls_is_named():
    look = {"outcome": "miss", "key": [["function", "f #1"], ["avals", "f32[3]"]], "closest": {
        "key": [["function", "f #1"], ["avals", "f32[2]"]], "differs": ["avals"], "of": "before the first call"}}
    assert differences(look) == [
        {"field": "avals", "now": "f32[3]", "before": "f32[2]", "by": " by a line before the calls"}]


def test_a_compiled_object_remembers_where_its_arguments_lay():
    path = GOLDEN.parent / "cases" / "39_aot_wrong_signature.json.gz"
    recording = json.loads(gzip.decompress(path.read_bytes()))
    calls = {call.label: call.floors[0] for call in read_calls(recording)}
    assert calls["np.ndarray"].deciding["closest"]["differs"][0] == "shardings"
    assert calls["same types"].deciding["closest"] is None


@pytest.mark.parametrize(("field", "text", "said"), [
    ("treedefs", "[PyTreeDef(*)]", "(*)"),
    ("treedefs", "[PyTreeDef(*)| PyTreeDef([*, *])]", "(*, [*, *])"),
    ("treedefs", "[PyTreeDef((*, *))]", "((*, *))"),
    ("treedefs", "[PyTreeDef(CustomNode(Box[2], [*]))]", "(CustomNode(Box[2], [*]))"),
    ("treedefs", "[]", "()"),
    ("signature", "[PyTreeDef(*), PyTreeDef(None)]", "(*, None)"),
    ("tree", "PyTreeDef(((*,), {'n': *}))", "(*, n=*)"),
    ("tree", "static args", "static args"),
    ("static args", "[PyTreeDef(*)]", "[PyTreeDef(*)]"),
    ("function", "f #1", "f #1"),
    ("function", "f", "a program made of the jaxpr of f"),
    ("function", "absent", "absent"),
])
def test_trees_are_said_as_a_call_is_written(field, text, said):
    assert shown(field, text) == said


def test_the_reason_of_a_miss_shows_them_so():
    floor = read("keywords_and_defaults")["g(x)"].floors[0]
    assert differences(floor.deciding)[0] == {
        "field": "treedefs", "now": "(*)", "before": "(*, *)", "by": ""}


@pytest.mark.parametrize("scenario, place, told", [
    ("gradients", 1, "function (now f #3, stored f #2; another function object of the same name)."),
    ("callables_that_cannot_be_keys", 1, "stored <unnamed function> #1; another callable object)."),
    ("poisoned_trace", 1, "PjitInfo (now jit(f) #2, stored jit(f) #1; made by another call of jax.jit)."),
    ("static_self_goes_stale", 2, "stored [<__main__.Model object at #1>]; another object that reads the same)."),
    ("vmap_of_a_jit", 2, "function (now f #2, stored a program made of the jaxpr of f)."),
    ("asked_while_lowering", 2, "function (now other, stored total; another function)."),
])
def test_what_a_number_behind_a_name_says_is_told(scenario, place, told):
    assert told in sentence(list(read(scenario).values())[place])
