"""The lab: vocabulary, composition of changes, program text, permalinks."""
import json
import random

import pytest

from simulator.lab import (
    KINDS,
    START,
    Action,
    follow,
    idle,
    issued,
    parse,
    permalink,
    program,
    say,
    step,
    vocabulary,
)
from simulator.lab.kinds import GROUPS
from simulator.lab.link import MOST_ACTIONS, MOST_RESTARTS

EVERY = [Action(kind.id, choice.id) for kind in KINDS.values() for choice in kind.choices] + [
    Action(kind.id) for kind in KINDS.values() if not kind.choices]
CALL = Action("call")


def history(text):
    """A history from the short form used in links."""
    found = parse(f"v=1&do={text}")
    assert not found.problems
    return list(found.history)


def random_history(seed, length=12):
    pick = random.Random(seed)
    return [pick.choice(EVERY) if pick.random() < 0.6 else CALL for _ in range(length)]


# -- vocabulary ----------------------------------------------------------------

def test_ids_that_permalinks_rely_on():
    """Never remove an id from this list: published links use it."""
    assert {str(action) for action in EVERY} >= set("""
        call ahead:compile ahead:run ahead:lower ahead:trace eval_shape plain lambda redefine
        partial method:static method:bound callable nested print raise rewrap options:donate
        options:inline options:keep_unused options:in_shardings options:out_shardings
        options:plain array numpy python:float python:int weak shape:8 shape:4x2 shape:scalar
        shape:4 dtype:int32 dtype:float16 dtype:float64 dtype:float32 tree:tuple tree:list
        tree:dict tree:none tree:namedtuple tree:leaf keyword:keyword keyword:positional
        static:3 static:2.0 static:equal static:identity static:list static:2 uncommitted
        committed other_device sharded:split sharded:replicated sharded:spelled
        jit_key_state:O1 jit_key_state:O0 jit_key_state:default trace_state:set
        trace_state:default both_state:highest both_state:float32 both_state:default
        neither_state:nans neither_state:nans_off neither_state:quiet neither_state:loud x64:on
        x64:off user_context mesh:set_mesh mesh:legacy mesh:abstract mesh:off
        default_device:other default_device:off no_tracing:on no_tracing:off disable_jit:on
        disable_jit:off clear_caches clear_cache disk:on disk:slow_only disk:off
        restart""".split())


def test_vocabulary_is_plain_data():
    data = vocabulary()
    assert json.loads(json.dumps(data)) == data
    assert [kind["id"] for kind in data] == list(KINDS)
    assert {kind["group"] for kind in data} == set(GROUPS)
    assert sum(not kind["issues"] for kind in data) >= 18
    for kind in KINDS.values():
        assert kind.what.endswith(".") and not kind.label.endswith(".")
        ids = [choice.id for choice in kind.choices]
        assert len(ids) == len(set(ids))
        for text in (kind.id, *ids):
            assert not set(text) & set(",:&=#?+% "), "would need escaping in a link"


@pytest.mark.parametrize("action", EVERY, ids=str)
def test_every_action_has_a_sentence_and_a_program(action):
    actions = [CALL, action, CALL]
    sentence = say(actions, 1)
    assert sentence.startswith("You ") and sentence.endswith(".") and "  " not in sentence
    text = program(actions)
    compile(text, "lab.py", "exec")
    assert max(map(len, text.splitlines())) <= 110


# -- composition ---------------------------------------------------------------

def test_a_change_prepares_and_the_call_issues():
    text = program(history("call,numpy,shape:8,call"))
    assert text.count("call(") == 2
    assert text.index("1. g(x, 2)") < text.index("x = np.full(8, 3, np.float32)") \
        < text.index("2. g(x, 2)")


def test_the_first_choice_is_the_default():
    assert program(history("shape,call")).splitlines()[1:] == \
        program(history("shape:8,call")).splitlines()[1:]


def test_changing_to_what_already_is_writes_nothing():
    plain = program(history("call,call"))
    same = program(history("call,shape:4,array,tree:leaf,mesh:off,call"))
    assert plain.splitlines()[1:] == same.splitlines()[1:]


