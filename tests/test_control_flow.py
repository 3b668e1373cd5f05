"""Loops and branches: what the kept programs do not show."""

import pytest

from simulator.control_flow.flat_tree import Group, nones, zipstar
from simulator.errors import OutOfScope
from simulator.running.program import observe_text

HEAD = "import jax\nimport jax.numpy as jnp\nfrom jax import lax\n"


def calls(text):
    return observe_text(HEAD + text).calls


def test_a_loop_without_end_costs_nothing_until_its_value_is_wanted():
    ran, = calls("f = jax.jit(lambda x: lax.while_loop(lambda c: c >= 0, lambda c: c, x))\n"
                 "x = f(jnp.ones(()))\nnote('shape', str(x.shape))\n")[-1:]
    assert ran.note == "()"
    with pytest.raises(OutOfScope, match=r"jax\.lax\.while_loop of so many steps"):
        calls("call('a', lambda: lax.while_loop(lambda c: c >= 0, lambda c: c, 1))\n")


def test_many_steps_are_refused_by_name():
    with pytest.raises(OutOfScope, match=r"jax\.lax\.scan of so many steps"):
        calls("call('a', lambda: lax.fori_loop(0, 10**6, lambda i, c: c + 1, 0))\n")


@pytest.mark.parametrize("name", ["custom_root"])
def test_what_is_missing_is_refused_by_name(name):
    with pytest.raises(OutOfScope, match=rf"jax\.lax\.{name}"):
        calls(f"lax.{name}\n")


def test_a_body_that_calls_back_runs_once_per_turn_also_when_nobody_looks():
    ran, = calls("seen = []\nf = jax.jit(lambda: lax.fori_loop(0, 4, lambda i, c: "
                 "(jax.debug.callback(seen.append, i), c)[1], 0))\n_ = f()\n"
                 "note('seen', len(seen))\n")[-1:]
    assert ran.note == 4


def test_taking_leaves_away_keeps_their_place():
    tree = Group(nones(1), nones(2))
    part = tree.update([1, 2, 3]).filter([True, False, True])
    assert part.vals == [1, 3] and len(part) == 2
    assert part.update([10, 30]).unfilter().vals == [10, 2, 30]
    assert repr(tree.filter([True, False, True])) == (
        "((RightsOnly(Right(None)),), (RightsOnly(Left(None)), RightsOnly(Right(None))))")
    again = part.filter([False, True])
    assert again.vals == [3] and again.unfilter().vals == [1, 3]


def test_zipstar_groups_by_place():
    pair = Group(Group(nones(1), nones(2)), Group(nones(0), nones(1))).update([1, 2, 3, 4])
    assert zipstar(pair).vals == [1, 2, 3, 4]
    assert [p.vals for p in zipstar(pair).unpack()] == [[1], [2, 3, 4]]
