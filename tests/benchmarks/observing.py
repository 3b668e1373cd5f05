"""A whole `observe`, as a process: by the model, and by real JAX. Of a case, and of
programs that compile a hundred functions."""

from __future__ import annotations

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from make.paths import ROOT, SCENARIOS
from tests.benchmarks.programs import CHAINS, HUNDRED, TRAINING
from tests.benchmarks.report import Result

CASES = ("opening", "minimal_fast_path", "minimal_hlo")
ROUNDS = 3


def measure() -> list[Result]:
    """Alternates between the two, so that both meet the same machine."""
    ratios, ours, theirs = [], [], []
    for module in ("simulator", "simulator.live"):
        _seconds(module, str(SCENARIOS / f"{CASES[0]}.py"))  # leaves bytecode behind, as any use does
    for name in CASES:
        path = str(SCENARIOS / f"{name}.py")
        for _ in range(ROUNDS):
            model = _seconds("simulator", path)
            real = _seconds("simulator.live", path)
            ours.append(model)
            theirs.append(real)
            ratios.append(real / model)
    detail = (
        f"median of {len(ratios)}; model {statistics.median(ours):.2f} s, "
        f"real JAX {statistics.median(theirs):.2f} s"
    )
    return [Result("observe: model sooner by", statistics.median(ratios), "×", detail, (">=", 10))]


def measure_hundred() -> list[Result]:
    """What bounds it: half of the model's instructions start Python and load modules (a third
    of that is Python's own and its library's); the rest is spread evenly over some six
    hundred calls of jitted functions, each of which asks two to seven caches: a function
    without operations takes as much as eight operations inside it.

    The chains have no goal. They are where the model gains least: real JAX compiles them in
    three quarters of the time, while the model asks its caches nearly twice as often."""
    return [_whole("a hundred functions: sooner by", HUNDRED, (">=", 50)),
            _whole("a hundred chains: sooner by", CHAINS, None)]


def _whole(name: str, text: str, goal: tuple[str, float] | None) -> Result:
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "hundred.py")
        path.write_text(text, encoding="utf-8")
        pairs = [(_seconds("simulator", str(path)), _seconds("simulator.live", str(path)))
                 for _ in range(ROUNDS)]
    model, real = (statistics.median(side) for side in zip(*pairs))
    detail = f"median of {ROUNDS}; model {model:.2f} s, real JAX {real:.2f} s"
    return Result(name, real / model, "×", detail, goal)


def measure_watched() -> list[Result]:
    """A training loop as people have it, watched by the recorder and not."""
    return [watched("train", TRAINING)[0]]


def watched(name: str, text: str) -> tuple[Result, bytes]:
    """A program that prints the seconds of fifty steps, watched by the recorder and not.

    Returns: how many times as long a step takes, and the last recording as JSON.
    """
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, f"{name}.py").write_text(text, encoding="utf-8")
        watching = ["-m", "simulator.live", "observe", f"{name}.py", "--recording", "-o", "run.json"]
        pairs = [(_printed(folder, watching), _printed(folder, [f"{name}.py"]))
                 for _ in range(ROUNDS)]
        recording = pathlib.Path(folder, "run.json").read_bytes()
    seen, bare = (min(side) for side in zip(*pairs))
    detail = f"best of {ROUNDS}; {seen * 1e6 / 50:.0f} µs a step, {bare * 1e6 / 50:.0f} µs unwatched"
    return Result(f"{name}: watched, slower by", seen / bare, "×", detail, ("<=", 2)), recording


def _printed(folder: str, arguments: list[str]) -> float:
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    env = {**os.environ, "PYTHONPATH": path, "JAX_PLATFORMS": "cpu"}
    done = subprocess.run([sys.executable, *arguments], cwd=folder, env=env,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
    return float(done.stdout.split()[-1])


def _seconds(module: str, path: str) -> float:
    env = dict(os.environ, PYTHONPATH=str(ROOT))
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", module, "observe", path, "--json"],
        cwd=ROOT,
        env=env,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    return time.perf_counter() - start
