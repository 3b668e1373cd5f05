"""Every key field of every station: what makes a lookup miss, and what does not.

The checks are in ``tests/station_keys``; programs among them run on real JAX, too:
a sample by default, all of them with ``SIX_CACHES_ALL=1``.
"""

import os
import random

import pytest

from simulator import keys
from simulator.recordings import event_data
from tests.station_keys import all_checks, program

CHECKS = all_checks()
PROGRAMS = [check for check in CHECKS if check.text is not None]
ALL = os.environ.get("SIX_CACHES_ALL") == "1"
SAMPLE = PROGRAMS if ALL else random.Random(0).sample(PROGRAMS, 20)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.id)
def test_model(check):
    check.run()


@pytest.mark.real_jax
@pytest.mark.parametrize("check", SAMPLE, ids=lambda check: check.id)
def test_real_jax_says_the_same(check, server):
    from simulator.live.observe import observe_text
    program.compare(observe_text("check.py", check.text, launch=server), check.expected)


def test_every_field_has_a_check():
    checked = {(check.station, check.field) for check in CHECKS}
    for table in keys.TABLES:
        for field in (*table.fields, *([table.weak] if table.weak else [])):
            # One check goes through the trace context of all stations.
            station = "params" if field.name == "trace context" else table.station
            assert (station, field.name) in checked, f"{table.station}: {field.name}"
    assert {check.station for check in CHECKS} == set(event_data.STATIONS)


def test_the_notation_can_fail():
    from tests.station_keys.program import check
    with pytest.raises(AssertionError, match="expected H"):
        check("fast_path", "function", "wrong", "g(x)   #: H").run()
    with pytest.raises(AssertionError, match="never called"):
        check("fast_path", "function", "wrong", "if 0: g(x)   #: H").run()
