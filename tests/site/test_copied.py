"""What the playground hands out, run with real JAX: the copy that asserts, and the guards."""

import json
import os
import subprocess
import sys
import textwrap

import pytest
from conftest import ROOT

from simulator.running.program import ProgramError, observe_text

pytestmark = pytest.mark.real_jax

MADE = """
import { causesOf } from "./site/scripts/cause.js";
import { checkedPython } from "./site/scripts/play/python.js";
import { guard } from "./site/scripts/play/guard.js";
import { readCalls } from "./site/scripts/recording.js";
let input = "";
for await (const part of process.stdin) input += part;
const { recording, ends } = JSON.parse(input), calls = readCalls(recording), causes = causesOf(calls, recording.program.text);
console.log(JSON.stringify({ copy: checkedPython(recording, calls), words: causes.map(({ word }) => word),
  guards: calls.map(({ number }) => guard(recording, calls, causes, number, ends)) }));
"""

PROGRAMS = {
    # With 32 bits both arrays would have the same type.
    "its own environment": ("""
        import os
        import numpy as np
        os.environ["JAX_ENABLE_X64"] = "1"
        import jax
        f = jax.jit(lambda x: x * 2)
        for x in (np.ones(3), np.ones(3, np.float32)):
            f(x)
        f(np.ones(3))
        """, 0),
    "names and words like marks": ("""
        import jax
        said = "call('a', lambda: 1)"
        call = jax.jit(lambda x: x * 2)
        for x in (1.0, 1):
            call(x)
        call(1)
        """, 0),
    "exit status": ("""
        import sys
        import jax
        f = jax.jit(lambda x: x * 2)
        def main():
            for x in (1.0, 1):
                f(x)
            f(1)
            return 3
        if __name__ == "__main__":
            sys.exit(main())
        """, 3),
    "uncaught error": ("""
        import jax
        f = jax.jit(lambda x: x * 2)
        for x in (1.0, 1):
            f(x)
        f(1)
        raise ValueError("at the end")
        """, 1),
}


def made(text):
    ends = ""
    try:
        recording = observe_text(text)
    except ProgramError as error:
        recording, ends = error.recording, str(error)
    given = json.dumps({"recording": recording.data(), "ends": ends})
    done = subprocess.run(["node", "--input-type=module", "-e", MADE], input=given,
                          capture_output=True, text=True, cwd=ROOT, timeout=60)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def python(path, text, *arguments):
    path.write_text(text, encoding="utf-8")
    env = {name: value for name, value in os.environ.items() if not name.startswith(("JAX_", "XLA_"))}
    env["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # a guard needs none of those that we have
    return subprocess.run([sys.executable, *arguments, str(path)], capture_output=True, text=True,
                          cwd=path.parent, env=env, timeout=300)


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_copy_asserts_and_the_guards_tell_a_hit_from_a_recompile(tmp_path, name):
    text, status = PROGRAMS[name]
    found = made(textwrap.dedent(text).lstrip("\n"))
    done = python(tmp_path / "copied.py", found["copy"])
    assert (done.returncode, "As predicted." in done.stdout) == (status, True), done.stderr[-2000:]
    head, mark, program = found["copy"].partition("# --- the program ---")
    done = python(tmp_path / "copied.py", head + mark + program.replace("1.0, 1)", "1.0, 1.5)")
                  .replace("np.float32", "np.float64"))
    assert done.returncode == 1 and "AssertionError" in done.stderr, done.stdout
    again = found["words"].index("recompiled")
    done = python(tmp_path / "test_guard.py", found["guards"][again], "-m", "pytest", "-q", "-p", "no:cacheprovider")
    assert done.returncode == 1 and "2 times, 1 allowed" in done.stdout, done.stdout[-3000:]
    hit = len(found["words"]) - 1
    assert found["words"][hit] == "fast path"
    done = python(tmp_path / "test_guard.py", found["guards"][hit], "-m", "pytest", "-q", "-p", "no:cacheprovider")
    assert done.returncode == 0, done.stdout[-3000:]
