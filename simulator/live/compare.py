"""Is the model right? Run a program on the model and on real JAX, and compare."""

from __future__ import annotations

import dataclasses
import pathlib

from simulator import recording
from simulator.errors import OutOfScope
from simulator.live.observe import ProgramFailed, observe

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
    model: recording.Recording | None = None
    real: recording.Recording | None = None


def compare(path, events: bool = False, real: recording.Recording | None = None) -> Comparison:
    """Compare one program file.

    Args:
      events: also compare the event streams (kind, station, fun, depth, outcome).
      real: a recording of real JAX made before; observed now when None.
    """
    from simulator import program
    path = pathlib.Path(path)
    try:
        model = program.observe(path)
    except OutOfScope as refused:
        return Comparison(path.name, REFUSED, str(refused))
    except program.ProgramError as error:
        return _failed(path, f"the program fails on the model: {error}", real)
    if real is None:
        try:
            real = observe(path)
        except ProgramFailed as error:
            return Comparison(path.name, DIFFERS, f"on real JAX: {error}", [], model)
    found = differences(recording.records(model), recording.records(real))
    if events:
        found += event_differences(model, real)
    return Comparison(path.name, DIFFERS if found else AGREES, "", found, model, real)


def _failed(path, why: str, real) -> Comparison:
    """The program fails on the model: it agrees when it fails on real JAX too."""
    if real is None:
        try:
            real = observe(path)
        except ProgramFailed as error:
            last = str(error).rstrip().splitlines()[-1]
            return Comparison(path.name, AGREES if last in why else DIFFERS,
                              f"{why}; on real JAX: {last}")
    return Comparison(path.name, DIFFERS, why, [], None, real)


def differences(model: list[dict], real: list[dict]) -> list[str]:
    """Where two lists of records differ, field by field."""
    found = []
    if len(model) != len(real):
        found.append(f"{len(model)} records on the model, {len(real)} on real JAX")
    for i, (mine, theirs) in enumerate(zip(model, real)):
        for name in dict.fromkeys([*theirs, *mine]):
            if mine.get(name) != theirs.get(name):
                found.append(f"{i} {theirs['label']!r}: {name}: "
                             f"model {mine.get(name)!r}, real {theirs.get(name)!r}")
    return found


def event_differences(model: recording.Recording, real: recording.Recording) -> list[str]:
    """The first event of each call in which two recordings differ."""
    found = []
    pairs = zip(model.calls, real.calls)
    for mine, theirs in pairs:
        if isinstance(mine, recording.Note) or isinstance(theirs, recording.Note):
            continue
        ours, real_events = _comparable(mine.events), _comparable(theirs.events)
        if ours == real_events:
            continue
        at = next((i for i, (a, b) in enumerate(zip(ours, real_events)) if a != b),
                  min(len(ours), len(real_events)))
        found.append(f"{theirs.label!r}: event {at}: model {_at(ours, at)}, "
                     f"real {_at(real_events, at)}")
    return found


def _comparable(events: list[dict]) -> list[tuple]:
    """Signatures in order, without evictions: when memory is freed is best effort."""
    return [recording.signature(event) for event in events if event["kind"] != "evict"]


def _at(signatures: list[tuple], i: int) -> str:
    return " ".join(map(str, signatures[i])) if i < len(signatures) else "nothing more"


def report(result: Comparison) -> str:
    """The comparison as text: every record once, and both sides where they differ."""
    lines = [f"## {result.name}: {result.verdict}"]
    if result.why:
        lines.append(f"   {result.why}")
    model = recording.records(result.model) if result.model else []
    real = recording.records(result.real) if result.real else []
    for i in range(max(len(model), len(real))):
        mine = model[i] if i < len(model) else None
        theirs = real[i] if i < len(real) else None
        if mine == theirs and mine is not None:
            lines.append(f" =     {recording.record_line(mine)}")
            continue
        for side, record in (("model", mine), ("real ", theirs)):
            lines.append(f" {side} {recording.record_line(record) if record else '-'}")
    lines += [f"   differs: {text}" for text in result.differences]
    return "\n".join(lines)
