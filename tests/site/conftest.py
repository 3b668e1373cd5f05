"""The built site on a local server, in a real Chromium.

Every page that a test opens is watched: requests to another origin, console
errors and violations of the content security policy fail the test.
"""

import os
import sys
import threading
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "site"))

from make.lock import alone  # noqa: E402
from make.paths import CACHE, DIST  # noqa: E402
from make.server import make_server  # noqa: E402
from make.setup import find_browser  # noqa: E402
from make.site import build_site  # noqa: E402

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def dist(testrun_uid):
    """The built site. Where the tests are run without build.py it is built here, by the first
    process of a run that needs it, and not again under the hands of the others."""
    if os.environ.get("SIX_CACHES_BUILT") != "1":
        with alone(CACHE / "tests-lock"):
            built_for = CACHE / "built-for-tests"
            if not built_for.is_file() or built_for.read_text() != testrun_uid:
                build_site()
                built_for.write_text(testrun_uid)
    return DIST


@pytest.fixture(scope="session")
def site(dist):
    """The address of the served site, with a slash at its end."""
    server = make_server(0, dist)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://localhost:{server.server_address[1]}/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def chromium():
    """The browser, started once."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=FLAGS)
        yield browser
        browser.close()


class Watch:
    """What went wrong on a page, in words. `allow` takes out what a test
    provokes on purpose."""

    def __init__(self, origin):
        self.origin = origin
        self.found = []
        # said by Playwright where a test keeps service workers out
        self.allowed = ["Service Worker registration blocked"]

    def follow(self, page):
        """Note what goes wrong on a page: messages, errors, requests elsewhere."""
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.found.append(f"page error: {error}"))
        page.on("request", self._request)

    def allow(self, *words):
        """Let what contains one of these words pass."""
        self.allowed += words

    def problems(self):
        """What went wrong and was not allowed."""
        return [text for text in self.found if not any(word in text for word in self.allowed)]

    def _console(self, message):
        if message.type in ("error", "warning"):
            self.found.append(f"console {message.type}: {message.text}")

    def _request(self, request):
        if not request.url.startswith((self.origin, "data:", "blob:")):
            self.found.append(f"request to another origin: {request.url}")


@pytest.fixture
def watch(site):
    """A `Watch`; the test fails when it has problems at the end."""
    watcher = Watch(site)
    yield watcher
    assert not watcher.problems()


@pytest.fixture
def context(chromium, watch):
    """A fresh browser profile without service worker (tests of offline make their own): what one
    test fetched does not help the next, and no page of one stands behind that of another. (One
    profile for all would save a sixth of the time; twice a test in it never ended.)"""
    made = chromium.new_context(service_workers="block")
    made.on("page", watch.follow)
    yield made
    made.close()


@pytest.fixture
def page(context):
    """A new page that is watched."""
    return context.new_page()
