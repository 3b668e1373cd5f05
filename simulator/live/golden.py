"""Golden recordings: what real JAX did, kept in ``tests/golden``.

``scenarios/<name>.json`` holds the scenarios of the site, ``programs/<name>.json.gz``
the programs of ``tests/programs/kept``, ``cases/<name>.json.gz`` programs from the
wild, ``beneath/<name>.json`` programs that use names of JAX's source, which the model
is never asked to run; each carries its program text, so that it can be recorded again anywhere.
Times are left out.
"""

from __future__ import annotations

import dataclasses
import gzip
import io
import pathlib
from collections.abc import Iterable

from simulator.live.compiled import write
from simulator.live.observe import observe_text
from simulator.recordings.recording import Call, Recording
from simulator.recordings.records import records

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
GOLDEN = ROOT / "tests" / "golden"
SCENARIOS = ROOT / "content" / "scenarios"
BENEATH = ROOT / "content" / "beneath"
PROGRAMS = ROOT / "tests" / "programs" / "kept"


def load(path: pathlib.Path) -> Recording:
    """Read a golden recording, compressed or not."""
    data = path.read_bytes()
    if path.suffix == ".gz":
        data = gzip.decompress(data)
    return Recording.from_json(data.decode("utf-8"))


def save(path: pathlib.Path, found: Recording) -> None:
    """Write a golden recording; the same content gives the same bytes."""
    for call in found.calls:
        if isinstance(call, Call):
            call.seconds = None
    data = (found.to_json() + "\n").encode("utf-8")
    if path.suffix == ".gz":
        buffer = io.BytesIO()
        with gzip.GzipFile(fileobj=buffer, mode="wb", mtime=0) as file:
            file.write(data)
        data = buffer.getvalue()
    path.parent.mkdir(parents=True, exist_ok=True)
    write(path, data)


@dataclasses.dataclass(frozen=True)
class Item:
    """One golden recording: where it is, and the program it comes from."""

    path: pathlib.Path
    name: str
    text: str


def items(cases: pathlib.Path | None = None) -> list[Item]:
    """All golden recordings, kept or to be made.

    Args:
      cases: a folder with further programs to keep; those already kept bring
        their own text.
    """
    found = {}
    for folder in (SCENARIOS, BENEATH):
        for path in sorted(folder.glob("*.py")):
            target = GOLDEN / folder.name / f"{path.stem}.json"
            found[target] = Item(target, path.name, path.read_text(encoding="utf-8"))
    for path in sorted(PROGRAMS.glob("*.py")):
        target = GOLDEN / "programs" / f"{path.stem}.json.gz"
        found[target] = Item(target, path.name, path.read_text(encoding="utf-8"))
    for path in sorted((GOLDEN / "cases").glob("*.json.gz")):
        program = load(path).program
        found[path] = Item(path, program["name"], program["text"])
    for path in sorted(cases.glob("*.py")) if cases else ():
        target = GOLDEN / "cases" / f"{path.stem}.json.gz"
        found[target] = Item(target, path.name, path.read_text(encoding="utf-8"))
    return list(found.values())


def chosen(names: Iterable[str], cases: pathlib.Path | None = None) -> list[Item]:
    """The items whose program is named; all of them without names.

    Raises KeyError for a name that is none.
    """
    every = items(cases)
    names = list(names)
    by_name = {pathlib.PurePath(item.name).stem: item for item in every}
    return [by_name[pathlib.PurePath(name).stem] for name in names] if names else every


def record(item: Item) -> Recording:
    """Record an item on the installed JAX."""
    return observe_text(item.name, item.text)


def drift(kept: Recording, fresh: Recording) -> list[str]:
    """Where a fresh recording differs from the kept one: records, event signatures and keys."""
    from simulator.live.compare import differences, event_differences
    from simulator.live.key_differences import key_differences
    found = differences(records(kept), records(fresh))
    return found + event_differences(kept, fresh) + key_differences(kept, fresh)
