"""Sentences held against Recordings.

A sentence in the prose names a call of a scenario and what happened in it; the
build reads the Recordings of real JAX and of the model, and fails unless both say so.

    evidence = Evidence(recordings)            # {"minimal_params": (model, real), …}
    evidence.hold("minimal_params @ g(xn): fast_path=miss params=hit trace=none")

Conditions, separated by blanks (quote values that hold blanks):

    of=NAME                                    what follows is about this function within the call
    STATION=hit|miss|fallback|none|skipped     what the station said; none: not asked
    STATION.differs=FIELD[,FIELD]              first-to-differ fields of its key (all of them)
    STATION.closest=NAME                       the function in the closest earlier key
    STATION.counts=HITS,MISSES                 of the whole call, for other functions too
    ran=trace,lower,compile,load | nothing     work that was done for the call itself
    worked=trace,lower,compile,load | nothing  work done anywhere in it, for other functions too
    stored=stored|dead|none                    what C++ kept afterwards
    raises=TypeError  value=…  size=2          exception type, result, entries of the function
    log="text"  nolog="text"                   a piece of a log line; …: anything between
    event=NAME                                 the disk cache recorded this event
    note=…                                     the value that a note wrote down; line breaks
                                               count as blanks
"""

import dataclasses
import json
import re
import shlex

from reading import Read, read_calls
from simulator.recordings.event_data import CACHES, STATIONS
from simulator.recordings.recording import Note, Recording

WORKS = ("trace", "lower", "load", "compile")
PARTS = re.compile(r';\s+(?=[^"]*(?:"[^"]*"[^"]*)*$)')
"""What stands between claims: a semicolon that is not within double quotes."""


class ClaimError(ValueError):
    """A sentence does not hold, or names a call that is not there."""


@dataclasses.dataclass(frozen=True)
class Place:
    """A call or note, by scenario and label."""

    scenario: str
    label: str

    @classmethod
    def parse(cls, text: str) -> "Place":
        """`minimal_params @ g(xn)`; `… #2` for the second call of that label."""
        scenario, at, label = (part.strip() for part in text.partition("@"))
        if not at or not label:
            raise ClaimError(f"{text!r} should be written `scenario @ call`")
        return cls(scenario, label)

    def among(self, labels: list[str]) -> int:
        """The position of the place among the labels of a recording, or -1."""
        if self.label in labels:
            return labels.index(self.label)
        if match := re.fullmatch(r"(.+?)\s+#(\d+)", self.label):
            found = [i for i, label in enumerate(labels) if label == match[1]]
            if len(found) >= int(match[2]) > 0:
                return found[int(match[2]) - 1]
        return -1


class Evidence:
    """All Recordings by scenario, each as (of the model, of real JAX). The model's
    may be real JAX's again, for a program that the model refuses."""

    def __init__(self, recordings: dict[str, tuple[Recording, Recording]]):
        self._recordings = recordings
        self._read: dict[int, dict[int, Read]] = {}
        self.used: set[str] = set()

    def scenario(self, name: str) -> Recording:
        """The Recording of real JAX. Raises ClaimError for an unknown scenario."""
        return self._both(name)[1]

    def call(self, place: Place):
        """The call (or note) as real JAX did it."""
        return self._find(self.scenario(place.scenario), place)[0]

    def read(self, place: Place) -> Read:
        """The call with its six floors, as real JAX did it."""
        item, read = self._find(self.scenario(place.scenario), place)
        if read is None:
            raise ClaimError(f"{place.scenario} @ {place.label} is a note, not a call")
        return read

    def hold(self, text: str) -> list[Place]:
        """Checks one or more claims, separated by `;`, on both sides.

        Returns the places looked at. Raises ClaimError, saying what was found.
        """
        places = []
        for part in PARTS.split(text):
            where, colon, conditions = _split(part)
            place = Place.parse(where)
            if not colon or not conditions.strip():
                raise ClaimError(f"{part!r} names no condition")
            for recording in self._both(place.scenario):
                item, read = self._find(recording, place)
                for condition in shlex.split(conditions, posix=True):
                    if condition.startswith("of="):
                        read = _fall(read, condition[3:])
                        continue
                    problem = _problem(item, read, condition)
                    if problem:
                        who = recording.producer
                        raise ClaimError(
                            f"{where.strip()}: {condition} does not hold ({who}): {problem}"
                        )
            places.append(place)
        return places

    def _both(self, name: str) -> tuple[Recording, Recording]:
        if name not in self._recordings:
            raise ClaimError(f"no scenario {name!r} with recordings of both sides")
        self.used.add(name)
        return self._recordings[name]

    def _find(self, recording: Recording, place: Place):
        labels = [call.label for call in recording.calls]
        position = place.among(labels)
        if position < 0:
            known = ", ".join(dict.fromkeys(labels))
            raise ClaimError(f"{place.scenario} has no call {place.label!r}; it has {known}")
        if id(recording) not in self._read:
            calls = [i for i, item in enumerate(recording.calls) if not isinstance(item, Note)]
            self._read[id(recording)] = dict(zip(calls, read_calls(recording.data())))
        return recording.calls[position], self._read[id(recording)].get(position)


