"""Reading a Recording for still views: falls, verdicts and reasons.

The same rules as the figure's own modules (`site/scripts/recording.js`, `verdicts.js`), with the
same words (`site/scripts/words.js`); `tests/site/test_figure.py` holds the two together. Works on plain JSON data, so that this layer needs nothing of the model.

    calls = read_calls(recording)       # a Recording as dictionaries
    calls[0].floors[0].verdict          # "hit", "miss", "none" (not asked), "skipped"
"""

from __future__ import annotations

import dataclasses
import json
import pathlib
from typing import Any

from key_text import shown

WORDS_FILE = pathlib.Path(__file__).parent / "scripts" / "words.js"
ORDER = ("prim", "fast_path", "params", "trace", "lower", "hlo", "memo", "compile", "disk")
DEPTH = ("python", "trace", "lower", "load", "compile")
SUBJECT = ("function", "jaxpr", "module", "primitive")
BEFORE = "before the first call"
PLACED = frozenset(("shardings", "layouts", "committed"))
WORK_FLOOR = {"python": 0, "trace": 2, "lower": 3, "compile": 5, "load": 5}


def load_words(path: pathlib.Path = WORDS_FILE) -> dict:
    """The fixed words: what follows the equals sign of words.js is JSON."""
    text = path.read_text(encoding="utf-8").partition("export const WORDS =")[2]
    return json.loads(text.strip().removesuffix(";"))


WORDS = load_words()


@dataclasses.dataclass
class Fall:
    """One way down the building; `level` is the depth of its own events."""

    fun: str
    level: int = 0
    lookups: list[dict] = dataclasses.field(default_factory=list)
    works: list[str] = dataclasses.field(default_factory=list)
    stores: list[dict] = dataclasses.field(default_factory=list)
    nested: list[dict] = dataclasses.field(default_factory=list)

    @property
    def within(self) -> dict[str, list[str]]:
        """What else was lowered or compiled within it, before its own lowering: works by function."""
        found: dict[str, list[str]] = {}
        for work in self.nested:
            found.setdefault(work["fun"], []).append(work["work"])
        return {fun: works for fun, works in found.items() if {"lower", "compile"} & set(works)}

    @property
    def through_cpp(self) -> bool:
        """Whether the call came in through C++: by the fast path, or as an eager operation."""
        return any(lookup["station"] in ("fast_path", "prim") for lookup in self.lookups)

    @property
    def compiled(self) -> bool:
        """Whether a compiled object is called: it asks its own fast path, and no cache of a function.

        Its function has no number: it is no object that a key could hold.
        """
        if [look["station"] for look in self.lookups] != ["fast_path"]:
            return False
        return "#" not in dict(map(tuple, self.lookups[0]["key"])).get("function", "#")

    def aside(self, look: dict) -> bool:
        """Whether a trace is another's: of a body within this function, or of a program in lowering.

        A fall that asked params has one trace of its own, under the same name and before lowering.
        """
        if look["station"] != "trace":
            return False
        asked = {own["station"]: own["fun"] for own in self.lookups}
        if asked.keys() & {"memo", "compile"}:
            return False
        if asked.keys() & {"lower", "hlo"}:
            return True
        return "params" in asked and ("trace" in asked or look["fun"] != asked["params"])

    @property
    def ended(self) -> bool:
        """Whether the call is known to the fast path afterwards: found there, or stored."""
        return any(store["station"] == "fast_path" for store in self.stores) or any(
            lookup["station"] == "fast_path" and lookup["outcome"] == "hit"
            for lookup in self.lookups
        )

    @property
    def weight(self) -> int:
        """How deep the work went: the place of its deepest kind in `DEPTH`, -1 for none."""
        return max((DEPTH.index(work) for work in self.works if work in DEPTH), default=-1)


@dataclasses.dataclass
class Floor:
    """What one of the six floors did in one call; `others`: not the call shown asked, but others did."""

    verdict: str
    lookups: list[dict]
    deciding: dict | None
    works: list[str]
    why: str = ""
    others: bool = False

    @property
    def word(self) -> str:
        """What stands on the floor."""
        return WORDS["verdicts"]["others" if self.others else self.verdict]


@dataclasses.dataclass
class Read:
    """A call, read."""

    number: int
    label: str
    process: int
    exception: str | None
    falls: list[Fall]
    main: Fall | None
    floors: list[Floor]
    new_process: bool

    @property
    def deepest(self) -> int:
        """How many floors the call fell."""
        return max(
            (
                i + 1
                for i, floor in enumerate(self.floors)
                if floor.lookups or (i == 5 and floor.verdict == "skipped")
            ),
            default=0,
        )


