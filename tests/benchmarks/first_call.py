"""The first call of a figure, from its recording: from the press until it is told and painted."""

from __future__ import annotations

import statistics

from tests.benchmarks.boot import browser_and_site
from tests.benchmarks.report import Result

ROUNDS = 5
PRESS = """async () => {
  const press = [...document.querySelectorAll("jit-stack button")].find((one) => one.textContent === "Issue call");
  const start = performance.now();
  press.click();
  const told = document.querySelector("jit-stack [role=status]").textContent;
  await new Promise((go) => requestAnimationFrame(() => setTimeout(go)));
  return [performance.now() - start, told.startsWith("Call 1 ")];
}"""


def measure() -> list[Result]:
    """Milliseconds in a fresh page of its own each time, without motion."""
    spent = []
    with browser_and_site() as (browser, address):
        for _ in range(ROUNDS):
            page = browser.new_page(reduced_motion="reduce")
            page.goto(address + "embed/opening/")
            page.wait_for_selector("jit-stack[ready]")
            ms, told = page.evaluate(PRESS)
            assert told, "the first press told nothing"
            spent.append(ms)
            page.close()
    return [Result("first call of a figure", statistics.median(spent), "ms",
                   f"median of {ROUNDS}, told and painted", ("<=", 100))]
