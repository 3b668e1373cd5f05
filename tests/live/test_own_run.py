"""Ordinary programs, recorded as they are: what they see, what is kept, what it costs."""

import json
import os
import subprocess
import sys
import textwrap

import pytest

from simulator.live.own_run import ordinary
from simulator.recordings.recording import Recording
from tests.benchmarks.programs import TRAINING

from .conftest import ROOT, steps

pytestmark = pytest.mark.real_jax


def start(folder, *arguments, program=None, file="train.py", **more):
    """`observe FILE …` as a process in a folder, beside which the program lies."""
    if program is not None:
        (folder / file).write_text(textwrap.dedent(program).lstrip("\n"), encoding="utf-8")
    env = {**os.environ, "PYTHONPATH": str(ROOT), "JAX_PLATFORMS": "cpu"} | more.pop("env", {})
    return subprocess.run(
        [sys.executable, "-m", "simulator.live", "observe", *map(str, arguments)],
        capture_output=True, text=True, timeout=300, cwd=more.pop("cwd", folder), env=env, **more)


PROGRAM = """
    import os
    os.environ["JAX_ENABLE_X64"] = "1"
    import logging, sys
    logging.basicConfig(level=logging.WARNING)
    import jax, jax.numpy as jnp
    import numpy as np
    import beside

    @jax.jit
    def step(params, batch):
        return {k: v - 0.1 * batch.sum() for k, v in params.items()}

    def main():
        print("printed", sys.argv[1:], os.path.basename(os.getcwd()), sys.stdin.read())
        batch = np.ones((4, 2))
        params = {"b": np.zeros(2), "w": np.ones((2, 3))}
        for i in range(1500):
            params = step(params, batch[:3] if i == 1200 else batch)
        beside.go(params["b"])
        list(map(jax.jit(lambda x: x * 2), [1.0, 2.0, 3]))
        jax.block_until_ready(params)
        print("told", file=sys.stderr)
        sys.exit(3)

    if __name__ == "__main__":
        main()
    """
BESIDE = "import jax\n\ndouble = jax.jit(lambda x: x + x)\n\ndef go(x):\n    return double(x)\n"


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    folder = tmp_path_factory.mktemp("own")
    (folder / "beside.py").write_text(BESIDE, encoding="utf-8")
    (folder / "elsewhere").mkdir()
    done = start(folder, "../train.py", "--recording", "--", "--lr", "3", program=PROGRAM,
                 cwd=folder / "elsewhere", input="given")
    return done, Recording.from_json(done.stdout)


def test_the_program_runs_as_it_would_without_us(ran):
    done, found = ran
    assert done.returncode == 3
    assert done.stderr.splitlines() == ["printed ['--lr', '3'] elsewhere given", "told"]
    assert found.run["exit"] == 3 and found.run["arguments"] == ["--lr", "3"]
    assert found.program["name"] == "train.py" and "def step" in found.program["text"]


def test_all_calls_are_counted_and_few_are_kept(ran):
    found = ran[1]
    assert sum(1 + (call.again or 0) for call in found.calls) == found.run["calls"]
    assert found.run["calls"] > 1500 > len(found.calls)
    numbers = [call.number for call in found.calls]
    assert numbers == sorted(set(numbers)) and numbers[-1] == found.run["calls"]
    stepped = [call for call in found.calls if call.label.startswith("params = step")]
    assert sum(1 + (call.again or 0) for call in stepped) == 1500
    missed = [call for call in stepped if not call.fast_path]
    assert [call.number for call in missed] == [1, 2, 1201]
    assert stepped[-1].number == 1500 and stepped[-1].fast_path