def fill(template: str, **values: Any) -> str:
    """`template` with ``{name}`` replaced; unknown names become empty."""
    for name, value in values.items():
        template = template.replace("{" + name + "}", str(value))
    return template.strip()


def read_calls(recording: dict) -> list[Read]:
    """The calls of a Recording (as JSON data), notes left out."""
    calls: list[Read] = []
    theirs: set[str] = set()
    for item in recording["calls"]:
        if "note" in item:
            continue
        found = falls(item["events"])
        for fall in found:
            _keep_apart(fall, theirs, bool(item["exception"]))
        main = main_fall(found, recording["program"]["text"])
        calls.append(
            Read(
                len(calls) + 1,
                item["label"],
                item["process"],
                item["exception"],
                found,
                main,
                _floors(item, main),
                bool(calls) and calls[-1].process != item["process"],
            )
        )
    return calls


def _keep_apart(fall: Fall, theirs: set[str], raised: bool) -> None:
    """A compiled object has a fast path of its own: what lies in the other is no key to compare with.

    `theirs` holds the keys of compiled objects. An object takes one kind of arguments, so a call
    of it that ran and differs from an earlier one in more than their place is of another object.
    """
    look = fall.lookups[0] if fall.lookups else None
    if not look or look["station"] != "fast_path" or look["outcome"] != "miss":
        return
    closest, own = look["closest"], fall.compiled
    if own:
        theirs.add(json.dumps(look["key"]))
    if not closest:
        return
    kept = (json.dumps(closest["key"]) in theirs) == own
    if kept and own and not raised:
        kept = bool(closest["differs"]) and PLACED.issuperset(closest["differs"])
    if not kept:
        fall.lookups[0] = {**look, "closest": None}


def falls(events: list[dict]) -> list[Fall]:
    """The events of a call, cut where something starts from the outside anew."""
    found: list[Fall] = []
    last = -1
    aside = False
    for event in events:
        if event["kind"] in ("log", "evict"):
            continue
        top, look = event["depth"] == 0, event["kind"] == "lookup"
        if look:
            fall = found[-1] if found else None
            aside = bool(fall and event["depth"] == fall.level and not fall.ended
                         and fall.aside(event))
        if look and top and not aside:
            order = ORDER.index(event["station"])
            if (
                event["station"] in ("fast_path", "prim")
                or not found
                or (found[-1].ended if found[-1].through_cpp else order <= last)
            ):
                found.append(Fall(event["fun"]))
            last = order
        if not found:
            found.append(Fall(event["fun"]))
        fall = found[-1]
        door = look and event["station"] == "prim" and top
        if door:
            fall.level = 1
        if event["depth"] != fall.level and not door:
            if event["kind"] == "work" and "lower" not in fall.works:
                fall.nested.append(event)
            continue
        if aside and (look or event.get("work") == "trace"):
            continue
        if look:
            fall.lookups.append(event)
        elif event["kind"] == "work":
            fall.works.append(event["work"])
        else:
            fall.stores.append(event)
    return found


def main_fall(found: list[Fall], text: str) -> Fall | None:
    """The fall that stands for the call: the deepest, the user's own first, the latest of equals."""
    own = [
        fall
        for fall in found
        if fall.fun == "<lambda>" or f"def {fall.fun}(" in text or f"class {fall.fun}" in text
    ]
    best = None
    for fall in own or found:
        if best is None or fall.weight >= best.weight:
            best = fall
    return best


def _floors(call: dict, fall: Fall | None) -> list[Floor]:
    floors = []
    for index, floor in enumerate(WORDS["floors"]):
        lookups = (
            [look for look in fall.lookups if look["station"] in floor["stations"]] if fall else []
        )
        works = [work for work in fall.works if WORK_FLOOR.get(work) == index] if fall else []
        final = list({look["station"]: look for look in lookups}.values())
        hit = any(look["outcome"] == "hit" for look in final)
        verdict = "none" if not lookups else "hit" if hit else "miss"
        floors.append(Floor(verdict, lookups, _deciding(final), works))
    if fall and floors[0].verdict == "none":
        floors[0].verdict = "skipped"
    if floors[5].verdict == "none" and floors[4].verdict == "miss" and floors[5].works:
        floors[5].verdict = "skipped"
    asked = {event["station"] for event in call["events"] if event["kind"] == "lookup"}
    for index, done in enumerate(floors):
        stations = WORDS["floors"][index]["stations"]
        done.others = done.verdict == "none" and not asked.isdisjoint(stations)
        done.why = _why(index, floors, call, fall)
    return floors


