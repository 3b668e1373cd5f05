"""Is the model right? Run a program on the model and on real JAX, and compare."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Callable

from simulator.errors import OutOfScope
from simulator.live import nearly
from simulator.live.key_differences import key_differences, lookups_agree
from simulator.live.normal import in_order
from simulator.live.observe import ProgramFailed, observe
from simulator.recordings import event_data
from simulator.recordings.recording import Note, Recording
from simulator.recordings.records import record_line, records
from simulator.running import reading, summary

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
    try:
        text = reading.decoded(path.read_bytes())
    except SyntaxError as error:
        return Comparison(path.name, DIFFERS, f"neither side can read it: {error}")
    return compare_text(path.name, text, lambda: observe(path), events, keys)


def compare_text(name: str, text: str, real: Callable[[], Recording],
                 events: bool = False, keys: bool = False) -> Comparison:
    """Compare one program.

    Args:
      real: gives the recording of real JAX, and raises ProgramFailed where the
        program fails there; not called when the model refuses the program. A program
        that fails is compared up to there.
      events: also compare the event streams (kind, station, fun, depth, outcome).
      keys: also compare the keys of lookups, field by field.
    """
    from simulator.running import program
    failed, why, same = "", "", True
    try:
        model = program.observe_text(text, name=name)
    except OutOfScope as refused:
        return Comparison(name, REFUSED, str(refused))
    except program.ProgramError as error:
        model = error.recording
        failed = summary.exception(error.error)
    try:
        theirs = real()
        if failed:
            why, same = f"fails on the model only: {failed}", False
    except ProgramFailed as error:
        if error.interrupted:
            raise KeyboardInterrupt from None
        theirs = error.recording
        why = f"fails on real JAX: {error.error or error}; on the model: {failed or 'no error'}"
        same = _same_error(failed, error.error or "")
    found = _found(model, theirs, events, keys)
    return Comparison(name, AGREES if same and not found else DIFFERS, why, found, model, theirs)


def _same_error(model: str, real: str) -> bool:
    kind = model.partition(":")[0]
    # What Python says of these depends on where it noticed.
    vague = kind in ("RecursionError", "SyntaxError", "IndentationError", "TabError")
    return bool(model) and (kind == real.partition(":")[0] if vague else model == real)


def _found(model: Recording, real: Recording, events: bool, keys: bool) -> list[str]:
    return [*differences(records(model), records(real)),
            *(event_differences(model, real) if events else ()),
            *(key_differences(model, real) if keys else ())]


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
