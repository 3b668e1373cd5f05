"""Where the keys of two recordings differ, field by field.

What a producer tells apart by identity has a label with a number, ``f #2``. Which
number is an accident: labels are renumbered by order of appearance before two keys
are compared. Addresses in what a program's own objects print are left out. The parts of
a disk key are hashes on real JAX: there only equality counts, and the compile options,
which also say how long the module is, are left out, as is the closest key.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from simulator.recordings import event_data
from simulator.recordings.recording import Call, Note, Recording

_NAMED = r"(?:<unnamed function>|\S+)"
_LABEL = re.compile(rf"(jit\({_NAMED}\)|[^\s,\[\](){{}}']+(?: of {_NAMED}| {_NAMED}(?= #))?) #(\d+)")
_PRINTED = ("treedefs", "arg names", "static args", "static names", "avals", "shardings",
            "layouts", "committed")


_SET = re.compile(r"(frozenset\(\{)(.*?)(\}\))")


def _in_order(match: re.Match) -> str:
    # Functions in a set are in the order of their addresses, words in that of their hashes.
    between = r", (?=')" if match[2].startswith("'") else r", (?=\()"
    return match[1] + ", ".join(sorted(re.split(between, match[2]))) + match[3]


class _Renumbered:
    """Texts of one process of one recording, with labels in order of appearance."""

    def __init__(self) -> None:
        self._seen: dict[tuple, str] = {}
        self._counts: dict[str, int] = {}

    def _name(self, kind: str, what: tuple) -> str:
        if what not in self._seen:
            self._counts[kind] = self._counts.get(kind, 0) + 1
            self._seen[what] = f"{kind} #{self._counts[kind]}"
        return self._seen[what]

    def fields(self, station: str, key: list) -> dict[str, str]:
        """The fields of a key with steady texts."""
        if station == "disk":
            return {name: self._name(name, (name, text)) for name, text in key
                    if name != "compile_options"}
        return {name: _LABEL.sub(self._renamed, _SET.sub(_in_order, text)) for name, text in key}

    def _renamed(self, match: re.Match) -> str:
        if match[1].endswith(" at"):
            return match[1]
        return self._name(match[1], (match[1], match[2]))


def _unordered(params: str) -> str:
    # Parameters compare as a dictionary does: their order is an accident.
    return "{" + ", ".join(sorted(re.split(r", (?=')", params.strip("{}")))) + "}"


def key_differences(model: Recording, real: Recording) -> list[str]:
    """The first lookup of each call whose key, or closest earlier key, differs.

    Calls whose events differ are left to `compare.event_differences`.
    """
    return list(by_call(model, real).values())


def by_call(model: Recording, real: Recording) -> dict[int, str]:
    """`key_differences` by index of the call."""
    return {i: f"{real.calls[i].label!r}: {lines[0]}" for i, found in _compared(model, real)
            if (lines := [line for lookup in found for line in lookup])}


def lookups_agree(model: Recording, real: Recording
                  ) -> list[tuple[int, int]]:
    """For each call of real JAX: lookups whose key is equal on the model, and all lookups."""
    equal = {i: sum(not lookup for lookup in found) for i, found in _compared(model, real)}
    return [(equal.get(i, 0), len(list(_lookups([call])))) for i, call in enumerate(real.calls)]


def _compared(model: Recording, real: Recording
              ) -> Iterator[tuple[int, list[list[str]]]]:
    """For each call whose lookups both sides did: its index, what differs in each of them."""
    sides: dict[int, tuple[_Renumbered, _Renumbered]] = {}
    bare = not any("treedefs" in dict(map(tuple, e["key"])) for e in _lookups(real.calls))
    for i, (mine, theirs) in enumerate(zip(model.calls, real.calls)):
        if isinstance(mine, Note) or isinstance(theirs, Note):
            continue
        ours, others = list(_lookups([mine])), list(_lookups([theirs]))
        if list(map(event_data.signature, ours)) != list(map(event_data.signature, others)):
            continue
        both = sides.setdefault(theirs.process, (_Renumbered(), _Renumbered()))
        yield i, [_differences(a, b, *both, bare) for a, b in zip(ours, others)]


def _lookups(calls):
    return (e for call in calls if isinstance(call, Call)
            for e in call.events if e["kind"] == "lookup")


def _differences(mine: dict, theirs: dict, ours: _Renumbered, others: _Renumbered,
                 bare: bool) -> list[str]:
    station = theirs["station"]
    a, b = ours.fields(station, mine["key"]), others.fields(station, theirs["key"])
    if bare and station == "fast_path":
        # The recorder had to go without what C++ prints.
        a = {name: text for name, text in a.items() if name not in _PRINTED}
    if station == "prim":
        a, b = ({**side, "params": _unordered(side.get("params", ""))} for side in (a, b))
    where = f"{station} {theirs['fun']}"
    found = [f"{where}: {name}: model {a.get(name)}, real {b.get(name)}"
             for name in dict.fromkeys([*a, *b]) if a.get(name) != b.get(name)]
    near, far = _closest(mine), _closest(theirs)
    printed = any(" at #" in text for event in (mine, theirs) for _, text in event["key"])
    if near != far and not (bare or printed or station == "disk"):
        found.append(f"{where}: closest key: model {near}, real {far}")
    return found


def _closest(event: dict) -> tuple | None:
    near = event["closest"]
    return near and (sorted(near["differs"]), near["of"])
