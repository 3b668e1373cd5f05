"""The recorder of real JAX: order of events, what counts as a hit, what it leaves alone."""

import pytest

from simulator.live import observe
from simulator.recordings import event_data
from simulator.recordings.recording import Call, Note
from simulator.running import outermost

from .conftest import steps

pytestmark = pytest.mark.real_jax

BASIC = """
    import functools
    import jax, jax.numpy as jnp
    from jax import lax

    def f(x):
        return lax.sin(x)

    g = jax.jit(f)
    x = jnp.arange(3.0)
    call("cold", lambda: g(x))
    call("again", lambda: g(x))
    call("longer", lambda: g(jnp.arange(4.0)))
    call("eager", lambda: lax.sin(x))
    call("made by C", lambda: (list(map(g, [x, x])), functools.partial(g, x)(), g(x))[1])
    call("text", lambda: g("a"))
    compiled = g.lower(x).compile()
    call("ahead of time", lambda: compiled(x))
    call("ahead of time again", lambda: compiled(x))
    note("kept", g._cache_size())
    """


@pytest.fixture(scope="module")
def basic(run):
    found = run(BASIC)
    return {call.label: call for call in found.calls}


def test_a_cold_call_asks_every_drawer_in_order(basic):
    assert steps(basic["cold"]) == [
        ("fast_path", "f", 0, "miss"), ("python", "f", 0, None), ("params", "f", 0, "miss"),
        ("trace", "f", 0, "miss"), ("trace", "f", 0, None), ("lower", "f", 0, "miss"),
        ("hlo", "f", 0, "miss"), ("lower", "f", 0, None), ("memo", "f", 0, "miss"),
        ("compile", "f", 0, "miss"), ("compile", "f", 0, None), ("execute", "f", 0, None),
        ("fast_path", "f", 0, "stored")]
    assert basic["cold"].value == "f32[3](0,0.841471,0.909297)"
    assert basic["cold"].cache_size == 1


def test_log_lines_lie_where_they_were_written(basic):
    events = basic["cold"].events
    kinds = [event["kind"] for event in events]
    assert [event["text"] for event in events if event["kind"] == "log"] == basic["cold"].log
    explained = next(i for i, e in enumerate(events) if "TRACING CACHE MISS" in e.get("text", ""))
    assert events[explained - 1]["station"] == "trace" and events[explained + 1]["kind"] == "work"
    assert kinds.count("log") == 5


def test_a_hit_is_one_lookup_and_one_execution(basic):
    assert basic["again"].fast_path
    assert steps(basic["again"]) == [("fast_path", "f", 0, "hit"), ("execute", "f", 0, None)]


def test_the_closest_key_names_what_differed(basic):
    lookups = {e["station"]: e for e in basic["longer"].events
               if e["kind"] == "lookup" and e["fun"] == "f"}
    assert lookups["fast_path"]["closest"]["differs"] == ["avals"]
    assert lookups["params"]["closest"]["differs"] == ["avals"]
    assert lookups["params"]["closest"]["of"] == "cold"
    assert dict(lookups["fast_path"]["key"])["avals"] == "f32[4]"


def test_an_eager_primitive_has_its_jitted_function_one_level_down(basic):
    found = steps(basic["eager"])
    assert found[0] == ("prim", "sin", 0, "miss")
    assert found[1] == ("fast_path", "sin", 1, "miss")


def test_calls_made_by_c_code_are_seen(basic):
    assert steps(basic["made by C"], "lookup") == [("fast_path", "f", 0, "hit")] * 4


def test_a_failing_call_falls_back_and_keeps_nothing(basic):
    call = basic["text"]
    assert call.exception.startswith("TypeError: ") and call.value is None
    assert not call.fast_path
    assert steps(call) == [("fast_path", "f", 0, "fallback"), ("python", "f", 0, None),
                           ("fast_path", "f", 0, "none")]


def test_an_ahead_of_time_call_fills_its_own_fast_path(basic):
    assert steps(basic["ahead of time"])[0] == ("fast_path", "f", 0, "miss")
    assert steps(basic["ahead of time"])[-1] == ("fast_path", "f", 0, "stored")
    assert steps(basic["ahead of time again"], "lookup") == [("fast_path", "f", 0, "hit")]


