"""From nothing to an engine that answers, in Chromium: by the memory snapshot,
and by Pyodide's plain boot. A fresh profile each time; the server is local, so
this is the time of the machine, not of a network.

Plain is Pyodide as it is published: it starts the interpreter, installs the
model's wheel (bytecode already, as the library is) and imports it. The snapshot
skips all three. What is left to it is the start of a thread, checking and starting
the WebAssembly module, inflating the memory beside that, and compiling each
WebAssembly function when it is first called. On a busy machine the ratio is larger:
both ways share the cores, and plain needs more of them. Both begin when the page
itself has nothing left to do.
"""

from __future__ import annotations

import contextlib
import statistics
import threading
from collections.abc import Iterator
from typing import Any

from playwright.sync_api import sync_playwright

from make.server import make_server
from make.setup import find_browser
from tests.benchmarks.report import Result

ROUNDS = 6
READY = """async () => {
  const place = document.querySelector("jit-stack[engine]").getAttribute("engine");
  const engine = await import(new URL(place, document.baseURI));
  const start = performance.now();
  const way = await engine.prepare();
  return [way, (performance.now() - start) / 1000];
}"""



@contextlib.contextmanager
def browser_and_site() -> Iterator[tuple[Any, str]]:
    """A browser, and the address of the site, served from this process."""
    server = make_server(0)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=find_browser(),
                args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
            )
            yield browser, f"http://localhost:{server.server_address[1]}/"
            browser.close()
    finally:
        server.shutdown()
        server.server_close()


@contextlib.contextmanager
def open_engine() -> Iterator[tuple[Any, str]]:
    """A page, and where its engine's script is."""
    with browser_and_site() as (browser, address):
        page = browser.new_context(service_workers="block").new_page()
        page.goto(address)
        page.wait_for_selector("jit-stack[ready]")
        yield page, page.evaluate("document.querySelector('jit-stack[engine]').getAttribute('engine')")


def measure() -> list[Result]:
    """How many times sooner the engine is ready from its snapshot than from its wheel."""
    taken: dict[str, list[float]] = {"snapshot": [], "plain": []}
    with browser_and_site() as (browser, address):
        for _ in range(ROUNDS):
            for way, seconds in taken.items():
                seconds.append(_ready(browser, f"{address}?engine={way}", way))
    snapshot, plain = (statistics.median(taken[way]) for way in ("snapshot", "plain"))
    detail = f"median of {ROUNDS}; snapshot {snapshot:.2f} s, plain {plain:.2f} s"
    return [Result("engine: snapshot sooner by", plain / snapshot, "×", detail, (">=", 4))]


def _ready(browser, address: str, way: str) -> float:
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("jit-stack[ready]")
    page.wait_for_load_state("networkidle")
    found, seconds = page.evaluate(READY)
    context.close()
    if found != way:
        raise RuntimeError(f"asked for a boot by {way}, got {found}")
    return seconds
