"""What a person waits for, as browsers measure it: the largest thing painted (LCP), the slowest
answer to a press (INP), and how much moved by itself (CLS).

Over a slow connection (`CONNECTION`, the one that Lighthouse takes for a phone), in a fresh
profile for each visit, at the width of a phone and of a desk. The processor is this machine's.
Of each page the middle one of three visits counts, as the vitals of a page are those of most
of its visits, not of the one that met a busy moment.
"""

from __future__ import annotations

import statistics
from typing import Any

from tests.benchmarks.boot import browser_and_site
from tests.benchmarks.report import Result

PAGES = ("", "second-call/", "tracing/", "around-the-call/", "lab/", "playground/", "open/",
         "verification/", "embed/opening/")
WIDTHS = (360, 1440)
VISITS = 3
CONNECTION = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 750e3 / 8}

WATCH = """
  window.vitals = { painted: 0, moved: 0, presses: {} };
  new PerformanceObserver((list) => list.getEntries().forEach((entry) => { vitals.painted = entry.startTime; }))
    .observe({ type: "largest-contentful-paint", buffered: true });
  new PerformanceObserver((list) => list.getEntries().forEach((entry) => {
    if (!entry.hadRecentInput) vitals.moved += entry.value;
  })).observe({ type: "layout-shift", buffered: true });
  new PerformanceObserver((list) => list.getEntries().forEach((entry) => {
    if (entry.interactionId) vitals.presses[entry.interactionId] = Math.max(vitals.presses[entry.interactionId] ?? 0, entry.duration);
  })).observe({ type: "event", durationThreshold: 16, buffered: true });
"""
PRESSES = ("Issue call", "Issue call", "Back", "Step", "Change one thing")


def measure() -> list[Result]:
    """The worst page of each: seconds, milliseconds, and a share of the window."""
    found: dict[str, dict[str, float]] = {}
    with browser_and_site() as (browser, address):
        for width in WIDTHS:
            for place in PAGES:
                visits = [_visit(browser, address + place, width) for _ in range(VISITS)]
                found[f"/{place} at {width} px"] = {
                    key: statistics.median(visit[key] for visit in visits) for key in visits[0]}
    results = []
    for key, name, unit, factor, bound in (("painted", "largest thing painted (LCP)", "s", 1e-3, 1.5),
                                           ("slowest", "slowest answer to a press (INP)", "ms", 1, 100),
                                           ("moved", "moved by itself (CLS)", "", 1, 0.05)):
        where = max(found, key=lambda page: found[page][key])
        results.append(Result(name, found[where][key] * factor, unit, where, ("<=", bound)))
    return results


def _visit(browser: Any, address: str, width: int) -> dict[str, float]:
    """The three numbers of one page: milliseconds, milliseconds, share."""
    context = browser.new_context(viewport={"width": width, "height": 900}, service_workers="block")
    page = context.new_page()
    page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", CONNECTION)
    page.add_init_script(WATCH)
    page.goto(address)
    page.wait_for_timeout(500)
    seen = page.evaluate("() => [vitals.painted, vitals.moved]")
    figure = page.locator("jit-stack[ready]").first
    if figure.count():
        figure.scroll_into_view_if_needed()
        for name in PRESSES:
            figure.get_by_role("button", name=name).first.click()
            page.wait_for_timeout(400)
    slowest = page.evaluate("() => Math.max(0, ...Object.values(vitals.presses))")
    moved = page.evaluate("() => vitals.moved")
    context.close()
    return {"painted": seen[0], "slowest": slowest, "moved": moved}
