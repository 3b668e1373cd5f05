"""Programs without marks: every outermost piece of work becomes a call.

A call begins where the program, with nothing of ours open, calls a jitted
function, `lower`, `trace`, `eval_shape`, `compile`, a `Compiled`, or evaluates a
primitive eagerly; it ends where that comes back. Its label is the source line.
Such calls have no value: the interpreter reports the end of a call of C code
without its result. A jitted function that C code calls (``map``, a sort key) is
not seen as a call of its own.
"""

from __future__ import annotations

import inspect
import threading

from simulator.running import reading
from simulator.running.outermost import label


class Outermost:
    """Opens and closes the calls of a `session` for the program at `path`."""

    def __init__(self, session, path: str, text: str):
        self.session, self.path, self.lines = session, path, reading.lines(text)
        self._local = threading.local()
        self._owner: int | None = None

    def install(self) -> None:
        """Hook into the recorder, which must not have started yet."""
        from jax._src import dispatch, pjit, stages
        recorder = self.session.recorder
        recorder.fast_path.began, recorder.fast_path.ended = self.began, self.ended
        for function in (dispatch.apply_primitive, pjit.jit_trace, pjit.jit_lower,
                         pjit.jit_eval_shape, stages.Traced.lower, stages.Lowered.compile,
                         stages.Compiled.__call__):
            recorder.around(inspect.unwrap(function).__code__, self.began, self.ended)

    def began(self, frame) -> None:
        """Something that can be a call begins."""
        depth = getattr(self._local, "depth", 0)
        self._local.depth = depth + 1
        if depth or self._owner is not None:
            return
        self._owner = threading.get_ident()
        while frame is not None and frame.f_code.co_filename != self.path:
            frame = frame.f_back
        line = frame.f_lineno if frame is not None else None
        self.session.open(label(self.lines, line), line)

    def ended(self, error: BaseException | None) -> None:
        """It has come back."""
        self._local.depth = max(0, getattr(self._local, "depth", 0) - 1)
        if self._local.depth == 0 and self._owner == threading.get_ident():
            self._owner = None
            self.session.end(error)
