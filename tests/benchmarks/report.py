"""Everything measured, a table of ratios against their goals."""

from __future__ import annotations

import dataclasses
import operator

from make.progress import Step, say


@dataclasses.dataclass(frozen=True)
class Result:
    """One measured number. `goal` is a bound: ``(">=", 4)``; None where the
    number only informs. `detail` says what it is made of."""

    name: str
    value: float
    unit: str
    detail: str
    goal: tuple[str, float] | None = None

    @property
    def met(self) -> bool:
        """Whether the goal is reached; True without a goal."""
        if self.goal is None:
            return True
        sign, bound = self.goal
        return {">=": operator.ge, "<=": operator.le}[sign](self.value, bound)

    def line(self) -> str:
        """The result as a line of the report."""
        value = f"{self.value:,.2f} {self.unit}".rstrip()
        goal = f"{self.goal[0]} {self.goal[1]:g}" if self.goal else ""
        mark = ("met" if self.met else "MISSED") if self.goal else ""
        return f"  {self.name:<34}{value:>14}  {goal:<8} {mark:<7} {self.detail}"


def main() -> int:
    """Runs every benchmark; 1 when a goal is missed."""
    from tests.benchmarks import (
        boot,
        bytes_sent,
        calls,
        first_call,
        lookups,
        observing,
        own_run,
        vitals,
    )

    results: list[Result] = []
    for label, measure in (
        ("Weighing the site", bytes_sent.measure),
        ("Issuing the first call of a figure", first_call.measure),
        ("Waiting as a browser measures it", vitals.measure),
        ("Cost of a lookup", lookups.measure),
        ("Observing a case on both sides", observing.measure),
        ("Compiling a hundred functions on both sides", observing.measure_hundred),
        ("Watching a training loop", observing.measure_watched),
        ("What a call costs, here and in the browser", calls.measure),
        ("Starting the engine both ways", boot.measure),
        ("Opening a large recording", own_run.measure),
    ):
        with Step(label):
            results += measure()
    say("")
    for result in results:
        say(result.line())
    return 0 if all(result.met for result in results) else 1
