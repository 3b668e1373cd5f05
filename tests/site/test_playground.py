"""The playground with the real engine: running, errors, results, sharing, what is copied out,
the keyboard, and the page without scripts, storage or network."""

import ast
import json
import os
import re
import subprocess
import sys
import time
import urllib.parse

import pytest
from conftest import ROOT
from test_pages import accessible

from make.paths import NODE_MODULES
from tests.agreement import assert_agrees

pytestmark = pytest.mark.browser

AXE = (NODE_MODULES / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
MARKS = """
import jax
import jax.numpy as jnp

@jax.jit
def f(x):
    return x * 2

f(1.0)
f(2.0)
f(jnp.ones(3))
""".lstrip()


def open_page(page, site, after="", editor=True):
    page.goto(f"{site}playground/{after}")
    if editor:
        page.wait_for_selector(".playground[data-editor]")
        page.wait_for_function("() => document.querySelector('.play-status').textContent !== ''")


def write(page, text):
    """Puts a text in the place of the one in the editor, by hand."""
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)


def settled(page):
    page.wait_for_function(
        "() => !document.querySelector('.playground').hasAttribute('aria-busy')", timeout=60_000
    )


def run(page, text):
    write(page, text)
    page.keyboard.press("Control+Enter")
    settled(page)


def text_of(page):
    return page.evaluate(
        "() => { const host = document.querySelector('.play-code');"
        " return host ? [...host.shadowRoot.querySelectorAll('.cm-line')].map((line) =>"
        " [...line.childNodes].filter((n) => !n.classList?.contains('cm-word'))"
        ".map((n) => n.textContent).join('')).join('\\n') : document.querySelector('textarea').value; }"
    )


def words(page):
    """The words behind the lines, by line number."""
    return {
        int(word.get_attribute("data-line")): word.inner_text()
        for word in page.locator(".cm-word").all()
    }


def status(page):
    return page.locator(".play-status").inner_text()


def trouble(page):
    return page.get_by_role("alert").inner_text()


def calls(page):
    return page.get_by_role("listbox", name="Calls").get_by_role("option")


def call(page, number):
    return page.get_by_role("option", name=re.compile(rf"^Call {number},"))


# --- the first view -----------------------------------------------------------


def test_it_opens_with_an_example_and_what_it_did_without_the_engine(page, site, watch):
    watch.allow("ERR_FAILED")  # the page prepares the engine, and goes without it
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.route("**/engine/**", lambda route: route.abort())
    page.goto(site + "playground/")
    page.wait_for_selector(".lane-call")
    assert "11 calls" in status(page)
    assert calls(page).count() == 11


def test_bytes_before_first_interaction(page, site):
    page.goto(site + "playground/")
    page.wait_for_selector(".playground[data-editor]")
    sent = page.evaluate(
        "() => performance.getEntries().filter((e) => e.encodedBodySize && !e.name.includes('/engine'))"
        ".map((e) => [e.name, e.encodedBodySize, e.startTime])"
    )
    load = page.evaluate("() => performance.getEntriesByType('navigation')[0].loadEventEnd")
    first = sum(size for _, size, start in sent if start <= load)
    assert 5_000 < first <= 150_000
    # The editor comes once the page stands: nothing waits for it.
    (editor,) = [start for name, size, start in sent if size > 100_000]
    assert editor > load


def test_a_plain_textarea_does_when_the_editor_cannot_come(page, site, watch, dist):
    editor = max(dist.glob("assets/shared-*.js"), key=lambda path: path.stat().st_size)
    watch.allow("ERR_FAILED")
    page.route(f"**/{editor.name}", lambda route: route.abort())
    open_page(page, site, editor=False)
    area = page.get_by_role("textbox", name="Program")
    area.fill(MARKS)
    area.press("Control+Enter")
    page.wait_for_selector(".lane-call")
    settled(page)
    assert "1 recompiled" in status(page)
    page.get_by_role("button", name="line 10").click()
    assert page.evaluate("() => document.querySelector('textarea').selectionStart") == MARKS.index(
        "f(jnp.ones"
    )


def test_without_scripts_it_says_what_it_is_and_shows_an_example(chromium, site):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(site + "playground/")
    assert "Your own program" in page.inner_text("main")
    assert page.locator(".play-still svg").is_visible()
    assert page.locator(".play-still table").first.is_visible()
    assert "@jax.jit" in page.locator("textarea").input_value()
    assert page.get_by_role("button", name="Run").count() == 0
    context.close()


