"""Every control of every figure is pressed in the page: it does something and says what, and
nothing stays busy, blank or broken after it. The embeds are checked for accessibility, and read
against Python, while they are open."""

import json
from urllib.parse import unquote, urlsplit

import pytest
from conftest import DIST
from pressing import press_all
from test_pages import accessible, settled

from make.scenarios import all_scenarios

pytestmark = pytest.mark.browser

EMBEDS = sorted(scenario.name for scenario in all_scenarios())
PARTS = 12
EVERYWHERE = {"Issue call", "Change one thing", "Back", "Play", "Step", "Reset", "Copy as Python", "Share", "? Keys", "Close", "Copy"}


def leads_somewhere(site, links):
    """Fails on a link that a figure offers to a page, or to a place of one, that is not there."""
    for address in links:
        assert address.startswith(site), address
        url = urlsplit(address.removeprefix(site))
        file = DIST / unquote(url.path) / "index.html"
        assert file.is_file(), address
        assert not url.fragment or f'id="{url.fragment}"' in file.read_text(encoding="utf-8"), address


def names(pressed):
    return {what.partition('"')[2].rstrip('"') for what in pressed}


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
def test_embeds_are_accessible_and_every_control_does_what_it_says(page, site, watch, part):
    for name in EMBEDS[part::PARTS]:
        page.goto(f"{site}embed/{name}/")
        settled(page)
        accessible(page, name)
        found = press_all(page, page.locator("jit-stack"))
        assert names(found["pressed"]) >= EVERYWHERE | {"Embed", "Lowering", "your bet"}, name
        leads_somewhere(site, found["links"])
        assert watch.problems() == [], name


# Buttons, each wrong in its own way, beside those of a figure.
BROKEN = """() => {
  const told = document.querySelector("[role=status]"), bar = document.querySelector(".bar");
  const say = (text) => { told.textContent = text; };
  const add = (name, does) => {
    const button = document.createElement("button");
    button.textContent = name;
    button.style.minWidth = "40px";
    button.addEventListener("click", () => does(button));
    bar.append(button);
    return button;
  };
  add("Dead", () => {});
  add("Throws", () => { say("thrown"); throw new Error("broken inside"); });
  add("Silent", () => say(""));
  add("Gone", (button) => { say("gone"); button.replaceWith(button.cloneNode(true)); });
  add("", () => say("no name"));
  add("Busy", () => { say("busy"); document.querySelector(".fig").setAttribute("aria-busy", "true"); });
  const covered = add("Covered", () => say("covered")), over = document.createElement("i");
  bar.style.position = "relative";
  over.style.cssText = `position: absolute; left: ${covered.offsetLeft}px; top: ${covered.offsetTop}px; width: 99px; height: 99px`;
  bar.append(over);
}"""
FOUND = [
    'button "Dead": it changed nothing and does not say why',
    'button "Throws": error: Uncaught Error: broken inside',
    'button "Silent": the status line is empty',
    'button "Gone": the focus went to body',
    'button "": it has no name',
    'button "Covered": covered by <i',
    'button "Busy": it stays busy',
]


def test_a_control_that_is_broken_is_found(page, site, watch):
    watch.allow("broken inside")
    page.emulate_media(reduced_motion="reduce")
    page.goto(site + "embed/minimal_nobody/")
    settled(page)
    page.evaluate(BROKEN)
    with pytest.raises(AssertionError) as caught:
        press_all(page, page.locator("jit-stack"), patience=1)
    lines = str(caught.value).splitlines()
    assert [found for found in FOUND if not any(found in line for line in lines)] == []


def home(page, site):
    page.goto(site)


def chapter(page, site):
    page.goto(site + "fast-path/")


def beside_its_steps(page, site):
    page.goto(site + "second-call/")


def laboratory(page, site):
    page.goto(site + "lab/")


def embed(page, site):
    page.goto(site + "embed/opening/")


def playground(page, site):
    page.goto(site + "playground/")
    page.get_by_role("option", name="Call 5").click()
    page.get_by_role("button", name="Open the figure").click()


def opened_recording(page, site):
    page.goto(site + "open/")
    page.wait_for_selector(".open[ready]")
    page.set_input_files("#own-file", DIST / "recordings" / "opening.json")
    page.get_by_role("button", name="Open the figure").click()


WIDE, PHONE = (1440, 900), (390, 760)
HANDS = [
    (home, "mouse", WIDE), (chapter, "mouse", WIDE), (beside_its_steps, "mouse", WIDE),
    (playground, "mouse", WIDE), (opened_recording, "mouse", WIDE), (embed, "keyboard", WIDE),
    (beside_its_steps, "keyboard", WIDE), (home, "touch", PHONE), (embed, "touch", (320, 640)),
]  # fmt: skip


@pytest.mark.parametrize("place, hand, window", HANDS)
def test_every_control_works_by_hand(chromium, site, watch, place, hand, window):
    """One figure of each kind of place, by real input."""
    context = chromium.new_context(
        viewport=dict(zip(("width", "height"), window)), has_touch=hand == "touch",
        reduced_motion="reduce", service_workers="block",
    )  # fmt: skip
    page = context.new_page()
    watch.follow(page)
    place(page, site)
    figure = page.locator("jit-stack[ready]").first
    figure.wait_for()
    found = press_all(page, figure, hand)
    assert names(found["pressed"]) >= EVERYWHERE - ({"Copy"} if place is opened_recording else set())
    leads_somewhere(site, found["links"])
    context.close()


@pytest.mark.long
def test_every_change_in_the_lab_is_followed_by_its_call(page, site, watch):
    page.emulate_media(reduced_motion="reduce")
    laboratory(page, site)
    figure = page.locator("jit-stack[ready]")
    found = press_all(page, figure, patience=120)
    kinds = json.loads((DIST / "recordings" / "kinds.json").read_text(encoding="utf-8"))
    choices = {choice["label"] for kind in kinds for choice in kind["choices"] or [kind]}
    pressed = names(found["pressed"])
    assert len(choices) > 60
    assert [label for label in choices - {"Call again"} if not any(label[:40] in name for name in pressed)] == []
    # a change waits for its call; what issues one itself does not
    waiting = sum(len(kind["choices"]) or 1 for kind in kinds if not kind["issues"])
    assert sum(found["called"].values()) == waiting
