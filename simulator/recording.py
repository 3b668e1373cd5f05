"""The Recording: what happened in the caches while a program ran.

A Recording is plain JSON data. Two producers write it (the model and real JAX),
every view reads it, and nothing else passes between them.

    recording = Recording.load("13_x.json")     # or from_json(text), from_data(dict)
    for call in recording.calls: ...            # Call or Note, in program order
    records(recording)                          # the short form printed by --json
    print(table(records(recording)))

Event dictionaries (``call.events``) have a ``kind``; see `lookup`, `work`,
`store`, `evict`, `log` below for the fields of each.
"""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Iterable, Sequence
from typing import Any

SCHEMA = 1
JAX_VERSION = "0.11.1"
PRODUCERS = ("model", "jax")
STATIONS = ("fast_path", "params", "trace", "lower", "hlo", "memo", "compile", "disk", "prim")
CACHES = ("params", "trace", "lower", "hlo", "compile", "prim")
"""The Python caches that have counters, in the order in which records name them."""
OUTCOMES = {"lookup": ("hit", "miss", "fallback"),
            "store": ("stored", "dead", "none", "written", "skipped"),
            "evict": ("evicted",)}
WORKS = ("python", "trace", "lower", "compile", "load", "execute")
KINDS = ("lookup", "work", "store", "evict", "log")

Key = Sequence[tuple[str, str]]
"""A cache key for people: ordered (field name, short text) pairs."""


class RecordingError(ValueError):
    """The data is no Recording; the message names the place and what is wrong."""


# -- events ------------------------------------------------------------------

def lookup(station: str, fun: str, depth: int, outcome: str, key: Key = (),
           closest: dict | None = None) -> dict:
    """One question to one cache. `closest` is what `closest_key` returns, on a miss."""
    return {"kind": "lookup", "station": station, "fun": fun, "depth": depth,
            "outcome": outcome, "key": [list(pair) for pair in key], "closest": closest}


def work(what: str, fun: str, depth: int) -> dict:
    """Work that starts: `what` is one of `WORKS`."""
    return {"kind": "work", "work": what, "fun": fun, "depth": depth}


def store(station: str, fun: str, depth: int, outcome: str, why: str = "") -> dict:
    """What was kept after a miss: fast_path stored/dead/none, disk written/skipped."""
    return {"kind": "store", "station": station, "fun": fun, "depth": depth,
            "outcome": outcome, "why": why}


def evict(station: str, count: int, why: str = "") -> dict:
    """`count` entries of a station are gone (cleared, collected, pushed out)."""
    return {"kind": "evict", "station": station, "fun": "", "depth": 0,
            "outcome": "evicted", "count": count, "why": why}


def log(text: str) -> dict:
    """A line that JAX would log at WARNING or above, normalised."""
    return {"kind": "log", "text": text}


def signature(event: dict) -> tuple:
    """The part of an event on which both producers must agree."""
    kind = event["kind"]
    if kind == "log":
        return kind, event["text"]
    if kind == "evict":
        return kind, event["station"]
    what = event["work"] if kind == "work" else event["station"]
    return kind, what, event["fun"], event["depth"], event.get("outcome")


def differing(key: Key, other: Key) -> list[str]:
    """Names of the fields in which two keys differ, in the order of `key`.

    A field present in only one of them counts as different.
    """
    if [pair[0] for pair in key] == [pair[0] for pair in other]:      # nearly always
        return [mine[0] for mine, its in zip(key, other) if mine[1] != its[1]]
    ours, theirs = dict(map(tuple, key)), dict(map(tuple, other))
    names = list(ours) + [name for name in theirs if name not in ours]
    return [name for name in names if ours.get(name) != theirs.get(name)]


def _apart(key: Key, other: Key, names: list[str]) -> int:
    """In how many parts the named fields of two keys differ; parts stand between commas."""
    ours, theirs = dict(map(tuple, key)), dict(map(tuple, other))
    apart = 0
    for name in names:
        a, b = ours.get(name, "").split(", "), theirs.get(name, "").split(", ")
        apart += sum(x != y for x, y in zip(a, b)) + abs(len(a) - len(b))
    return apart


def closest_key(key: Key, earlier: Iterable[tuple[Key, str]]) -> dict | None:
    """The earlier (key, where it was made) with the fewest differing fields.

    Among equals the one wins that differs in the fewest parts of them, such as the types
    of single arguments; then the latest. Returns None when there is no earlier key, else
    the ``closest`` dictionary of a lookup event.
    """
    mine = tuple(key)
    best, parts = None, None                 # parts: in how many `best` differs, once asked
    nearest = False                          # then only an equal key is nearer
    for candidate, of in reversed([*earlier]):
        if nearest and tuple(candidate) != mine:
            continue
        differs = differing(key, candidate)
        theirs = None
        if best is not None and len(differs) > len(best[1]):
            continue
        if best is not None and len(differs) == len(best[1]):
            parts = _apart(key, *best[:2]) if parts is None else parts
            nearest = len(differs) == parts == 1
            if nearest:
                continue
            theirs = _apart(key, candidate, differs)
            if theirs >= parts:
                continue
        best, parts = (candidate, differs, of), theirs
    if best is None:
        return None
    return {"key": [list(pair) for pair in best[0]], "differs": best[1], "of": best[2]}


