"""Callbacks, traced lowerings, custom rules, and the switches that change what runs."""

import contextlib
import io

import pytest

from simulator.jaxprs import lower_fun
from simulator.jaxprs.jaxpr import Eqn, Jaxpr, Var
from simulator.primitives.core import BY_NAME
from simulator.running.program import observe_text
from simulator.side_effects import debug_print, effects
from tests.agreement import PROGRAMS, assert_agrees


@pytest.mark.real_jax
@pytest.mark.parametrize("name", ["effects", "traced_lowerings", "jit_equations", "activations",
                                  "switches", "nan_checks"])
def test_agrees_with_real_jax(name, server):
    assert_agrees(PROGRAMS / f"{name}.py", server)


def calls(text):
    return observe_text("import jax\nimport numpy as np\nfrom jax import lax\n"
                        "x = jax.device_put(np.ones(3, 'float32'))\n" + text).calls


def stores(call):
    return [e["outcome"] for e in call.events if e["kind"] == "store"]


def test_an_effect_leaves_a_dead_entry():
    first, second = calls("f = jax.jit(lambda x: jax.debug.print('{}', x))\n"
                          "call('a', lambda: f(x))\ncall('b', lambda: f(x))\n")
    assert stores(first) == ["dead"] and stores(second) == ["none"]
    assert first.cache_size == second.cache_size == 1


def test_a_pure_callback_is_answered_by_the_fast_path():
    first, second = calls("f = jax.jit(lambda x: jax.pure_callback(lambda v: v, x, x))\n"
                          "call('a', lambda: f(x))\ncall('b', lambda: f(x))\n")
    assert stores(first) == ["stored"] and second.fast_path


def test_an_unused_pure_callback_never_runs():
    ran, = calls("ran = []\nf = jax.jit(lambda x: (jax.pure_callback("
                 "lambda v: ran.append(1), x, x), x)[1])\nf(x)\nnote('ran', ran)\n")
    assert ran.note == []


def test_the_callback_itself_is_not_in_the_disk_key():
    both = calls("""
import os
jax.config.update('jax_compilation_cache_dir', os.environ['CASE_TMP'] + '/cache')
jax.config.update('jax_persistent_cache_min_compile_time_secs', 0)
from jax.experimental import io_callback
def make(f, **options):
    return jax.jit(lambda v: io_callback(f, v, v, **options))
call('one', lambda: make(lambda v: v)(x))
call('two', lambda: make(lambda v: np.asarray(v) + np.float32(1))(x))
call('ordered', lambda: make(lambda v: v, ordered=True)(x))
""")
    assert ["cache_hits" in c.persistent for c in both] == [False, True, False]
    assert both[1].value == "f32[3](2,2,2)"


def test_print_writes_what_format_says():
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        debug_print._printer({"fmt": "{} {a:.1f}", "logging_record": None,
                              "has_placeholders": True, "static_args": ((1, 0.25),),
                              "in_tree": _tree((1,), {"a": 2})})(3)
        debug_print._printer({"fmt": "plain", "logging_record": None, "has_placeholders": False,
                              "static_args": (), "in_tree": _tree((1,), {})})(3)
    assert out.getvalue() == "3 0.2\nplain 3\n"


def _tree(args, kwargs):
    from simulator.trees import pytrees
    return pytrees.tree_structure((args, kwargs))


def test_ordered_effects_need_one_device():
    effects.check_devices(frozenset({effects.ORDERED_DEBUG}), 1)
    effects.check_devices(frozenset({effects.ORDERED_IO, effects.DEBUG}), 2)
    with pytest.raises(ValueError, match="not supported for more than 1 device"):
        effects.check_devices(frozenset({effects.ORDERED_DEBUG}), 2)


def test_every_traced_lowering_is_of_a_primitive():
    from simulator.facade import pristine
    pristine.everything()
    later = {"igamma", "igammac", "random_gamma", "regularized_incomplete_beta", "bessel_i0e"}
    assert set(lower_fun.RULES) - set(BY_NAME) <= later


def test_equal_equations_are_lowered_once(monkeypatch):
    seen = []
    monkeypatch.setitem(lower_fun.RULES, "logistic", lambda eqn: seen.append(eqn) or [])
    import simulator.facade.jax  # noqa: F401
    from simulator.types.avals import ShapedArray
    a, b, c = (Var(ShapedArray((3,), "float32")) for _ in range(3))
    logistic = BY_NAME["logistic"]
    eqns = [Eqn([a], [b], logistic, {"accuracy": None}), Eqn([b], [c], logistic, {"accuracy": None})]
    lower_fun.lower(Jaxpr([], [], [a], [c], eqns, frozenset()))
    assert len(seen) == 1


def test_no_execution_and_no_tracing_leave_dead_entries():
    for name in ("no_execution", "no_tracing"):
        first, second = calls(f"f = jax.jit(lambda x: lax.sin(x))\nwith jax.{name}():\n"
                              "    call('a', lambda: f(x))\n    call('b', lambda: f(x))\n")
        assert first.exception and second.exception
        assert stores(first) == ["dead"] and stores(second) == ["none"]
