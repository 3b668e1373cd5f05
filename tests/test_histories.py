"""Random histories: how they are drawn and cut down, and that the model is right on them.

The last part needs jax. SIX_CACHES_HISTORIES sets how many histories it draws.
"""
import collections
import os
from pathlib import Path

import pytest

from simulator.lab import KINDS, Action, follow, issued, parse, permalink, program
from simulator.live import compare, histories
from simulator.live.histories import EVERY, Outcome, draw, up_to_first_difference
from simulator.live.shrinking import shrink

COUNT = int(os.environ.get("SIX_CACHES_HISTORIES", "300"))
SEED = 1
KEPT = [line for line in (Path(__file__).parent / "histories.txt").read_text().splitlines()
        if line and not line.startswith("#")]


def history(text):
    found = parse("do=" + text)
    assert not found.problems
    return found.history


# -- drawing -------------------------------------------------------------------

def test_the_same_seed_draws_the_same_histories():
    assert [draw(1, number) for number in range(50)] == [draw(1, number) for number in range(50)]
    assert [draw(1, number) for number in range(50)] != [draw(2, number) for number in range(50)]


def test_every_kind_and_choice_is_drawn_often_enough():
    seen = collections.Counter()
    for number in range(300):
        for action in set(draw(SEED, number)):
            seen[action.kind, action.picked] += 1
    for action in EVERY:
        assert seen[action.kind, action.picked] >= 3, action


def test_drawn_histories_are_worth_running():
    for number in range(300):
        drawn = draw(SEED, number)
        compile(program(drawn), "lab.py", "exec")
        assert parse(permalink(drawn)).history == drawn
        assert 3 <= len(issued(drawn)) <= 15 and len(drawn) <= 40
        assert sum(action.kind == "restart" for action in drawn) <= 2
        assert drawn[-1].kind != "restart"


def test_forbidden_tracing_does_not_last():
    for number in range(600):
        blocked = 0
        for now, action in zip(follow(draw(3, number)), draw(3, number)):
            blocked = blocked + 1 if (now.state.no_tracing == "on"
                                      and KINDS[action.kind].issues) else 0
            assert blocked <= 2


# -- cutting down --------------------------------------------------------------

def failing(*needed):
    """A check that fails when all the needed actions are there, in that order."""
    def fails(candidate):
        rest = iter(candidate)
        return all(any(action.kind == want for action in rest) for want in needed)
    return fails


@pytest.mark.parametrize("needed", [
    ("call",), ("committed", "call"), ("call", "numpy", "call", "lambda", "call")])
def test_shrinking_keeps_only_what_is_needed(needed):
    start = history("disk,call,numpy,call,committed,call,x64,call,lambda,shape:4x2,call,call")
    smallest, trials = shrink(start, failing(*needed), most=1000)
    assert [action.kind for action in smallest] == list(needed)
    assert trials < 200


def test_shrinking_simplifies_choices():
    smallest, _ = shrink(history("call,shape:4x2,call"), failing("shape", "call"))
    assert smallest == (Action("shape"), Action("call"))


def test_shrinking_stops():
    start = history(",".join(["call", "numpy", "array"] * 30))
    tried = []

    def fails(candidate):
        tried.append(candidate)
        return len(candidate) >= 60

    smallest, trials = shrink(start, fails, most=25)
    assert trials == len(tried) <= 25 and len(smallest) < len(start)


def test_what_comes_after_the_first_difference_is_cut_off():
    long = history("call,numpy,call,lambda,call,restart,call")
    assert up_to_first_difference(Outcome(long, compare.DIFFERS, [], 1)) == long[:3]
    assert up_to_first_difference(Outcome(long, compare.DIFFERS, [], None)) == long


# -- model against real JAX ------------------------------------------------------

@pytest.fixture(scope="module")
def runner(tmp_path_factory):
    pytest.importorskip("jax")
    with histories.Runner(str(tmp_path_factory.mktemp("compiled"))) as running:
        yield running


def agree(runner, chosen):
    """Fail with every difference, cut down, as links to put into histories.txt."""
    outcomes = list(runner.run(chosen))
    wrong = [outcome for outcome in outcomes if outcome.verdict != compare.AGREES]
    assert not wrong, "\n\n".join(map(str, histories.distinct(runner.shrink(wrong[:20]))))


@pytest.mark.long
@pytest.mark.real_jax
def test_kept_histories_agree(runner):
    agree(runner, [parse(link).history for link in KEPT])


@pytest.mark.long
@pytest.mark.real_jax
def test_drawn_histories_agree(runner):
    agree(runner, [draw(SEED, number) for number in range(COUNT)])


@pytest.mark.real_jax
def test_the_command(capsys):
    pytest.importorskip("jax")
    assert histories.run(0, 1, link="v=1&do=call,numpy,call,sideways") == 0
    said = capsys.readouterr().out
    assert "'sideways'" in said and "1 agree" in said
    assert histories.run(0, 1, link="nothing") == 2