class SeenKeys:
    """The keys that missed so far, station by station: what a new key is held against.

    Also those whose entry is gone by now: that a function is another object than the
    one before is the news, whether or not the one before is still there. Only the
    latest `LOOKED_AT` are compared, those of the same first field before all others.
    """

    LOOKED_AT = 200

    def __init__(self, limit: int | None = None) -> None:
        self._limit = limit  # how many keys each station remembers; None: all of them
        self._all: dict[str, dict[tuple, str]] = {}
        self._by_first: dict[tuple, dict[tuple, str]] = {}

    def closest(self, station: str, key: Key) -> dict | None:
        """The closest earlier key of a station, as `closest_key` gives it."""
        for known in (self._by_first.get((station, key[0])), self._all.get(station)):
            if known:
                latest = list(itertools.islice(reversed(known.items()), self.LOOKED_AT))
                return closest_key(key, reversed(latest))
        return None

    def add(self, station: str, key: Key, of: str) -> None:
        """Remember a key that missed; `of` says where."""
        frozen = tuple(key)
        for known in (self._all.setdefault(station, {}),
                      self._by_first.setdefault((station, key[0]), {})):
            known.pop(frozen, None)  # the latest goes last
            known[frozen] = of
        everything = self._all[station]
        if self._limit is not None and len(everything) > self._limit:
            oldest = next(iter(everything))
            del everything[oldest]
            self._by_first[station, oldest[0]].pop(oldest, None)


# -- calls -------------------------------------------------------------------

def no_counts() -> dict[str, list[int]]:
    """[hits, misses] of every counted cache, all zero."""
    return {name: [0, 0] for name in CACHES}


def count(events: Iterable[dict]) -> dict[str, list[int]]:
    """[hits, misses] of every counted cache, from lookup events."""
    counts = no_counts()
    for event in events:
        if event["kind"] == "lookup" and event["station"] in counts:
            counts[event["station"]][event["outcome"] != "hit"] += 1
    return counts


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


# -- checking ----------------------------------------------------------------

_TOP = {"schema": int, "producer": str, "jax": str, "devices": int, "program": dict,
        "calls": list}
_CALL = {"label": str, "line": (int, type(None)), "process": int, "events": list, "log": list,
         "exception": (str, type(None)), "value": (str, type(None)), "fast_path": bool,
         "caches": dict, "persistent": list}
_CALL_EXTRA = {"cache_size": (int, type(None)), "seconds": (int, float), "number": int,
               "at": (int, float), "again": int, "again_seconds": (int, float), "where": str}
_RUN = {"arguments": list, "exit": int, "calls": int, "seconds": (int, float, type(None)),
        "recorder": (int, float, type(None)), "limits": list}
_NOTE = {"label": str, "note": object, "line": (int, type(None)), "process": int}
_EVENT = {
    "lookup": {"station": str, "fun": str, "depth": int, "outcome": str, "key": list,
               "closest": (dict, type(None))},
    "work": {"work": str, "fun": str, "depth": int},
    "store": {"station": str, "fun": str, "depth": int, "outcome": str, "why": str},
    "evict": {"station": str, "fun": str, "depth": int, "outcome": str, "count": int,
              "why": str},
    "log": {"text": str},
}


def _fields(data: Any, where: str, needed: dict, optional: dict | None = None) -> None:
    if not isinstance(data, dict):
        raise RecordingError(f"{where}: expected an object, got {type(data).__name__}")
    allowed = {**needed, **(optional or {})}
    for name in data:
        if name not in allowed:
            raise RecordingError(f"{where}: unknown field {str(name)!r}")
    for name in needed:
        if name not in data:
            raise RecordingError(f"{where}: field {name!r} is missing")
    for name, value in data.items():
        kind = allowed[name]
        wrong = not isinstance(value, kind) or (
            isinstance(value, bool) and kind in (int, (int, float), (int, type(None))))
        if wrong:
            raise RecordingError(f"{where}.{name}: unexpected {type(value).__name__}")


def _texts(values: list, where: str) -> None:
    for i, value in enumerate(values):
        if not isinstance(value, str):
            raise RecordingError(f"{where}[{i}]: expected text, got {type(value).__name__}")


