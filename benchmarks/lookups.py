"""Does the model's cost grow linearly? Cost per call at 1 000, 10 000 and
100 000 calls of one program, half of them answered by the fast path, half by a
params hit (a NumPy argument of a new layout every time would miss; a plain one
alternates between two entries)."""

from __future__ import annotations

import gc
import time

from benchmarks.report import Result
from simulator.running.program import observe_text

PROGRAM = """import jax, jax.numpy as jnp, numpy as np
g = jax.jit(lambda x: x * 2)
x = jnp.arange(3.0)
xn = np.arange(3, dtype=np.float32)
def all_calls():
    for _ in range({half}):
        g(x)
        g(xn)
call("all", all_calls)
"""
SIZES = (1_000, 10_000, 100_000)
REPEATS = 3


def measure() -> list[Result]:
    costs = {}
    for size in SIZES:
        best = min(_seconds(size) for _ in range(REPEATS if size < 100_000 else 1))
        costs[size] = best / size * 1e6
    detail = ", ".join(f"{size:,}: {cost:.1f} µs" for size, cost in costs.items())
    ratio = max(costs.values()) / min(costs.values())
    return [Result("cost per call, largest/smallest", ratio, "", detail, ("<=", 1.3))]


def _seconds(calls: int) -> float:
    gc.collect()
    start = time.perf_counter()
    observe_text(PROGRAM.format(half=calls // 2), keys=False)
    return time.perf_counter() - start
