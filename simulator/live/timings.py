"""How long a call takes, by how far it falls: one run on real JAX.

    python -m simulator.live.timings [--rounds N]

writes `simulator/data/timings.json`: for each kind of call the median of its
quietest round, in microseconds, and a description of the machine. What is timed is the
time until the call returns; the functions are tiny, so that it is the price of
finding the executable, not of running it.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import pathlib
import platform
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator

FILE = pathlib.Path(__file__).resolve().parent.parent / "data" / "timings.json"
PRICES = pathlib.Path(__file__).resolve().parents[2] / "site" / "scripts" / "prices.js"


def kinds() -> Iterator[tuple[str, str, int, Callable[[], Callable[[], object]]]]:
    """Yields id, words, calls per round, and what makes a round's call."""
    import functools

    import jax
    import jax.numpy as jnp
    import numpy as np
    from jax import lax

    xn = np.arange(3, dtype=np.float32)
    x = jnp.asarray(xn)

    def f(x):
        return lax.sin(x)

    g = jax.jit(f)
    lengths = iter(range(1000, 1_000_000))
    g(x), g(xn)

    def warm() -> Callable:
        return lambda: g(x)

    def numpy_argument() -> Callable:
        return lambda: g(xn)

    def compiled() -> Callable:
        ahead = g.lower(x).compile()
        ahead(x)
        return lambda: ahead(x)

    def rewrapped() -> Callable:
        return lambda: jax.jit(f)(x)

    def python_path() -> Callable:
        noisy = jax.jit(lambda ref: lax.sin(ref[...]))
        ref = jax.new_ref(x)
        noisy(ref)
        return lambda: noisy(ref)

    def only_trace() -> Callable:
        return lambda: jax.jit(lambda x: lax.sin(x)).trace(x)

    def trace_and_lower() -> Callable:
        return lambda: jax.jit(lambda x: lax.sin(x)).lower(x)

    def fresh_lambda() -> Callable:
        return lambda: jax.jit(lambda x: lax.sin(x))(x)

    def fresh_partial() -> Callable:
        return lambda: jax.jit(functools.partial(f))(x)

    def shapes() -> Callable:
        return lambda: g(np.zeros(next(lengths), np.float32))

    def eager() -> Callable:
        lax.sin(x)
        return lambda: lax.sin(x)

    def numpy_add() -> Callable:
        return lambda: xn + xn

    yield "numpy", "NumPy adds two arrays of the same size", 2000, numpy_add
    yield "hit", "the fast path answers", 2000, warm
    yield "hit_numpy", "the fast path answers, the argument is a NumPy array", 2000, numpy_argument
    yield "compiled", "an executable compiled ahead is called", 2000, compiled
    yield "eager", "one operation outside of any jit, called again", 1000, eager
    yield "rewrapped", "a new wrapper for each call, and a hit", 500, rewrapped
    yield "python", "the Python path is entered, every cache there answers", 500, python_path
    yield "trace", "a new function is traced", 30, only_trace
    yield "lower", "a new function is traced and lowered", 30, trace_and_lower
    yield "lambda", "a fresh lambda for each call: traced, lowered, compiled", 10, fresh_lambda
    yield "partial", "a fresh partial for each call: the same", 10, fresh_partial
    yield "shape", "a new shape for each call: the same", 10, shapes
    with disk_cache():
        fresh_lambda()()
        yield ("load", "a fresh lambda for each call, compiled before and kept on disk: traced, "
               "lowered, loaded", 10, fresh_lambda)


@contextlib.contextmanager
def disk_cache() -> Iterator[None]:
    """Keep everything that is compiled in a new directory meanwhile."""
    import jax
    from jax.experimental import compilation_cache

    with tempfile.TemporaryDirectory() as folder:
        settings = {"jax_compilation_cache_dir": folder,
                    "jax_persistent_cache_min_compile_time_secs": 0.0}
        before = {name: getattr(jax.config, name) for name in settings}
        for name, value in settings.items():
            jax.config.update(name, value)
        try:
            yield
        finally:
            for name, value in before.items():
                jax.config.update(name, value)
            compilation_cache.compilation_cache.reset_cache()


def prices(rows: list[dict]) -> dict[str, int]:
    """What each kind of work adds to a call, in microseconds.

    A row holds everything up to some point of the way; the difference of two rows
    is what lies between.
    """
    us = {row["id"]: row["median_us"] for row in rows}
    added = {"hit": us["hit"], "python": us["python"] - us["hit"],
             "trace": us["trace"] - us["python"], "lower": us["lower"] - us["trace"],
             "compile": us["lambda"] - us["lower"], "load": us["load"] - us["lower"]}
    return {name: max(1, round(value)) for name, value in added.items()}


def script(found: dict[str, int]) -> str:
    """The module that hands the prices to the figure."""
    return ("// Microseconds that each kind of work adds to a call, from the run recorded in\n"
            "// simulator/data/timings.json. Written by `python -m simulator.live.timings`.\n"
            f"export const PRICES = {json.dumps(found)};\n")


def measure(rounds: int) -> list[dict]:
    """Times every kind, in turn, `rounds` times; the median of the quietest round."""
    found = []
    for name, words, calls, make in kinds():
        medians = []
        for _ in range(rounds):
            call, times = make(), []
            for _ in range(calls):
                start = time.perf_counter()
                call()
                times.append(time.perf_counter() - start)
            medians.append(statistics.median(times) * 1e6)
        found.append({"id": name, "what": words, "calls": calls * rounds,
                      "median_us": round(min(medians), 2)})
    return found


def machine() -> str:
    """The machine in a few words: processor, cores, system."""
    model = platform.processor() or platform.machine()
    info = pathlib.Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                model = line.partition(":")[2].strip()
                break
    return f"{model}, {os.cpu_count()} cores, {platform.system()}"


def main() -> None:
    """Time the stations on this machine; write the rows, and the prices made from them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    os.environ["JAX_PLATFORMS"] = "cpu"
    import jax

    data = {"jax": jax.__version__, "python": platform.python_version(),
            "machine": machine(), "rounds": options.rounds, "rows": measure(options.rounds)}
    FILE.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    PRICES.write_text(script(prices(data["rows"])), encoding="utf-8")


if __name__ == "__main__":
    main()
