"""Run a program on the model and write down what its calls did.

A program is ordinary JAX code. It may mark calls with ``call("label", thunk)``
and values with ``note("label", value)``; in an unmarked program every outermost
call of a jitted function, ahead-of-time call or eager primitive is recorded.

    recording = observe("07_weak_type.py")
    recording = observe_text(text, name="pasted.py")

Header comments: ``# env: NAME=VALUE``, ``# processes: N``, ``# log: off``.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from simulator import process
from simulator.errors import OutOfScope
from simulator.named_tuples import NamedTuple
from simulator.recordings.recording import Call, Note, Recording
from simulator.running import garbage, scratch, summary
from simulator.running.sandbox import Session

MOST_PROCESSES = 16
"""How many processes a program may ask for."""


class Directives(NamedTuple):
    """What the header comments of a program ask for."""

    env: dict[str, str]
    processes: int = 1
    log: bool = True

    @classmethod
    def of(cls, text: str) -> Directives:
        """What the header comments of a program say; the first line without ``#`` ends them."""
        found = cls({})
        for line in text.splitlines():
            if not line.startswith("#"):
                break
            kind, _, rest = line[1:].strip().partition(":")
            rest = rest.strip()
            name, equals, value = rest.partition("=")
            if kind == "env" and equals and name.isidentifier():
                found.env[name] = value.strip()
            elif kind == "processes" and rest.isdecimal():
                found = found._replace(processes=int(rest))
            elif kind == "log" and rest.startswith("off"):
                found = found._replace(log=False)
        return found


class ProgramError(Exception):
    """The program itself failed outside a marked call.

    Args:
      error: what it raised (a SyntaxError included). line: its line, if known.
      recording: everything recorded until then.
    """

    def __init__(self, error: BaseException, line: int | None, recording: Recording):
        says = summary.said(error)
        super().__init__(type(error).__name__ + (f": {says}" if says else "")
                         + (f" (line {line})" if line else ""))
        self.error = error
        self.line = line
        self.recording = recording


def observe(path: str | os.PathLike, *, keys: bool = True) -> Recording:
    """Run the program in a file. See `observe_text`."""
    with open(path, encoding="utf-8") as file:
        return observe_text(file.read(), name=os.path.basename(path), keys=keys)


def observe_text(text: str, *, name: str = "program.py", keys: bool = True,
                 on_call: Callable[[Call | Note], None] | None = None) -> Recording:
    """Run a program in one or more simulated processes.

    Args:
      text: the program. name: its file name, shown in log lines.
      keys: whether lookups carry their key as text (off when only counts matter).
      on_call: told of every call and note as soon as it is recorded, so that whoever
        cuts the run off has seen what was issued.

    Errors: OutOfScope for what the model does not cover (its ``recording``
    attribute holds what was recorded until then); ProgramError when the program
    fails.
    """
    text = text.removeprefix("\ufeff")  # editors put it there; Python does not mind it in a file
    wanted = Directives.of(text)
    if wanted.processes > MOST_PROCESSES:
        raise OutOfScope(f"{wanted.processes} processes",
                         f"a program may ask for up to {MOST_PROCESSES}")
    recording = Recording(producer="model", program={
        "name": name, "text": text, "processes": wanted.processes})
    with garbage.no_collecting(), scratch.folder() as shared:
        for number in range(wanted.processes):
            # Nothing is inherited from the environment of whoever asks.
            env = {"JAX_PLATFORMS": "cpu", "CASE_PROCESS": str(number), "CASE_TMP": shared,
                   **wanted.env}
            session = Session(text, name, number, env, keys=keys, log=wanted.log,
                              on_call=on_call)
            before = process.enter(None)
            try:
                session.run()
            except OutOfScope as refused:
                refused.recording = recording  # type: ignore[attr-defined]
                raise
            except BaseException as error:
                raise ProgramError(error, session.line_of(error), recording) from error
            finally:
                recording.calls += session.calls
                recording.program["marked"] = session.marked
                if session.environment and not number:
                    recording.program["environment"] = session.environment
                recording.devices = max(recording.devices, session.device_count)
                session.close()
                process.enter(before)
    return recording
