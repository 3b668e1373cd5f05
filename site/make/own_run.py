"""What the page for a reader's own run needs beside it: a sample, and the lines JAX logs."""

import gzip
import json
from pathlib import Path

from make.paths import GOLDEN
from simulator.facts import facts
from simulator.recordings.recording import Recording

SAMPLE = GOLDEN / "own" / "train.json.gz"
"""A run of content/open/train.py, recorded as its reader would."""


def sample() -> Recording:
    """The recording of a program of its own that the page about recording shows."""
    return Recording.from_json(gzip.decompress(SAMPLE.read_bytes()).decode("utf-8"))


def large(count: int) -> str:
    """A recording with every one of `count` calls kept, one in fifty missed, as JSON.
    Nobody's run: the size that the page is tried and measured with."""
    data = sample().data()
    missed = next(one for one in data["calls"] if one["label"].startswith("params, value") and len(one["events"]) > 9)
    hit = next(one for one in data["calls"] if one["fast_path"])
    calls = [json.dumps({**(hit if i % 50 else missed), "number": i + 1, "at": i / 1e4}) for i in range(count)]
    return json.dumps({**data, "calls": []})[:-2] + ",".join(calls) + "]}"


def write_data(folder: Path) -> None:
    """Writes `sample.json`, and `sample.log`: what JAX logged in that run."""
    recording = sample()
    folder.mkdir(parents=True)
    (folder / "sample.json").write_text(recording.to_json(), encoding="utf-8")
    lines = ["epoch 0"]  # a log is never alone
    for call in recording.calls:
        lines += call.log
    (folder / "sample.log").write_text("\n".join(lines) + "\n", encoding="utf-8")


def log_formats() -> str:
    """The formats of JAX's log lines, as JSON: what the page recognises a line by."""
    wanted = ("format", "call", "function", "file")
    found = [{name: message[name] for name in wanted} for message in facts()["messages"]]
    return json.dumps(found, ensure_ascii=False, separators=(",", ":"))
