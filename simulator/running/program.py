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
from simulator.recordings.recording import Call, Note, Recording
from simulator.running import garbage, reading, scratch, summary
from simulator.running.directives import Directives
from simulator.running.sandbox import Session


class ProgramError(Exception):
    """The program itself failed outside a marked call.

    Args:
      error: what it raised (a SyntaxError included). line: its line, if known.
      recording: everything recorded until then.
    """

    def __init__(self, error: BaseException, line: int | None, recording: Recording):
        # A syntax error says file and line itself; here the line comes last, as for others.
        says = error.msg if isinstance(error, SyntaxError) and line else summary.said(error)
        super().__init__(type(error).__name__ + (f": {says}" if says else "")
                         + (f" (line {line})" if line else ""))
        self.error = error
        self.line = line
        self.recording = recording


def observe(path: str | os.PathLike, *, keys: bool = True) -> Recording:
    """Run the program in a file. See `observe_text`."""
    name = os.path.basename(path)
    with open(path, "rb") as file:
        source = file.read()
    try:
        text = reading.decoded(source)
    except SyntaxError as error:
        raise ProgramError(error, error.lineno, _nothing(name, reading.shown(source))) from None
    return observe_text(text, name=name, keys=keys)


def _nothing(name: str, text: str, processes: int = 1) -> Recording:
    return Recording(producer="model",
                     program={"name": name, "text": text, "processes": processes})


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
    recording = _nothing(name, text, wanted.processes)
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
