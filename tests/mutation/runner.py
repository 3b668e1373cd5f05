"""Runs checks against mutants, each in a forked child of a process that has everything loaded.

A child takes one mutant, runs checks until one fails, writes which one down a pipe, and
ends. The parent keeps a few children going.
"""

from __future__ import annotations

import dataclasses
import gc
import json
import os
import select
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Sequence

from simulator.errors import OutOfScope
from simulator.running.program import ProgramError
from tests.mutation.mutants import Mutant
from tests.station_keys import Check

TIME_LIMIT = 60.0
"""Seconds for one mutant. One that hangs the model is noticed, too."""


@dataclasses.dataclass(frozen=True)
class Verdict:
    """What became of a mutant.

    killer: the test that failed, None if it survived. broken: the mutant did not give
    a wrong answer but made the model fail; such a mutant shows nothing and has to be mended.
    """

    mutant: Mutant
    killer: str | None
    broken: bool
    seconds: float


Test = tuple[str, Callable[[], None]]
"""A name, and a function that raises when the model is not what it should be."""


def in_order(mutant: Mutant, checks: Iterable[Check]) -> list[Test]:
    """The checks, those that are about the mutant's field first."""
    def distance(check: Check) -> tuple:
        # A mutant of a configuration state names the state, as does its check.
        return (mutant.change.split(" ")[0] != check.name,
                (mutant.station, mutant.field) != (check.station, check.field),
                mutant.station != check.station)
    return [(check.id, check.run) for check in sorted(checks, key=distance)]


def first_failure(tests: Iterable[Test]) -> tuple[str | None, bool]:
    """(name of the first test that fails, with its reason, or None; whether it broke down)."""
    for name, test in tests:
        try:
            test()
        except BaseException as error:     # a mutant may break the model in any way
            text = str(error).splitlines()[0][:120] if str(error) else ""
            answered = isinstance(error, (AssertionError, ProgramError, OutOfScope))
            return f"{name} ({type(error).__name__}: {text})", not answered
    return None, False


def run(mutants: Sequence[Mutant], tests: Callable[[Mutant], Iterable[Test]], workers: int = 2,
        limit: float = TIME_LIMIT) -> Iterator[Verdict]:
    """Verdicts, as they come in.

    Args:
      tests: gives the tests for a mutant, in the order in which they are to run.
      workers: children at a time. limit: seconds per mutant.
    """
    todo = list(reversed(mutants))
    running: dict[int, tuple[Mutant, int, float]] = {}      # by the end of a pipe
    gc.collect()
    gc.freeze()                            # children share this memory
    try:
        while todo or running:
            while todo and len(running) < workers:
                mutant = todo.pop()
                pid, pipe = _fork(lambda mutant=mutant: _child(mutant, tests))
                running[pipe] = mutant, pid, time.monotonic()
            ready, _, _ = select.select(list(running), [], [], 0.2)
            late = [p for p, (_, _, start) in running.items()
                    if time.monotonic() - start > limit and p not in ready]
            for pipe in (*ready, *late):
                mutant, pid, start = running.pop(pipe)
                if pipe in late:
                    os.kill(pid, signal.SIGKILL)
                yield Verdict(mutant, *_answer(pipe, pid), time.monotonic() - start)
    finally:
        gc.unfreeze()
        for pipe, (_, pid, _) in running.items():
            os.kill(pid, signal.SIGKILL)
            _answer(pipe, pid)


def _child(mutant: Mutant, tests: Callable[[Mutant], Iterable[Test]]) -> tuple:
    mutant.apply()
    return first_failure(tests(mutant))


def _fork(work: Callable[[], tuple]) -> tuple[int, int]:
    read, write = os.pipe()
    pid = os.fork()
    if pid:
        os.close(write)
        return pid, read
    try:
        os.close(read)
        answer = json.dumps(work()).encode()
    except BaseException as error:
        answer = json.dumps([f"applying it ({type(error).__name__}: {error})", True]).encode()
    os.write(write, answer)
    os._exit(0)


def _answer(pipe: int, pid: int) -> tuple[str | None, bool]:
    with os.fdopen(pipe, "rb") as file:
        data = file.read()
    os.waitpid(pid, 0)
    return tuple(json.loads(data)) if data else ("the time limit, or a crash", False)
