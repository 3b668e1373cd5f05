"""Record an ordinary program: its arguments, folder, environment and exit status are its own.

    status = record("train.py", ["--steps", "100"], write)

Nothing is cleaned or fixed here, unlike in `simulator.live.observe`, whose runs
are to be equal everywhere.
"""

from __future__ import annotations

import contextlib
import importlib.machinery
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable

from simulator.live import environment
from simulator.live.observe import DiskParts
from simulator.recordings.checking import SCHEMA
from simulator.recordings.recording import JAX_VERSION
from simulator.running import outermost, reading

_DIRECTIVE = re.compile(r"#\s*(expected|happens|source|env|processes|log):")


def ordinary(text: str) -> bool:
    """Whether a program is one as people have it: no marks, no header lines for us."""
    for line in reading.lines(text):
        if not line.startswith("#"):
            break
        if _DIRECTIVE.match(line):
            return False
    try:
        return not outermost.marked(text)
    except SyntaxError:
        return True


def module_file(name: str) -> str | None:
    """The source that ``python -m NAME`` runs; None when there is none. Imports nothing.

    Simplified: packages whose ``__init__`` changes their own ``__path__`` are not followed.
    """
    path, spec = [os.getcwd(), *sys.path], None
    for part in (parts := name.split(".")):
        if path is None:
            return None
        spec = importlib.machinery.PathFinder.find_spec(part, path)
        if spec is None:
            return None
        path = spec.submodule_search_locations
    if path is not None:                       # a package: its __main__ is run
        return None if parts[-1] == "__main__" else module_file(f"{name}.__main__")
    return spec.origin if isinstance(spec.loader, importlib.machinery.SourceFileLoader) else None


def record(program: str, arguments: list[str], write: Callable[[str], object],
           signatures: bool = False, output=None, module: str | None = None) -> int:
    """Run a program and hand its Recording to `write`, piece by piece, as one line of JSON.

    Args:
      program: path. arguments: what it finds in ``sys.argv[1:]``.
      signatures: let jaxlib print every key: slower, and sees what C code calls.
      output: where its standard output goes; None: to ours.
      module: the name it is run under, as by ``python -m``; `program` is then its file.
    Returns its exit status; what it did until a crash is recorded too. Raises OSError
    when the program cannot be read.
    """
    text = pathlib.Path(program).read_bytes()
    with tempfile.TemporaryDirectory(prefix="six_caches_") as scratch:
        job, spool = os.path.join(scratch, "job.json"), os.path.join(scratch, "calls.jsonl")
        with open(job, "w", encoding="utf-8") as file:
            json.dump({"program": program, "arguments": arguments, "spool": spool,
                       "tap": signatures, "module": module}, file)
        child = subprocess.Popen([sys.executable, "-P", "-m", "simulator.live.own_child", job],
                                 env=_environment(signatures), stdout=output)
        with _passed_on_to(child):
            while True:
                with contextlib.suppress(KeyboardInterrupt):    # the program has been told as well
                    status = child.wait()
                    break
            status = status if status >= 0 else 128 - status
            head = {"name": os.path.basename(program), "text": reading.shown(text), "processes": 1}
            for piece in _pieces(spool, head, arguments, status):
                write(piece)
    return status


@contextlib.contextmanager
def _passed_on_to(child: subprocess.Popen):
    """What asks us to end goes to the program; what it did until then is still written."""
    before = {}
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            before[number] = signal.signal(number, lambda told, frame: child.send_signal(told))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _environment(signatures: bool) -> dict[str, str]:
    env = dict(os.environ)
    path = env.get("PYTHONPATH")
    env["PYTHONPATH"] = environment.ROOT + (os.pathsep + path if path else "")
    return {**env, **environment.SIGNATURES} if signatures else env


def _pieces(spool: str, program: dict, arguments: list[str], status: int):
    """The Recording as text, from the lines of a run; never all of it at once."""
    again, order, about = {}, [], {}
    lines = pathlib.Path(spool)
    if lines.exists():
        with lines.open("rb") as file:
            place = 0
            for line in file:
                if not line.endswith(b"\n"):
                    break                                    # it crashed while writing this
                if line.startswith(b'{"call":'):
                    order.append((_number(line), len(order), place))
                else:
                    found = json.loads(line)
                    about |= found.get("end", {})
                    if "again" in found:
                        index, count, seconds = found["again"]
                        again[index] = {"again": count, "again_seconds": max(0.0, seconds)}
                place += len(line)
    run = {"arguments": arguments, "exit": status,
           "calls": about.get("calls", len(order) + sum(a["again"] for a in again.values())),
           "seconds": about.get("seconds"), "recorder": about.get("recorder"),
           "limits": about.get("limits", [])}
    if not about:
        run["limits"].append("the program ended without a word, so calls that were only counted "
                             "after the last kept one of their kind are missing")
    head = {"schema": SCHEMA, "producer": "jax",
            "jax": about.get("jax", JAX_VERSION), "devices": about.get("devices", 1),
            "program": program, "run": run}
    yield _json(head)[:-1] + ',"calls":['
    parts = DiskParts()
    if order:
        with lines.open("rb") as file:
            for i, (_, index, place) in enumerate(sorted(order)):
                file.seek(place)
                call = json.loads(file.readline())["call"] | again.get(index, {})
                parts.rename(call)
                yield (",\n" if i else "\n") + _json(call)
    yield "]}\n"


def _number(line: bytes) -> int:
    return int(re.search(rb'"number":(\d+),"at":[^{}]*\}\}$', line.rstrip())[1])


def _json(data) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