def test_what_the_first_calls_did_is_told_in_full(ran):
    first = ran[1].calls[0]
    assert steps(first, "lookup")[:5] == [
        ("fast_path", "step", 0, "miss"), ("params", "step", 0, "miss"),
        ("trace", "step", 0, "miss"), *steps(first, "lookup")[3:5]]
    assert any("TRACING CACHE MISS" in line for line in first.log)
    key = dict(first.events[0]["key"])
    assert key["avals"] == "f64[2], f64[2,3], f64[4,2]"       # its own JAX_ENABLE_X64 is heard
    assert key["treedefs"] == "[PyTreeDef({'b': *, 'w': *})| PyTreeDef(*)]"
    missed = next(call for call in ran[1].calls if call.number == 1201)
    assert missed.events[0]["closest"]["differs"] == ["avals"]


def test_calls_in_other_files_and_by_c_code(ran):
    found = ran[1]
    other = next(call for call in found.calls if call.where)
    assert (other.where, other.label) == ("beside.py:6", "return double(x)")
    assert found.program["text"].splitlines()[other.line - 1].strip() == 'beside.go(params["b"])'
    mapped = [call for call in found.calls if "map(" in call.label]
    assert [steps(call, "lookup")[0][3] for call in mapped] == ["miss", "miss"]
    assert len(found.run["limits"]) == 1 and "map(" in found.run["limits"][0]


UNMARKED = """
    import functools
    import jax, jax.numpy as jnp
    import numpy as np

    @functools.partial(jax.jit, static_argnums=1, static_argnames=("flag",))
    def f(x, n, flag=False, *, scale=1.0):
        return x * n * scale

    class Model:
        @functools.partial(jax.jit, static_argnums=0)
        def step(self, x):
            return f(x, 3)

    x, model, options = jnp.arange(3.0), Model(), {"scale": 2.0}
    f(x, 2); f(x, 2)
    f(x, 2, flag=True, **options)
    f(np.ones(3), 2)
    model.step(x); model.step(*(x,)); model.step(*(x,))
    half = functools.partial(f, x)
    half(2); half(5)
    compiled = jax.jit(lambda x: x + 1).lower(x).compile()
    compiled(x); compiled(x)
    x + x
    x + x
    try:
        f(x, "two")
    except TypeError:
        pass
    """


def test_the_same_as_the_full_recorder(run, tmp_path):
    """Event by event; keys too, but for those of hits, which are not asked for."""
    full = run(UNMARKED)
    done = start(tmp_path, "program.py", "--recording", program=UNMARKED, file="program.py")
    own = Recording.from_json(done.stdout)
    assert [c.label for c in own.calls] == [c.label for c in full.calls]
    for ours, theirs in zip(own.calls, full.calls):
        assert steps(ours) == steps(theirs), ours.label
        assert ours.log == theirs.log
        assert (ours.fast_path, ours.exception) == (theirs.fast_path, theirs.exception)
        for mine, other in zip((e for e in ours.events if e["kind"] == "lookup"),
                               (e for e in theirs.events if e["kind"] == "lookup")):
            if mine["outcome"] == "miss":
                assert _plain(mine) == _plain(other), (ours.label, mine["station"])


def _plain(event):
    """A key without static arguments: C++ prints an object by its own ``__str__``."""
    return [pair for pair in event["key"] if pair[0] != "static args"]


def test_with_signatures_hits_of_calls_by_c_code_are_seen(tmp_path):
    done = start(tmp_path, "train.py", "--recording", "--signatures", program="""
        import jax
        print(list(map(jax.jit(lambda x: x * 2), [1.0, 2.0, 3])))
        """)
    found = Recording.from_json(done.stdout)
    calls = [c for c in found.calls if "map(" in c.label and "<lambda>" in str(c.events)]
    assert [steps(c, "lookup")[0][3] for c in calls] == ["miss", "hit", "miss"]
    assert found.run["limits"] == []


