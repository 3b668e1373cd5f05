"""The recorded flips of configuration states agree with the keys that the states are in."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "site"))

from make import states  # noqa: E402
from simulator.facts import facts  # noqa: E402
from simulator.live import flips  # noqa: E402
from simulator.live.observe import observe_text  # noqa: E402

STATES = {state["name"]: state for state in facts()["states"]}
BY_KEYS = {(True, True): 1, (True, False): 2, (False, True): 3, (False, False): 0}
"""In the key of C++, in the trace context: which of `states.OUTCOMES` follows."""

ODD = {
    "abstract_mesh_context_manager": "lowering finds no devices",
    "device_context": "it comes together with a mesh in the trace context",
    "jax_debug_key_reuse": "calls become operations",
    "jax_disable_jit": "asked before any key is made",
    "jax_no_tracing": "asked on the way into Python",
    "jax_no_execution": "asked when something is to be run",
    "jax_transfer_guard": "asked when data moves",
    "jax_transfer_guard_host_to_device": "asked when data moves",
}


def test_every_state_that_a_program_can_change_was_flipped():
    possible = {name for name, state in STATES.items() if flips.program(state)}
    assert set(states.flips()) == possible
    assert sorted(set(STATES) - possible) == [
        "axis_env_state", "mlir_thread_local_context", "post_hook", "trace_state",
        "trace_state_strong_ref",
    ]  # fmt: skip


@pytest.mark.parametrize("name", sorted(states.flips()))
def test_what_happened_follows_from_the_keys(name):
    said, state = states.effect(states.flips()[name]), STATES[name]
    usual = list(states.OUTCOMES.values())[BY_KEYS[state["in_jit_key"], state["in_trace_context"]]]
    assert (said == usual) != (name in ODD or said == states.REFUSED)


def test_every_state_has_its_row():
    rows = states.table()
    assert [row["name"] for row in rows] == list(STATES)
    assert all(row["meaning"].endswith(".") and row["effect"].endswith(".") for row in rows)


@pytest.mark.parametrize(
    "name", ["jax_enable_x64", "jax_optimization_level", "jax_high_dynamic_range_gumbel"]
)
def test_a_flip_is_seen_again_on_real_jax(name, server):
    _, text = flips.program(STATES[name])
    seen = {call.label: flips.answers(call) for call in observe_text(f"{name}.py", text, launch=server).calls}
    assert {label: seen[label] for label in ("same", "numpy", "back")} == {
        label: states.flips()[name][label] for label in ("same", "numpy", "back")
    }
