"""What Share hands out opens at the same call, and a wrong address says what it is."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

FIGURES = {
    "home": ("", "opening"),
    "beside its steps": ("second-call/", "opening"),
    "embed": ("embed/opening/", "opening"),
    "first of several": ("fast-path/", "minimal_fast_path"),
    "one of several": ("tracing/", "weak_type_flip"),
    "one of several, beside its steps": ("methods/", "static_self_by_contents"),
    "lab": ("lab/", "lab"),
}
# One that shows its calls by itself stands at none: "Issue call" issues its first.
CALLS = """figures => Object.fromEntries(figures.map((one) =>
  [one.getAttribute("scenario"), one.hasAttribute("showing") ? 0 : one.figure?.timeline.call ?? 0]))"""


def stands(page):
    """The call at which each figure of the page was put."""
    return page.locator("jit-stack").evaluate_all(CALLS)


def opened(page, address, name):
    """The figure of that name, as the page opens."""
    page.emulate_media(reduced_motion="reduce")
    page.goto(address)
    figure = page.locator(f"jit-stack[scenario={name}][ready]")
    figure.wait_for()
    return figure


@pytest.mark.parametrize("kind", FIGURES)
def test_a_shared_address_opens_at_the_same_call(page, site, kind):
    place, name = FIGURES[kind]
    figure = opened(page, site + place, name)
    figure.get_by_role("button", name="Reset").click()  # what it shows by itself is not what is shared
    for _ in range(2):
        figure.get_by_role("button", name="Issue call", exact=True).click()
        expect(figure).not_to_have_attribute("aria-busy", "true")
    expect(figure.get_by_role("status").first).to_contain_text("Call 2")
    figure.get_by_role("button", name="Share", exact=True).click()
    address = page.get_by_role("textbox", name="Address").input_value()
    assert address.startswith(site + place) and ("figure=" in address) == ("several" in kind)
    figure = opened(page, address, name)
    expect(figure.get_by_role("status").first).to_contain_text("Call 2")
    expect(figure).to_be_in_viewport()
    page.wait_for_timeout(300)  # what moves a figure on its own has moved it
    assert {found: call for found, call in stands(page).items() if call} == {name: 2}


WRONG = {
    "version": ("lab/?v=9", 'version "9"'),
    "no version": ("?at=1", "no version"),
    "beyond the recorded calls": ("lab/?v=1&at=99", '"at=99" is beyond the last call'),
    "beyond the calls of the link": ("lab/?v=1&do=call,call&at=3", "the last call, which is 2"),
    "no number": ("?v=1&at=abc", '"at=abc" is not a call'),
    "calls that are fixed": ("?v=1&do=call,numpy,call&at=1", '"do" was left out'),
    "markup": ("?v=1&at=<b>x</b>", '"at=<b>x</b>" is not a call'),
    "a long one": ("lab/?v=1&do=" + "<i>" * 20, f'"{("<i>" * 20)[:40]}…"'),
    "no such figure": ("tracing/?v=1&figure=nothing&at=1", 'no figure here is "nothing"'),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_address_says_what_was_wrong(page, site, what):
    place, said = WRONG[what]
    page.goto(site + place)
    status = page.locator("jit-stack[ready]").first.get_by_role("status").first
    expect(status).to_contain_text("About this link", timeout=60_000)
    expect(status).to_contain_text(said)


def test_an_address_without_a_link_says_nothing(page, site):
    figure = opened(page, site + "?from=elsewhere", "opening")
    assert "About this link" not in figure.inner_text() and stands(page) == {"opening": 0}
    figure.evaluate("figure => figure.scrollIntoView()")  # as the page opens, little of it may be in view
    page.locator("jit-stack[showing]").wait_for()  # it goes on as any other
    assert "About this link" not in figure.inner_text() and stands(page) == {"opening": 0}


def test_the_figures_of_a_page_have_names_of_their_own(dist):
    pages = [file.read_text(encoding="utf-8") for file in dist.rglob("index.html")]
    names = [re.findall(r"<jit-stack permalink scenario=\"([^\"]+)", text) for text in pages]
    assert max(map(len, names)) > 5
    for found in names:
        assert len(found) == len(set(found)), found
