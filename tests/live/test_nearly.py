"""When two values are the same."""

import pytest

from simulator.live.nearly import same

SAME = [("f32[](0.23782)", "f32[](0.237819)"), ("f32[2](1,2)", "f32[2](1,2)"), (None, None),
        ("f32[](1)", "f32[](1.00001)"), ("f32[2](3e-07,2.5)", "f32[2](0,2.5)"), ("f32[](-1.5e-07)", "f32[](-1.50001e-07)"),
        ("f16[2](-0,1.5)", "f16[2](0,1.5)")]
OTHER = [("f32[](0.2378)", "f32[](0.237819)"), ("i32[](100000)", "i32[](100001)"),
         ("f32[2](1,2)", "f32[3](1,2)"), ("f32[](1.5)", "f32[]*(1.5)"), (None, "f32[](1)"),
         ("f32[](nan)", "f32[](1.5)"), ("f32[](0)", "f32[](1e-07)"), ("f32[](1.5)", "f32[](-1.5)")]


@pytest.mark.parametrize(("mine", "theirs"), SAME)
def test_same(mine, theirs):
    assert same(mine, theirs) and same(theirs, mine)


@pytest.mark.parametrize(("mine", "theirs"), OTHER)
def test_not_same(mine, theirs):
    assert not same(mine, theirs) and not same(theirs, mine)
