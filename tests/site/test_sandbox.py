"""Embeds and full pages inside a closed frame: no worker, no storage, no origin of their own."""

import http.server
import re
import threading

import pytest
from playwright.sync_api import expect

from make import server

pytestmark = pytest.mark.browser


@pytest.fixture
def strangers(site):
    """Another site: a function that puts something on its page, and gives the page's address."""
    bodies = []

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = (
                f"<!doctype html><title>A course</title>{bodies[-1]}"
                "<script>addEventListener('message', (e) => { window.told = e.data; });</script>"
            ).encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def holding(body):
        bodies.append(body)
        return f"http://127.0.0.1:{server.server_address[1]}/"

    yield holding
    server.shutdown()
    server.server_close()


@pytest.fixture
def stranger(site, strangers):
    """Another site whose page shows our embed in a sandboxed frame."""
    return strangers(f'<iframe sandbox="allow-scripts" width="900" height="700" title="figure" src="{site}embed/opening/"></iframe>')


@pytest.fixture
def bare(dist, monkeypatch):
    """The site on a host that cannot send headers."""
    monkeypatch.setattr(server, "read_headers", lambda path: [])
    made = server.make_server(0, dist)
    threading.Thread(target=made.serve_forever, daemon=True).start()
    yield f"http://localhost:{made.server_address[1]}/"
    made.shutdown()
    made.server_close()


@pytest.fixture
def closed(page, strangers, watch):
    """Opens an address in a closed frame on another site's page, and gives the frame."""

    def show(address, sandbox="allow-scripts"):
        outside = strangers(f'<iframe sandbox="{sandbox}" width="1000" height="900" title="page" src="{address}"></iframe>')
        watch.allow(outside)
        page.goto(outside)
        return page.frame_locator("iframe")

    return show


NOTICE = "main > .less"


def test_embed_plays_in_a_closed_frame(page, stranger, watch):
    watch.allow(stranger)
    page.goto(stranger)
    frame = page.frame_locator("iframe")
    frame.locator("jit-stack[ready]").wait_for()
    issue = frame.get_by_role("button", name="Issue call", exact=True)
    caches = frame.get_by_role("list", name="Caches").get_by_role("listitem")
    issue.click()
    caches.get_by_text("miss").first.wait_for()
    issue.click()
    caches.get_by_text("hit").first.wait_for()
    assert caches.count() == 6
    told = page.evaluate("window.told")
    assert told["type"] == "six-caches:height" and told["height"] > 100
    frame.get_by_role("button", name="Copy as Python", exact=True).click()
    program = frame.get_by_role("dialog").get_by_role("textbox", name="Program")
    assert "def call(label, thunk):" in program.input_value()
    frame.get_by_role("button", name="Copy", exact=True).click()
    frame.get_by_text("Selected: copy it with your keyboard.").wait_for()


def test_closed_frame_really_is_closed(page, stranger, watch):
    watch.allow(stranger)
    page.goto(stranger)
    page.frame_locator("iframe").locator("jit-stack[ready]").wait_for()
    inside = page.frames[1]
    refused = inside.evaluate(
        """() => [() => new Worker("x.js"), () => localStorage.length]
          .map((ask) => { try { ask(); return "allowed"; } catch (error) { return error.name; } })"""
    )
    assert refused == ["SecurityError", "SecurityError"]


def test_refused_worker_is_said(page, site):
    """Where a page may not start workers, the lab says so and keeps what it has."""
    page.add_init_script(
        "window.Worker = class { constructor() { throw new DOMException('no', 'SecurityError'); } };"
    )
    page.goto(site + "lab/")
    page.wait_for_selector("jit-stack[ready]")
    told = page.evaluate(
        """async () => {
          const place = document.querySelector("jit-stack").getAttribute("engine");
          const engine = await import(new URL(place, document.baseURI));
          try { await engine.runProgram("import jax"); return "ran"; }
          catch (error) { return [error.kind, error.message]; }
        }"""
    )
    assert told[0] == "unavailable"
    assert "open the full page" in told[1]
    page.get_by_role("button", name="Issue call", exact=True).click()
    page.get_by_role("list", name="Caches").get_by_text("miss").first.wait_for()


