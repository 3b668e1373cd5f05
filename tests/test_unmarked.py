"""Programs without marks: where calls begin, how they are labelled."""

import pytest

from simulator.running import outermost
from simulator.running.program import ProgramError, observe_text
from tests.agreement import PROGRAMS, lines_agree


@pytest.mark.real_jax
@pytest.mark.parametrize("name", ["unmarked", "unmarked_script"])
def test_agrees_with_real_jax(name, server):
    lines_agree(PROGRAMS / f"{name}.py", server)


PROGRAM = """import jax
import numpy as np
from jax import lax

@jax.jit
def f(x):
    return lax.sin(x)

@jax.jit
def g(x):
    return f(f(x))

x = jax.device_put(np.ones(3, "float32"))
g(x)
f(x); y = lax.cos(f(x))
lowered = g.lower(x)
lowered.compile()(x)
"""


def test_outermost_calls_with_lines_and_labels():
    calls = observe_text(PROGRAM).calls
    assert [(c.line, c.label) for c in calls] == [
        (14, "g(x)"), (15, "f(x); y = lax.cos(f(x))"), (15, "f(x); y = lax.cos(f(x))"),
        (15, "f(x); y = lax.cos(f(x))"), (16, "lowered = g.lower(x)"),
        (17, "lowered.compile()(x)"), (17, "lowered.compile()(x)")]
    assert [e["station"] for e in calls[3].events if e["kind"] == "lookup"][:1] == ["prim"]
    assert all(c.value is None for c in calls)


def test_nested_calls_are_part_of_the_outer_one():
    first = observe_text(PROGRAM).calls[0]
    assert {e["fun"] for e in first.events if e.get("station") == "fast_path"} == {"f", "g"}


def test_an_exception_ends_its_call_and_goes_on():
    with pytest.raises(ProgramError) as caught:
        observe_text("import jax\njax.jit(lambda x: x)(1)\njax.jit(lambda x: 1 / 0)(1)\n")
    calls = caught.value.recording.calls
    assert [c.exception for c in calls] == [None, "ZeroDivisionError: division by zero"]
    assert caught.value.line == 3


def test_what_other_threads_do_meanwhile_belongs_to_the_open_call():
    calls = observe_text("""import jax, threading
f = jax.jit(lambda x: x)
def inner(x):
    thread = threading.Thread(target=lambda: f(2.0))
    thread.start()
    thread.join()
    return x
jax.jit(inner)(1.0)
thread = threading.Thread(target=lambda: f(2.0))
thread.start()
thread.join()
""").calls
    assert [c.line for c in calls] == [8, 9] and calls[1].fast_path


@pytest.mark.parametrize("text, expected", [
    ("call('a', f)", True), ("note('a', 1)", True), ("print(call)", False),
    ("def call(x): pass\ncall(1)", False), ("from m import note\nnote(1)", False),
    ("x.call(1)", False), ("def f(call): return call(1)", False),
    ("f = lambda *note: note(1)", False), ("async def call(x): pass\ncall(1)", False),
    ("def f(call): return call(1)\ncall('a', f)", True)])
def test_marks_are_recognised(text, expected):
    assert outermost.marked(text) is expected


@pytest.mark.parametrize("line, expected", [
    (1, "x = 1"), (2, "y" * outermost.LABEL), (3, "?"), (None, "?")])
def test_labels(line, expected):
    assert outermost.label(["  x = 1 ", "y" * 300], line) == expected