def _key(key: Any, where: str) -> None:
    for i, pair in enumerate(key if isinstance(key, list) else [key]):
        if not (isinstance(pair, list) and len(pair) == 2
                and all(isinstance(text, str) for text in pair)):
            raise RecordingError(f"{where}[{i}]: expected a [name, text] pair")


def _event(event: Any, where: str) -> None:
    kind = event.get("kind") if isinstance(event, dict) else None
    if kind not in KINDS:
        raise RecordingError(f"{where}: kind must be one of {', '.join(KINDS)}, got {kind!r}")
    _fields(event, where, {"kind": str, **_EVENT[kind]})
    if kind in OUTCOMES and event["outcome"] not in OUTCOMES[kind]:
        raise RecordingError(f"{where}.outcome: {event['outcome']!r} is not one of "
                             f"{', '.join(OUTCOMES[kind])}")
    if "station" in event and event["station"] not in STATIONS:
        raise RecordingError(f"{where}.station: unknown station {event['station']!r}")
    if kind == "work" and event["work"] not in WORKS:
        raise RecordingError(f"{where}.work: unknown work {event['work']!r}")
    if kind == "lookup":
        _key(event["key"], f"{where}.key")
        if event["closest"] is not None:
            _fields(event["closest"], f"{where}.closest",
                    {"key": list, "differs": list, "of": str})
            _key(event["closest"]["key"], f"{where}.closest.key")
            _texts(event["closest"]["differs"], f"{where}.closest.differs")


def validate(data: Any) -> None:
    """Raise RecordingError unless `data` (from JSON) is a Recording of this schema."""
    _fields(data, "recording", _TOP, {"run": dict})
    if data["schema"] != SCHEMA:
        raise RecordingError(f"recording.schema: this reader knows schema {SCHEMA}, "
                             f"got {data['schema']}")
    if data["producer"] not in PRODUCERS:
        raise RecordingError(f"recording.producer: {data['producer']!r} is not one of "
                             f"{', '.join(PRODUCERS)}")
    _fields(data["program"], "recording.program", {"name": str, "text": str, "processes": int},
            {"marked": bool, "environment": dict})
    if "run" in data:
        _fields(data["run"], "recording.run", _RUN)
        for name in ("arguments", "limits"):
            _texts(data["run"][name], f"recording.run.{name}")
    for i, call in enumerate(data["calls"]):
        where = f"recording.calls[{i}]"
        if isinstance(call, dict) and "note" in call:
            _fields(call, where, _NOTE)
            continue
        _fields(call, where, _CALL, _CALL_EXTRA)
        _texts(call["log"], f"{where}.log")
        _texts(call["persistent"], f"{where}.persistent")
        if list(call["caches"]) != list(CACHES):
            raise RecordingError(f"{where}.caches: expected {', '.join(CACHES)}")
        for name, pair in call["caches"].items():
            if not (isinstance(pair, list) and len(pair) == 2
                    and all(type(number) is int for number in pair)):
                raise RecordingError(f"{where}.caches.{name}: expected [hits, misses]")
        for j, event in enumerate(call["events"]):
            _event(event, f"{where}.events[{j}]")


# -- the short form ------------------------------------------------------------

RECORD_FIELDS = ("label", "fast_path", "caches", "persistent", "exception", "value", "log")


def records(recording: Recording) -> list[dict]:
    """One dictionary per call or note: the contract fields, what `--json` prints."""
    several = recording.program["processes"] > 1
    found = []
    for call in recording.calls:
        names = ("label", "note") if isinstance(call, Note) else RECORD_FIELDS
        record = {name: getattr(call, name) for name in names}
        if several:
            record["process"] = call.process
        found.append(record)
    return found


def record_line(record: dict) -> str:
    """One readable line for one record."""
    where = f"[process {record['process']}] " if "process" in record else ""
    head = f"{where}{record['label']}"
    if "note" in record:
        return f"{head:<42}  note    {record['note']!r}"
    asked = "  ".join(f"{name} {_tally(pair)}" for name, pair in record["caches"].items()
                      if pair != [0, 0])
    answer = record["exception"] or record["value"] or ""
    disk = f"  [{', '.join(record['persistent'])}]" if record["persistent"] else ""
    path = "C++ hit" if record["fast_path"] else "Python " if asked else "       "
    return f"{head:<42}  {path}  {asked or '-':<44}  {answer}{disk}".rstrip()


def _tally(pair: Sequence[int]) -> str:
    hits, misses = pair
    return "+".join(f"{number}{word}" for number, word in ((hits, "hit"), (misses, "miss"))
                    if number)


def table(found: Sequence[dict]) -> str:
    """All records as text, one line each."""
    return "\n".join(record_line(record) for record in found)
