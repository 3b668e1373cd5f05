"""Scenarios are well-formed: header, labels, sources, and every drawer is answered somewhere."""
import ast
import re
from pathlib import Path

import pytest

from make import numbers
from simulator.recordings.recording import Note, Recording

FOLDER = Path(__file__).parent.parent / "content" / "scenarios"
GOLDEN = Path(__file__).parent / "golden" / "scenarios"
FILES = sorted(FOLDER.glob("*.py"))
STATIONS = {"fast_path", "params", "trace", "lower", "hlo", "memo", "compile", "disk", "prim"}
PROSE = ("title", "kind", "about", "decisive", "expected", "happens", "source")
DIRECTIVES = ("env", "processes", "log")

each = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


def header(path):
    """Header comments of a program as {name: text}; `env` may repeat and keeps the last."""
    fields = {}
    for line in path.read_text().splitlines():
        if not line.startswith("#"):
            return fields
        name, _, text = line[1:].partition(":")
        fields[name.strip()] = text.strip()
    return fields


def marks(path):
    """Labels of `call` and `note` as written: plain strings, or a pattern for an f-string."""
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("call", "note"):
            found.append((node.func.id, node.args[0]))
    return found


def as_pattern(label):
    if isinstance(label, ast.Constant):
        return re.escape(label.value)
    if isinstance(label, ast.JoinedStr):
        return "".join(re.escape(part.value) if isinstance(part, ast.Constant) else ".+"
                       for part in label.values)
    return ".+"          # a label chosen at run time, for example by process


@each
def test_header_is_complete(path):
    fields = header(path)
    assert [name for name in fields if name in PROSE] == list(PROSE)
    assert not set(fields) - set(PROSE) - set(DIRECTIVES)
    assert fields["kind"] in ("minimal", "surprise", "story")
    assert set(fields["about"].split()) <= STATIONS
    for name in ("expected", "happens"):
        assert fields[name].endswith("."), name
        assert not re.search(r"\d+ ?(ms|µs|us|s|KB|MB)\b", fields[name]), "a measured number"
    assert len(fields["title"]) <= 40


@each
def test_marks(path):
    found = marks(path)
    assert any(kind == "call" for kind, _ in found)
    plain = [label.value for _, label in found if isinstance(label, ast.Constant)]
    assert len(plain) == len(set(plain)), "labels are stable ids within a program"
    decisive = header(path)["decisive"]
    assert any(kind == "call" and re.fullmatch(as_pattern(label), decisive)
               for kind, label in found)


@each
def test_a_title_counts_its_calls_right(path):
    title = header(path)["title"].lower()
    for at, words in numbers.counts(title):
        if words.endswith(" calls"):
            calls = Recording.load(GOLDEN / f"{path.stem}.json").calls
            made = [call for call in calls if not isinstance(call, Note)]
            assert numbers.value(words) == len(made), (at, words)


@each
def test_small_and_readable(path):
    lines = path.read_text().splitlines()
    body = [line for line in lines if not line.startswith("#")]
    assert len(body) <= 45
    assert max(map(len, body)) <= 100
    assert path.read_text().endswith("\n") and "\t" not in path.read_text()
    assert re.fullmatch(r"[a-z][a-z0-9_]*", path.stem)


@each
def test_only_public_jax(path):
    text = "\n".join(line for line in path.read_text().splitlines() if not line.startswith("#"))
    assert "_src" not in text and "jax.interpreters" not in text


def test_every_drawer_is_the_subject_of_a_minimal_scenario():
    about = set()
    for path in FILES:
        fields = header(path)
        if fields["kind"] == "minimal":
            about |= set(fields["about"].split())
    assert about == STATIONS


def test_how_many():
    kinds = [header(path)["kind"] for path in FILES]
    assert kinds.count("minimal") >= 13
    assert kinds.count("surprise") >= 38
    titles = [header(path)["title"] for path in FILES]
    assert len(titles) == len(set(titles))


@each
def test_sources_exist_in_the_installed_jax(path):
    jax = pytest.importorskip("jax")
    root = Path(jax.__file__).parent.parent
    for part in header(path)["source"].split("; "):
        file, _, symbol = part.partition(": ")
        if not file.startswith("jax/"):
            assert re.fullmatch(r"jaxlib/\w+\.(cc|h)", file), part
            continue
        text = (root / file).read_text()
        for name in symbol.split("."):
            assert re.search(rf"^\s*(def|class) {name}\b|^\s*{name}\s*(:.*)?= ", text, re.M), part


def decisive_call(path):
    """The call that makes the point, as real JAX recorded it."""
    kept = Path(__file__).parent / "golden" / "scenarios" / f"{path.stem}.json"
    decisive = header(path)["decisive"]
    return [call for call in Recording.load(kept).calls if call.label == decisive][-1]


@pytest.mark.parametrize(
    "path", [path for path in FILES if header(path)["kind"] == "minimal"], ids=lambda p: p.stem)
def test_minimal_scenarios_are_answered_where_they_say(path):
    lookups = [event for event in decisive_call(path).events if event["kind"] == "lookup"]
    answered = {event["station"] for event in lookups if event["outcome"] == "hit"}
    missed = {event["station"] for event in lookups if event["outcome"] == "miss"}
    about = set(header(path)["about"].split())
    assert about <= answered and not about & missed
    # What else answered is above: it led to the drawer in question, or rests on it.
    assert answered - about <= {"params", "trace", "hlo", "fast_path"}


@each
def test_the_decisive_call_was_recorded(path):
    call = decisive_call(path)
    assert call.events or call.exception
