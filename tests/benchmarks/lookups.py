"""Does the model's cost grow linearly? Time of the processor per call, at 1 000,
10 000 and 100 000 calls of one program."""

from __future__ import annotations

from simulator.running.program import observe_text
from tests.benchmarks.programs import LOOKUPS
from tests.benchmarks.report import Result

SIZES = {1_000: 20, 10_000: 5, 100_000: 2}
"""Number of calls -> how often it is measured; the best time counts."""


def measure() -> list[Result]:
    """Cost per call of the largest history over that of the smallest: 1 when it is linear."""
    costs = {size: min(_seconds(size) for _ in range(times)) / size * 1e6
             for size, times in SIZES.items()}
    detail = ", ".join(f"{size:,}: {cost:.1f} µs" for size, cost in costs.items())
    ratio = max(costs.values()) / min(costs.values())
    return [Result("cost per call, largest/smallest", ratio, "", detail, ("<=", 1.3))]


def _seconds(calls: int) -> float:
    return observe_text(LOOKUPS.format(half=calls // 2), keys=False).calls[-1].note
