"""What leaves the playground: links, programs for real JAX, guards for tests, the recording."""

import ast
import json
import os
import re
import subprocess
import sys
import urllib.parse

import pytest
from conftest import ROOT
from playing import (
    MARKS,
    bring_editor,
    call,
    calls,
    open_page,
    run,
    settled,
    status,
    text_of,
    write,
)

pytestmark = pytest.mark.browser


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
    other.get_by_text("Nothing has been run").wait_for()
    assert other.locator(".sheet-line").all_inner_texts()[-2] == "# ü → 🙂"
    bring_editor(other)
    assert text_of(other).strip() == (MARKS + "# ü → 🙂").strip()
    assert calls(other).count() == 0


BAD_LINKS = {
    "not base64": "#v=1&text=%%%",
    "cut off": "#v=1&text=c0zJT1VISy3OyMkvVrBVKC1O",
    "another version": "#v=7&text=AAAA",
    "not text": "#v=1&text=-_____8=",
    "too long": "#v=1&text=" + "A" * 70_000,
    "a question": "?code=abc",
    "another name": "#code=zzz",
    "another name, of a version": "#v=1&program=zzzz",
}


@pytest.mark.parametrize("name", BAD_LINKS)
def test_a_bad_link_opens_the_page_and_says_what_is_wrong(page, site, name):
    open_page(page, site, BAD_LINKS[name])
    assert "link" in status(page)
    assert "import jax" in text_of(page)


def test_a_link_without_a_program_names_what_it_has(page, site):
    open_page(page, site, "?code=abc&theme=dark#v=1&program=zzzz")
    assert 'it has "code", "v", "program"' in status(page)
    page.goto(f"{site}playground/#what-runs")  # a place on the page is no link to a program
    page.reload()
    page.wait_for_selector(".lane-call")
    assert "11 calls" in status(page)


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
