"""What one call costs on the model: a fast-path hit, and a full miss of a function of
ten operations; under CPython, and in the browser as a multiple of that."""

from __future__ import annotations

import json

from simulator.running.program import observe_text
from tests.benchmarks.boot import open_engine
from tests.benchmarks.programs import HIT, MISS
from tests.benchmarks.report import Result

RUN = """async ([place, text]) => {
  const engine = await import(new URL(place, document.baseURI));
  const recording = await engine.runProgram(text);
  return JSON.stringify(recording.calls.at(-1).note);
}"""


def measure() -> list[Result]:
    """A fast-path hit in µs and a full miss in ms on CPython, and how many times as long
    the browser takes."""
    here = {name: observe_text(text, keys=False).calls[-1].note
            for name, text in (("hit", HIT), ("miss", MISS))}
    # The page's recordings always carry their keys.
    keyed = {name: observe_text(text).calls[-1].note for name, text in (("hit", HIT), ("miss", MISS))}
    with open_engine() as (page, place):
        there = {name: json.loads(page.evaluate(RUN, [place, text]))
                 for name, text in (("hit", HIT), ("miss", MISS))}
    ratios = {name: there[name] / keyed[name] for name in there}
    detail = ", ".join(f"{name} {there[name] * 1e6:,.0f} against {keyed[name] * 1e6:,.0f} µs"
                       for name in there)
    return [
        Result("a fast-path hit", here["hit"] * 1e6, "µs", "CPython", ("<=", 30)),
        Result("a full miss, ten operations", here["miss"] * 1e3, "ms", "CPython", ("<=", 2)),
        Result("in the browser, times as long", max(ratios.values()), "×",
               f"with keys: {detail}", ("<=", 3)),
    ]
