"""The outcome of a call in words, as the figure says it (`site/scripts/sentence.js`)."""

from __future__ import annotations

import re

from reading import WORDS, Fall, Read, differences, fill, unseen

OTHERS = 3
"""As many other calls are told about; a longer list is no sentence."""


def listed(parts: list[str]) -> str:
    """``"a, b and c"``."""
    words = WORDS["sentence"]
    return (
        "".join(parts)
        if len(parts) < 2
        else words["comma"].join(parts[:-1]) + words["and"] + parts[-1]
    )


def sentence(call: Read) -> str:
    """The outcome of a call in words."""
    words, name, floors = WORDS["sentence"], f"Call {call.number}", call.floors
    if not call.main:
        parts = [fill(words["nothing"], call=name)]
    elif floors[0].verdict == "hit":
        parts = [fill(words["fast"], call=name)]
    else:
        parts = [_path(call, name)]
    first = _reason(call)
    if first:
        parts.append(fill(words["new" if "what" in first else "because"], **first))
    if call.exception:
        parts.append(fill(words["raised"], error=call.exception.split(":")[0]))
    if call.main and call.main.within:
        parts.append(_within(call.main))
    if len(call.falls) > 1 and call.main:
        parts += [fill(words["inner"], n=len(call.falls), fun=call.main.fun), _others(call)]
    return " ".join(parts).strip()


def _others(call: Read) -> str:
    """What became of the falls that are not shown; of a crowd nothing is said."""
    words, rest = WORDS["sentence"], [fall for fall in call.falls if fall is not call.main]
    if len(rest) > OTHERS:
        return ""
    told = (fill(words["other"], fun=fall.fun, things=listed(_became(fall))) for fall in rest)
    return fill(words["others"], told=words["then"].join(told))


def _done(works: list[str]) -> list[str]:
    words = WORDS["sentence"]["works"]
    return list(dict.fromkeys(words[work] for work in works if work in words))


def _within(fall: Fall) -> str:
    """What was lowered or compiled in the course of the call, and is not the call itself."""
    words = WORDS["sentence"]
    told = (
        fill(words["other"], fun=fun, things=listed(_done(works)))
        for fun, works in fall.within.items()
    )
    return fill(words["within"], told=words["then"].join(told))


def _became(fall: Fall) -> list[str]:
    words = WORDS["sentence"]
    things = [words["aside"][look["outcome"]] for look in fall.lookups if look["station"] == "prim"]
    if done := _done(fall.works):
        return things + done
    fast = any(look["station"] == "fast_path" and look["outcome"] == "hit" for look in fall.lookups)
    return [*things, words["by"] if fast else words["known"]]


def _reason(call: Read) -> dict | None:
    """The field that stopped the call first, or what the first floor that passed it on had never seen."""
    for f, floor in enumerate(call.floors):
        if floor.verdict != "miss" or not floor.deciding:
            continue
        off = differences(floor.deciding)
        if off:
            return off[0] | _who(**off[0])
        if floor.deciding["outcome"] != "fallback":
            what = unseen(floor.deciding) if f or not call.main.compiled else ""
            place = WORDS["sentence"]["places"][WORDS["floors"][f]["id"]]
            return {"what": what, "place": place} if what else None
    return None


def _who(field: str, now: str, before: str, **_by: str) -> dict[str, str]:
    """Objects are told apart by numbers, `f #2` from `f #1`: in words, what that says.

    Of two functions the names do without.
    """
    words = WORDS["sentence"]["who"]
    made = field in ("function", "PjitInfo")
    a, b = (re.sub(r" #\d+$" if made else r" at #\d+(?=>)", "", text) for text in (now, before))
    if a == now or b == before:
        return {"who": ""}
    if a == b:
        kind = "unnamed" if a.startswith("<unnamed") else field
        return {"who": words[kind if made else "alike"]}
    return {"now": a, "before": b, "who": words["other"]} if field == "function" else {"who": ""}


def _path(call: Read, name: str) -> str:
    words, floors = WORDS["sentence"], call.floors
    works = [work for floor in floors for work in floor.works if work in words["works"]]
    found = [
        words["things"][floor.deciding["station"]]
        for f, floor in enumerate(floors)
        if floor.verdict == "hit"
        and not (f < 3 and "trace" in works)
        and floor.deciding["station"] in words["things"]
    ]
    disk = floors[5].verdict == "hit"
    if not found and not disk and {"trace", "lower", "compile"} <= set(works):
        return fill(words["all"], call=name)
    first = floors[0]
    parts = [
        words["round"]
        if first.verdict == "skipped"
        else words["fallback"]
        if first.deciding and first.deciding["outcome"] == "fallback"
        else words["fell"]
    ]
    if found:
        parts.append(fill(words["found"], things=listed(found)))
    if works:
        did = [words["works"][work] for work in dict.fromkeys(works)]
        parts.append(fill(words["done"], works=listed(did)))
    if disk:
        parts.append(words["disk"])
    idle = not works and not disk and not any(
        fall.within or set(fall.works) & words["works"].keys() for fall in call.falls
    )
    return f"{name} {listed(parts)}{': ' + words['nowork'] if idle else ''}."