@pytest.mark.parametrize(("program", "status", "told"), [
    ("import jax\njax.jit(lambda x: x)(1.0)\nraise ValueError('mine')\n", 1,
     'File "{folder}/train.py", line 3, in <module>'),
    ("import jax, os\njax.jit(lambda x: x)(1.0)\nos._exit(9)\n", 9, ""),
    ("import jax, os, signal\njax.jit(lambda x: x)(1.0)\nos.kill(os.getpid(), signal.SIGKILL)\n",
     137, ""),
    ("import sys\nsys.exit('no more')\n", 1, "no more"),
    ("def broken(:\n", 1, "SyntaxError"),
])
def test_however_it_ends_what_happened_is_there(tmp_path, program, status, told):
    done = start(tmp_path, "train.py", "-o", "run.json", "--recording", program=program)
    assert done.returncode == status
    found = Recording.load(tmp_path / "run.json")
    assert found.run["exit"] == status
    assert len(found.calls) == ("jit" in program)
    assert told.format(folder=tmp_path) in done.stderr
    assert "own_child" not in done.stderr and done.stdout == ""


def test_a_program_that_closes_every_file(tmp_path):
    done = start(tmp_path, "train.py", "-o", "run.json", "--recording", program="""
        import jax, os
        f = jax.jit(lambda x: x + 1)
        f(1.0)
        os.closerange(3, 256)
        with open("mine", "w") as file:
            f(2)
            file.write("mine")
        """)
    assert done.returncode == 0, done.stderr
    found = Recording.load(tmp_path / "run.json")
    assert [steps(call, "lookup")[0][3] for call in found.calls] == ["miss", "miss"]
    assert found.run["limits"] == [] and (tmp_path / "mine").read_text() == "mine"


@pytest.mark.parametrize(("words", "told"), [
    (["train.py", "--recording", "-o", "/dev/full"], "/dev/full: No space left on device\n"),
    (["train.py", "--recording"], ""),
])
def test_nowhere_to_write_to(tmp_path, words, told):
    """A full disk is named; standard output that was closed before swallows everything."""
    program = "import sys\nprint('out')\n"
    closed = {} if told else {"preexec_fn": lambda: os.close(1)}
    done = start(tmp_path, *words, program=program, **closed)
    assert (done.returncode, done.stderr) == ((2, told) if told else (0, "out\n"))


def test_asked_to_end_it_asks_the_program(tmp_path):
    """As by a cluster, or by ``timeout``: the program may still tidy up."""
    (tmp_path / "train.py").write_text(textwrap.dedent("""
        import jax, signal, sys, time
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(print("tidy") or 7))
        jax.jit(lambda x: x + 1)(1.0)
        print("ready", flush=True)
        time.sleep(100)
        """), encoding="utf-8")
    run = subprocess.Popen(
        [sys.executable, "-m", "simulator.live", "observe", "train.py", "--recording", "-o",
         "run.json"], cwd=tmp_path, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT), "JAX_PLATFORMS": "cpu"})
    assert run.stdout.readline() == "ready\n"
    run.terminate()
    assert run.communicate(timeout=60)[0] == "tidy\n" and run.returncode == 7
    assert len(Recording.load(tmp_path / "run.json").calls) == 1


def test_exit_handlers_and_threads_are_part_of_the_program(tmp_path):
    done = start(tmp_path, "train.py", "-o", "run.json", "--recording", program="""
        import atexit, threading, time
        atexit.register(lambda: print("last"))
        import jax
        f = jax.jit(lambda x: x + 1)
        f(1.0)
        atexit.register(lambda: print(f(2.0), f(1)))
        threading.Thread(target=lambda: (time.sleep(0.5), f(3.0))).start()
        """)
    assert (done.returncode, done.stdout, done.stderr.splitlines()[:-1]) == (0, "3.0 2\nlast\n", [])
    found = Recording.load(tmp_path / "run.json")
    jitted = [call for call in found.calls if "<lambda>" in str(call.events)]
    assert [(call.line, steps(call, "lookup")[0][3]) for call in jitted] == [
        (5, "miss"), (7, "hit"), (6, "hit"), (6, "miss")]
    assert found.run["limits"] == [] and found.run["calls"] == len(found.calls)


