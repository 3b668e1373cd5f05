"""Running programs on the model at build time, each one once per version of
the model: what came out is kept in `.cache`."""

import hashlib
import json

from make.fingerprint import forget_older, model_fingerprint
from make.paths import CACHE
from simulator.errors import OutOfScope
from simulator.recordings.recording import Recording
from simulator.running.program import ProgramError, observe_text


class Model:
    """`run(text, name)` gives a Recording, or the reason why there is none."""

    def __init__(self):
        self._folder = CACHE / f"recordings-{model_fingerprint()}"
        self._folder.mkdir(parents=True, exist_ok=True)
        forget_older("recordings-*")

    def run(self, text: str, name: str) -> tuple[Recording | None, str]:
        """The model's Recording of a program and ``""``, or None and one line
        that says what the model refuses or why the program failed."""
        key = hashlib.sha256(f"{name}\0{text}".encode()).hexdigest()[:24]
        kept = self._folder / f"{key}.json"
        if not kept.exists():
            recording, reason = _observe(text, name)
            data = {"recording": recording and recording.data(), "reason": reason}
            fresh = kept.with_suffix(".new")
            fresh.write_text(json.dumps(data), encoding="utf-8")
            fresh.rename(kept)
        found = json.loads(kept.read_text(encoding="utf-8"))
        if found["recording"] is None:
            return None, found["reason"]
        return Recording.from_data(found["recording"]), ""


def _observe(text: str, name: str) -> tuple[Recording | None, str]:
    try:
        return observe_text(text, name=name), ""
    except OutOfScope as refused:
        return None, f"{refused.feature}: {refused.advice}"
    except ProgramError as failed:
        return None, str(failed)
