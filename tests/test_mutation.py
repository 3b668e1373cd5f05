"""The mutation check works: a sample of its mutants is noticed, and it sees one that is not.

All mutants: ``python -m tests.mutation`` (or ``python build.py mutate``).
"""

import collections
import json
import os
import pathlib
import subprocess
import sys

import pytest

from simulator import keys
from tests.mutation.fields import NO_OTHER_WAY
from tests.mutation.mutants import all_mutants

ROOT = pathlib.Path(__file__).resolve().parent.parent
forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="mutants live in forked children")


def run(*arguments):
    """Run a module of the package: not here, where threads of other tests may live."""
    return subprocess.run([sys.executable, "-m", *arguments], cwd=ROOT, capture_output=True,
                          text=True, timeout=300, check=False)


@forks
@pytest.mark.long
def test_a_sample_is_noticed():
    done = run("tests.mutation", "--sample", "40", "--seed", "11")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 of 40 survive, 0 are broken" in done.stdout


@forks
def test_the_machinery():
    done = run("tests.mutation.selftest")
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert seen["nothing"] == [None, False], "a mutant that changes nothing survives"
    assert "KeyError" in seen["nonsense"][0] and seen["nonsense"][1]
    assert "time limit" in seen["hangs"][0]
    assert "TypeError" in seen["breaks"][0] and seen["breaks"][1]
    assert seen["parent"] == [True, True]


def test_mutants_can_be_chosen():
    done = run("tests.mutation", "--list", "memo")
    assert done.returncode == 0
    assert "memo: options: an empty dict is no options" in done.stdout.splitlines()
    assert all("memo" in line for line in done.stdout.splitlines())


def test_every_field_is_dropped_and_compared_in_another_way():
    mutants = all_mutants()
    ways = collections.defaultdict(set)
    for mutant in mutants:
        ways[mutant.station, mutant.field].add(mutant.change)
    for table in keys.TABLES:
        for field in (*table.fields, *([table.weak] if table.weak else [])):
            found = ways[table.station, field.name]
            assert "dropped" in found, f"{table.station}: {field.name}"
            assert len(found) > 1 or (table.station, field.name) in NO_OTHER_WAY, (
                f"{table.station}: {field.name} is compared in one way only")
    assert len(set(map(str, mutants))) == len(mutants)
