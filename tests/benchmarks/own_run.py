"""A recording of 100 000 calls on `/open/`: how long it takes to open by the
clock, and the longest frame while it is scrubbed. For frames the time of the
processor is meant, so that other work on the machine does not count, and the
quietest of a few rounds."""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path
from typing import Any

from make.own_run import large
from tests.benchmarks.boot import browser_and_site
from tests.benchmarks.report import Result

CALLS = 100_000
ROUNDS = 3

SCRUB = """async () => {
  const box = document.querySelector(".lane-scroll"), frame = () => new Promise((go) => requestAnimationFrame(go));
  for (let i = 0; i < 60; i++) {
    box.scrollLeft = i % 3 ? box.scrollLeft + 300 : (i * 7919 * 26) % box.scrollWidth;
    await frame();
  }
  for (let i = 0; i < 40; i++) {
    box.dispatchEvent(new KeyboardEvent("keydown", { key: i % 2 ? "PageDown" : "ArrowRight", bubbles: true }));
    await frame();
  }
}"""


def measure() -> list[Result]:
    """Seconds until a large recording is open, and the longest frame of a scrub in ms."""
    seconds, events = _open_and_scrub()
    return [
        Result("/open/: a large recording opens in", seconds, "s", f"{CALLS:,} calls", ("<=", 3)),
        Result("/open/: longest frame of a scrub", min(_longest(events)), "ms", f"best of {ROUNDS} rounds", ("<=", 50)),
    ]


def _open_and_scrub() -> tuple[float, list[dict[str, Any]]]:
    """The seconds until the file is open; the trace of the scrubs, marked by round."""
    with browser_and_site() as (browser, address), tempfile.TemporaryDirectory() as folder:
        page = browser.new_page()
        page.goto(address + "open/")
        page.wait_for_selector(".open[ready]")
        file = Path(folder, "large.json")
        file.write_text(large(CALLS), encoding="utf-8")
        start = time.perf_counter()
        page.set_input_files("#own-file", file)
        page.get_by_text("large.json is open.").wait_for(timeout=120_000)
        seconds = time.perf_counter() - start
        page.wait_for_timeout(500)
        browser.start_tracing(page=page, categories=["toplevel", "blink.user_timing"])
        for number in range(ROUNDS):
            page.evaluate("number => performance.mark('scrub ' + number)", number)
            page.evaluate(SCRUB)
        page.evaluate("number => performance.mark('scrub ' + number)", ROUNDS)
        return seconds, json.loads(browser.stop_tracing())["traceEvents"]


def _longest(events: list[dict[str, Any]]) -> list[float]:
    """The longest task of the page in each round, in milliseconds."""
    threads = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
    marks = {e["name"]: e["ts"] for e in events if e["name"].startswith("scrub")}
    begins = [marks[f"scrub {number}"] for number in range(ROUNDS + 1)]
    tasks = [
        (event["ts"], event["tdur"] / 1e3)
        for event in events
        if threads.get((event["pid"], event["tid"])) == "CrRendererMain"
        and event["name"].endswith("::RunTask")
        and "tdur" in event
    ]
    return [
        max(time for at, time in tasks if begin <= at < end) for begin, end in zip(begins, begins[1:], strict=False)
    ]
