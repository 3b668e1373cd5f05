"""What flipping each configuration state does to a call, on real JAX.

    python -m simulator.live.flips

writes `simulator/data/flips.json`: for every state that a program can change, another
value, and what the caches said afterwards to the call that was made before (`same`), to
the same types in a NumPy array (`numpy`), and to the call once more when the old value is
back (`back`). The function is a single sine, so that only keys decide, not the program.
"""

from __future__ import annotations

import json
import pathlib
import textwrap

from simulator import facts
from simulator.live.forkserver import ForkServer
from simulator.live.observe import ProgramFailed, observe_text
from simulator.recordings.event_data import STATIONS

FILE = pathlib.Path(__file__).resolve().parent.parent / "data" / "flips.json"

VALUES = {
    "jax_compilation_cache_dir": 'os.environ["CASE_TMP"]',
    "jax_debug_log_modules": '"jax._src.dispatch"',
    "jax_default_device": "jax.devices()[1]",
    "jax_explicit_x64_dtypes": 'type(old)["ERROR"]',
    "jax_hlo_source_file_canonicalization_regex": '".*"',
    "jax_persistent_cache_enable_xla_caches": '"none"',
    "jax_pjrt_client_create_options": '"a:b"',
    "jax_platforms": '"cpu"',
    "jax_pprint_use_color": "False",
    "jax_source_url_schema": '"file"',
    "jax_transfer_guard": '"disallow"',
    "jax_transfer_guard_device_to_device": '"disallow"',
    "jax_transfer_guard_device_to_host": '"disallow"',
    "jax_transfer_guard_host_to_device": '"disallow"',
    "jax_use_hlo_logistic_lowering": "True",
}
"""Another value, where the type alone does not give one."""

CONTEXTS = {
    "mesh_context_manager": 'jax.sharding.Mesh(np.array(jax.devices()[:2]), ("d",))',
    "abstract_mesh_context_manager":
        'jax.sharding.use_abstract_mesh(jax.sharding.AbstractMesh((1,), ("d",)))',
    "device_context": 'jax.set_mesh(jax.make_mesh((2,), ("d",), axis_types=(AxisType.Auto,)))',
    "compute_on_context_manager": 'extend_compute_type("device_host")',
    "xla_metadata_context_manager": 'set_xla_metadata(a="b")',
    "pallas_tpu_interpret_mode_context_manager": "pltpu.force_tpu_interpret_mode()",
    "user_context": "context(1)",
}
"""How a state is entered that has no name in `jax.config`."""

IMPORTS = {
    "compute_on_context_manager": "from jax._src.compute_on import extend_compute_type",
    "xla_metadata_context_manager":
        "from jax.experimental.xla_metadata import set_xla_metadata",
    "pallas_tpu_interpret_mode_context_manager":
        "from jax.experimental.pallas import tpu as pltpu",
    "user_context": "context = jax.make_user_context(0)",
}

PROGRAM = """\
# env: XLA_FLAGS=--xla_force_host_platform_device_count=2
# log: off
import os
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AxisType
{before}

def f(x):
    return lax.sin(x)

g = jax.jit(f)
xn = np.arange(3, dtype=np.float32)
x = jnp.asarray(xn)
call("first", lambda: g(x))
{flip}
call("back", lambda: g(x))
"""
CALLS = 'call("same", lambda: g(x))\ncall("numpy", lambda: g(xn))\n'
LETTERS = {"hit": "H", "miss": "M", "fallback": "F"}


def another(state: dict) -> str | None:
    """Another value of a setting, as an expression; None when there is none to be set."""
    if state["name"] in VALUES:
        return VALUES[state["name"]]
    if state["values"]:
        return repr(next(value for value in state["values"] if value != state["default"]))
    return repr(state["default"] + 1) if isinstance(state["default"], (int, float)) else None


def program(state: dict) -> tuple[str, str] | None:
    """What is done, in one line, and the program that does it; None for a state that
    only JAX itself changes."""
    name = state["name"]
    before = IMPORTS.get(name, "")
    if name in CONTEXTS:
        done = f"with {CONTEXTS[name]}:"
        flip = f"{done}\n{textwrap.indent(CALLS, '    ')}"
    elif state["settable"] and (value := another(state)):
        done = f'jax.config.update("{name}", {value})'
        old = f'old = jax.config._read("{name}")'
        flip = f'{old}\n{done}\n{CALLS}jax.config.update("{name}", old)'
    else:
        return None
    return done, PROGRAM.format(before=before, flip=flip)


def answers(call) -> str:
    """The answers of all stations in order, dots for those not asked (the last ones are left
    out); with `!` and a type when the call raised."""
    said = {station: "." for station in STATIONS if station != "prim"}
    lookups = [event for event in call.events if event["kind"] == "lookup" and event["depth"] == 0]
    for event in lookups:
        if event["station"] in said:
            said[event["station"]] = LETTERS[event["outcome"]]
    raised = f" !{call.exception.split(':')[0]}" if call.exception else ""
    return "".join(said.values()).rstrip(".") + raised


def flips(states: list[dict]) -> dict[str, dict]:
    """By name: what was done, and the answers to the calls `same`, `numpy` and `back`."""
    found = {}
    with ForkServer() as server:
        for state in states:
            made = program(state)
            if made is None:
                continue
            done, text = made
            try:
                seen = observe_text(f"{state['name']}.py", text, launch=server)
            except ProgramFailed as error:
                found[state["name"]] = {"done": done, "refused": str(error).splitlines()[-1]}
                continue
            by_label = {call.label: answers(call) for call in seen.calls}
            found[state["name"]] = {"done": done} | {
                label: by_label[label] for label in ("same", "numpy", "back")
            }
    return found


def main() -> None:
    """Write what each configuration state invalidates, measured on real JAX, to `FILE`."""
    data = {"jax": facts.VERSION, "stations": [s for s in STATIONS if s != "prim"],
            "flips": flips(facts.facts()["states"])}
    FILE.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
