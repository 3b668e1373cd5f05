"""The process in which one program runs: ``python -m simulator.live.child JOB``.

JOB is a JSON file: program (path), output (path), log (bool), process (int),
marked (bool), tap (bool). Writes the calls and notes of the process as JSON, also where
the program fails.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
import traceback
import types

from simulator.live.normal import Normaliser
from simulator.live.own_child import AfterImport
from simulator.live.signatures import Tap
from simulator.recordings.recording import JAX_VERSION, Call, Note, call_data, plain
from simulator.running import outermost, reading


class Session:
    """Opens and closes calls while the program runs.

    `recorder`: there from the moment that JAX has been imported: its settings are those
    of the environment as the program has it then.
    """

    def __init__(self, program: str, text: str, job: dict, tap: Tap | None):
        self.program, self.text, self.job, self.tap = program, text, job, tap
        self.normal = Normaliser(os.path.dirname(program), os.path.dirname(os.environ["CASE_TMP"]))
        self.recorder = None
        self.calls: list = []
        self.odd_repr = False
        self._before: dict = {}
        self._started = 0.0

    def begin(self) -> None:
        """JAX has just been imported."""
        import jax

        from simulator.live.outermost import Outermost
        from simulator.live.recorder import Recorder
        if self.job["log"]:
            jax.config.update("jax_log_compiles", True)
            jax.config.update("jax_explain_cache_misses", True)
        self.recorder = Recorder(self.normal, self.tap)
        if not outermost.marked(self.text):
            Outermost(self, self.program, self.text).install()
        self.recorder.start()

    # -- marked programs -----------------------------------------------------

    def call(self, label, thunk):
        """The `call` of a program: observe what `thunk` does and return its result.

        A call within a call belongs to it.
        """
        import jax  # noqa: F401 (the program need not have done it yet)
        if self.recorder.stream.call is not None:
            return thunk()
        self.open(str(label), sys._getframe(1).f_lineno)
        result = error = None
        try:
            result = thunk()
        except Exception as caught:
            error = caught
        except BaseException as passing:        # an exit, a Ctrl-C: not ours to hold back
            self.end(passing)
            raise
        call = self.end(error)
        if error is None:
            call.value = self.normal.summary(result)
        else:
            self.odd_repr = self.odd_repr or _in_repr(error)
            error.__traceback__ = None
        return result

    def note(self, label, value):
        """The `note` of a program: put a plain value on record."""
        self.calls.append(Note(str(label), plain(value),
                                         sys._getframe(1).f_lineno, self.job["process"]))

    def open(self, label: str, line: int | None) -> None:
        """A call begins."""
        recorder = self.recorder
        call = Call(label=label, line=line, process=self.job["process"])
        self._before = {name: cache.cache_info() for name, cache in recorder.caches.items()}
        recorder.watch.bodies = {}
        recorder.fast_path.begin()
        recorder.stream.entered = False
        recorder.stream.call = call
        recorder.watch.check_sizes()
        self._started = time.perf_counter()

    def end(self, error: BaseException | None) -> Call:
        """The open call has ended, with an exception or None."""
        recorder, call = self.recorder, self.recorder.stream.call
        call.seconds = round(time.perf_counter() - self._started, 6)
        recorder.fast_path.end()
        recorder.stream.call = None
        recorder.watch.remember_sizes()
        for name, cache in recorder.caches.items():
            before, after = self._before[name], cache.cache_info()
            cleared = after.hits < before.hits or after.misses < before.misses
            call.caches[name] = [after.hits - (0 if cleared else before.hits),
                                 recorder.watch.bodies.get(name, 0)]
        if error is not None:
            call.exception = self.normal.exception(error)
        call.fast_path = (not recorder.stream.entered and error is None
                          and not any(sum(pair) for pair in call.caches.values()))
        call.cache_size = recorder.fast_path.first_size()
        self.calls.append(call)
        return call


    def result(self) -> dict:
        """What is written down of this process."""
        found = {"calls": [call_data(call) for call in self.calls], "odd_repr": self.odd_repr,
                 "devices": 1, "jax": JAX_VERSION}
        if self.recorder is not None:
            import jax
            found |= {"devices": jax.device_count(), "jax": jax.__version__}
        return found


def _in_repr(error: BaseException) -> bool:
    """Whether an exception comes out of a ``__str__`` or ``__repr__``."""
    names = [frame.f_code.co_name for frame, _ in traceback.walk_tb(error.__traceback__)]
    return bool(names) and bool({"__str__", "__repr__"} & set(names))


def main(path: str) -> None:
    """Run the program of one job file."""
    with open(path, encoding="utf-8") as file:
        job = json.load(file)
    program = job["program"]
    with open(program, "rb") as file:
        source = file.read()
    session = Session(program, reading.shown(source), job, Tap() if job["tap"] else None)
    module = types.ModuleType("__main__")
    module.__file__ = program
    module.call, module.note = session.call, session.note
    sys.modules["__main__"] = module
    sys.path.insert(0, os.path.dirname(program))
    sys.argv = [program]
    failed = None
    try:
        code = compile(source, program, "exec", dont_inherit=True)
        if "jax" in sys.modules:              # in a child of a fork server
            session.begin()
        else:
            sys.meta_path.insert(0, AfterImport("jax", session.begin))
        exec(code, module.__dict__)
    except SystemExit as end:
        if end.code:
            failed = session.normal.exception(end)
            print(f"SystemExit: {end.code}", file=sys.stderr)
    except BaseException as error:
        failed = session.normal.exception(error)
        signal.signal(signal.SIGINT, signal.SIG_IGN)        # it is being written down
        error.__traceback__ = error.__traceback__.tb_next   # without this frame
        sys.excepthook(type(error), error, error.__traceback__)
    if session.recorder is not None:
        session.recorder.stop()
    with open(job["output"], "w", encoding="utf-8") as file:
        file.write(json.dumps({**session.result(), "failed": failed}))  # in one piece: by C
    if failed:
        raise SystemExit(1)


if __name__ == "__main__":
    main(sys.argv[1])
