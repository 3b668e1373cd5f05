"""Every control of a figure pressed in the page, and what came of it (see press.js)."""

from pathlib import Path

SCRIPT = Path(__file__).with_name("press.js").read_text(encoding="utf-8")


def press_all(page, figure, hand="script", patience=30):
    """Presses every control of the figure, found by its role: those of its frame, and those of every
    dialog that one of them opens. Returns how often each was pressed and the links it offers, by
    address; fails with a line for each control that did not do what it has to.

    `hand`: "script" dispatches clicks at once, if nothing lies over the control; "mouse", "keyboard"
    and "touch" are real input, which takes longer. `patience`: seconds that it may stay busy."""
    figure.evaluate(SCRIPT)
    if hand != "script":
        page.expose_function("handOf", lambda what, x, y: operate(page, hand, what, x, y))
    given = "null" if hand == "script" else "handOf"
    found = figure.evaluate(f"(stack, patience) => pressAll(stack, {given}, patience)", patience)
    assert not found["problems"], "\n".join(found["problems"])
    return found


def operate(page, hand, what, x, y):
    """One press by hand, at a place of the window or on what has the focus."""
    if hand == "keyboard":
        page.keyboard.press("Enter" if what == "press" else "ArrowLeft")
    elif hand == "touch":
        page.touchscreen.tap(x, y)
    else:
        page.mouse.click(x, y)
