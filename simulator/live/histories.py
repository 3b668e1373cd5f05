"""Random histories of small changes, run on the model and on real JAX, and compared, keys too.

A history (`simulator.lab`) is drawn from a seed, written as a program and run on both
sides. Where the two recordings differ, the history is cut down to a smallest one that
still differs, and printed as a link and as a program.

    python -m simulator.live histories --count 300 --seed 1
    python -m simulator.live histories --link "v=1&do=call,committed,call"

History number i of a seed is always the same, whatever the count. Every run visits all
kinds and choices in turn: history i has the i-th of them among its changes.
"""

from __future__ import annotations

import dataclasses
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence

from simulator.errors import OutOfScope
from simulator.lab import KINDS, START, Action, idle, issued, parse, permalink, program, step
from simulator.live import compare, key_differences
from simulator.live.observe import ProgramFailed, observe_text
from simulator.live.shrinking import shrink
from simulator.live.workers import Workers, server
from simulator.recordings.recording import Recording
from simulator.recordings.records import records

History = tuple[Action, ...]
NAME = "lab.py"
WORKERS = 2

EVERY = tuple(Action(kind.id, choice) for kind in KINDS.values()
              for choice in ([choice.id for choice in kind.choices] or [""]))
CHANGES = tuple(action for action in EVERY if not KINDS[action.kind].issues)
_WEIGHTS = {"raise": 0.5, "no_tracing": 0.3, "restart": 0.4, "user_context": 0.5,
            "clear_caches": 1.5, "clear_cache": 1.5, "rewrap": 2.0, "redefine": 2.0,
            "committed": 2.0, "numpy": 2.0, "lambda": 1.5}
"""Weight of a kind, 1 where nothing is said. A kind's choices share its weight."""
_MOST_PROCESSES = 3
_WIDEST = 600


# -- drawing ---------------------------------------------------------------------

def draw(seed: int, number: int) -> History:
    """History `number` of a seed: mostly one or two changes, then a call, several times."""
    pick = random.Random(f"{seed}/{number}")
    subject = EVERY[number % len(EVERY)]
    actions: list[Action] = []
    state = START

    def add(action: Action) -> None:
        nonlocal state
        if action != subject and idle(state, action):
            return                                  # not worth a place
        actions.append(action)
        state = step(state, action).state

    if subject.kind == "restart" or pick.random() < 0.25:
        add(Action("disk", "on"))
    add(Action("call"))
    rounds = pick.randint(2, 5)
    at = pick.randrange(rounds)
    for turn in range(rounds):
        before = len(actions)
        if turn == at:
            add(subject)
        changes = pick.choice((1, 1, 1, 2, 3))
        while len(actions) - before < changes:
            add(_change(pick))
        for _ in range(pick.choice((1, 1, 2))):
            add(_call(pick))
        if state.no_tracing == "on":
            add(Action("no_tracing", "off"))        # else all that follows only raises
    return tuple(_few_processes(actions))


def _change(pick: random.Random) -> Action:
    kinds = [kind for kind in KINDS.values() if not kind.issues]
    kind = pick.choices(kinds, [_WEIGHTS.get(kind.id, 1.0) for kind in kinds])[0]
    return Action(kind.id, pick.choice(kind.choices).id if kind.choices else "")


def _call(pick: random.Random) -> Action:
    if pick.random() < 0.85:
        return Action("call")
    kind = KINDS[pick.choice(("ahead", "ahead", "eval_shape"))]
    return Action(kind.id, pick.choice(kind.choices).id if kind.choices else "")


def _few_processes(actions: Sequence[Action]) -> Iterator[Action]:
    """The same actions without the restarts that would make too many processes."""
    left = _MOST_PROCESSES - 1
    for action in actions:
        if action.kind == "restart":
            left -= 1
            if left < 0:
                continue
        yield action


# -- comparing -------------------------------------------------------------------

@dataclasses.dataclass
class Outcome:
    """What both sides said about one history.

    verdict: one of `compare.AGREES`, `compare.DIFFERS`, `compare.REFUSED`.
    differences: one line each, of the first call that differs; the refusal when refused.
    call: index of that call, or None when the recordings as a whole differ.
    """

    history: History
    verdict: str
    differences: list[str] = dataclasses.field(default_factory=list)
    call: int | None = None
    seconds: float = 0.0

    def __str__(self) -> str:
        return "\n".join([f"{self.verdict}: {permalink(self.history)}",
                          *(f"    {text[:_WIDEST]}" for text in self.differences)])


def check(history: History, launch) -> Outcome:
    """Run a history on both sides.

    Args:
      history: the actions.
      launch: how real JAX is started, see `simulator.live.observe.observe`.
    """
    from simulator.running import program as model_side
    started = time.monotonic()
    text = program(history)
    verdict, found, first = compare.AGREES, [], None
    try:
        model = model_side.observe_text(text, name=NAME)
        real = observe_text(NAME, text, launch=launch)
    except OutOfScope as refused:
        verdict, found = compare.REFUSED, [str(refused)]
    except (model_side.ProgramError, ProgramFailed) as failed:
        side = "real JAX" if isinstance(failed, ProgramFailed) else "the model"
        last = (str(failed).rstrip().splitlines() or [""])[-1]
        verdict, found = compare.DIFFERS, [f"the program fails on {side}: {last}"]
    else:
        found, first = _differences(model, real)
        verdict = compare.DIFFERS if found else compare.AGREES
    return Outcome(history, verdict, found, first, time.monotonic() - started)


