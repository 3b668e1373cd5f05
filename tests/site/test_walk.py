"""By keyboard alone, from the top of a page to the end of a figure's controls."""

import re

import pytest
from playwright.sync_api import expect
from test_pages import settled

pytestmark = pytest.mark.browser

FOCUS = """() => {
  const e = document.activeElement;
  const box = e.getBoundingClientRect();
  const drawn = [getComputedStyle(e), getComputedStyle(e, '::after')];
  return {
    tag: e.tagName, name: (e.getAttribute('aria-label') || e.textContent || '').trim().slice(0, 40),
    seen: box.width > 0 && box.height > 0,
    marked: e.tagName === 'BODY' || drawn.some((s) => s.outlineStyle !== 'none' || s.boxShadow !== 'none'),
  };
}"""


def walk(page, most=80):
    """What Tab reaches, in order, until it leaves the page."""
    reached = []
    for _ in range(most):
        page.keyboard.press("Tab")
        here = page.evaluate(FOCUS)
        if here["tag"] == "BODY":
            break
        reached.append(here)
    return reached


@pytest.mark.parametrize("place", ["", "lab/", "verification/", "embed/opening/"])
def test_tab_reaches_everything_visibly(page, site, place):
    page.goto(site + place)
    settled(page)
    reached = walk(page)
    assert [here for here in reached if not (here["seen"] and here["marked"])] == []
    names = [here["name"] for here in reached]
    if not place.startswith("embed"):
        assert names[0] == "Skip to the text"
    if place != "verification/":
        for name in ("Issue call", "Step", "Timeline", "Share"):
            assert any(name in found for found in names), (name, names)


def test_a_figure_is_played_by_keyboard_alone(page, site):
    page.goto(site)
    settled(page)
    button = page.get_by_role("button", name="Issue call", exact=True)
    while not button.evaluate("e => e === document.activeElement"):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("list", name="Caches")).to_contain_text(re.compile("hit|miss"))  # which call is next depends on what it showed by itself
    page.keyboard.press("Enter")
    slider = page.get_by_role("slider", name="Timeline")
    while not slider.evaluate("e => e === document.activeElement"):
        page.keyboard.press("Tab")
    page.keyboard.press("Home")
    assert slider.input_value() == "0"
    page.keyboard.press("End")
    assert slider.input_value() == slider.get_attribute("max")


def test_skip_link_leads_to_the_text(page, site):
    page.goto(site)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash") == "#main"