def _split(part: str) -> tuple[str, str, str]:
    """Cut at the first colon that a condition follows: labels may hold colons."""
    match = re.search(r":\s+(?=[\w.]+=)", part)
    if not match:
        return part, "", ""
    return part[: match.start()], ":", part[match.end() :]


def _fall(read: Read | None, fun: str) -> Read:
    """The call, with what it did for `fun` (the last time) in the middle."""
    falls = [fall for fall in (read.falls if read else []) if fall.fun == fun]
    if not falls:
        raise ClaimError(f"the call asks nothing for {fun!r}")
    return dataclasses.replace(read, main=falls[-1])


def _problem(item, read: Read | None, condition: str) -> str:
    """What was found instead, or an empty text."""
    name, _, wanted = condition.partition("=")
    if isinstance(item, Note):
        found = item.note if isinstance(item.note, str) else json.dumps(item.note)
        same = " ".join(found.split()) == " ".join(wanted.split())
        return "" if name == "note" and same else f"the note is {found}"
    station, _, aspect = name.partition(".")
    if aspect == "counts" and station in CACHES:
        hits, misses = item.caches[station]
        return "" if f"{hits},{misses}" == wanted else f"they are {hits},{misses}"
    if station in STATIONS:
        return _station_problem(item, read, station, aspect, wanted)
    if name in ("log", "nolog"):
        pattern = ".*".join(re.escape(piece) for piece in wanted.split("…"))
        there = any(re.search(pattern, line, re.S) for line in item.log)
        return "" if there == (name == "log") else f"the log is {item.log}"
    if name == "event":
        return "" if wanted in item.persistent else f"the events are {item.persistent}"
    found = {
        "ran": lambda: ",".join(ran(read)) or "nothing",
        "worked": lambda: ",".join(_worked(item)) or "nothing",
        "stored": lambda: ",".join(_stored(read)) or "none",
        "raises": lambda: (item.exception or "nothing").split(":")[0],
        "value": lambda: str(item.value),
        "size": lambda: str(item.cache_size),
    }
    if name not in found:
        raise ClaimError(f"{name!r} is no condition")
    actual = found[name]()
    return "" if actual == wanted else f"it is {actual}"


def _station_problem(item, read: Read, station: str, aspect: str, wanted: str) -> str:
    lookups = [look for look in (read.main.lookups if read.main else [])]
    looked = [look for look in lookups if look["station"] == station]
    if aspect == "differs":
        fields = looked[-1]["closest"]["differs"] if looked and looked[-1]["closest"] else []
        missing = [field for field in wanted.split(",") if field not in fields]
        return f"the fields that differ are {fields}" if missing else ""
    if aspect == "closest":
        closest = looked[-1]["closest"] if looked else None
        fun = dict(map(tuple, closest["key"])).get("function", "") if closest else "none"
        return "" if fun.partition(" #")[0] == wanted else f"it is of {fun}"
    if aspect:
        raise ClaimError(f"{aspect!r} is nothing that can be said of a station")
    actual = looked[-1]["outcome"] if looked else outcome_of_silence(read, station)
    return "" if actual == wanted else f"it is {actual}"


def outcome_of_silence(read: Read, station: str) -> str:
    """`skipped` for a floor that the call went round, else `none`."""
    floor = {"fast_path": 0, "disk": 5}.get(station)
    return "skipped" if floor is not None and read.floors[floor].verdict == "skipped" else "none"


def ran(read: Read) -> list[str]:
    """Which of trace, lower, load, compile ran for the call itself."""
    works = read.main.works if read.main else []
    return [work for work in WORKS if work in works]


def _worked(item) -> list[str]:
    done = {event["work"] for event in item.events if event["kind"] == "work"}
    return [work for work in WORKS if work in done]


def _stored(read: Read) -> list[str]:
    stores = read.main.stores if read.main else []
    return [store["outcome"] for store in stores if store["station"] == "fast_path"]
