"""Comparison of two recordings, and what counts as agreement."""

import copy

from simulator.live import compare, golden
from simulator.live.observe import ProgramFailed
from simulator.recordings.recording import Call, Note, Recording
from simulator.recordings.records import RECORD_FIELDS, records

from .conftest import ROOT

OPENING = ROOT / "content" / "scenarios" / "minimal_nobody.py"


def kept():
    return golden.load(golden.GOLDEN / "scenarios" / "minimal_nobody.json")


def test_the_model_agrees_with_a_kept_recording():
    result = compare.compare_text(OPENING.name, OPENING.read_text(), kept, events=True)
    assert result.verdict == compare.AGREES, result.differences
    assert compare.report(result).count("\n =") == len(kept().calls)


def test_every_contract_field_is_compared():
    real = records(kept())
    for name in RECORD_FIELDS:
        changed = copy.deepcopy(real)
        changed[0][name] = "something else"
        assert len(compare.differences(changed, real)) == 1
    assert compare.differences(real[1:], real)


def test_the_first_differing_event_is_named():
    model, real = kept(), kept()
    call = next(c for c in model.calls if isinstance(c, Call) and c.events)
    call.events[0]["outcome"] = "fallback"
    text, = compare.event_differences(model, real)
    assert "event 0" in text and "fallback" in text


def test_a_refused_program_is_counted_on_its_own():
    result = compare.compare_text("p.py", "import flax\n", kept)
    assert result.verdict == compare.REFUSED and "flax" in result.why


def test_failing_on_both_sides_with_the_same_error_agrees():
    text = "import jax\nnote('n', 1)\n1 / 0\n"
    until = Recording("jax", program={"name": "p.py", "text": text, "processes": 1})
    until.calls.append(Note("n", 1, 2))

    error = "ZeroDivisionError: division by zero"

    def real():
        raise ProgramFailed("p.py failed:\nTraceback …", error, until)

    assert compare.compare_text("p.py", text, real).verdict == compare.AGREES
    assert compare.compare_text("p.py", "import jax\n", real).verdict == compare.DIFFERS
    assert compare.compare_text("p.py", text, kept).verdict == compare.DIFFERS
    error = "ZeroDivisionError: by something else"
    assert compare.compare_text("p.py", text, real).verdict == compare.DIFFERS
    error = "ZeroDivisionError: division by zero"
    until.calls[0].note = 2
    assert compare.compare_text("p.py", text, real).verdict == compare.DIFFERS
