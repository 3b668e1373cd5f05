"""Running programs on the model at build time, each one once per version of
the model: what came out is kept in `.cache`."""

import hashlib
import json
import multiprocessing
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

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
        found = json.loads(self._kept(text, name).read_text(encoding="utf-8"))
        if found["recording"] is None:
            return None, found["reason"]
        return Recording.from_data(found["recording"]), ""

    def ahead(self, programs: Iterable[tuple[str, str]]) -> None:
        """Runs many programs, (text, name) each, on all cores: `run` then only reads."""
        new = {one for one in programs if not self._place(*one).exists()}
        if new:
            with ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as pool:
                list(pool.map(self._kept, *zip(*new)))

    def _place(self, text: str, name: str) -> Path:
        key = hashlib.sha256(f"{name}\0{text}".encode()).hexdigest()[:24]
        return self._folder / f"{key}.json"

    def _kept(self, text: str, name: str) -> Path:
        kept = self._place(text, name)
        if not kept.exists():
            recording, reason = _observe(text, name)
            data = {"recording": recording and recording.data(), "reason": reason}
            fresh = kept.with_suffix(".new")
            fresh.write_text(json.dumps(data), encoding="utf-8")
            fresh.rename(kept)
        return kept


def _observe(text: str, name: str) -> tuple[Recording | None, str]:
    try:
        return observe_text(text, name=name), ""
    except OutOfScope as refused:
        return None, f"{refused.feature}: {refused.advice}"
    except ProgramError as failed:
        return None, str(failed)