def test_without_the_print_of_c_plus_plus_the_verdicts_are_the_same(run, basic):
    found = {call.label: call for call in run(BASIC, signatures=False).calls}
    for label, call in basic.items():
        if label != "made by C" and isinstance(call, Call):
            assert steps(found[label]) == steps(call), label


def test_counts_of_events_and_counters_agree(basic):
    for call in basic.values():
        if isinstance(call, Call):
            assert event_data.count(call.events) == call.caches


NESTED = """
    import jax, jax.numpy as jnp
    @jax.jit
    def inner(x): return 2 * x
    @jax.jit
    def outer(x): return inner(inner(x))
    x = jnp.arange(3.0)
    call("outer", lambda: outer(x))
    call("inside", lambda: jax.make_jaxpr(lambda a: a + outer(x))(x) and None)
    """


def test_nested_functions_fall_back_one_level_down(run):
    outer, inside = run(NESTED).calls
    nested = [s for s in steps(outer, "lookup") if s[1] == "inner"]
    assert nested == [("fast_path", "inner", 1, "fallback"), ("params", "inner", 1, "miss"),
                      ("trace", "inner", 1, "miss"), ("fast_path", "inner", 1, "fallback"),
                      ("params", "inner", 1, "hit")]
    assert ("fast_path", "inner", 1, "none") in steps(outer, "store")


def test_concrete_arguments_inside_a_trace_leave_a_dead_entry(run):
    inside = run(NESTED).calls[1]
    assert ("fast_path", "outer", 1, "miss") in steps(inside, "lookup")
    assert ("fast_path", "outer", 1, "dead") in steps(inside, "store")


LIFETIMES = """
    import gc, weakref
    import jax, jax.numpy as jnp
    def make():
        def f(x): return x + 1
        return f
    f = make()
    seen = weakref.ref(f)
    x = jnp.ones(2)
    call("f(x)", lambda: jax.jit(f)(x))
    call("an array", lambda: jax.jit(lambda x: x)(jnp.zeros(5)))
    del f
    gc.collect()
    note("function is gone", seen() is None)
    note("arrays alive", len(jax.live_arrays()))
    call("after", lambda: jax.jit(jnp.sin)(x))
    jax.clear_caches()
    call("cleared", lambda: jax.jit(jnp.sin)(x))
    """


def test_watching_keeps_no_object_of_the_program_alive(run):
    notes = {n.label: n.note for n in run(LIFETIMES).calls if isinstance(n, Note)}
    assert notes == {"function is gone": True, "arrays alive": 1}


def test_entries_that_went_away_are_reported(run):
    calls = {c.label: c for c in run(LIFETIMES).calls}
    gone = {e["station"] for e in calls["after"].events if e["kind"] == "evict"}
    assert {"fast_path", "params", "trace", "lower", "hlo", "compile"} <= gone
    assert "evict" in {e["kind"] for e in calls["cleared"].events}


ODD = """
    import jax
    class Loud:
        def __repr__(self): raise ZeroDivisionError("asked for a repr")
    call("loud static", lambda: jax.jit(lambda x, s: x, static_argnums=1)(1.0, Loud()))
    class Equal:
        def __hash__(self): return 1
        def __eq__(self, other): raise RuntimeError("no opinion")
    h = jax.jit(lambda x, s: x, static_argnums=1)
    call("first", lambda: h(1.0, Equal()))
    call("second", lambda: h(1.0, Equal()))
    call("list", lambda: h(1.0, []))
    """


def test_printing_keys_never_changes_what_a_call_does(run):
    loud, first, second, unhashable = run(ODD).calls
    assert loud.exception is None and loud.value == "f32[]*(1)"
    assert second.exception.startswith("ValueError: static arguments should be comparable")
    assert steps(second) == []
    assert unhashable.exception.startswith("ValueError: Non-hashable static arguments")
    assert steps(unhashable) == []


POISONED = """
    import jax, jax.numpy as jnp
    @jax.jit
    def f(x):
        if x[0] > 0: return x
    x = jnp.ones(2)
    for i in range(2):
        call(f"call {i}", lambda: f(x))
    """


def test_a_poisoned_trace_counts_as_a_hit_and_runs_again(run):
    first, second = run(POISONED).calls
    assert ("fast_path", "f", 0, "dead") in steps(first)
    assert [s for s in steps(second) if s[1] == "f"][:5] == [
        ("fast_path", "f", 0, "fallback"), ("python", "f", 0, None), ("params", "f", 0, "hit"),
        ("trace", "f", 0, "hit"), ("trace", "f", 0, None)]
    assert second.caches["trace"] == [1, 1]


