"""Is the model right? Run a program on the model and on real JAX, and compare."""

from __future__ import annotations

import dataclasses
import pathlib
import re
from collections.abc import Callable

from simulator.errors import OutOfScope
from simulator.live import nearly
from simulator.live.key_differences import key_differences, lookups_agree
from simulator.live.normal import in_order
from simulator.live.observe import ProgramFailed, observe
from simulator.recordings import event_data
from simulator.recordings.recording import Note, Recording
from simulator.recordings.records import record_line, records

AGREES, DIFFERS, REFUSED = "agrees", "differs", "out of scope"


@dataclasses.dataclass
class Comparison:
    """What both sides said about one program.

    verdict: `AGREES`, `DIFFERS` or `REFUSED`. why: the refusal, or why one side
    has no recording. differences: one line each. model, real: Recordings or None.
    """

    name: str
    verdict: str
    why: str = ""
    differences: list[str] = dataclasses.field(default_factory=list)
    model: Recording | None = None
    real: Recording | None = None


def compare(path, events: bool = False, keys: bool = False) -> Comparison:
    """Compare one program file; see `compare_text`. Raises OSError."""
    path = pathlib.Path(path)
    return compare_text(path.name, path.read_text(encoding="utf-8"),
                        lambda: observe(path), events, keys)


def compare_text(name: str, text: str, real: Callable[[], Recording],
                 events: bool = False, keys: bool = False) -> Comparison:
    """Compare one program.

    Args:
      real: gives the recording of real JAX, and raises ProgramFailed where the
        program fails there; not called when the model refuses the program.
      events: also compare the event streams (kind, station, fun, depth, outcome).
      keys: also compare the keys of lookups, field by field.
    """
    from simulator.running import program
    model, failed = None, ""
    try:
        model = program.observe_text(text, name=name)
    except OutOfScope as refused:
        return Comparison(name, REFUSED, str(refused))
    except program.ProgramError as error:
        failed = f"{type(error.error).__name__}: {error.error}"
    try:
        theirs = real()
    except ProgramFailed as error:
        # JAX closes a shortened traceback with a remark of its own.
        last = re.split("\n-{20}\n", str(error))[0].rstrip().splitlines()[-1]
        same = bool(failed) and last.startswith(failed.split(":")[0])
        return Comparison(name, AGREES if same else DIFFERS,
                          f"fails on real JAX: {last}; on the model: {failed or 'no error'}",
                          model=model)
    if model is None:
        return Comparison(name, DIFFERS, f"fails on the model only: {failed}", real=theirs)
    found = differences(records(model), records(theirs))
    if events:
        found += event_differences(model, theirs)
    if keys:
        found += key_differences(model, theirs)
    return Comparison(name, DIFFERS if found else AGREES, "", found, model, theirs)


def differences(model: list[dict], real: list[dict]) -> list[str]:
    """Where two lists of records differ, field by field."""
    found = []
    if len(model) != len(real):
        found.append(f"{len(model)} records on the model, {len(real)} on real JAX")
    for i, (mine, theirs) in enumerate(zip(model, real)):
        for name in dict.fromkeys([*theirs, *mine]):
            if _steady(mine.get(name)) != _steady(theirs.get(name)) and not (
                    name == "value" and nearly.same(mine.get(name), theirs.get(name))):
                found.append(f"{i} {theirs['label']!r}: {name}: "
                             f"model {mine.get(name)!r}, real {theirs.get(name)!r}")
    return found


def _steady(value):
    # Recordings made earlier may hold the order of a set.
    return in_order(value) if isinstance(value, str) else value


def event_differences(model: Recording, real: Recording) -> list[str]:
    """The first event of each call in which two recordings differ."""
    pairs = zip(model.calls, real.calls)
    return [found for mine, theirs in pairs if (found := _event_difference(mine, theirs))]


def _event_difference(mine, theirs) -> str:
    if isinstance(mine, Note) or isinstance(theirs, Note):
        return ""
    ours, real_events = _comparable(mine.events), _comparable(theirs.events)
    if ours == real_events:
        return ""
    at = next((i for i, (a, b) in enumerate(zip(ours, real_events)) if a != b),
              min(len(ours), len(real_events)))
    return (f"{theirs.label!r}: event {at}: model {_at(ours, at)}, "
            f"real {_at(real_events, at)}")


def calls_agree(model: Recording, real: Recording) -> list[bool]:
    """For each call that both sides have: equal in record, events and keys?"""
    both = zip(records(model), records(real))
    calls = zip(model.calls, real.calls)
    return [not differences([mine], [theirs]) and not _event_difference(my_call, their_call)
            and equal == lookups
            for (mine, theirs), (my_call, their_call), (equal, lookups)
            in zip(both, calls, lookups_agree(model, real))]


def _comparable(events: list[dict]) -> list[tuple]:
    """Signatures in order, without evictions: when memory is freed is best effort."""
    return [event_data.signature(event) for event in events if event["kind"] != "evict"]


def _at(signatures: list[tuple], i: int) -> str:
    return " ".join(map(str, signatures[i])) if i < len(signatures) else "nothing more"


def report(result: Comparison) -> str:
    """The comparison as text: every record once, and both sides where they differ."""
    lines = [f"## {result.name}: {result.verdict}"]
    if result.why:
        lines.append(f"   {result.why}")
    model = records(result.model) if result.model else []
    real = records(result.real) if result.real else []
    for i in range(max(len(model), len(real))):
        mine = model[i] if i < len(model) else None
        theirs = real[i] if i < len(real) else None
        if mine == theirs and mine is not None:
            lines.append(f" =     {record_line(mine)}")
            continue
        for side, record in (("model", mine), ("real ", theirs)):
            lines.append(f" {side} {record_line(record) if record else '-'}")
    lines += [f"   differs: {text}" for text in result.differences]
    return "\n".join(lines)
