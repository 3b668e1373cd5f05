"""Which calls are reported once only, and where operators of one operand are looked for."""

import functools
import types

from simulator.live import operators
from simulator.live.call_sites import settled


def test_a_library_that_names_isinstance_calls_nothing_else_there():
    assert settled(functools.update_wrapper.__code__, getattr)
    assert not settled(functools.update_wrapper.__code__, isinstance), "it is not named there"
    assert not settled(functools.update_wrapper.__code__, print), "may be anything"


def test_places_of_the_program_are_always_reported():
    def own(x):
        return isinstance(x, int)
    mine = own.__code__.replace(co_filename="/somewhere/program.py")
    assert not settled(mine, isinstance)


def test_operators_are_found_in_inner_code_too():
    outer = compile("def f(x):\n    return [-y for y in x] + [+x, ~x]\n", "made.py", "exec")
    inner = next(c for c in outer.co_consts if isinstance(c, types.CodeType))
    assert sorted(operators._look(inner).values()) == ["__invert__", "__neg__", "__pos__"]
    assert operators._look(outer) == {}
