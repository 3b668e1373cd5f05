"""The lab page with the real engine: links, changes, and what a bad link gets."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def shown(page):
    """Column heads of the figure's score: one for each call."""
    page.wait_for_selector("jit-stack[ready]")
    return page.evaluate("document.querySelector('jit-stack').figure.timeline.calls.length")


def settle(page, calls):
    for _ in range(300):
        if shown(page) == calls:
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"{shown(page)} calls, not {calls}")


@pytest.mark.parametrize("way", ["snapshot", "plain"])
def test_link_opens_at_its_history(page, site, way):
    page.goto(f"{site}lab/?engine={way}&v=1&do=call,shape:8,call,numpy,call,restart,call")
    settle(page, 4)
    caches = page.get_by_role("list", name="Caches").get_by_role("listitem")
    assert caches.count() == 6


def test_bad_link_opens_with_what_can_be_read(page, site):
    page.goto(f"{site}lab/?v=9&do=call,__import__('os'),numpy,call&at=zzz")
    settle(page, 2)
    status = page.get_by_role("status")
    for what in ("version", "__import__", "zzz"):
        expect(status).to_contain_text(what, timeout=60_000)


def test_change_and_call_by_hand(page, site):
    page.goto(site + "lab/")
    page.wait_for_selector("jit-stack[ready]")
    issue = page.get_by_role("button", name="Issue call", exact=True)
    issue.click()
    page.get_by_role("button", name="Change one thing").click()
    page.get_by_role("dialog").get_by_text("NumPy").first.click()
    issue.click()
    settle(page, 2)
    first = page.get_by_role("list", name="Caches").get_by_role("listitem").first
    first.get_by_text("miss").first.wait_for()


def done(page):
    """The actions of the timeline, and the call it stands at."""
    return page.evaluate("""() => {
      const { timeline } = document.querySelector("jit-stack").figure;
      return [timeline.branch.actions.slice(), timeline.call];
    }""")


def test_a_reload_stands_at_the_same_actions(page, site):
    page.goto(f"{site}lab/?theme=dark&v=1&do=call,shape:8,call")
    settle(page, 2)
    page.get_by_role("button", name="Change one thing").click()
    page.get_by_role("dialog").get_by_text("NumPy").first.click()
    page.get_by_role("button", name="Issue call", exact=True).click()
    settle(page, 3)
    page.wait_for_function("() => location.search.includes('do=call,shape:8,call,numpy,call&at=3')")
    assert "theme=dark" in page.url
    page.reload()
    settle(page, 3)
    page.wait_for_function("() => document.querySelector('jit-stack').figure.timeline.call === 3")
    assert done(page) == [["call", "shape:8", "call", "numpy", "call"], 3]
    page.goto(f"{site}lab/?v=1&do=call,numpy,call")  # a link with a history of its own
    settle(page, 2)
    assert done(page)[0] == ["call", "numpy", "call"]


@pytest.mark.parametrize("start", ["?v=1&do=call,shape:8,call", "?v=1&do=call", ""])
def test_a_change_that_waits_for_its_call_is_kept(page, site, start):
    """Also one before the first call, and one after calls that the page has recorded."""
    calls = start.count("call")
    page.goto(f"{site}lab/{start}")
    page.wait_for_function(f"() => document.querySelector('jit-stack').figure?.timeline.call === {calls}")
    page.get_by_role("button", name="Change one thing").click()
    page.get_by_role("dialog").get_by_text("NumPy").first.click()
    status = page.get_by_role("status").first
    expect(status).to_contain_text("You changed")
    said = status.inner_text()
    history = [*(start.partition("do=")[2].split(",") if start else []), "numpy"]
    address = f"{site}lab/?v=1&do={','.join(history)}&at={calls}"
    page.wait_for_url(address)
    for _ in range(2):  # the address that came of it keeps it too
        page.reload()
        expect(status).to_have_text(said)
        expect(page.get_by_role("button", name="Go to call")).to_have_count(calls)
        assert done(page)[1] == calls
        page.get_by_role("button", name="Share", exact=True).click()
        assert page.get_by_role("textbox", name="Address").input_value() == address
        page.keyboard.press("Escape")
        assert page.url == address
    page.get_by_role("button", name="Issue call", exact=True).click()
    page.wait_for_url(f"{site}lab/?v=1&do={','.join(history)},call&at={calls + 1}")
    assert done(page) == [[*history, "call"], calls + 1]


def test_a_change_that_was_dropped_is_not_kept(page, site):
    page.goto(f"{site}lab/?v=1&do=call,call,numpy")
    expect(page.get_by_role("status").first).to_contain_text("You changed")
    page.get_by_role("button", name="Go to call 1").click()  # it waits where it was made
    page.wait_for_url(f"{site}lab/?v=1&do=call,call&at=1")


def test_looking_back_does_not_shorten_the_address(page, site):
    page.goto(f"{site}lab/?v=1&do=call,numpy,call")
    page.wait_for_function("() => document.querySelector('jit-stack').figure?.timeline.call === 2")
    page.get_by_role("button", name="Reset", exact=True).click()
    page.wait_for_function("() => location.search === '?v=1&do=call,numpy,call&at=0'")