@pytest.mark.parametrize(("module", "name"), [("pkg.train", "train.py"), ("pkg", "__main__.py")])
def test_a_module_of_a_package(tmp_path, module, name):
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "__init__.py").write_text("import jax\nprint('package')\n")
    (tmp_path / "pkg" / "beside.py").write_text(BESIDE)
    done = start(tmp_path, "-m", module, "--recording", "-o", "run.json", "--", "--lr", "3",
                 file=f"pkg/{name}", program="""
        import sys
        from . import beside
        print(__name__, __package__, __spec__.name, sys.argv[0] == __file__, sys.argv[1:])
        beside.go(1.0)
        sys.exit(4)
        """)
    here = "pkg.__main__" if module == "pkg" else module
    assert done.stdout == f"package\n__main__ pkg {here} True ['--lr', '3']\n", done.stderr
    found = Recording.load(tmp_path / "run.json")
    assert (done.returncode, found.run["exit"], found.program["name"]) == (4, 4, name)
    assert [(call.line, call.where) for call in found.calls] == [(4, "beside.py:6")] * len(found.calls)
    assert any(call.log for call in found.calls)


def test_a_module_that_is_not_there(tmp_path):
    for words in (["-m", "nowhere.train"], ["-m", "json"]):
        done = start(tmp_path, *words, "--recording")
        assert done.returncode == 1 and "No module named" in done.stderr and done.stdout == ""
    assert start(tmp_path, "-m", "json.tool", "file.py").returncode == 2


def test_which_programs_are_ordinary():
    assert ordinary("import jax\n") and ordinary("# my program\nimport jax\n")
    assert ordinary("def call(x): return x\ncall(1)\n") and ordinary("def broken(:\n")
    assert not ordinary("call('a', lambda: 1)\n")
    assert not ordinary("# env: JAX_ENABLE_X64=1\nimport jax\n")


def test_a_file_that_is_not_there(tmp_path):
    done = start(tmp_path, "nowhere.py", "--recording", "--", "x")
    assert done.returncode == 2 and "nowhere.py" in done.stderr and done.stdout == ""


def test_a_program_of_this_project_takes_no_arguments(tmp_path):
    done = start(tmp_path, "train.py", "--", "x", program="call('a', lambda: 1)\n")
    assert done.returncode == 2 and "marks its calls" in done.stderr


def test_another_version_of_jax_is_named(tmp_path):
    (tmp_path / "jax").mkdir()
    (tmp_path / "jax" / "__init__.py").write_text("__version__ = '0.4.1'\n")
    done = start(tmp_path, "train.py", "--recording", program="import jax\n")
    assert done.returncode == 1 and "imports JAX 0.4.1" in done.stderr
    assert Recording.from_json(done.stdout).calls == []


def test_a_long_loop_is_kept_in_few_bytes(tmp_path):
    start(tmp_path, "train.py", "--recording", "-o", "run.json", program=TRAINING)
    found = json.loads((tmp_path / "run.json").read_text())
    assert 0 < found["run"]["recorder"] < found["run"]["seconds"]
    assert found["run"]["calls"] > 3200
    assert (tmp_path / "run.json").stat().st_size < 2_000_000


def test_packages_installed_beside_the_program_are_libraries(tmp_path):
    """``pip install --target vendored``: their lines are not what the reader wrote."""
    folder = tmp_path / "vendored"
    (folder / "lib-1.0.dist-info").mkdir(parents=True)
    (folder / "lib.py").write_text("import jax\ntwice = jax.jit(lambda x: x + x)\n\n"
                                   "def apply(x):\n    return twice(x)\n", encoding="utf-8")
    done = start(tmp_path, "train.py", "--recording", program="""
        import sys
        sys.path.insert(0, "vendored")
        import lib
        lib.apply(1.0)
        """)
    call, = Recording.from_json(done.stdout).calls
    assert (call.label, call.line, call.where) == ("lib.apply(1.0)", 4, None)
