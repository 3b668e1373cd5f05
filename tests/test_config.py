"""Configuration states against real JAX: names, parsing, errors, snapshots."""

import os
import subprocess
import sys
import threading

import pytest

jax = pytest.importorskip("jax")
from jax._src import config as real  # noqa: E402

from simulator.configuration import config_effects, config_states  # noqa: E402
from simulator.configuration.config import UNSET, Config  # noqa: E402
from simulator.errors import OutOfScope  # noqa: E402
from simulator.running import program  # noqa: E402

CANDIDATES = [None, True, False, 0, 1, 3, 1.5, "on", "allow", "warn", "standard", "strict",
              "highest", "O1", "raise", "", "cpu", "zz", (), jax.devices()[0]]


def outcome(thunk):
    try:
        return thunk()
    except Exception as error:
        text = str(error).splitlines()[0].replace("jax._src.config", "simulator.configuration.config_states")
        return type(error).__name__, text


def plain(value):
    return (type(value).__name__, repr(value))


@pytest.mark.parametrize("info", config_states.all_states(), ids=lambda i: i.name)
def test_parsing(info):
    if not info.settable:
        return
    state = real.config_states[info.name]
    for value in CANDIDATES:
        if info.needs_no_backend() and isinstance(value, int):
            continue   # needs a process without a backend
        assert plain(outcome(lambda: info.parse(value))) == plain(
            outcome(lambda: state._parser(value))), value


def test_names_flags_and_public_states():
    ours = Config()
    assert ours.trace_context_names() == list(real.trace_context_names())
    assert len(ours.jit_key()) == 51
    flags = {n: h.value for n, h in real.config._value_holders.items()
             if n not in real.config_states}
    # The command line and the environment of the tests may set a platform.
    assert set(flags) == set(config_states.FLAGS)
    public = {n: getattr(jax, n).name for n in dir(jax) if isinstance(getattr(jax, n), real.State)}
    assert public == {n: s.name for n, s in ours.public_states().items()}
    assert set(ours.values) == set(real.config.values)


def test_effects_name_existing_states():
    known = {i.name for i in config_states.all_states()} | set(config_states.FLAGS)
    groups = config_effects.FOLLOWED, config_effects.LIMITED, config_effects.REFUSED
    assert sum(map(len, groups)) == len(set().union(*groups))
    assert set().union(*groups) <= known


def each(config, module):
    return [
        lambda: config.update("foo", 1), lambda: config.read("zz"),
        lambda: config.read("jax_log_compiles"), lambda: config.read("jax_enable_x64"),
        lambda: config.jax_foo, lambda: config.jax_platform_name, lambda: config.x64_enabled,
        lambda: config.update("mesh_context_manager", ()),
        lambda: config.mesh_context_manager,
        lambda: setattr(config, "jax_enable_x64", True),
        lambda: bool(module["enable_x64"]), lambda: module["default_matmul_precision"](),
        lambda: module["numpy_dtype_promotion"]("zz"), lambda: module["numpy_dtype_promotion"](),
        lambda: module["default_device"](3), lambda: module["default_matmul_precision"]("zz"),
        lambda: module["enable_x64"].__name__, lambda: module["enable_x64"].name,
        lambda: config.update("jax_optimization_level", "O9"),
        lambda: config.update("jax_random_seed_offset", "3"),
        lambda: config.use_absl,
    ]


def test_same_errors():
    ours = Config()
    pairs = zip(each(ours, ours.public_states()),
                each(jax.config, {n: getattr(jax, n) for n in config_states.PUBLIC}))
    for mine, theirs in pairs:
        assert outcome(mine) == outcome(theirs)


def test_nesting_threads_and_decorator():
    ours = Config()
    x64, precision = ours.state("jax_enable_x64"), ours.state("jax_default_matmul_precision")
    seen = []
    with x64(True), precision("highest"):
        with x64(False):
            assert ours.jax_enable_x64 is False
        assert ours.jax_enable_x64 is True
        thread = threading.Thread(target=lambda: seen.append(ours.trace_context()))
        thread.start()
        thread.join()
        inside = ours.trace_context()
        assert ours.trace_context_fields() == [
            ["jax_enable_x64", "True"], ["jax_default_matmul_precision", "highest"]]
        ours.update("jax_enable_x64", False)
        assert ours.jax_enable_x64 is True     # the override wins
    assert seen == [ours.trace_context()] and inside != seen[0]
    assert x64.get_local() is UNSET

    @x64(True)
    def double():
        return ours.jax_enable_x64
    assert double() is True and ours.jax_enable_x64 is False


def test_synonyms_differ_and_back_is_equal():
    ours = Config()
    start = ours.jit_key()
    keys = []
    for name in ("float32", "highest"):
        with ours.state("jax_default_matmul_precision")(name):
            keys.append(ours.jit_key())
    assert keys[0] != keys[1] and ours.jit_key() == start