def _differences(model: Recording, real: Recording):
    """The differences of the first call that has any, and its index."""
    mine, theirs = records(model), records(real)
    keys = key_differences.by_call(model, real)
    for index, (ours, other) in enumerate(zip(mine, theirs)):
        found = compare.differences([ours], [other])
        found += compare.event_differences(model.with_calls([model.calls[index]]),
                                           real.with_calls([real.calls[index]]))
        if index in keys:
            found.append(keys[index])
        if found:
            return found, index
    return compare.differences(mine, theirs), None


def up_to_first_difference(outcome: Outcome) -> History:
    """The history without what comes after its first differing call."""
    if outcome.call is None:
        return outcome.history
    index, _ = issued(outcome.history)[outcome.call]
    return outcome.history[:index + 1]


# -- many ------------------------------------------------------------------------

def _work(history: History) -> Outcome:
    return check(history, server())


def _shrink(outcome: Outcome) -> Outcome:
    def fails(history: History) -> bool:
        return check(history, server()).verdict == outcome.verdict

    cut = up_to_first_difference(outcome)
    start = cut if fails(cut) else outcome.history
    smallest, _ = shrink(start, fails)
    return check(smallest, server())


class Runner(Workers):
    """Workers that run histories.

    Args:
      store: a folder for what XLA has compiled. workers: how many.
    """

    def __init__(self, store: str, workers: int = WORKERS):
        super().__init__(workers, store)

    def run(self, histories: Sequence[History]) -> Iterator[Outcome]:
        """Outcomes in the order of the histories, as they come in."""
        yield from self.map(_work, histories)

    def shrink(self, outcomes: Sequence[Outcome]) -> list[Outcome]:
        """The same differences (or refusals), each in a smallest history."""
        return list(self.map(_shrink, outcomes))


def distinct(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """One outcome per smallest history."""
    return list({outcome.history: outcome for outcome in outcomes}.values())


def run(count: int, seed: int, link: str | None = None, shrinking: bool = True,
        workers: int = WORKERS, say: Callable[[str], None] = print) -> int:
    """The command: draw, compare, cut down, report.

    Args:
      count: how many histories. seed: of the series.
      link: run this one history instead.
      shrinking: cut differing histories down.
      workers: processes. say: prints a line.
    Returns: exit status, 1 when a history does not agree. A refusal counts: everything that
      the lab can say is in scope.
    """
    histories = [draw(seed, number) for number in range(count)]
    if link is not None:
        parsed = parse(link)
        for problem in parsed.problems:
            say(problem)
        if not parsed.history:
            return 2
        histories = [parsed.history]
    started = time.monotonic()
    outcomes: list[Outcome] = []
    with (tempfile.TemporaryDirectory(prefix="six_caches_compiled_") as store,
          Runner(store, min(workers, len(histories))) as runner):
        for outcome in runner.run(histories):
            outcomes.append(outcome)
            if outcome.verdict != compare.AGREES or link is not None:
                say(str(outcome))
            if len(outcomes) % 50 == 0:
                say(f"{len(outcomes)} of {len(histories)} after "
                    f"{time.monotonic() - started:.0f} s")
        wrong = [outcome for outcome in outcomes if outcome.verdict != compare.AGREES]
        if wrong and shrinking:
            say(f"cutting {len(wrong)} down")
            for outcome in distinct(runner.shrink(wrong)):
                say(f"\n{outcome}\n\n{program(outcome.history)}")
    _summary(outcomes, say, time.monotonic() - started)
    return 1 if wrong else 0


def _summary(outcomes: Sequence[Outcome], say: Callable[[str], None], seconds: float) -> None:
    reasons: dict[str, int] = {}
    for outcome in outcomes:
        if outcome.verdict == compare.REFUSED:
            reasons[outcome.differences[0]] = reasons.get(outcome.differences[0], 0) + 1
    for reason, times in sorted(reasons.items(), key=lambda pair: -pair[1]):
        say(f"{times:>4} times  {reason}")
    kinds = {action.kind for outcome in outcomes for action in outcome.history}
    calls = sum(len(issued(outcome.history)) for outcome in outcomes)
    verdicts = [outcome.verdict for outcome in outcomes]
    say(f"{len(outcomes)} histories, {calls} calls, {len(kinds)} of {len(KINDS)} kinds, "
        f"{seconds:.0f} s: " + ", ".join(f"{verdicts.count(verdict)} {word}" for verdict, word in (
            (compare.AGREES, "agree"), (compare.DIFFERS, "differ"),
            (compare.REFUSED, "out of scope"))))
