"""The model's door to the page: one question in, one answer out, both JSON text.

The engine's worker (`site/scripts/engine-worker.js`) calls `answer`; the build
calls `kinds` for the page's list of lab actions. Nothing here is about browsers
beyond that: errors become data, so that nothing a program does can break the
conversation.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable

from simulator import lab
from simulator.errors import OutOfScope
from simulator.recordings.recording import Call, Note, call_data
from simulator.running.program import ProgramError, observe_text

LAB_NAME = "lab.py"


def _no_thread(*args: object, **kwargs: object) -> None:
    """In the place of ``threading._start_joinable_thread``, which a browser cannot do."""
    raise OutOfScope("a thread in the browser",
                     "run the program with python -m simulator observe, which has threads")


if sys.platform == "emscripten":
    import threading
    threading._start_joinable_thread = _no_thread  # type: ignore[attr-defined]


def answer(request: str, on_call: Callable[[str], None] | None = None) -> str:
    """Runs what the request names.

    Args:
      request: JSON: ``{"history": ["call", "shape:8", ...]}`` or
        ``{"text": "import jax...", "name": "pasted.py"}``.
      on_call: called with the JSON of every finished call or note, in order; what
        a page has seen of a run that is cut off.

    Returns: JSON ``{"recording": {...} | null, "error": null | {"kind", "message",
      "line"}, "problems": [...], "missing": bool}``. `kind` is ``"refused"`` (out of
      the model's scope) or ``"program"`` (the program failed); the recording then
      holds what was recorded before. `problems` has a sentence for each action that
      could not be read and was left out. `missing` says that a module of the standard
      library was not to be found.
    """
    recording, error, missing = None, None, False
    text, name, problems = _program(json.loads(request))
    try:
        recording = observe_text(text, name=name, on_call=_sender(on_call))
    except OutOfScope as refused:
        recording = getattr(refused, "recording", None)
        error = {"kind": "refused", "message": str(refused), "line": refused.line}
    except ProgramError as failed:
        recording = failed.recording
        error = {"kind": "program", "message": str(failed), "line": failed.line}
        missing = _in_library(failed.error)
    except RecursionError:
        error = {"kind": "program", "message": "The program nests too deeply.", "line": None}
    data = recording.data() if recording else None
    found = {"recording": data, "error": error, "problems": problems, "missing": missing}
    return json.dumps(found, ensure_ascii=False)


def kinds() -> list[dict]:
    """The lab's actions, for the page's "Change one thing"."""
    return lab.vocabulary()


def _program(request: dict) -> tuple[str, str, list[str]]:
    """Text, name and what could not be read of what a request asks to run."""
    if "history" not in request:
        return request["text"], request["name"], []
    parsed = lab.read(request["history"])
    return lab.program(parsed.history), LAB_NAME, list(parsed.problems)


def _sender(on_call: Callable[[str], None] | None) -> Callable[[Call | Note], None] | None:
    if on_call is None:
        return None
    return lambda call: on_call(json.dumps(call_data(call), ensure_ascii=False))


def _in_library(error: BaseException) -> bool:
    """Whether a module that Python normally has was not there."""
    name = getattr(error, "name", None) or ""
    return isinstance(error, ModuleNotFoundError) and name.split(".")[0] in sys.stdlib_module_names
