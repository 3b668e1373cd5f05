"""A child of the fork server does what a fresh process does."""
import pathlib

import pytest

from simulator.live import environment
from simulator.live.forkserver import ForkServer
from simulator.live.observe import ProgramFailed, fresh, observe, observe_text
from simulator.recordings import event_data
from simulator.recordings.records import records

SCENARIOS = pathlib.Path(__file__).parents[2] / "content" / "scenarios"


def everything(found):
    """Records and event signatures."""
    return records(found), [
        [event_data.signature(event) for event in getattr(call, "events", ())]
        for call in found.calls]


@pytest.mark.parametrize("name", [
    "opening",                            # two processes, disk
    "minimal_compile_spec",               # devices from XLA_FLAGS
    "device_count_on_disk",               # device count set by the program, three processes
    "static_self_is_kept_alive",          # what is alive, and when it goes
    "explain_blames_context",             # the log
    "corrupt_file_stays",                 # warnings
])
def test_same_as_a_fresh_process(server, name):
    path = SCENARIOS / f"{name}.py"
    assert everything(observe(path, launch=server)) == everything(observe(path))


def test_children_start_from_nothing(server):
    text = ('import jax\njax.config.update("jax_enable_x64", True)\n'
            'jax.make_user_context(0)\ng = jax.jit(lambda x: x)\n'
            'call("g(1)", lambda: g(1))\nnote("devices", len(jax.devices()))\n')
    first = observe_text("first.py", text, launch=server)
    again = observe_text("first.py", text, launch=server)
    assert everything(first) == everything(again)
    assert first.calls[0].value == "i64[]*(1)" and not first.calls[0].fast_path


def test_a_store_of_compiled_modules_changes_nothing(server, tmp_path):
    text = ("import jax, jax.numpy as jnp, numpy as np\n"
            "f = jax.jit(lambda x, y: jnp.sin(x) * 2 + y, donate_argnums=0)\n"
            "for n in (3, 3, 2):\n"
            "    call(f'f {n}', lambda: f(jnp.ones(n), np.arange(n)))\n"
            "call('eager', lambda: jnp.sort(-jnp.arange(4.)))\n"
            "call('back', lambda: jax.pure_callback(lambda x: x + 1, jnp.ones(2), jnp.ones(2)))\n")
    without = observe_text("stored.py", text, launch=server)
    with ForkServer(store=str(tmp_path)) as storing:
        kept = observe_text("stored.py", text, launch=storing)
        modules = set(tmp_path.iterdir())
        loaded = observe_text("stored.py", text, launch=storing)
    assert everything(kept) == everything(without) == everything(loaded)
    assert modules and set(tmp_path.iterdir()) == modules


def test_late_variables_reach_the_program(server):
    text = ("# env: XLA_FLAGS=--xla_force_host_platform_device_count=3\n"
            "import os, sys, jax\n"
            'note("devices", len(jax.devices()))\n'
            'note("argv", len(sys.argv))\n'
            'note("process", os.environ["CASE_PROCESS"])\n')
    found = observe_text("late.py", text, launch=server)
    assert [note.note for note in found.calls] == [3, 1, "0"]
    plain = observe_text("late.py", text.partition("\n")[2], launch=server)
    assert plain.calls[0].note == 1, "nothing is left of the run before"


def test_early_variables_get_a_process_of_their_own(server):
    env = environment.clean() | environment.SIGNATURES
    assert server.takes(env | {"CASE_TMP": "somewhere"})
    assert not server.takes(env | {"JAX_ENABLE_X64": "1"})
    text = '# env: JAX_ENABLE_X64=1\nimport jax\nnote("x64", jax.config.jax_enable_x64)\n'
    assert observe_text("early.py", text, launch=server).calls[0].note is True


@pytest.mark.parametrize("launch", ["server", "fresh"])
def test_what_goes_wrong_is_reported(server, launch):
    launch = {"server": server, "fresh": fresh}[launch]
    with pytest.raises(ProgramFailed, match="ZeroDivisionError"):
        observe_text("fails.py", "call\n1 / 0\n", launch=launch)
    with pytest.raises(ProgramFailed, match="no end after 3 s") as caught:
        observe_text("endless.py", "note('so far', 1)\nwhile True: pass\n", launch=launch,
                     timeout=3)
    assert [call.label for call in caught.value.recording.calls] == ["so far"]
    with pytest.raises(ProgramFailed):
        observe_text("exits.py", "call\nimport os; os._exit(7)\n", launch=launch)
    good = observe_text("good.py", 'note("still here", 1)\n', launch=launch)
    assert good.calls[0].note == 1


def test_a_closed_server_says_so():
    closed = ForkServer()
    closed.close()
    closed.close()
    with pytest.raises((RuntimeError, ValueError)):
        observe_text("late.py", 'note("x", 1)\n', launch=closed)
