"""Random programs, run on the model and on real JAX, and compared event by event.

    python -m simulator.live programs --count 1000 --seed 1
    python -m simulator.live programs --seed 1 --number 17        # one of them, in full
    python -m simulator.live programs --count 10000 --seed 2 --summary --save differing
    python -m simulator.live programs --count 10000 --seed 2 --real kept     # twice: the model alone

Program number i of a seed is always the same. Where the two sides differ, the program
is cut down and printed with the first difference, named by call, station and field.
With ``--summary`` counts are kept as the run goes on (`random_programs.series`): the last
line but one, given again, goes on where it was cut, after the programs that differed before.

Real JAX needs most of the time, and says the same each time: with ``--real`` what it did is
kept in a folder, and a changed model is held against thousands of programs in minutes. A
folder is as good as the recorder that filled it: after a change of that, take another.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import pathlib
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence

from simulator.live import compare, golden
from simulator.live.observe import observe_text
from simulator.live.random_programs.blocks import shrink
from simulator.live.random_programs.drawing import draw
from simulator.live.random_programs.series import Series
from simulator.live.workers import Workers, server
from simulator.recordings.recording import JAX_VERSION, Recording

NAME = "random.py"
_WIDEST = 700
_SAVED_AFTER = 25
_COUNTED = {compare.AGREES: "agree", compare.REFUSED: "out_of_scope", compare.DIFFERS: "differ"}


@dataclasses.dataclass
class Outcome:
    """What both sides said about one program.

    number: of the series, or -1. blocks: the program. verdict: `compare.AGREES`, … or
    `compare.REFUSED`. why: the refusal. differences: one line each. calls, lookups: how many
    were compared.
    """

    number: int
    blocks: list[str]
    verdict: str
    why: str = ""
    differences: list[str] = dataclasses.field(default_factory=list)
    calls: int = 0
    lookups: int = 0

    @property
    def text(self) -> str:
        """The program's text."""
        return "\n".join(self.blocks) + "\n"

    def __str__(self) -> str:
        return "\n".join([f"{self.verdict}: program {self.number} {self.why}".rstrip(),
                          *(f"    {text[:_WIDEST]}" for text in self.differences[:4])])


def on_real_jax(text: str, folder: pathlib.Path) -> Recording:
    """What real JAX does with a program: from `folder` where it was run before.

    Raises `observe.ProgramFailed`, which is not kept.
    """
    digest = hashlib.sha256(text.encode()).hexdigest()[:24]
    path = folder / "runs" / JAX_VERSION / f"{digest}.json.gz"
    if path.exists():
        return golden.load(path)
    found = observe_text(NAME, text, launch=server())
    golden.save(path, found)
    return found


def check(number: int, blocks: Sequence[str], folder: pathlib.Path) -> Outcome:
    """Run a program on both sides; `folder` as for `on_real_jax`."""
    text = "\n".join(blocks) + "\n"
    try:
        found = compare.compare_text(NAME, text, functools.partial(on_real_jax, text, folder),
                                     events=True, keys=True)
    except Exception as error:  # a failure of the model itself is a difference, too
        return Outcome(number, list(blocks), compare.DIFFERS, "",
                       [f"the comparison failed: {type(error).__name__}: {error}"])
    calls = found.model.calls if found.model is not None else []
    lookups = sum(event["kind"] == "lookup" for call in calls for event in getattr(call, "events", ()))
    differences = found.differences or ([found.why] if found.verdict == compare.DIFFERS else [])
    return Outcome(number, list(blocks), found.verdict, found.why, differences, len(calls), lookups)


def kind_of(outcome: Outcome) -> str:
    """What a difference is about, without the program's own names: for grouping."""
    return " ".join(outcome.differences[0].split("model")[0].split()[2:5])


def _work(folder: pathlib.Path, seed: int, number: int) -> Outcome:
    return check(number, draw(seed, number), folder)


def _shrink(folder: pathlib.Path, outcome: Outcome) -> Outcome:
    def fails(blocks: list[str]) -> bool:
        return check(outcome.number, blocks, folder).verdict == compare.DIFFERS

    return check(outcome.number, shrink(outcome.blocks, fails), folder)