DISK = """
    # processes: 2
    import os
    import jax, jax.numpy as jnp
    jax.config.update("jax_compilation_cache_dir", os.environ["CASE_TMP"] + "/cache")
    jax.config.update("jax_persistent_cache_min_compile_time_secs",
                      0 if os.environ["CASE_PROCESS"] == "0" else 1)
    x = jnp.ones(3)
    call("f", lambda: jax.jit(lambda x: x * 3)(x))
    call("g", lambda: jax.jit(lambda x: x * 4)(x))
    """


def test_the_disk_is_asked_and_written(run):
    calls = run(DISK).calls
    assert [call.process for call in calls] == [0, 0, 1, 1]
    disk = [[s for s in steps(call) if s[0] in ("disk", "load", "compile")] for call in calls]
    cold = [("compile", "<lambda>", 0, "miss"), ("disk", "<lambda>", 0, "miss"),
            ("compile", "<lambda>", 0, None), ("disk", "<lambda>", 0, "written")]
    assert disk[0] == cold and disk[1] == cold
    assert disk[2] == [("compile", "<lambda>", 0, "miss"), ("disk", "<lambda>", 0, "hit"),
                       ("load", "<lambda>", 0, None)]
    lookup = next(e for e in calls[1].events if e.get("station") == "disk")
    assert lookup["closest"]["differs"] == ["module", "file name"]
    assert calls[2].persistent[-1] == "cache_hits"


UNMARKED = """
    import jax, jax.numpy as jnp
    g = jax.jit(lambda x: x + 1)
    x = jnp.arange(3.0)
    y = g(x)
    y = (g(x)
         * 2)
    low = g.lower(x)
    c = low.compile()
    z = c(x)
    try:
        g("a")
    except TypeError:
        pass
    """


def test_programs_without_marks_are_cut_into_their_outermost_calls(run):
    calls = run(UNMARKED).calls
    assert [(call.label, call.line) for call in calls] == [
        ("x = jnp.arange(3.0)", 3), ("y = g(x)", 4), ("y = (g(x)", 5), ("y = (g(x)", 5),
        ("low = g.lower(x)", 7), ("c = low.compile()", 8), ("z = c(x)", 9), ('g("a")', 11)]
    assert [call.fast_path for call in calls[:4]] == [False, False, True, False]
    assert steps(calls[4], "lookup") == [("params", "<lambda>", 0, "hit"),
                                         ("lower", "<lambda>", 0, "hit")]
    assert steps(calls[5], "lookup") == [("memo", "<lambda>", 0, "hit")]
    assert calls[-1].exception.startswith("TypeError")


@pytest.mark.parametrize("text, expected", [
    ("call('a', f)", True), ("note('a', 1)", True), ("print(call)", False),
    ("def call(x): pass\ncall(1)", False), ("from m import note\nnote(1)", False),
    ("x.call(1)", False)])
def test_marks_are_recognised(text, expected):
    assert outermost.marked(text) is expected


def test_a_program_that_fails_says_so(run):
    with pytest.raises(observe.ProgramFailed, match="program.py failed(?s:.*)line 3") as caught:
        run("import jax\nnote('before', 1)\n1 / 0\n")
    assert caught.value.error == "ZeroDivisionError: division by zero"
    assert [call.label for call in caught.value.recording.calls] == ["before"]
    assert "child.py" not in str(caught.value)


def test_a_program_is_compiled_by_its_own_rules(run):
    found = run("""
        import jax
        seen = []
        def f(x: seen.append("annotation")): return x
        note("evaluated", seen)
        """)
    assert found.calls[0].note == ["annotation"]


def test_header_lines_are_applied(run):
    found = run("""
        # env: XLA_FLAGS=--xla_force_host_platform_device_count=3
        # env: JAX_ENABLE_X64=1
        # log: off
        import jax, jax.numpy as jnp
        note("devices", jax.device_count())
        call("f", lambda: jax.jit(jnp.sin)(1.0))
        """)
    assert found.devices == 3 and found.calls[0].note == 3
    assert found.calls[1].value.startswith("f64[]") and found.calls[1].log == []
    key = dict(next(e for e in found.calls[1].events if e.get("station") == "params")["key"])
    assert key["jax_enable_x64"] == "True"