def test_the_code_that_the_lab_offers_runs_the_model(page, site, strangers, watch):
    page.goto(site + "lab/?v=1&do=call,numpy,call&at=2")
    page.locator("jit-stack[ready]").wait_for()
    steps = page.get_by_role("button", name=re.compile("^Go to call 2"))
    expect(steps).to_have_count(1, timeout=60_000)  # the engine is there
    page.get_by_role("button", name="Embed").click()
    assert "cannot reach your page" in page.get_by_role("dialog").inner_text()
    code = page.get_by_role("textbox", name="HTML").input_value()
    assert 'sandbox="allow-scripts allow-same-origin"' in code and "do=call,numpy,call" in code
    address = strangers(code)
    watch.allow(address)
    page.goto(address)
    frame = page.frame_locator("iframe")
    expect(frame.get_by_role("button", name=re.compile("^Go to call 2"))).to_have_count(1, timeout=60_000)
    frame.get_by_role("button", name="Issue call", exact=True).click()  # no recording has this one
    expect(frame.get_by_role("button", name=re.compile("^Go to call 3"))).to_have_count(1, timeout=60_000)
    # Its own origin is not that of the page around it.
    assert page.frames[1].evaluate("() => { try { return parent.document.title; } catch (error) { return error.name; } }") == "SecurityError"


def test_the_lab_plays_what_was_recorded_in_a_closed_frame_and_says_where_the_rest_is(site, closed):
    frame = closed(f"{site}lab/")
    frame.locator("jit-stack[ready]").wait_for()
    notice = frame.locator(NOTICE)
    expect(notice).to_have_count(1)
    expect(notice).to_contain_text("the model cannot run")
    link = notice.get_by_role("link", name=f"{site}lab/")
    expect(link).to_have_attribute("target", "_blank")
    expect(link).to_have_attribute("rel", "noopener")
    issue, status = frame.get_by_role("button", name="Issue call", exact=True), frame.locator("jit-stack .status")
    issue.click()
    issue.click()
    frame.get_by_role("button", name="Change one thing").click()
    frame.get_by_role("dialog").get_by_role("button").filter(has_text="NumPy").first.click()
    issue.click()
    expect(frame.get_by_role("button", name=re.compile("^Go to call 3"))).to_have_count(1)
    issue.click()  # nobody recorded this one
    expect(status).to_contain_text("This page may not start the engine")


@pytest.mark.parametrize("place", ["", "second-call/", "around-the-call/"])
def test_a_chapter_is_whole_in_a_closed_frame(page, site, closed, place):
    frame = closed(site + place)
    figure = frame.locator("jit-stack[ready]").first
    figure.wait_for()
    figure.get_by_role("button", name="Reset").click()
    figure.get_by_role("button", name="Issue call", exact=True).click()
    figure.get_by_role("list", name="Caches").get_by_text("miss").first.wait_for()
    assert frame.locator(NOTICE).count() == 0


def test_the_playground_runs_in_a_tab_where_its_frame_is_closed(page, site, closed, context):
    frame = closed(f"{site}playground/", "allow-scripts allow-popups allow-popups-to-escape-sandbox")
    expect(frame.locator(NOTICE)).to_contain_text("no program can be run")
    expect(frame.locator(".play-status")).to_contain_text("11 calls")  # recorded ahead
    frame.get_by_role("button", name="Open the figure").click()
    frame.get_by_role("dialog").locator("jit-stack[ready]").wait_for()
    frame.get_by_role("dialog").get_by_role("button", name="Close").first.click()
    for name in ("Download the recording", re.compile("^Run$")):
        expect(frame.get_by_role("button", name=name)).to_have_count(0)
    expect(frame.get_by_text("Shortest change to a hit")).to_have_count(0)  # it would be tried on the model
    with context.expect_page() as opened:
        frame.get_by_role("button", name="Run in a tab").click()
    tab = opened.value
    expect(tab.locator(".play-status")).to_contain_text("This is the text of the link")
    assert tab.evaluate("[opener, origin]") == [None, site.rstrip("/")]


def test_a_frame_that_may_not_open_tabs_gives_the_address(site, closed, watch):
    watch.allow("allow-popups")
    frame = closed(f"{site}playground/")
    expect(frame.locator(".play-status")).to_contain_text("11 calls")
    frame.get_by_role("button", name="Run in a tab").click()
    assert frame.get_by_role("dialog").get_by_role("textbox", name="Address").input_value().startswith(f"{site}playground/#")


def test_no_file_is_asked_for_where_none_can_be_read(site, closed):
    frame = closed(f"{site}open/")
    expect(frame.locator(NOTICE)).to_contain_text("no file can be read")
    expect(frame.locator(".open .still-svg")).to_be_visible(timeout=1000)
    expect(frame.locator(".open button:visible")).to_have_count(0)
    expect(frame.locator(".open :is(input, textarea, .play-late):visible")).to_have_count(0)