# --- running ------------------------------------------------------------------


def test_every_line_that_called_has_a_mark_with_a_word(page, site):
    open_page(page, site)
    run(page, MARKS)
    assert words(page) == {8: "compiled", 9: "fast path", 10: "recompiled"}
    assert "4 calls" in status(page) or "5 calls" in status(page)
    shapes = page.locator(".cm-shape svg").all()
    kinds = {shape.get_attribute("class").split("-")[-1] for shape in shapes}
    assert kinds - {"silent"} == {"once", "fast", "again"}  # the silent one only keeps room


def test_the_cause_names_the_field_and_its_fix_leads_to_a_chapter(page, site):
    open_page(page, site)
    run(page, MARKS)
    detail = page.locator(".play-detail")
    assert "recompiled" in detail.get_by_role("heading").inner_text()
    said = detail.inner_text()
    assert "Tracing · avals" in said and "f32[3]" in said and "weak f32[]" in said
    link = detail.get_by_role("link", name=re.compile("^Why"))
    address = link.get_attribute("href")
    link.click()
    page.wait_for_selector(f"[id='{address.partition('#')[2]}']")


def test_run_button_and_stop(page, site):
    open_page(page, site)
    write(page, "import jax\njax.jit(lambda x: x)(1)\nwhile True:\n    pass\n")
    page.get_by_role("button", name="Run").click()
    page.get_by_role("button", name="Stop").click()
    settled(page)
    assert "stopped" in trouble(page)
    assert "while True" in text_of(page)
    run(page, MARKS)  # a fresh engine
    assert words(page)[9] == "fast path"


def test_an_endless_loop_is_stopped_and_what_was_issued_is_shown(page, site):
    open_page(page, site)
    run(page, MARKS)  # the engine is there
    page.evaluate("() => { const wait = setTimeout; window.setTimeout = (what, time) => wait(what, time / 10); }")
    run(page, "import jax\njax.jit(lambda x: x)(1)\nwhile True:\n    pass\n")
    assert "20 seconds" in trouble(page) and "The call issued before" in trouble(page)
    assert calls(page).count() == 1
    assert "while True" in text_of(page)


LONGEST_TASK = """() => {
  window.longest = 0;
  new PerformanceObserver((list) => {
    window.longest = Math.max(window.longest, ...list.getEntries().map(({ duration }) => duration));
  }).observe({ type: "longtask" });
}"""


def test_what_an_endless_loop_issued_in_20_seconds_stands_soon_after_it_was_stopped(page, site):
    open_page(page, site)
    began = time.monotonic()
    page.evaluate(LONGEST_TASK)
    run(page, "import jax\nf = jax.jit(lambda x: x + 1)\nwhile True:\n    f(1.0)\n")
    assert "20 seconds" in trouble(page) and time.monotonic() - began > 20
    assert int(re.match(r"\d+", status(page))[0]) > 5000
    page.wait_for_timeout(200)  # a task is reported when it is over
    assert page.evaluate("window.longest") < 8000  # milliseconds in which nothing answers


BAD = {
    "syntax": ("x = (\n", "line 1", "never closed"),
    "exception": ("import jax\njax.jit(lambda x: x)(1)\nraise ValueError('no')\n", "line 3", "ValueError: no"),
    "in a function": ("def f():\n    return 1 / 0\n\nf()\n", "line 2", "ZeroDivisionError"),
    "huge": (
        "import jax.numpy as jnp\nx = jnp.zeros((1 << 20, 1 << 14))\nprint(x[0, 0])\n",
        "line 3",
        "17179869184 elements",
    ),
    "import": ("import torch\n", "line 1", "import torch"),
    "recursion": ("def f():\n    return f()\n\nf()\n", "line 2", "RecursionError"),
}


@pytest.mark.parametrize("name", BAD)
def test_errors_have_their_line(page, site, name):
    text, line, said = BAD[name]
    open_page(page, site)
    run(page, text)
    assert line in trouble(page) and said in trouble(page)
    assert text_of(page).strip() == text.strip()
    number = int(line.split()[1])
    mark = page.locator(f".cm-word[data-line='{number}']")
    assert mark.inner_text() in ("error", "outside the model")
    page.get_by_role("button", name=f"Go to {line}").click()
    assert page.locator(".cm-now").count() == 1
    assert page.locator(".cm-lintRange-error").count() == 1


