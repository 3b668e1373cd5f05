"""Many fresh runs on real JAX, quickly: import jax once, fork a child per program.

A fresh process spends most of its time on importing jax. A `ForkServer` is a process
that has imported it, with nothing run on it yet: no backend, no device, no cache entry.
Every program runs in a child forked from that state, and the child ends with the
program. What a child does is what a fresh process does: devices and XLA_FLAGS are read
when the backend starts, which happens in the child. `tests/live` holds the two against
each other.

    with ForkServer() as server:
        observe("program.py", launch=server)       # `simulator.live.observe`

Environment variables that are read when jax is imported cannot be set per program; a
run whose header has such variables is handed to a process of its own.

The protocol between the two sides: one JSON object per line on the server's standard
input (job, env, cwd, output, timeout), one per line back (status, or null after the
time limit).
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import subprocess
import sys
import threading

from simulator.live import compiled, environment
from simulator.live.observe import PATIENCE, fresh

_EARLY = ("JAX_", "XLA_", "TF_", "PYTHON", "LD_", "NPY_", "OMP_")
_LATE = "XLA_FLAGS"


class ForkServer:
    """A process with jax imported, and a way to run jobs in children of it.

    Calling it runs one job: ``server(job_file, env, cwd, timeout)`` returns the child's
    output as text and raises TimeoutError. One job at a time; use several servers for
    several workers.

    Args:
      signatures: let jaxlib print call signatures in the children.
      store: a folder for what XLA has compiled, see `simulator.live.compiled`.
    """

    def __init__(self, signatures: bool = True, store: str | None = None):
        env = environment.clean()
        if signatures:
            env.update(environment.SIGNATURES)
        self._base = env
        self._lock = threading.Lock()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "simulator.live.forkserver", *([store] if store else [])],
            env=env, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __enter__(self) -> ForkServer:
        return self

    def __exit__(self, *error) -> None:
        self.close()

    def close(self) -> None:
        """End the server. Safe to call twice."""
        if self._process.poll() is None:
            self._process.stdin.close()
            self._process.wait(timeout=30)
        self._process.stdout.close()

    def takes(self, env: dict[str, str]) -> bool:
        """Whether a child can have this environment, given what the server started with."""
        names = {name for name in (*env, *self._base) if name.startswith(_EARLY)} - {_LATE}
        return all(env.get(name) == self._base.get(name) for name in names)

    def __call__(self, job_file: str, env: dict[str, str], cwd: str, timeout: float) -> str:
        """Run `simulator.live.child` on one job file.

        Args:
          job_file: path of the job.
          env: the whole environment of the run.
          cwd: its working directory; the output is kept there until it is read.
          timeout: seconds.
        Returns: what the child wrote to standard output and standard error.
        Raises: TimeoutError; RuntimeError when the server is gone.
        """
        if not self.takes(env):
            return fresh(job_file, env, cwd, timeout)
        output = job_file + ".out"
        with self._lock:
            request = {"job": job_file, "env": env, "cwd": cwd, "output": output,
                       "timeout": timeout}
            try:
                print(json.dumps(request), file=self._process.stdin, flush=True)
                answer = self._process.stdout.readline()
            except BrokenPipeError:
                answer = ""
        if not answer:
            raise RuntimeError("the fork server has ended")
        with open(output, encoding="utf-8", errors="replace") as file:
            text = file.read()
        if json.loads(answer)["status"] is None:
            raise TimeoutError(f"no end after {timeout:g} s")
        return text


# -- the server's side -----------------------------------------------------------

def _import_everything() -> None:
    """What every program needs, without touching a device."""
    import jax
    import jax.experimental.multihost_utils
    import jax.numpy
    import jax.random
    import jax.sharding
    import jaxlib.mlir.dialects.builtin
    import jaxlib.mlir.dialects.mhlo
    import numpy
    from jax._src import xla_bridge

    from simulator.live import child, describe, operators, outermost, recorder
    operators.look_through()
    describe.facts()
    xla_bridge._discover_and_register_pjrt_plugins()     # looks at all installed packages
    assert not xla_bridge.backends_are_initialized(), "the fork server must stay untouched"
    assert threading.active_count() == 1
    del jax, jaxlib, numpy, child, outermost, recorder


def _run(request: dict) -> None:
    """Become the process of one job; does not return."""
    status = 1
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.setpgid(0, 0)
        os.environ.clear()
        os.environ.update(request["env"])
        os.chdir(request["cwd"])
        sink = os.open(request["output"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        nothing = os.open(os.devnull, os.O_RDONLY)
        for descriptor, target in ((nothing, 0), (sink, 1), (sink, 2)):
            os.dup2(descriptor, target)
        from simulator.live import child
        child.main(request["job"])
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            os._exit(status)


def _wait(pid: int, timeout: float) -> int | None:
    """Exit status of a child, or None after it had to be stopped."""
    handle = os.pidfd_open(pid)
    try:
        ready, _, _ = select.select([handle], [], [], timeout)
        if not ready:
            os.kill(pid, signal.SIGINT)
            if not select.select([handle], [], [], PATIENCE)[0]:
                os.kill(pid, signal.SIGKILL)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        return status if ready else None
    finally:
        os.close(handle)


def serve(store: str | None = None) -> None:
    """Read requests until standard input ends; `store` as for `ForkServer`."""
    _import_everything()
    if store:
        compiled.install(store)
    gc.collect()
    gc.freeze()                # children need not look at all this when they collect
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)              # nothing that jax prints may mix with the answers
    for line in sys.stdin:
        request = json.loads(line)
        sys.stdout.flush()
        sys.stderr.flush()
        pid = os.fork()
        if pid == 0:
            _run(request)
        print(json.dumps({"status": _wait(pid, request["timeout"])}), file=answers, flush=True)


if __name__ == "__main__":
    serve(*sys.argv[1:])
