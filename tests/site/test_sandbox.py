"""Embeds inside a closed frame: no worker, no storage, no origin of their own."""

import http.server
import re
import threading

import pytest
from playwright.sync_api import expect

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