def test_objects_are_made_again_each_time():
    for name in ("lambda", "partial", "nested", "print", "raise", "callable", "method:bound",
                 "method:static", "redefine", "rewrap"):
        once = program(history(f"call,{name},call"))
        twice = program(history(f"call,{name},call,{name},call"))
        assert len(twice.splitlines()) > len(once.splitlines()) + 1, name


@pytest.mark.parametrize("text, slots, note", [
    ("committed,mesh", {"place": "uncommitted", "mesh": "set_mesh"}, "not bound"),
    ("mesh,committed", {"place": "committed", "mesh": "off"}, "mesh context is left"),
    ("options:in_shardings,keyword", {"options": "plain", "keyword": "keyword"}, "in_shardings"),
    ("keyword,options:in_shardings", {"options": "in_shardings", "keyword": "positional"},
     "by position"),
    ("options:out_shardings,other_device", {"options": "plain", "place": "other_device"},
     "out_shardings"),
    ("sharded,options:out_shardings", {"options": "out_shardings", "place": "uncommitted"},
     "anywhere"),
    ("options:out_shardings,mesh", {"options": "plain", "mesh": "set_mesh"}, "out_shardings"),
    ("shape:scalar,sharded", {"shape": "4", "place": "split"}, "dimensions"),
    ("sharded,shape:scalar", {"shape": "scalar", "place": "uncommitted"}, "not spread"),
    ("sharded:spelled", {"shape": "4x2", "place": "spelled"}, "4 by 2"),
    ("sharded:spelled,shape:8", {"shape": "8", "place": "split"}, "dimension is split"),
    ("sharded,numpy", {"form": "numpy", "place": "uncommitted"}, "no device"),
    ("numpy,committed", {"form": "array", "place": "committed"}, ""),
    ("weak,shape:8", {"form": "array", "shape": "8"}, "array again"),
    ("static:equal,disable_jit", {"static": "2", "disable_jit": "on"}, "2 again"),
    ("partial,static:list", {"static": "list", "function": "plain"}, "plain one"),
    ("static:list,partial", {"static": "2", "function": "partial"}, "2 again"),
    ("disable_jit,static:list", {"static": "list", "disable_jit": "off"}, "in force"),
    ("disable_jit,ahead", {"disable_jit": "off"}, "in force"),
])
def test_the_newest_change_wins(text, slots, note):
    actions = history(text)
    last = follow(actions)[-1]
    assert {slot: getattr(last.state, slot) for slot in slots} == slots
    assert note in " ".join(last.notes)
    assert bool(last.notes) == bool(note)
    assert say(actions, len(actions) - 1).count(". ") == len(last.notes)


def test_states_never_hold_what_jax_excludes():
    for seed in range(300):
        for now in follow(random_history(seed, 20)):
            state = now.state
            single = state.place in ("committed", "other_device")
            assert not (state.mesh == "set_mesh" and single)
            assert not (state.options == "out_shardings"
                        and (state.mesh == "set_mesh"
                             or state.place not in ("uncommitted", "committed")))
            assert not (state.options == "in_shardings" and state.keyword == "keyword")
            assert state.form == "array" or state.place == "uncommitted"
            assert state.static != "list" or (state.function != "partial"
                                              and state.disable_jit == "off")
            assert state.shape != "scalar" or state.place not in ("split", "replicated")


def test_idle_changes():
    state = follow(history("numpy,shape:8"))[-1].state
    assert idle(state, Action("numpy")) and idle(state, Action("shape", "8"))
    assert not idle(state, Action("array")) and not idle(state, CALL)
    assert not idle(state, Action("rewrap")) and not idle(state, Action("clear_caches"))


def test_step_keeps_everything_else():
    for action in EVERY:
        now = step(START, action)
        changed = {slot for slot, value in vars(now.state).items() if value != getattr(START, slot)}
        assert len(changed) <= 1 + len(now.notes), action


# -- programs ------------------------------------------------------------------

def test_one_call_mark_per_issued_action_with_stable_labels():
    for seed in range(100):
        actions = random_history(seed)
        text = program(actions)
        labels = [label for _, label in issued(actions)]
        assert text.count("call(") == len(labels) == len(set(labels))
        for end in range(len(actions)):
            assert labels[:len(issued(actions[:end]))] == \
                [label for _, label in issued(actions[:end])]


