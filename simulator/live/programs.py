"""Random programs, run on the model and on real JAX, and compared event by event.

    python -m simulator.live programs --count 1000 --seed 1
    python -m simulator.live programs --seed 1 --number 17        # one of them, in full
    python -m simulator.live programs --count 10000 --seed 2 --summary

Program number i of a seed is always the same. Where the two sides differ, the program
is cut down and printed with the first difference, named by call, station and field.
"""

from __future__ import annotations

import dataclasses
import datetime
import json
import pathlib
import time
from collections.abc import Callable, Iterator, Sequence

from simulator import recording
from simulator.live import compare
from simulator.live.observe import observe_text
from simulator.live.random_programs.blocks import shrink
from simulator.live.random_programs.drawing import draw
from simulator.live.workers import Workers, server

NAME = "random.py"
SUMMARY = pathlib.Path(__file__).resolve().parent.parent / "data" / "random-programs.json"
_WIDEST = 700


@dataclasses.dataclass
class Outcome:
    """What both sides said about one program.

    number: of the series, or -1. blocks: the program. verdict: `compare.AGREES`, … or
    `compare.REFUSED`. why: the refusal. differences: one line each. calls: how many were
    compared.
    """

    number: int
    blocks: list[str]
    verdict: str
    why: str = ""
    differences: list[str] = dataclasses.field(default_factory=list)
    calls: int = 0

    @property
    def text(self) -> str:
        return "\n".join(self.blocks) + "\n"

    def __str__(self) -> str:
        return "\n".join([f"{self.verdict}: program {self.number} {self.why}".rstrip(),
                          *(f"    {text[:_WIDEST]}" for text in self.differences[:4])])


def check(number: int, blocks: Sequence[str], launch) -> Outcome:
    """Run a program on both sides; `launch` starts real JAX (see `observe.observe`)."""
    text = "\n".join(blocks) + "\n"
    try:
        found = compare.compare_text(NAME, text, lambda: observe_text(NAME, text, launch=launch),
                                     events=True, keys=True)
    except Exception as error:  # a failure of the model itself is a difference, too
        return Outcome(number, list(blocks), compare.DIFFERS, "",
                       [f"the comparison failed: {type(error).__name__}: {error}"])
    calls = len(found.model.calls) if found.model is not None else 0
    differences = found.differences or ([found.why] if found.verdict == compare.DIFFERS else [])
    return Outcome(number, list(blocks), found.verdict, found.why, differences, calls)


def kind_of(outcome: Outcome) -> str:
    """What a difference is about, without the program's own names: for grouping."""
    return " ".join(outcome.differences[0].split("model")[0].split()[2:5])


def _work(job: tuple[int, int]) -> Outcome:
    seed, number = job
    return check(number, draw(seed, number), server())


def _shrink(outcome: Outcome) -> Outcome:
    def fails(blocks: list[str]) -> bool:
        return check(outcome.number, blocks, server()).verdict == compare.DIFFERS

    return check(outcome.number, shrink(outcome.blocks, fails), server())


class Runner(Workers):
    """Workers that draw and run programs."""

    def run(self, seed: int, numbers: Sequence[int]) -> Iterator[Outcome]:
        """Outcomes in order, as they come in."""
        yield from self.map(_work, [(seed, number) for number in numbers])

    def shrink(self, outcomes: Sequence[Outcome]) -> list[Outcome]:
        """The same differences, each in a short program."""
        return list(self.map(_shrink, outcomes))


def run(count: int, seed: int, number: int | None = None, shrinking: bool = True,
        workers: int = 1, first: int = 0, summary: bool = False,
        say: Callable[[str], None] = print) -> int:
    """The command: draw, compare, cut down, report.

    Args:
      count, first: how many programs, from which number on. seed: of the series.
      number: run and show this one instead. shrinking: cut differing programs down.
      summary: keep the counts in `SUMMARY`.
    Returns: exit status, 1 when a program differs.
    """
    numbers = list(range(first, first + count)) if number is None else [number]
    started = time.monotonic()
    outcomes: list[Outcome] = []
    with Runner(workers) as runner:
        for outcome in runner.run(seed, numbers):
            outcomes.append(outcome)
            if outcome.verdict != compare.AGREES or number is not None:
                say(str(outcome))
            if number is not None:
                say(outcome.text)
            if len(outcomes) % 100 == 0:
                say(f"{len(outcomes)} of {len(numbers)} after {time.monotonic() - started:.0f} s")
        wrong = [o for o in outcomes if o.verdict == compare.DIFFERS]
        if wrong and shrinking:
            kinds = {kind_of(o): o for o in reversed(wrong)}
            say(f"cutting down one program of each of {len(kinds)} kinds")
            for short in runner.shrink(list(kinds.values())):
                say(f"\n{short}\n\n{short.text}")
    counts = _report(outcomes, seed, first, time.monotonic() - started, say)
    if summary:
        SUMMARY.write_text(json.dumps(counts, indent=1) + "\n", encoding="utf-8")
    return 1 if wrong else 0


def _report(outcomes: Sequence[Outcome], seed: int, first: int, seconds: float,
            say: Callable[[str], None]) -> dict:
    verdicts = [outcome.verdict for outcome in outcomes]
    reasons: dict[str, int] = {}
    for outcome in outcomes:
        if outcome.verdict == compare.REFUSED:
            reason = outcome.why.split(" at line")[0]
            reasons[reason] = reasons.get(reason, 0) + 1
    for reason, times in sorted(reasons.items(), key=lambda pair: -pair[1]):
        say(f"{times:>4} times  {reason}")
    counts = {"programs": len(outcomes), "calls": sum(o.calls for o in outcomes),
              "agree": verdicts.count(compare.AGREES), "differ": verdicts.count(compare.DIFFERS),
              "out_of_scope": verdicts.count(compare.REFUSED), "seed": seed,
              "numbers": [first, first + len(outcomes) - 1],
              "date": datetime.date.today().isoformat(), "jax": recording.JAX_VERSION}
    say(", ".join(f"{name} {value}" for name, value in counts.items()) + f", {seconds:.0f} s")
    return counts