@pytest.mark.parametrize("place", ["", "lab/", "second-call/", "around-the-call/", "playground/", "open/", "search/"])
def test_a_closed_frame_on_a_host_without_headers_says_once_that_nothing_runs(page, bare, closed, watch, place):
    watch.allow(bare, "blocked by CORS policy", "ERR_FAILED")
    frame = closed(bare + place)
    notice = frame.locator(NOTICE)
    expect(notice).to_have_count(1)
    expect(notice).to_contain_text("This frame keeps the scripts of the page out")
    expect(notice.get_by_role("link", name=bare + place)).to_have_attribute("target", "_blank")
    inside = page.frames[1]
    assert inside.evaluate("document.querySelectorAll('jit-stack[ready]').length") == 0
    # What stands in is there at once, and nothing is there to be pressed in vain: what is left works without scripts.
    assert inside.evaluate("""() => [...document.querySelectorAll(".still, .play-still")].every((still) => getComputedStyle(still).visibility === "visible")""")
    dead = inside.evaluate("""() => [...document.querySelectorAll("main :is(button:not([popovertarget]), input, select, textarea:read-write)")]
      .filter((control) => control.checkVisibility({ visibilityProperty: true })).map((control) => control.outerHTML)""")
    assert dead == []
    # No place is kept for what does not come.
    assert inside.evaluate("""() => [...document.querySelectorAll("main [hidden]")].every((one) => !one.getClientRects().length)""")


def test_a_page_that_lost_its_scripts_says_so_and_offers_to_try_again(page, site, watch):
    watch.allow("ERR_FAILED")
    page.route("**/assets/page-*.js", lambda route: route.abort())
    page.goto(f"{site}lab/")
    expect(page.locator(NOTICE)).to_contain_text("The scripts of this page did not come")
    page.unroute("**/assets/page-*.js")
    page.locator(NOTICE).get_by_role("link").click()
    page.locator("jit-stack[ready]").wait_for()
    assert page.locator(NOTICE).count() == 0


@pytest.mark.parametrize("place", ["lab/", "playground/", "open/", "second-call/"])
def test_without_scripts_a_closed_frame_says_no_more_than_a_tab(page, bare, closed, watch, place):
    watch.allow(bare, "script execution", "Blocked script execution")
    frame = closed(bare + place, "")
    expect(frame.locator("main")).to_have_count(1)
    assert frame.locator(".less").count() == 0


def test_what_any_page_may_read_is_allowed_and_the_rest_of_the_headers_stays(page, site):
    """Modules, styles and data are open to frames without an origin; the policy is what it was."""
    page.goto(f"{site}lab/")
    page.locator("jit-stack[ready]").wait_for()
    places = page.evaluate("""() => performance.getEntriesByType("resource").map(({ name }) => name)""")
    assert any("recordings/" in place for place in places) and any("/page-" in place for place in places)
    for place in [f"{site}lab/", f"{site}search.json", *places]:
        headers = page.request.get(place).headers
        assert headers["access-control-allow-origin"] == "*", place
        assert "access-control-allow-credentials" not in headers
        assert headers["content-security-policy"].startswith("default-src 'self'; script-src 'self' 'wasm-unsafe-eval';")
        assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"


def test_of_several_labs_in_frames_only_those_in_view_start_the_engine(page, site, strangers, watch):
    one = '<iframe id="{name}" sandbox="allow-scripts allow-same-origin" width="900" height="600" title="{name}" src="{site}lab/"></iframe>'
    far, near = (one.format(name=name, site=site) for name in ("far", "near"))
    outside = strangers(f'<style>body {{ height: 6000px }} #far {{ position: absolute; top: 5000px }}</style>{far}{near}')
    watch.allow(outside)
    with page.expect_event("worker", timeout=60_000):
        page.goto(outside)
    for name in ("far", "near"):
        page.frame_locator(f"#{name}").locator("jit-stack[ready]").wait_for()
    # What waits for rest has had it in both.
    for frame in page.frames[1:]:
        frame.evaluate("() => new Promise((resolve) => requestIdleCallback(() => setTimeout(() => requestIdleCallback(resolve, { timeout: 2000 }), 500), { timeout: 2000 }))")
    assert len(page.workers) == 1
    with page.expect_event("worker", timeout=60_000):
        page.evaluate("scrollTo(0, 4900)")
    assert len(page.workers) == 2
