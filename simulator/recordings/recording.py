"""A Recording and what it is made of: calls and notes, as JSON and back.

A Recording is plain JSON data. Two producers write it (the model and real JAX),
every view reads it, and nothing else passes between them.

    recording = Recording.load("13_x.json")     # or from_json(text), from_data(dict)
    for call in recording.calls: ...            # Call or Note, in program order
    call.events                                 # dictionaries, made by `event_data`
"""

from __future__ import annotations

import json
import math
from typing import Any

from simulator.recordings.checking import SCHEMA, RecordingError, validate
from simulator.recordings.event_data import no_counts

JAX_VERSION = "0.11.1"


class _Item:
    """What a Recording is made of: equal when everything in it is."""

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and vars(other) == vars(self)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in vars(self).items())})"

    __hash__ = None  # type: ignore[assignment]


class Call(_Item):
    """One observed call: what it was, what happened, what came out.

    `seconds` until it came back, and what follows, are left out of the data where they
    are None. Those that follow are set for long runs, of which not every call is kept:
    `number` is its place among all calls of the run, from 1; `at` the seconds since the
    program began. `again` further calls of the same place went the same way, before the
    next one that is kept; they took `again_seconds`. `where` is ``file:line`` when the
    call is not in the program's own file; `line` is then the line that led there.
    """

    number: int | None = None
    at: float | None = None
    again: int | None = None
    again_seconds: float | None = None
    where: str | None = None

    def __init__(self, label: str, line: int | None = None, process: int = 0,
                 events: list[dict] | None = None, log: list[str] | None = None,
                 exception: str | None = None, value: str | None = None,
                 fast_path: bool = False, caches: dict[str, list[int]] | None = None,
                 persistent: list[str] | None = None, cache_size: int | None = None,
                 seconds: float | None = None):
        self.label = label
        self.line = line
        self.process = process
        self.events = [] if events is None else events
        self.log = [] if log is None else log
        self.exception = exception
        self.value = value
        self.fast_path = fast_path
        self.caches = no_counts() if caches is None else caches
        self.persistent = [] if persistent is None else persistent
        self.cache_size = cache_size
        self.seconds = seconds


class Note(_Item):
    """A plain value that the program wanted on record."""

    def __init__(self, label: str, note: Any = None, line: int | None = None, process: int = 0):
        self.label = label
        self.note = note
        self.line = line
        self.process = process


def call_data(call: Call | Note) -> dict:
    """One call or note as a Recording holds it."""
    return {name: value for name, value in vars(call).items()
            if value is not None or name not in _LEFT_OUT}


_LONG_RUN = ("number", "at", "again", "again_seconds", "where")
_LEFT_OUT = ("seconds", *_LONG_RUN)
"""Fields of a call that are not written where they are None."""


def call_from(item: dict) -> Call | Note:
    """What `call_data` was made from, of checked data."""
    if "note" in item:
        return Note(**item)
    call = Call(**{name: value for name, value in item.items() if name not in _LONG_RUN})
    for name in _LONG_RUN:
        if name in item:
            setattr(call, name, item[name])
    return call


def plain(value: Any) -> Any:
    """A value as a note keeps it: None, bools, numbers, text, lists and dictionaries.

    Tuples become lists, keys text, scalars of arrays numbers, and a float that JSON
    does not have becomes text (``"nan"``). TypeError for anything else.
    """
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else str(float(value))
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if getattr(value, "shape", None) == () and hasattr(value, "item"):
        return plain(value.item())
    raise TypeError("a note is made of numbers, text, lists and dictionaries, not "
                    f"{type(value).__name__}")


class Recording(_Item):
    """All calls and notes of one program, in order; process after process.

    `program` has `name`, `text` and `processes`; from the model also `marked`, whether it
    names its calls itself, and `environment`, the variables that it set before it
    imported JAX, if it did.
    `run` is there when an ordinary program was recorded as it is: `arguments`, `exit`
    status, `calls` in all, `seconds` in all and of it about how much for `recorder`
    (None when it is not known), and `limits`: sentences on what was not seen.
    """

    def __init__(self, producer: str, program: dict[str, Any],
                 calls: list[Call | Note] | None = None, devices: int = 1,
                 jax: str = JAX_VERSION, schema: int = SCHEMA,
                 run: dict[str, Any] | None = None):
        self.producer = producer
        self.program = program
        self.calls = [] if calls is None else calls
        self.devices = devices
        self.jax = jax
        self.schema = schema
        self.run = run

    def with_calls(self, calls: list[Call | Note]) -> Recording:
        """The same Recording of other calls."""
        return Recording(**{**vars(self), "calls": calls})

    def data(self) -> dict:
        """The Recording as JSON-ready dictionaries and lists."""
        calls = [call_data(call) for call in self.calls]
        run = {} if self.run is None else {"run": self.run}
        return {"schema": self.schema, "producer": self.producer, "jax": self.jax,
                "devices": self.devices, "program": self.program, **run, "calls": calls}

    def to_json(self) -> str:
        """One line of JSON, the same text for the same content."""
        return json.dumps(self.data(), ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_data(cls, data: Any) -> Recording:
        """Check and convert JSON data. Raises RecordingError."""
        validate(data)
        calls = [call_from(item) for item in data["calls"]]
        return cls(producer=data["producer"], program=data["program"], calls=calls,
                   devices=data["devices"], jax=data["jax"], schema=data["schema"],
                   run=data.get("run"))

    @classmethod
    def from_json(cls, text: str) -> Recording:
        """Read JSON text. Raises RecordingError, also for text that is no JSON."""
        try:
            data = json.loads(text)
        except ValueError as error:
            raise RecordingError(f"not JSON: {error}") from None
        return cls.from_data(data)

    @classmethod
    def load(cls, path) -> Recording:
        """Read a JSON file. Raises RecordingError, OSError."""
        with open(path, encoding="utf-8") as file:
            return cls.from_json(file.read())