def test_programs_are_deterministic_and_parse():
    for seed in range(100):
        text = program(random_history(seed))
        assert text == program(random_history(seed))
        compile(text, "lab.py", "exec")
        assert "_src" not in text


def test_a_program_names_its_own_link():
    actions = random_history(5)
    first = program(actions).splitlines()[0]
    assert list(parse(first.removeprefix("# lab: ")).history) == actions


def test_processes():
    text = program(history("disk,call,x64:on,jit_key_state:O1,jit_key_state:default,"
                           "restart,call,restart,call"))
    assert "# processes: 3" in text
    assert text.count("if process == ") == 3
    last = text[text.index("if process == 2"):]
    assert "jax_enable_x64" in last and "jax_compilation_cache_dir" in last
    assert "jax_optimization_level" not in last, "back at its default: nothing to set"
    assert "process" not in program(history("call,call"))


def test_a_donated_array_is_made_again():
    text = program(history("options:donate,call,call,numpy,call,call"))
    assert text.count("x = jax.device_put(") == 2
    assert text.count("x = np.full(") == 1


def test_contexts_hold_only_calls():
    lines = program(history("call,mesh,call,call,no_tracing,call,mesh:off,shape:8,call,"
                            "no_tracing:off,call")).splitlines()
    inside = [line for line in lines if line.startswith("    call(")]
    assert len(inside) == 4
    assert [line for line in lines if line.startswith("with")] == [
        "with jax.set_mesh(mesh):", "with jax.set_mesh(mesh), jax.no_tracing(True):",
        "with jax.no_tracing(True):"]


def test_only_what_is_needed_is_imported():
    text = program(history("call"))
    assert [line for line in text.splitlines() if "import" in line] == [
        "import jax", "import numpy as np"]
    assert len(text.splitlines()) <= 12


# -- permalinks ----------------------------------------------------------------

def test_links_round_trip():
    for seed in range(200):
        actions = random_history(seed)
        found = parse(permalink(actions))
        assert (list(found.history), found.problems) == (actions, ())
        assert parse("https://example.org/lab/?" + permalink(actions) + "#x") == found


def test_links_published_once_still_open():
    found = parse("v=1&do=call,call,numpy,call,lambda,call,static:3,call,disk:on,restart,call")
    assert not found.problems and len(found.history) == 11
    assert permalink(found.history) == \
        "v=1&do=call,call,numpy,call,lambda,call,static:3,call,disk:on,restart,call"


@pytest.mark.parametrize("link, kept, words", [
    ("v=1&do=call,fly,numpy", "call numpy", ["'fly'"]),
    ("v=1&do=call,shape:round,call", "call call", ["'shape'", "'round'", "8, 4x2"]),
    ("v=1&do=call:now", "", ["nothing to choose"]),
    ("v=2&do=call", "call", ["version '2'"]),
    ("v=1", "", ["no list"]),
    ("", "", ["no list"]),
    ("do=call", "call", []),
    ("?v=1&do=", "", []),
    ("v=1&do=,,call,", "call", []),
    ("v=1&do=call%2Cnumpy&theme=dark", "call numpy", []),
    ("v=1&do=__import__('os')", "", ["no action"]),
])
def test_unreadable_parts_are_reported_and_the_rest_is_kept(link, kept, words):
    found = parse(link)
    assert " ".join(map(str, found.history)) == kept
    for word in words:
        assert word in " ".join(found.problems)
    assert bool(found.problems) == bool(words)


def test_links_cannot_ask_for_too_much():
    found = parse("do=" + ",".join(["call"] * 5000))
    assert len(found.history) == MOST_ACTIONS and len(found.problems) == 1
    found = parse("do=" + ",".join(["restart"] * 50))
    assert len(found.history) == MOST_RESTARTS


def test_any_text_is_answered():
    pick = random.Random(1)
    for _ in range(500):
        text = "".join(chr(pick.choice([pick.randrange(32, 127), pick.randrange(0x300)]))
                       for _ in range(pick.randrange(40)))
        parse(text), parse("v=1&do=" + text)
