"""Whether JSON data is a Recording of this schema, and where not."""

from __future__ import annotations

from typing import Any

from simulator.recordings.event_data import CACHES, KINDS, OUTCOMES, STATIONS, WORKS

SCHEMA = 1
PRODUCERS = ("model", "jax")


class RecordingError(ValueError):
    """The data is no Recording; the message names the place and what is wrong."""


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
