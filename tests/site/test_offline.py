"""Offline after the first visit: pages, figures, and the engine once it has run."""

import pytest

pytestmark = pytest.mark.browser


@pytest.fixture
def visitor(chromium, watch):
    """A profile that has visited the site once and has its service worker."""
    context = chromium.new_context()
    context.on("page", watch.follow)
    yield context
    context.close()


def first_visit(page, address):
    page.goto(address)
    page.wait_for_selector("jit-stack[ready]")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    # The worker claims the page when everything is kept.
    for _ in range(100):
        if page.evaluate("Boolean(navigator.serviceWorker.controller)"):
            return
        page.wait_for_timeout(100)
    raise AssertionError("the service worker never took over")


def test_every_page_opens_without_network(visitor, site, watch):
    watch.allow("ERR_FAILED")  # the engine, which has not run yet, is asked for ahead of its use
    page = visitor.new_page()
    first_visit(page, site)
    visitor.set_offline(True)
    for place in ("", "lab/", "embed/minimal_fast_path/", "verification/"):
        page.goto(site + place)
        if place != "verification/":
            page.wait_for_selector("jit-stack[ready]")
    page.goto(site + "embed/opening/?theme=dark")
    page.get_by_role("button", name="Issue call", exact=True).click()
    page.get_by_role("list", name="Caches").get_by_text("miss").first.wait_for()


def test_unknown_page_offline_says_so(visitor, site):
    page = visitor.new_page()
    first_visit(page, site)
    visitor.set_offline(True)
    page.goto(site + "nowhere/")
    assert "nothing at this address" in page.inner_text("h1")


def test_an_engine_that_is_not_stored_yet_is_told_in_plain_words(visitor, site, watch):
    watch.allow("ERR_INTERNET_DISCONNECTED", "ERR_FAILED", "Failed to fetch")
    page = visitor.new_page()
    first_visit(page, site)
    visitor.set_offline(True)
    page.goto(site + "playground/")
    page.wait_for_selector(".lane-call")
    page.get_by_role("button", name="Run").click()
    said = page.get_by_role("alert").inner_text()
    assert "You are offline" in said and "Connect and run once" in said and "fetch" not in said


def test_engine_works_offline_once_it_has_run(visitor, site):
    page = visitor.new_page()
    first_visit(page, site + "lab/")
    script = """async () => {
      const place = document.querySelector("jit-stack[engine]").getAttribute("engine");
      const engine = await import(new URL(place, document.baseURI));
      const recording = await engine.runProgram('note("two", 1 + 1)');
      return [engine.engineWay(), recording.calls[0].note];
    }"""
    page.reload()  # now through the service worker, which keeps what the engine fetches
    page.wait_for_selector("jit-stack[ready]")
    assert page.evaluate(script) == ["snapshot", 2]
    visitor.set_offline(True)
    page.reload()
    page.wait_for_selector("jit-stack[ready]")
    assert page.evaluate(script) == ["snapshot", 2]
