"""Recordings made ahead: of every scenario, and of the first steps in the lab,
so that a first change needs no engine."""

import json
from pathlib import Path

from make.model import Model
from make.truth import Check
from simulator import browser, lab

OPENING = ("call", "call")
"""What the lab page shows before anything was changed."""


def write_recordings(folder: Path, checks: list[Check]) -> None:
    """`<scenario>.json` from the model and `<scenario>.real.json` from real JAX."""
    folder.mkdir(parents=True)
    for check in checks:
        if check.model:
            (folder / f"{check.name}.json").write_text(check.model.to_json(), encoding="utf-8")
        if check.real:
            path = folder / f"{check.name}.real.json"
            path.write_text(check.real.to_json(), encoding="utf-8")
    (folder / "kinds.json").write_text(_json(browser.kinds()), encoding="utf-8")


def write_lab(folder: Path, model: Model) -> None:
    """`lab.json`: the Recordings of the first histories, by history; one file,
    since they have nearly everything in common. `lab-opening.json`: what the lab
    page shows first. A history that the model refuses is left to the engine,
    which says so."""
    found = {}
    for history in first_histories():
        recording, _ = model.run(lab_text(history), browser.LAB_NAME)
        if recording:
            found[history] = recording.data()
    (folder / "lab.json").write_text(_json(found), encoding="utf-8")
    opening = found[",".join(OPENING)]
    (folder / "lab-opening.json").write_text(_json(opening), encoding="utf-8")


def lab_text(history: str) -> str:
    """The program of a history, given as in a link: ``call,numpy,call``."""
    return lab.program(lab.parse(f"v=1&do={history}").history)


def first_histories() -> list[str]:
    """The opening, and one change after one call or after two, then a call."""
    opening = ",".join(OPENING)
    found = [OPENING[0], opening]
    for kind in lab.vocabulary():
        choices = [f":{choice['id']}" for choice in kind["choices"]] or [""]
        for action in (kind["id"] + choice for choice in choices):
            ending = "" if kind["issues"] else ",call"
            found += [f"{OPENING[0]},{action}{ending}", f"{opening},{action}{ending}"]
    return list(dict.fromkeys(found))


def _json(data) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