def test_calls_before_an_error_are_shown(page, site):
    open_page(page, site)
    run(page, BAD["exception"][0])
    assert calls(page).count() == 1
    assert "The call issued before" in trouble(page)


def test_what_is_outside_the_model_is_named_with_a_way_on(page, site):
    open_page(page, site)
    run(page, "import jax\nf = jax.jit(lambda x: x)\nf(1.0)\njax.live_arrays()\n")
    assert "Outside the model at line 4" in trouble(page) and "jax.live_arrays" in trouble(page)
    page.get_by_text("Record it on real JAX instead").click()
    commands = page.get_by_role("textbox", name="Commands that record").input_value()
    for command in commands.splitlines():
        module = re.match(r"python -m (\S+) observe my_program.py", command)[1]
        assert module == "simulator.live"
    page.get_by_role("alert").get_by_role("link", name="Open the recording").click()
    page.wait_for_url("**/open/")


def test_empty_text_and_a_program_without_calls(page, site):
    open_page(page, site)
    run(page, "   \n")
    assert "nothing to run" in status(page)
    run(page, "x = 1\n")
    assert "asked no cache" in status(page)
    assert page.get_by_role("listbox").count() == 0


# --- the text is never lost ---------------------------------------------------


def test_the_text_survives_a_reload_and_examples(page, site):
    open_page(page, site)
    write(page, MARKS)
    page.reload()
    page.wait_for_selector(".playground[data-editor]")
    assert text_of(page).strip() == MARKS.strip()
    page.get_by_role("button", name="Examples").click()
    page.get_by_role("searchbox", name="Find").fill("static self method")
    page.get_by_role("dialog").get_by_role("button", name=re.compile("^A jitted method")).click()
    settled(page)
    assert "class Layer" in text_of(page)
    page.get_by_role("button", name="Back to my text").click()
    assert text_of(page).strip() == MARKS.strip()


def test_it_works_where_storage_is_refused(page, site):
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } })"
    )
    open_page(page, site)
    run(page, MARKS)
    assert words(page)[9] == "fast path"


# --- examples -----------------------------------------------------------------


def test_examples_are_found_and_refused_ones_say_so(page, site):
    def refuse_one(route):
        groups = route.fetch().json()
        groups[-1]["items"][0]["refused"] = "jax.something: leave it out"
        route.fulfill(json=groups)

    page.route("**/examples*.json", refuse_one)
    open_page(page, site)
    page.get_by_role("button", name="Examples").click()
    dialog = page.get_by_role("dialog", name="Examples")
    dialog.get_by_text(re.compile(r"^\d{3} programs$")).wait_for()
    heads = dialog.get_by_role("heading", level=3).all_inner_texts()
    assert heads[0] == "Start here" and "Static values" in heads and "Surprises" in heads
    assert dialog.locator(".example-refused").all_inner_texts() == ["outside the model"]
    dialog.get_by_role("searchbox").fill("zzzz")
    dialog.get_by_text("0 programs").wait_for()
    dialog.get_by_role("searchbox").fill("lambda rebuilt")
    dialog.get_by_role("button").nth(1).click()
    settled(page)
    assert "6 calls" in status(page)


def test_every_example_is_listed(dist):
    groups = json.loads((dist / "playground" / "examples.json").read_text())
    named = {item["name"] for group in groups for item in group["items"]}
    cases = {path.name.split(".")[0] for path in (ROOT / "tests/golden/cases").glob("*.json.gz")}
    scenarios = {path.stem for path in (ROOT / "content/scenarios").glob("*.py")}
    assert cases | scenarios <= named


EXAMPLES = sorted((ROOT / "content" / "examples").glob("*.py"))


@pytest.mark.real_jax
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_of_the_page_agrees_with_real_jax(path, server):
    assert_agrees(path, server)


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


# --- share --------------------------------------------------------------------


def shared(page):
    page.get_by_role("button", name="Share").click()
    return page.get_by_role("textbox", name="Address").input_value()


def test_a_shared_link_shows_the_text_and_does_not_run_it(page, site, context):
    open_page(page, site)
    write(page, MARKS + "# ü → 🙂\n")
    link = shared(page)
    assert urllib.parse.urlsplit(link).fragment.startswith("v=1&text=")
    other = context.new_page()
    other.goto(link)
    other.wait_for_selector(".playground[data-editor]")
    other.get_by_text("Nothing has been run").wait_for()
    assert text_of(other).strip() == (MARKS + "# ü → 🙂").strip()
    assert calls(other).count() == 0


