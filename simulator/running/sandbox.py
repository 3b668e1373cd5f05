"""One run of a program's text: its marks, its calls, and what stands around it.

What the program can import is in `simulator.running.importing`.

Simplified: this keeps honest programs inside the model. It is no wall against
hostile ones; the browser's worker is.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import types
from collections.abc import Callable
from typing import Any

from simulator import process
from simulator.errors import OutOfScope
from simulator.events import Recorder
from simulator.facade import lazily, pristine
from simulator.recordings.recording import Call, Note, plain
from simulator.running import faults, leaving, loudness, outermost, reading, source, summary
from simulator.running.importing import Imports


class Session:
    """A program being run in one simulated process.

    Args:
      text, name: the program. number: which of its processes this is.
      env: environment variables of the process.
      keys: record keys as text. log: turn the explaining options on.
      on_call: told of every call and note as soon as it is recorded.

    `marked`: whether the program names its calls itself. `environment`: variables that it
    set before it imported JAX.
    """

    def __init__(self, text: str, name: str, number: int, env: dict[str, str], *, keys: bool,
                 log: bool, on_call: Callable[[Call | Note], None] | None = None):
        self.text = text
        self.filename = f"<dir>/{name}"
        self.number = number
        self.env = env
        self.log = log
        self.calls: list[Call | Note] = []
        self._on_call = on_call
        self.recorder = Recorder(keys)
        self.process: process.Process | None = None
        self.marked = self._jax = False
        self.environment: dict[str, str] = {}
        self._sizes: dict[str, int] = {}
        self._before: dict[str, tuple[int, int]] = {}
        self._open: tuple[str, int | None] = "", None
        self._within = False

    # --- running -----------------------------------------------------------

    def run(self) -> None:
        """Compile and run the program. Raises whatever it raises, ``sys.exit()`` aside."""
        code = compile(self.text, self.filename, "exec", dont_inherit=True)
        self.marked = outermost.marked(self.text)
        module = types.ModuleType("__main__")
        module.__dict__.update(
            __file__=self.filename, call=self.call, note=self.note,
            __builtins__=Imports(self._start, self._offer_source).builtins())
        saved = sys.modules.get("__main__"), dict(os.environ), list(sys.argv)
        sys.modules["__main__"] = module
        sys.argv = [self.filename]
        for name in [n for n in os.environ if n.startswith(("JAX_", "XLA_", "TF_"))]:
            del os.environ[name]
        os.environ.update(self.env)
        self._given = dict(os.environ)
        self._module = module
        self._offer_source()
        if "random" in sys.modules:  # a process starts with a state of its own
            sys.modules["random"].seed()
        try:
            with contextlib.redirect_stdout(io.StringIO()), loudness.own_settings(), \
                    leaving.refused():
                exec(code, module.__dict__)
        except SystemExit as end:
            if end.code:
                raise
        except OutOfScope as refused:
            if refused.line is None:
                refused.line = self.line_of(refused)
            raise
        finally:
            os.environ.clear()
            os.environ.update(saved[1])
            sys.argv = saved[2]
            if saved[0] is not None:
                sys.modules["__main__"] = saved[0]

    def close(self) -> None:
        """Let go of the program's objects."""
        module = getattr(self, "_module", None)
        if module is not None:
            lazily.hide()
            pristine.restore()
            module.__dict__.clear()
        if "linecache" in sys.modules:
            sys.modules["linecache"].cache.pop(self.filename, None)

    def _offer_source(self) -> None:
        # Whoever shows lines of code asks `linecache`, which knows only files by itself.
        if "linecache" in sys.modules:
            lines = [line + "\n" for line in reading.lines(self.text)]
            sys.modules["linecache"].cache[self.filename] = (len(self.text), None, lines,
                                                             self.filename)

    @property
    def device_count(self) -> int:
        """How many devices the program has; 1 before it asked for any."""
        return len(self.process.devices) if self.process else 1

    def line_of(self, error: BaseException) -> int | None:
        """The innermost line of the program in an error's traceback."""
        if isinstance(error, SyntaxError) and "\0" in self.text:
            return self.text.count("\n", 0, self.text.index("\0")) + 1  # Python does not say
        if isinstance(error, SyntaxError) and error.filename == self.filename:
            return error.lineno
        line, tb = None, error.__traceback__
        while tb is not None:
            if tb.tb_frame.f_code.co_filename == self.filename:
                line = tb.tb_lineno
            tb = tb.tb_next
        return line

    def _start(self, module: str = "jax") -> None:
        # JAX reads its environment when it is imported; so does the process. The process
        # of a program that has imported NumPy alone has not read it for good.
        if self._jax or (self.process is not None and module != "jax"):
            return
        if module == "jax":
            self._jax = True
            self.environment = {name: value for name, value in os.environ.items()
                                if self._given.get(name) != value}
            if self.process is not None and self.process.environ == dict(os.environ):
                return
        self.process = process.Process(os.environ, self.recorder)
        process.enter(self.process)
        if self.log:
            self.process.config.update("jax_log_compiles", True)
            self.process.config.update("jax_explain_cache_misses", True)
        if not self.marked:
            self.process.on_outermost = outermost.Outermost(self, self.filename, self.text)
        self._sizes = self.process.sizes()

    # --- marks -------------------------------------------------------------

    def _add(self, item: Call | Note) -> None:
        self.calls.append(item)
        if self._on_call is not None:
            self._on_call(item)

    def note(self, label: str, value: Any) -> None:
        """Record a plain value."""
        self._add(Note(str(label), plain(value), source.line_in(self.filename), self.number))

    def call(self, label: str, thunk: Callable[[], Any]) -> Any:
        """Record what the caches do while `thunk` runs; return its result or None.

        A call within a call belongs to it.
        """
        if self._within:
            return thunk()
        self._within = True
        try:
            return self._recorded(label, thunk)
        finally:
            self._within = False

    def _recorded(self, label: str, thunk: Callable[[], Any]) -> Any:
        self.open(str(label), source.line_in(self.filename))
        result = failed = None
        try:
            result = thunk()
        except Exception as error:
            if faults.is_fault(error):
                self.recorder.end()
                raise OutOfScope(faults.describe(error), "please report this program") from error
            failed = error
            # On real JAX no frame of ours would keep a wrapper alive that is gone.
            _clear_frames(error)
        except OutOfScope:
            self.recorder.end()
            raise
        except BaseException as error:  # an exit, a Ctrl-C: not ours to hold back
            self.end(error)
            raise
        self.end(failed, lambda: summary.value(result))
        if failed is not None:
            failed.__traceback__ = None
        return result

    def open(self, label: str, line: int | None) -> None:
        """A call begins."""
        self._start()
        assert self.process is not None
        self._before = {k: (c.hits, c.misses) for k, c in self.process.python_caches().items()}
        self._open = label, line
        self.recorder.begin(label)
        self._report_evictions()

    def end(self, failed: BaseException | None,
            value: Callable[[], str | None] = lambda: None) -> None:
        """The open call has ended, with an exception or with a value to be summarised."""
        here, recorder = self.process, self.recorder
        assert here is not None
        recorder.end()
        self._sizes = here.sizes()
        counts = {}
        for name, cache in here.python_caches().items():
            hits, misses = self._before[name]
            cleared = cache.hits < hits or cache.misses < misses
            counts[name] = [cache.hits - (0 if cleared else hits), recorder.bodies.get(name, 0)]
        entered = any(e["kind"] == "work" and e["work"] == "python" for e in recorder.events)
        call = Call(
            *self._open, self.number, recorder.events, recorder.log,
            summary.exception(failed) if failed is not None else None, None,
            fast_path=not entered and failed is None and counts == _NOTHING,
            caches=counts, persistent=recorder.persistent, cache_size=recorder.cache_size())
        if failed is None:
            call.value = value()
        self._add(call)

    def _report_evictions(self) -> None:
        assert self.process is not None
        for station, size in self.process.sizes().items():
            if size < self._sizes.get(station, 0):
                self.recorder.evict(station, self._sizes[station] - size,
                                    "cleared or collected before this call")


def _clear_frames(error: BaseException) -> None:
    tb = error.__traceback__
    while tb is not None:
        try:
            tb.tb_frame.clear()
        except RuntimeError:  # still running
            pass
        tb = tb.tb_next


_NOTHING = {name: [0, 0] for name in ("params", "trace", "lower", "hlo", "compile", "prim")}
