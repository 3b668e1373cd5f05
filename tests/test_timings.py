"""The figure's prices are those of the recorded run."""

import json

from simulator.live import timings


def test_prices_come_from_the_recorded_run():
    rows = json.loads(timings.FILE.read_text(encoding="utf-8"))["rows"]
    assert timings.PRICES.read_text(encoding="utf-8") == timings.script(timings.prices(rows))


def test_deeper_is_dearer():
    rows = json.loads(timings.FILE.read_text(encoding="utf-8"))["rows"]
    found = timings.prices(rows)
    assert found["hit"] < found["python"] < found["trace"] < found["lower"] < found["compile"]
    assert found["load"] < found["compile"]
