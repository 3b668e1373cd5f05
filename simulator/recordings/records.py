"""The short form of a Recording: one record per call or note, as ``--json`` prints them.

    records(recording)                  # a list of dictionaries
    print(table(records(recording)))    # one readable line each
"""

from __future__ import annotations

from collections.abc import Sequence

from simulator.recordings.recording import Note, Recording

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
    return "\n".join(record_line(record) for record in found) or "(no calls)"
