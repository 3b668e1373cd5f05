"""The playground with the real engine: its first view, running and what goes wrong there, the
editor, and the text that is never lost."""

import json
import re
import time

import pytest
from conftest import ROOT
from playing import (
    MARKS,
    bring_editor,
    calls,
    open_page,
    run,
    settled,
    status,
    text_of,
    trouble,
    words,
    write,
)

from tests.agreement import assert_agrees

pytestmark = pytest.mark.browser


# --- the first view -----------------------------------------------------------


def test_it_opens_with_an_example_and_what_it_did(page, site):
    page.goto(site + "playground/")
    page.wait_for_selector(".lane-call")
    assert "11 calls" in status(page)
    assert calls(page).count() == 11


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
    assert page.locator(".sheet-line").all_inner_texts()[8:10] == ["f(2.0)fast path", "f(jnp.ones(3))recompiled"]
    assert page.locator(".sheet-numbers").inner_text().split()[-1] == "11"
    page.locator(".sheet-word[data-line='9']").click()
    assert "line 9" in page.locator(".play-detail").inner_text()
    page.locator(".sheet-shape[data-line='10']").click()
    page.get_by_role("button", name="line 10").click()
    assert page.locator(".sheet-line.is-now").inner_text().startswith("f(jnp.ones(3))")
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
    assert "@jax.jit\ndef scale(" in page.locator(".sheet-text").text_content()
    assert page.locator(".sheet-line .k").first.is_visible()
    assert not page.locator("textarea").is_visible()
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


def test_what_an_endless_loop_issued_in_20_seconds_stands_soon_after_it_was_stopped(page, site):
    open_page(page, site)
    began = time.monotonic()
    run(page, "import jax\nf = jax.jit(lambda x: x + 1)\nwhile True:\n    f(1.0)\n")
    assert "20 seconds" in trouble(page) and time.monotonic() - began > 20
    issued = int(re.match(r"\d+", status(page))[0])
    assert issued > 200 and int(calls(page).first.get_attribute("aria-setsize")) == issued


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


def test_what_went_wrong_is_gone_when_the_next_run_begins(page, site):
    open_page(page, site)
    run(page, "x = 1\n1 / 0\n")
    assert "ZeroDivisionError" in trouble(page) and words(page)[2] == "error"
    write(page, "while True:\n    pass\n")
    page.keyboard.press("Control+Enter")
    page.get_by_role("button", name="Stop").wait_for()
    assert page.get_by_role("alert").count() == 0 and words(page) == {}
    page.get_by_role("button", name="Stop").click()
    settled(page)
    assert "stopped" in trouble(page)


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


# --- the text is never lost ---------------------------------------------------


def test_the_text_survives_a_reload_and_examples(page, site):
    open_page(page, site)
    write(page, MARKS)
    page.reload()
    page.get_by_text("This is your text of the last visit").wait_for()
    assert page.locator(".sheet-line").all_inner_texts() == MARKS.split("\n")
    bring_editor(page)
    assert text_of(page).strip() == MARKS.strip()
    page.get_by_role("button", name="Examples").click()
    page.get_by_role("searchbox", name="Find").fill("static self method")
    page.get_by_role("dialog").get_by_role("button", name=re.compile("^A jitted method")).click()
    settled(page)
    assert "class Layer" in text_of(page)
    page.get_by_role("button", name="Back to my text").click()
    assert text_of(page).strip() == MARKS.strip()


def test_each_of_two_tabs_keeps_its_text_and_a_new_one_has_the_last(page, site):
    texts = ["import jax  # one\n", "import jax  # two\n"]
    tabs = [page, page.context.new_page()]
    for tab, text in zip(tabs, texts):
        open_page(tab, site)
        write(tab, text)
    tabs.append(page.context.new_page())
    open_page(tabs[-1], site)
    for tab, text in zip(tabs, [*texts, texts[1]]):
        tab.reload()
        tab.get_by_text("This is your text of the last visit").wait_for()
        assert text_of(tab).strip() == text.strip()


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