BAD_LINKS = {
    "not base64": "#v=1&text=%%%",
    "cut off": "#v=1&text=c0zJT1VISy3OyMkvVrBVKC1O",
    "another version": "#v=7&text=AAAA",
    "not text": "#v=1&text=-_____8=",
    "too long": "#v=1&text=" + "A" * 70_000,
}


@pytest.mark.parametrize("name", BAD_LINKS)
def test_a_bad_link_opens_the_page_and_says_what_is_wrong(page, site, name):
    open_page(page, site, BAD_LINKS[name])
    assert "link" in status(page)
    assert "import jax" in text_of(page)


def test_a_link_that_unpacks_to_too_much_is_refused(page, site):
    import base64
    import zlib

    packer = zlib.compressobj(9, wbits=-15)
    bomb = packer.compress(b"#" * 30_000_000) + packer.flush()
    text = base64.urlsafe_b64encode(bomb).decode().rstrip("=")
    open_page(page, site, f"#v=1&text={text}")
    assert "link" in status(page)


def test_a_link_does_not_lose_the_text_of_the_last_visit(page, site):
    open_page(page, site)
    write(page, MARKS)
    link = shared(page)
    page.keyboard.press("Escape")
    write(page, "x = 1  # mine\n")
    page.goto("about:blank")
    page.goto(link)
    page.wait_for_selector(".playground[data-editor]")
    page.get_by_role("button", name="Back to my text").click()
    assert "# mine" in text_of(page)


# --- what is copied out -------------------------------------------------------


def copied(page, context, button):
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name=button).click()
    page.get_by_text(re.compile("^Copied")).wait_for()
    return page.evaluate("() => navigator.clipboard.readText()")


