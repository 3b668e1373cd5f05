"""The mutation check works: a sample of its mutants is noticed, and it sees one that is not.

All mutants: ``python -m tests.mutation`` (or ``python build.py mutate``).
"""

import collections
import os
import random

import pytest

from simulator import keys
from tests.mutation import __main__ as command
from tests.mutation import runner
from tests.mutation.fields import NO_OTHER_WAY
from tests.mutation.mutants import Mutant, all_mutants
from tests.station_keys import all_checks

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="mutants live in forked children")
MUTANTS = all_mutants()
CHECKS = all_checks()


def near(mutant):
    """The checks of the mutant's station, as the whole mutation check orders them."""
    mine = [check for check in CHECKS if check.station == mutant.station]
    return runner.in_order(mutant, mine)


def test_a_sample_is_noticed():
    sample = random.Random(11).sample(MUTANTS, 30)
    verdicts = list(runner.run(sample, lambda m: runner.in_order(m, CHECKS)))
    assert {v.mutant for v in verdicts} == set(sample)
    assert [str(v.mutant) for v in verdicts if v.killer is None or v.broken] == []


def test_a_mutant_that_changes_nothing_survives():
    same = Mutant("memo", "no key", "nothing", lambda: None)
    (verdict,) = runner.run([same], near)
    assert verdict.killer is None and not verdict.broken


def test_a_mutant_that_cannot_be_applied_is_broken():
    wrong = Mutant("memo", "no key", "nonsense", lambda: keys.LOWER.compare("no such field", id))
    (verdict,) = runner.run([wrong], near)
    assert verdict.broken and "KeyError" in verdict.killer


def test_a_mutant_that_hangs_is_stopped():
    (verdict,) = runner.run([Mutant("memo", "no key", "hangs", lambda: None)],
                            lambda mutant: [("endless", lambda: exec("while True: pass"))], limit=1)
    assert verdict.killer and verdict.seconds < 30


def test_the_parent_is_untouched():
    before = [(table.fields, table.weak_key) for table in keys.TABLES]
    list(runner.run(MUTANTS[:4], near))
    assert before == [(table.fields, table.weak_key) for table in keys.TABLES]


def test_every_field_is_dropped_and_compared_in_another_way():
    ways = collections.defaultdict(set)
    for mutant in MUTANTS:
        ways[mutant.station, mutant.field].add(mutant.change)
    for table in keys.TABLES:
        for field in (*table.fields, *([table.weak] if table.weak else [])):
            found = ways[table.station, field.name]
            assert "dropped" in found, f"{table.station}: {field.name}"
            assert len(found) > 1 or (table.station, field.name) in NO_OTHER_WAY, (
                f"{table.station}: {field.name} is compared in one way only")
    assert len(set(map(str, MUTANTS))) == len(MUTANTS)


def test_the_command(capsys):
    assert command.main(["lower", "donated"]) == 0
    printed = capsys.readouterr().out
    assert "0 of 3 survive" in printed and "donated" in printed
    assert command.main(["--list", "memo"]) == 0
    assert "an empty dict is no options" in capsys.readouterr().out
