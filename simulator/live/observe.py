"""Run a program on real JAX, in fresh processes, and return its Recording."""

from __future__ import annotations

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

from simulator.live import environment
from simulator.recordings.checking import SCHEMA
from simulator.recordings.recording import JAX_VERSION, Recording
from simulator.running import reading
from simulator.running.directives import Directives

TIMEOUT = 600.0
PATIENCE = 5.0
"""Seconds for a program that was stopped to write down what it did."""
_OWN_PRINT = re.compile(r"^[IWEF]\d{4} \d\d:\d\d:\d\d\.\d+ .*\n?", re.MULTILINE)
"""What jaxlib prints because we ask it for its signatures."""


class ProgramFailed(RuntimeError):
    """The program, or real JAX itself, ended with an error outside a marked call.

    error: ``TypeError: first line``; None when the process was stopped or ended without a
    word (crashed, ``os._exit``). recording: what it did until then; of a process without a
    word, nothing. interrupted: somebody pressed Ctrl-C.
    """

    def __init__(self, says: str, error: str | None = None, recording: Recording | None = None,
                 interrupted: bool = False):
        super().__init__(says)
        self.error = error
        self.recording = recording
        self.interrupted = interrupted


def fresh(job_file: str, env: dict[str, str], cwd: str, timeout: float) -> str:
    """Run one job in a process of its own.

    Args:
      job_file: path of a job for `simulator.live.child`.
      env: the whole environment of the process. cwd: its working directory.
      timeout: seconds.
    Returns what it printed. Raises TimeoutError, and KeyboardInterrupt when the process
    has ended, too.
    """
    child = subprocess.Popen([sys.executable, "-m", "simulator.live.child", job_file], env=env,
                             cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True, errors="replace")
    try:
        return "".join(child.communicate(timeout=timeout))
    except KeyboardInterrupt:           # a terminal tells the child as well
        _end(child, told=True)
        raise
    except subprocess.TimeoutExpired:
        _end(child)
        raise TimeoutError(f"no end after {timeout:g} s") from None


def _end(child: subprocess.Popen, told: bool = False) -> None:
    if not told:
        child.send_signal(signal.SIGINT)
    try:
        child.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        child.kill()
        child.communicate()


def observe(path, signatures: bool = True, log: bool | None = None,
            timeout: float = TIMEOUT, launch=fresh) -> Recording:
    """Observe one program file.

    Args:
      path: the program; its header may ask for several processes.
      signatures: let jaxlib print its keys (the argument fields of fast_path keys).
      log: override the header's ``# log:``.
      timeout: seconds per process.
      launch: how a process is started: `fresh`, or a `simulator.live.forkserver.ForkServer`.
    Returns a Recording with producer ``jax``. Raises ProgramFailed with the
    program's own error output, OSError when the file cannot be read, OutOfScope for a
    header that asks for too many processes.
    """
    program = pathlib.Path(path).resolve()
    text = reading.shown(program.read_bytes())
    header = Directives.of(text)
    want_log = header.log if log is None else log
    parts: list[dict] = []
    failed = None
    with tempfile.TemporaryDirectory(prefix="six_caches_") as scratch:
        os.mkdir(os.path.join(scratch, "shared"))
        for process in range(header.processes):
            part, failed = _run(program, scratch, header, process, want_log, signatures, timeout,
                                launch)
            parts += [part] if part else []
            if failed:
                break
    if signatures and any(part["odd_repr"] for part in parts):
        # printing a key ran a __str__ of the program, which raised: go without
        return observe(path, signatures=False, log=log, timeout=timeout, launch=launch)
    calls = [call for part in parts for call in part["calls"]]
    parts_of_disk = DiskParts()
    for call in calls:
        parts_of_disk.rename(call)
    first = parts[0] if parts else {"jax": JAX_VERSION, "devices": 1}
    recording = Recording.from_data({
        "schema": SCHEMA, "producer": "jax", "jax": first["jax"], "devices": first["devices"],
        "program": {"name": program.name, "text": text, "processes": header.processes},
        "calls": calls,
    })
    if failed:
        failed.recording = recording
        raise failed
    return recording


def observe_text(name: str, text: str, **options) -> Recording:
    """Observe a program given as text; `name` is the file name it is run under."""
    with tempfile.TemporaryDirectory(prefix="six_caches_program_") as folder:
        path = pathlib.Path(folder) / name
        path.write_text(text, encoding="utf-8", errors="surrogatepass")
        return observe(path, **options)


def _run(program, scratch, header, process, log, signatures, timeout,
         launch) -> tuple[dict | None, ProgramFailed | None]:
    """What one process wrote down, if it came to that, and how it failed, if it did."""
    job_file = os.path.join(scratch, f"_job_{process}.json")
    output = os.path.join(scratch, f"_calls_{process}.json")
    with open(job_file, "w", encoding="utf-8") as file:
        json.dump({"program": str(program), "output": output, "log": log,
                   "process": process, "tap": signatures}, file)
    env = environment.clean()
    env.update(CASE_PROCESS=str(process), CASE_TMP=os.path.join(scratch, "shared"))
    if signatures:
        env.update(environment.SIGNATURES)
    env.update(header.env)
    failed = None
    try:
        printed = _OWN_PRINT.sub("", launch(job_file, env, scratch, timeout)).rstrip()
    except TimeoutError as error:
        failed = ProgramFailed(f"{program.name}: {error}")
    except KeyboardInterrupt:
        failed = ProgramFailed(f"{program.name}: stopped", interrupted=True)
    part = None
    if os.path.exists(output):
        with open(output, encoding="utf-8") as file:
            part = json.load(file)
    if failed is None and (part is None or part["failed"]):
        failed = ProgramFailed(f"{program.name} failed:\n"
                               + (printed or "its process ended without a word"),
                               part and part["failed"])
    return part, failed


class DiskParts:
    """Numbers the hashes in disk keys, ``module #2``: they differ from machine to machine."""

    def __init__(self):
        self._names: dict[str, str] = {}
        self._counts: dict[str, int] = {}

    def rename(self, call: dict) -> None:
        """Rename the parts in the events of one call (or note), in place."""
        for event in call.get("events", ()):
            if event.get("station") == "disk" and event["kind"] == "lookup":
                self._key(event["key"])
                if event["closest"]:
                    self._key(event["closest"]["key"])

    def _key(self, key: list) -> None:
        for pair in key:
            part, _, digest = pair[1].rpartition(" ")
            if pair[0] == "file name":
                part, _, digest = pair[1].rpartition("-")
            if pair[1] not in self._names:
                self._counts[pair[0]] = self._counts.get(pair[0], 0) + 1
                self._names[pair[1]] = f"{part} #{self._counts[pair[0]]}"
            pair[1] = self._names[pair[1]]