def python(path, *arguments):
    """Runs a file with real JAX, in an environment of its own."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("JAX_", "XLA_"))}
    env["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # a guard needs none of those that we have
    return subprocess.run(
        [sys.executable, *arguments, str(path)],
        capture_output=True, text=True, cwd=path.parent, env=env, timeout=300,
    )


TRAINING = (ROOT / "content" / "examples" / "training_loop.py").read_text(encoding="utf-8")


@pytest.mark.real_jax
def test_copy_as_python_runs_on_real_jax_and_its_asserts_can_fail(page, site, context, tmp_path):
    open_page(page, site)
    run(page, TRAINING)
    text = copied(page, context, "Copy as Python")
    ast.parse(text)
    path = tmp_path / "copied_program.py"
    path.write_text(text, encoding="utf-8")
    result = python(path)
    assert result.returncode == 0 and "As predicted." in result.stdout, result.stderr[-2000:]
    # What it asserts is about this program: with another one it fails.
    path.write_text(text.replace("average = 0.0", "average = jnp.float32(0)"), encoding="utf-8")
    result = python(path)
    assert result.returncode == 1 and "AssertionError" in result.stderr


@pytest.mark.real_jax
def test_copy_as_python_of_a_marked_program(page, site, context, tmp_path):
    open_page(page, site)
    page.get_by_role("button", name="Examples").click()
    page.get_by_role("searchbox", name="Find").fill("weak_type_flip")
    page.get_by_role("dialog").get_by_role("button").nth(1).click()
    settled(page)
    path = tmp_path / "copied_program.py"
    path.write_text(copied(page, context, "Copy as Python"), encoding="utf-8")
    result = python(path)
    assert result.returncode == 0 and "As predicted." in result.stdout, result.stderr[-2000:]


def guarded(page, number):
    call(page, number).click()
    page.get_by_role("button", name="Guard for my tests").click()
    text = page.get_by_role("textbox", name="Test").input_value()
    page.keyboard.press("Escape")
    return text


@pytest.mark.real_jax
def test_guards_pass_and_fail_on_real_jax(page, site, tmp_path):
    open_page(page, site)
    run(page, TRAINING)
    steps = [
        number for number in range(1, 21)
        if "step(params" in call(page, number).get_attribute("title")
    ]
    path = tmp_path / "test_guard.py"
    # The second step compiles again: its guard fails until the program is mended.
    text = guarded(page, steps[1])
    path.write_text(text, encoding="utf-8")
    result = python(path, "-m", "pytest", "-q", "-p", "no:cacheprovider")
    assert result.returncode == 1 and "2 times, 1 allowed" in result.stdout, result.stdout[-3000:]
    path.write_text(text.replace("average = 0.0", "average = jnp.float32(0)"), encoding="utf-8")
    result = python(path, "-m", "pytest", "-q", "-p", "no:cacheprovider")
    assert result.returncode == 0, result.stdout[-3000:]
    # The last step is a hit: its guard passes.
    path.write_text(guarded(page, steps[-1]), encoding="utf-8")
    result = python(path, "-m", "pytest", "-q", "-p", "no:cacheprovider")
    assert result.returncode == 0, result.stdout[-3000:]


def test_no_guard_where_jax_reports_nothing(page, site):
    open_page(page, site)
    run(page, "import jax\nimport jax.numpy as jnp\nf = jax.jit(lambda x: x + 1)\nx = jnp.ones(3)\nf(x)\njax.vmap(f)(x)\n")
    for number in range(1, calls(page).count() + 1):
        if "traced" in call(page, number).get_attribute("title"):
            call(page, number).click()
            page.get_by_role("button", name="Guard for my tests").click()
            assert "Jit the outermost function" in page.get_by_role("dialog").inner_text()
            return
    raise AssertionError("nothing was traced under vmap")


def test_download_is_the_recording(page, site):
    open_page(page, site)
    run(page, MARKS)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download the recording").click()
    data = json.loads(waiting.value.path().read_text(encoding="utf-8"))
    assert data["schema"] == 1 and data["program"]["text"].strip() == MARKS.strip()


def test_nothing_to_copy_before_a_run(page, site):
    open_page(page, site)
    run(page, "x = 1\n")
    for name in ("Copy as Python", "Download the recording"):
        button = page.get_by_role("button", name=name)
        assert button.get_attribute("aria-disabled") == "true"
        button.click(force=True)
        assert "Run the program first" in status(page)


# --- the editor ---------------------------------------------------------------


def test_names_of_the_model_are_completed(page, site):
    open_page(page, site)
    write(page, "import jax.numpy as whatever\n")
    page.keyboard.type("whatever.lin")
    page.get_by_role("option", name=re.compile("^linspace")).wait_for()
    page.wait_for_timeout(150)  # it takes no key while it is fresh
    page.keyboard.press("Enter")
    assert re.search(r"whatever\.lin\w+", text_of(page)).group() != "whatever.lin"


def test_typing_over_a_selection_leaves_no_inline_style(page, site):
    open_page(page, site)
    write(page, MARKS)
    page.keyboard.press("Control+a")
    page.keyboard.type("(")
    assert text_of(page).startswith("(") and text_of(page).rstrip().endswith(")")


def test_tab_indents_and_escape_lets_go(page, site):
    open_page(page, site)
    write(page, "x = 1")
    page.keyboard.press("Home")
    page.keyboard.press("Tab")
    assert text_of(page) == "    x = 1"
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.className") != "play-code"


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
    open_page(page, site)
    accessible(page)
    wide = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0


def test_dialogs_and_trouble_are_accessible(page, site):
    open_page(page, site)
    page.evaluate(AXE)
    check = "async () => (await axe.run()).violations.map((v) => [v.id, v.nodes.map((n) => n.target)])"
    page.get_by_role("button", name="Examples").click()
    page.get_by_text(re.compile(r"^\d{3} programs$")).wait_for()
    assert page.evaluate(check) == []
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Guard for my tests").click()
    assert page.evaluate(check) == []
    page.keyboard.press("Escape")
    page.get_by_text("Shortest change to a hit").click()
    page.locator(".compare-said.is-hit").wait_for()
    assert page.evaluate(check) == []
    run(page, BAD["import"][0])
    page.get_by_text("Record it on real JAX instead").click()
    assert page.evaluate(check) == []


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
    page.wait_for_selector(".playground[data-editor]")
    run(page, MARKS)  # the engine is kept when it is first used
    page.wait_for_function(
        "async () => (await (await caches.open('engine')).keys()).some((k) => k.url.includes('memory.bin'))"
    )
    context.set_offline(True)
    page.reload()
    page.wait_for_selector(".playground[data-editor]")
    run(page, MARKS)
    assert words(page)[9] == "fast path"
    context.close()
