"""What the playground needs beside its page: examples, names to complete, and the
recording of the program that it opens with."""

import importlib
import inspect
import json
import re
import tomllib
from pathlib import Path

from make.model import Model
from make.paths import ROOT
from make.scenarios import Scenario
from make.truth import Check
from simulator import process
from simulator.errors import OutOfScope
from simulator.events import Recorder

CONTENT = ROOT / "content"
FACADE = "simulator.facade."
OPENING = "opening"
NAME = "program.py"
SIGNATURE = 72  # characters
SCENARIOS = {
    "story": "Stories",
    "minimal": "One cache at a time",
    "surprise": "Surprises",
}


def write_data(
    folder: Path, model: Model, scenarios: list[Scenario], checks: list[Check], cases: list[Check]
) -> None:
    """Writes `examples.json`, `names.json` and `opening.json` into `folder`: what can
    be chosen, what can be completed, and what the opening program did."""
    own = own_examples()
    opening = next(item for item in own if item["name"] == OPENING)
    recording, reason = model.run(opening["text"], NAME)
    if recording is None:
        raise ValueError(f"the opening example is refused: {reason}")
    groups = [{"title": "Start here", "items": own}, *_scenarios(scenarios, checks), *_cases(cases)]
    folder.mkdir(parents=True)
    for name, data in (("examples", groups), ("names", names()), (OPENING, recording.data())):
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        (folder / f"{name}.json").write_text(text, encoding="utf-8")


def own_examples() -> list[dict]:
    """The programs of `content/examples/`, the opening one first; unmarked, as people
    write them. The two lines at their head are shown in the list, not in the editor."""
    found = []
    for path in sorted((CONTENT / "examples").glob("*.py")):
        text = path.read_text(encoding="utf-8")
        title, about = re.match(r"# title: (.+)\n# about: (.+)\n", text).groups()
        body = text.split("\n", 2)[2]
        found.append(_item(path.stem, title, about, body))
    return sorted(found, key=lambda item: item["name"] != OPENING)


def names() -> dict[str, list[list[str]]]:
    """For each public module of the facade its public names, each as `[name, kind,
    signature]`; kind is one of CodeMirror's completion types."""
    public = json.loads((ROOT / "simulator" / "data" / "public-names.json").read_text())
    found = {}
    before = process.enter(process.Process({}, Recorder()))
    for module in public:
        try:
            facade = importlib.import_module(FACADE + module)
        except ModuleNotFoundError:
            continue
        # Some names are made when they are asked for.
        there = {name: value for name in public[module] if (value := _get(facade, name)) is not None}
        found[module] = [[name, *_described(there[name])] for name in sorted(there)]
    process.enter(before)
    return {module: listed for module, listed in found.items() if listed}


def _get(module, name: str):
    """A name of a facade module, None for what the model does not cover."""
    try:
        return getattr(module, name)
    except (OutOfScope, AttributeError):
        return None


def _described(value) -> tuple[str, str]:
    if inspect.ismodule(value):
        return "namespace", ""
    if inspect.isclass(value):
        return "class", ""
    if not callable(value):
        return "constant", ""
    try:
        signature = str(inspect.signature(value))
    except (TypeError, ValueError):
        return "function", ""
    # Annotations and long defaults help nobody who is typing.
    signature = re.sub(r": [^,=)]+(?= =|,|\))", "", signature).partition(" -> ")[0]
    signature = re.sub(r"<[^<>]* at 0x[0-9a-f]+>", "…", signature.replace(" = ", "="))
    return "function", signature if len(signature) <= SIGNATURE else signature[: SIGNATURE - 1] + "…"


def _item(name: str, title: str, about: str, text: str, refused: str = "") -> dict:
    item = {"name": name, "title": title, "about": about, "text": text}
    return item | {"refused": refused} if refused else item


def _scenarios(scenarios: list[Scenario], checks: list[Check]) -> list[dict]:
    reasons = {check.name: check.reason for check in checks}
    return [
        {
            "title": title,
            "items": [
                _item(one.name, one.title, f"Expected: {one.expected}", one.text, reasons[one.name])
                for one in scenarios
                if one.kind == kind
            ],
        }
        for kind, title in SCENARIOS.items()
    ]


def _cases(cases: list[Check]) -> list[dict]:
    kinds = tomllib.loads((CONTENT / "examples.toml").read_text(encoding="utf-8"))["kind"]
    of = {number: kind["title"] for kind in kinds for number in kind["cases"]}
    groups: dict[str, list[dict]] = {kind["title"]: [] for kind in kinds} | {"Further cases": []}
    for check in cases:
        number, _, words = check.name.partition("_")
        title = words.replace("_", " ").capitalize()
        about = re.search(r"^# expected: (.+)$", check.text, re.M)
        kind = of.get(int(number), "Further cases")
        groups[kind].append(
            _item(check.name, title, about[1] if about else "", check.text, check.reason)
        )
    return [{"title": title, "items": items} for title, items in groups.items() if items]
