"""How a test works the playground: it writes, runs, and reads what the page shows."""

import re

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
    """Goes to the playground, `after` behind its address; brings the editor unless told not to."""
    page.goto(f"{site}playground/{after}")
    page.wait_for_function("() => document.querySelector('.play-status')?.textContent")
    if editor:
        bring_editor(page)


def bring_editor(page):
    """Comes over the program with the mouse, and waits for the editor."""
    page.locator(".play-editor").hover()
    page.wait_for_selector(".playground[data-editor]")


def write(page, text):
    """Puts a text in the place of the one in the editor, by hand."""
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)


def settled(page):
    """Waits until nothing runs any more."""
    page.wait_for_function(
        "() => !document.querySelector('.playground').hasAttribute('aria-busy')", timeout=60_000
    )


def run(page, text):
    """Writes a text, runs it, and waits for its end."""
    write(page, text)
    page.keyboard.press("Control+Enter")
    settled(page)


def text_of(page):
    """The text in the editor, or in the textarea that stands for it."""
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
    """What the status line says."""
    return page.locator(".play-status").inner_text()


def trouble(page):
    """What the page says went wrong."""
    return page.get_by_role("alert").inner_text()


def calls(page):
    """The calls in the lane, as elements."""
    return page.get_by_role("listbox", name="Calls").get_by_role("option")


def call(page, number):
    """The call of this number in the lane."""
    return page.get_by_role("option", name=re.compile(rf"^Call {number},"))