class Runner(Workers):
    """Workers that draw and run programs.

    Args:
      number: how many. folder: for what real JAX did and what XLA compiled.
    """

    def __init__(self, number: int, folder: pathlib.Path):
        store = folder / "compiled"
        store.mkdir(parents=True, exist_ok=True)
        super().__init__(number, str(store))
        self._folder = folder

    def run(self, seed: int, numbers: Sequence[int]) -> Iterator[Outcome]:
        """Outcomes in order, as they come in."""
        yield from self.map(functools.partial(_work, self._folder, seed), numbers)

    def shrink(self, outcomes: Sequence[Outcome]) -> list[Outcome]:
        """The same differences, each in a short program."""
        return list(self.map(functools.partial(_shrink, self._folder), outcomes))


def run(count: int, seed: int, number: int | None = None, shrinking: bool = True,
        workers: int = 1, first: int = 0, summary: bool = False, save: pathlib.Path | None = None,
        real: pathlib.Path | None = None, say: Callable[[str], None] = print) -> int:
    """The command: draw, compare, cut down, report.

    Args:
      count, first: how many programs, from which number on. seed: of the series.
      number: run and show this one instead. shrinking: cut differing programs down.
      summary: keep the counts in a file, and run only what it does not have yet.
      save: a folder for the programs that differ, cut down.
      real: a folder for what real JAX did; without one it is run anew.
    Returns: exit status, 1 when a program differs.
    """
    series = Series(seed) if summary else None
    numbers = [number] if number is not None else (
        series.todo(count) if series else list(range(first, first + count)))
    started = time.monotonic()
    outcomes: list[Outcome] = []
    with tempfile.TemporaryDirectory(prefix="six_caches_programs_") as once, \
            Runner(workers, real or pathlib.Path(once)) as runner:
        try:
            for outcome in runner.run(seed, numbers):
                outcomes.append(outcome)
                if outcome.verdict != compare.AGREES or number is not None:
                    say(str(outcome))
                if number is not None:
                    say(outcome.text)
                if series:
                    series.add(outcome.number, _COUNTED[outcome.verdict], outcome.calls,
                               outcome.lookups, next(iter(outcome.differences), "")[:_WIDEST])
                    if len(outcomes) % _SAVED_AFTER == 0:
                        series.save()
                if len(outcomes) % 100 == 0:
                    say(f"{len(outcomes)} of {len(numbers)} after {time.monotonic() - started:.0f} s")
        finally:
            if series:
                series.save()
        wrong = [o for o in outcomes if o.verdict == compare.DIFFERS]
        if wrong and shrinking:
            _cut_down(wrong, runner, seed, save, say)
    _report(outcomes, time.monotonic() - started, say)
    return 1 if wrong else 0


def _cut_down(wrong: Sequence[Outcome], runner: Runner, seed: int, save: pathlib.Path | None,
              say: Callable[[str], None]) -> None:
    kinds = {kind_of(o): o for o in reversed(wrong)}
    say(f"cutting down one program of each of {len(kinds)} kinds")
    for short in runner.shrink(list(kinds.values())):
        say(f"\n{short}\n\n{short.text}")
        if save is not None:
            save.mkdir(parents=True, exist_ok=True)
            path = save / f"seed_{seed}_number_{short.number}.py"
            path.write_text(short.text, encoding="utf-8")


def _report(outcomes: Sequence[Outcome], seconds: float, say: Callable[[str], None]) -> None:
    verdicts = [outcome.verdict for outcome in outcomes]
    reasons: dict[str, int] = {}
    for outcome in outcomes:
        if outcome.verdict == compare.REFUSED:
            reason = outcome.why.split(" at line")[0]
            reasons[reason] = reasons.get(reason, 0) + 1
    for reason, times in sorted(reasons.items(), key=lambda pair: -pair[1]):
        say(f"{times:>4} times  {reason}")
    counts = {"programs": len(outcomes), "calls": sum(o.calls for o in outcomes),
              "lookups": sum(o.lookups for o in outcomes),
              **{word.replace("_", " "): verdicts.count(verdict) for verdict, word in _COUNTED.items()}}
    say(", ".join(f"{name} {value}" for name, value in counts.items()) + f", {seconds:.0f} s")