def test_only_in_one_of_the_keys():
    ours = Config()
    jit, trace = ours.jit_key(), ours.trace_context()
    ours.update("jax_optimization_level", "O1")
    assert ours.jit_key() != jit and ours.trace_context() == trace
    ours = Config()
    ours.update("jax_high_dynamic_range_gumbel", True)
    assert ours.jit_key() == jit and ours.trace_context() != trace


def test_user_context_lengthens_both_keys():
    ours = Config()
    before = ours.jit_key(), ours.trace_context()
    context = ours.make_user_context(7)
    assert len(ours.jit_key()) == len(before[0]) + 1
    assert ours.trace_context() == before[1] + (7,)
    with context(8):
        assert context.value == 8 and ours.trace_context_fields() == [["user_context", "8"]]
    assert ours.trace_context_fields(before[1]) == []


ENVIRONMENT = {"JAX_ENABLE_X64": "yes", "JAX_DEFAULT_MATMUL_PRECISION": "high",
               "JAX_NUMPY_RANK_PROMOTION": "warn", "JAX_RANDOM_SEED_OFFSET": "5",
               "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0.5",
               "JAX_COMPILATION_CACHE_DIR": "somewhere", "JAX_NUMPY_DTYPE_PROMOTION": "strict"}
BAD = [{"JAX_ENABLE_X64": "maybe"}, {"JAX_DEFAULT_MATMUL_PRECISION": "zz"},
       {"JAX_NUMPY_DTYPE_PROMOTION": "zz"}, {"JAX_RANDOM_SEED_OFFSET": "x"}]


def real_values(environment):
    code = ("import jax._src.config as c\n"
            f"print([c.config_states[n.lower()].value for n in {sorted(environment)!r}])")
    clean = {k: v for k, v in os.environ.items() if not k.startswith("JAX_")}
    done = subprocess.run([sys.executable, "-c", code], env={**clean, **environment},
                          capture_output=True, text=True)
    return done.stdout.strip() or done.stderr.strip().splitlines()[-1]


@pytest.mark.parametrize("environment", [ENVIRONMENT, *BAD])
def test_environment(environment):
    try:
        ours = Config(environment)
        got = str([ours.value(n.lower()) for n in sorted(environment)])
    except ValueError as error:
        got = f"ValueError: {error}"
    assert got == real_values(environment)


def test_number_of_devices_is_fixed_once_used():
    ours = Config()
    ours.update("jax_num_cpu_devices", 2)
    ours.backends_initialized = True
    ours.update("jax_num_cpu_devices", 2)
    with pytest.raises(RuntimeError, match="should be updated before backends are initialized"):
        ours.update("jax_num_cpu_devices", 3)


def test_refused():
    ours = Config()
    ours.update("jax_enable_pgle", False)
    with pytest.raises(OutOfScope, match="jax_enable_pgle"):
        ours.update("jax_enable_pgle", True)
    with pytest.raises(OutOfScope, match="jax_array_garbage_collection_guard"):
        with ours.state("jax_array_garbage_collection_guard")("fatal"):
            pass
    with ours.state("jax_array_garbage_collection_guard")("log"):
        assert ours.value("jax_array_garbage_collection_guard") == "log"
    with pytest.raises(OutOfScope):
        Config({"JAX_ENABLE_PGLE": "1"})


def test_leak_checks_are_refused_by_the_name_of_the_option():
    with pytest.raises(OutOfScope, match="jax_check_tracer_leaks"):
        program.observe_text("import jax\nwith jax.checking_leaks(): pass\n")


LIMITED = {
    "jax_scan3": "jax.lax.scan(lambda c, x: (c, x), 0., jnp.ones(3))",
    "jax_remat3": "jax.checkpoint(jnp.sin)",
    "jax_log_checkpoint_residuals": "jax.checkpoint(jnp.sin)",
    "jax_custom_jvp3": "jax.custom_jvp(jnp.sin)",
    "jax_custom_vjp3": "jax.custom_vjp(jnp.sin)",
    "jax_use_simplified_jaxpr_constants": "jax.jit(lambda x: x + y)(y)",
    "jax_remove_size_one_mesh_axis_from_type":
        "jax.sharding.NamedSharding(jax.make_mesh((1,), ('d',)), jax.P('d'))",
}


@pytest.mark.parametrize("name", LIMITED)
def test_limited(name):
    assert set(LIMITED) == set(config_effects.LIMITED)
    start = "import jax, jax.numpy as jnp\ny = jnp.ones(3)\n"
    assert len(program.observe_text(
        f"{start}jax.config.update({name!r}, True)\ncall('sum', lambda: jax.jit(jnp.sin)(y))\n"
    ).calls) == 1
    program.observe_text(start + LIMITED[name])
    with pytest.raises(OutOfScope, match=name) as refused:
        program.observe_text(f"{start}jax.config.update({name!r}, True)\n{LIMITED[name]}\n")
    assert refused.value.line == 4
