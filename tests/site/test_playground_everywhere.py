"""The playground by keyboard and by touch, at every width, without a network, and with a
program that means harm."""

import re

import pytest
from playing import (
    MARKS,
    bring_editor,
    call,
    open_page,
    run,
    settled,
    words,
)
from test_pages import AXE, accessible, violations

pytestmark = pytest.mark.browser


def test_the_whole_way_by_keyboard(page, site):
    """Tab to the editor, write, run, walk the calls, open the figure and come back."""
    open_page(page, site)
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.className") == "play-code":
            break
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(MARKS)
    page.keyboard.press("Control+Enter")
    settled(page)
    page.wait_for_function("() => document.querySelectorAll('.cm-word, .lane-call').length > 2")
    page.keyboard.press("Escape")
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.getAttribute('role')") == "listbox":
            break
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    page.wait_for_selector("jit-stack[ready]")
    page.keyboard.press("Escape")
    page.wait_for_function("() => document.activeElement.getAttribute('role') === 'listbox'")


@pytest.mark.parametrize("width", [320, 360, 768, 1440])
def test_accessible_at_every_width_in_both_themes(page, site, width):
    page.set_viewport_size({"width": width, "height": 800})
    open_page(page, site, editor=False)
    accessible(page, "before the editor")
    bring_editor(page)
    accessible(page)
    wide = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0


def test_dialogs_and_trouble_are_accessible(page, site):
    open_page(page, site)
    page.evaluate(AXE)
    page.get_by_role("button", name="Examples").click()
    page.get_by_text(re.compile(r"^\d{3} programs$")).wait_for()
    assert violations(page) == []
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Guard for my tests").click()
    assert violations(page) == []
    page.keyboard.press("Escape")
    page.get_by_text("Shortest change to a hit").click()
    page.locator(".compare-said.is-hit").wait_for()
    assert violations(page) == []
    run(page, "import torch\n")
    page.get_by_text("Record it on real JAX instead").click()
    assert violations(page) == []


HOSTILE = """
import jax
f = jax.jit(lambda x: x)
call("<img src=x onerror=alert(1)>", lambda: f(1.0))
call("</script><script>alert(2)</script>", lambda: f("<svg onload=alert(3)>"))
note("<b>bold</b>", "<iframe src=javascript:alert(4)>")
""".lstrip()


def test_what_programs_say_is_shown_as_text(page, site):
    said = []
    page.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
    open_page(page, site)
    run(page, HOSTILE)
    page.get_by_role("button", name="Open the figure").click()
    page.wait_for_selector("jit-stack[ready]")
    assert "<img src=x" in page.locator(".playground").inner_text()
    assert page.locator(".playground :is(img:not(.cm-widgetBuffer), iframe)").count() == 0
    assert said == []


@pytest.mark.parametrize("width", [360, 768, 1440])
def test_nothing_moves_while_the_page_comes(page, site, width):
    page.set_viewport_size({"width": width, "height": 900})
    page.add_init_script(
        "window.moved = 0; new PerformanceObserver((list) => { for (const entry of list.getEntries())"
        " if (!entry.hadRecentInput) window.moved += entry.value; })"
        ".observe({ type: 'layout-shift', buffered: true });"
    )
    open_page(page, site)
    page.wait_for_timeout(500)
    assert page.evaluate("() => window.moved") <= 0.05


def test_touch_targets_on_a_phone(page, site):
    page.set_viewport_size({"width": 360, "height": 780})
    open_page(page, site)
    small = page.evaluate(
        "() => [...document.querySelectorAll('.playground button:not([hidden])')].filter((b) => b.offsetParent"
        " && !b.classList.contains('as-link') && b.getBoundingClientRect().height < 36).map((b) => b.textContent)"
    )
    assert small == []


def test_it_works_by_touch(chromium, site):
    context = chromium.new_context(
        viewport={"width": 360, "height": 780}, has_touch=True, is_mobile=True, service_workers="block"
    )
    page = context.new_page()
    open_page(page, site)
    page.get_by_role("button", name="Examples").tap()
    page.get_by_role("dialog").get_by_role("button", name=re.compile("^A training loop")).tap()
    settled(page)
    assert call(page, 1).bounding_box()["width"] >= 32
    assert call(page, 2).bounding_box()["x"] == call(page, 1).bounding_box()["x"] + call(page, 1).bounding_box()["width"]
    call(page, 1).tap()
    assert "Call 1" in page.locator(".play-detail h2").inner_text()
    page.get_by_role("button", name="Open the figure").tap()
    page.wait_for_selector("jit-stack[ready]")
    context.close()


def test_it_works_offline_after_the_first_visit(chromium, site):
    context = chromium.new_context()
    page = context.new_page()
    page.goto(site + "playground/")
    page.evaluate("() => navigator.serviceWorker.ready")
    bring_editor(page)
    run(page, MARKS)  # the engine is kept when it is first used
    page.wait_for_function(
        "async () => (await (await caches.open('engine')).keys()).some((k) => k.url.includes('memory.bin'))"
    )
    context.set_offline(True)
    page.reload()
    bring_editor(page)
    run(page, MARKS)
    assert words(page)[9] == "fast path"
    context.close()
