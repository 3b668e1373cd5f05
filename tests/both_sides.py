"""Evaluates the same Python expressions with real JAX and with the model.

Real JAX runs in a fresh process, because the number of devices is fixed by the
first use of a backend, and a test process has only one.
"""

import json
import os
import subprocess
import sys

FLAGS = "--xla_force_host_platform_device_count=8"


def outcome(expression: str, names: dict) -> str:
    """Text of the value, or ``TypeName: first line of the error``."""
    try:
        return repr(eval(expression, names))
    except BaseException as error:
        return f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"


def run(prelude: str, expressions: list[str]) -> list[str]:
    """The outcomes of the expressions after the statements of `prelude`, in this process."""
    names: dict = {}
    exec(prelude, names)
    return [outcome(e, names) for e in expressions]


def real(prelude: str, expressions: list[str]) -> list[str]:
    """As `run`, in a fresh process with eight CPU devices."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("JAX_", "XLA_"))}
    environment.update(XLA_FLAGS=FLAGS, JAX_PLATFORMS="cpu", PYTHONHASHSEED="0")
    done = subprocess.run([sys.executable, __file__], input=json.dumps([prelude, expressions]),
                          env=environment, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


if __name__ == "__main__":
    given = json.loads(sys.stdin.read())
    print(json.dumps(run(*given)))
