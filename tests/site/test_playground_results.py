"""What the playground shows of a run: its calls as lanes, their figures, and the shortest change
that turns a call into a hit."""

import re

import pytest
from playing import (
    MARKS,
    call,
    open_page,
    run,
    settled,
    status,
    write,
)

pytestmark = pytest.mark.browser


# --- results ------------------------------------------------------------------


def test_the_timeline_is_walked_with_the_arrows(page, site):
    open_page(page, site)
    box = page.get_by_role("listbox", name="Calls")
    box.focus()
    page.keyboard.press("Home")
    assert call(page, 1).get_attribute("aria-selected") == "true"
    page.keyboard.press("ArrowRight")
    assert "Call 2" in page.locator(".play-detail h2").inner_text()
    page.keyboard.press("End")
    assert "Call 11" in page.locator(".play-detail h2").inner_text()
    active = box.get_attribute("aria-activedescendant")
    assert page.locator(f"#{active}").get_attribute("aria-posinset") == "11"
    page.keyboard.press("Enter")
    page.get_by_role("dialog", name="Call 11").wait_for()


def test_six_caches_or_eight_drawers(page, site):
    open_page(page, site)
    names, picture = page.locator(".lane-names span"), call(page, 1).locator(".lane-picture")
    assert names.count() == 2 + 6 and picture.get_attribute("height") == str(24 * 7)
    page.get_by_label("all eight drawers").check()
    assert names.count() == 2 + 8 and picture.get_attribute("height") == str(24 * 9)
    assert "_pjit_lower" in page.locator(".lane-names").inner_text()


def test_a_call_opens_its_figure(page, site):
    open_page(page, site)
    call(page, 5).click()
    page.get_by_role("button", name="Open the figure").click()
    dialog = page.get_by_role("dialog", name="Call 5")
    page.wait_for_selector("jit-stack[ready]")
    assert "Call 5" in dialog.get_by_role("status").inner_text()
    assert dialog.get_by_role("list", name="Caches").get_by_role("listitem").count() == 6
    assert dialog.get_by_role("button", name="Embed").count() == 0
    dialog.get_by_role("button", name="Share").click()
    address = page.get_by_role("textbox", name="Address").input_value()
    assert "#v=1&text=" in address
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    assert page.get_by_role("dialog").count() == 0


def test_marks_and_lines_lead_to_their_call(page, site):
    open_page(page, site)
    page.locator(".cm-word[data-line='17']").click()
    assert "line 17" in page.locator(".play-detail").inner_text()
    page.get_by_role("region", name="Line by line").get_by_role("button").first.click()
    assert "line 9" in page.locator(".play-detail").inner_text()
    page.get_by_role("button", name="Dear call after").click()
    assert "Call 5: recompiled" in page.locator(".play-detail h2").inner_text()


def test_an_edit_makes_the_results_stale_until_the_next_run(page, site):
    open_page(page, site)
    write(page, MARKS)
    assert page.locator(".play-detail[data-stale]").count() == 1
    page.keyboard.press("Control+Enter")
    settled(page)
    assert page.locator("[data-stale]").count() == 0


MANY = """
import jax

f = jax.jit(lambda x: x + 1)
x = f(0)
for i in range({}):
    f(x)
""".lstrip()

SCROLL = """async () => {
  const box = document.querySelector('.lane-scroll'), frames = [];
  let most = 0, before = performance.now();
  for (let i = 0; i < 60; i++) {
    box.scrollLeft = (i * 900) % (box.scrollWidth - box.clientWidth);
    await new Promise(requestAnimationFrame);
    const now = performance.now();
    frames.push(now - before);
    before = now;
    most = Math.max(most, document.querySelectorAll('.lane-call').length);
  }
  return [frames.sort((a, b) => a - b)[30], most];
}"""


def test_five_thousand_calls_scroll_like_two_hundred(page, site):
    open_page(page, site)
    run(page, MANY.format(200))
    few, _ = page.evaluate(SCROLL)
    run(page, MANY.format(5000))
    assert "5001 calls" in status(page)
    many, nodes = page.evaluate(SCROLL)
    assert nodes < 150
    assert many < 2 * few + 10  # milliseconds, the median frame
    page.get_by_role("listbox", name="Calls").focus()
    page.keyboard.press("End")
    assert "Call 5001: fast path" in page.locator(".play-detail h2").inner_text()
    page.keyboard.press("Enter")
    page.wait_for_selector("jit-stack[ready]")
    assert "4941 to 5001" in page.get_by_role("dialog").get_by_role("heading", level=2).inner_text()


# --- shortest change ----------------------------------------------------------


CHANGES = {
    "shape": ("import jax\nimport numpy as np\nf = jax.jit(lambda x: x * 2)\nf(np.ones(4))\nf(np.ones(3))\n", "+ f(np.pad(np.ones(3), (0, 1)))"),
    "dtype": ("import jax\nimport jax.numpy as jnp\nf = jax.jit(lambda x: x * 2)\nf(jnp.ones(3))\nf(jnp.arange(3))\n", "+ f(jnp.asarray(jnp.arange(3), jnp.float32))"),
    "keyword": ("import jax\n@jax.jit\ndef f(x, y):\n    return x + y\nf(1, 2)\nf(1, y=2)\n", "+ f(1, 2)"),
    "context": ("import jax\nf = jax.jit(lambda x: x * 2)\nf(1)\nwith jax.numpy_dtype_promotion('strict'):\n    f(1)\n", "+ with jax.numpy_dtype_promotion(\"standard\"): f(1)"),
    "lambda": ("import jax\nfor i in range(2):\n    jax.jit(lambda x: x * 2)(1)\n", "+ made_once = jax.jit(lambda x: x * 2)"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_shortest_change_is_written_and_tried(page, site, name):
    text, change = CHANGES[name]
    open_page(page, site)
    run(page, text)
    page.get_by_text("Shortest change to a hit").click()
    page.locator(".compare-said").get_by_text("answered by the fast path").wait_for()
    assert change in page.locator(".compare-diff").inner_text()


def test_shortest_change_that_cannot_be_written_is_told_by_fields(page, site):
    open_page(page, site)
    run(page, "import jax\nf = jax.jit(lambda x: x['a'])\nf({'a': 1})\nf({'a': 1.0})\n")
    page.get_by_text("Shortest change to a hit").click()
    said = page.locator(".compare-body")
    said.get_by_text("it was not tried").first.wait_for()
    assert "x['a']" in said.inner_text() and "weak i32[]" in said.inner_text()


def test_any_two_calls_can_be_compared(page, site):
    open_page(page, site)
    call(page, 6).click()
    page.get_by_text("Shortest change to a hit").click()
    page.get_by_label(re.compile("What would let call 6 hit")).select_option("2")
    page.locator(".compare-steps").get_by_text("f32[4]").first.wait_for()


def test_no_change_is_offered_for_a_first_call(page, site):
    """Nothing was stored that it could have found, whatever comes later or has its name."""
    open_page(page, site)
    run(page, "import jax\nf = jax.jit(lambda x: x * 2)\ng = jax.jit(lambda x: x * 3)\nf(1)\ng(1)\nf(1.0)\nf(2)\n")
    offered = page.get_by_text("Shortest change to a hit")
    for number, times in ((1, 0), (2, 0), (3, 1), (4, 0)):
        call(page, number).click()
        assert offered.count() == times, number
    call(page, 3).click()
    offered.click()
    assert page.locator(".compare select option").all_inner_texts() == [
        "1, line 4: f(1)", "2, line 5: g(1)"]