def _deciding(final: list[dict]) -> dict | None:
    tests = (
        lambda look: look["outcome"] == "hit",
        lambda look: look["closest"] and look["closest"]["differs"],
        lambda look: look["key"],
    )
    for test in tests:
        for look in final:
            if test(look):
                return look
    return final[-1] if final else None


def from_before(look: dict) -> bool:
    """Whether the closest entry was made before the calls, by no call that the reader knows."""
    return bool(look["closest"]) and look["closest"]["of"] == BEFORE


def unseen(look: dict) -> str:
    """What was never seen before: its function, or the jaxpr or module that came of it.

    Then the closest entry is of another one, from a line before the calls, and no key to
    compare with. An empty text: it was seen.
    """
    if look["outcome"] != "miss" or not look["key"]:
        return ""
    if not look["closest"]:
        return next((name for name, _ in look["key"] if name in SUBJECT), "key")
    differs = look["closest"]["differs"] if from_before(look) else ()
    return next((name for name in differs if name in SUBJECT), "")


def differences(look: dict | None) -> list[dict]:
    """``field``, ``now``, ``before`` of every field in which a key differs from the closest.

    ``by`` says who stored it, where no call did.
    """
    if not look or not look["closest"] or unseen(look):
        return []
    by = f" {WORDS['why']['earlier']}" if from_before(look) else ""
    keys = {"now": look["key"], "before": look["closest"]["key"]}
    values = {when: dict(map(tuple, key)) for when, key in keys.items()}
    return [
        {
            "field": name,
            **{when: shown(name, values[when].get(name, "absent")) for when in values},
            "by": by,
        }
        for name in look["closest"]["differs"]
    ]


def _why(index: int, floors: list[Floor], call: dict, fall: Fall | None) -> str:
    floor, words, name = floors[index], WORDS["why"], WORDS["floors"][index]["id"]
    error = (call["exception"] or "").split(":")[0]
    if floor.verdict == "hit":
        station = floor.deciding["station"]
        if (station == "trace" and "trace" in floor.works) or (
            station == "params" and floors[2].lookups
        ):
            return words["poisoned"]
        return f"{words[station + '.hit']} {_unheld(index, floors)}".strip()
    if floor.verdict == "miss":
        if floor.deciding["outcome"] == "fallback":
            store = next((s for s in fall.stores if s["station"] == "fast_path"), None)
            return fill(words["fallback"], why=(store and store["why"]) or words["fallback.why"])
        off = differences(floor.deciding)
        if off:
            more = fill(words["more"], n=len(off) - 1) if len(off) > 1 else ""
            return fill(words["differs"], **off[0]) + (f" {more}" if more else "") + "."
        if index == 0 and fall.compiled:
            return words["own"]
        if floor.deciding["station"] == "memo":
            return words["memo.miss"]
        what = unseen(floor.deciding)
        return fill(words["new"], what=what) if what else words["alike"]
    if floor.verdict == "skipped":
        return words[f"skipped.{name}"]
    if floor.others:
        return words["none.others"]
    if not fall:
        return fill(words["none.raised"], error=error) if error else words["none.empty"]
    if floors[0].verdict == "hit":
        return words.get(f"none.{name}.fast", words["none.fast"])
    if error and not any(later.lookups for later in floors[index:]):
        return fill(words["none.raised"], error=error)
    if name == "trace" and floors[1].verdict == "hit":
        return words["none.trace.params"]
    if name == "disk" and floors[4].verdict == "hit":
        return words["none.disk.memory"]
    return words.get(f"none.{name}", words["none"])


def _unheld(index: int, floors: list[Floor]) -> str:
    look = floors[index].deciding
    if not look or not look["key"]:
        return ""
    held = {name for name, _ in look["key"]}
    fields = [
        off["field"]
        for floor in floors[:index]
        if floor.verdict == "miss"
        for off in differences(floor.deciding)
        if off["field"] not in held
    ]
    return fill(WORDS["why"]["unseen"], fields=" or ".join(dict.fromkeys(fields))) if fields else ""
