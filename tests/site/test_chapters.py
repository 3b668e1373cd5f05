"""The chapters in a browser: accessible in both themes, every figure works, terms open
by keyboard and pointer, nothing is wider than the window, links lead somewhere."""

import json
import re

import pytest
from test_pages import accessible, settled

from make.chapters import all_chapters
from simulator.facts import facts

pytestmark = pytest.mark.browser

CHAPTERS = [chapter.place for chapter in all_chapters()]
PLACES = [*CHAPTERS, "glossary/", "search/"]


@pytest.mark.parametrize("place", PLACES)
def test_accessible_and_laid_out_at_every_width(page, site, place):
    page.goto(site + place)
    settled(page)
    accessible(page, place)
    for width in (360, 768):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, width
    page.set_viewport_size({"width": 1440, "height": 900})
    rows = page.evaluate("[...document.querySelectorAll('table tr')].map((row) => row.offsetHeight)")
    assert all(height < 300 for height in rows), max(rows)  # a few lines of text


@pytest.mark.parametrize("place", CHAPTERS)
def test_every_figure_plays_its_calls(page, site, place):
    page.goto(site + place)
    settled(page)
    figures = page.locator("jit-stack").all()
    assert figures
    for figure in figures:
        caches = figure.get_by_role("list", name="Caches")
        before = caches.inner_text()
        figure.get_by_role("button", name="Issue call", exact=True).click()
        caches.get_by_text(re.compile("^(hit|miss)$")).first.wait_for()
        assert caches.inner_text() != before
    first = page.locator("details summary").first
    first.click()
    assert page.locator("ol.answer").first.is_visible()


def test_a_term_opens_by_key_and_by_pointer_and_closes(page, site):
    page.goto(site + CHAPTERS[0])
    settled(page)
    term = page.locator(".term button").first
    tip = page.locator(".tip").first
    assert not tip.is_visible()
    term.focus()
    page.keyboard.press("Enter")
    assert tip.is_visible()
    page.keyboard.press("Escape")
    assert not tip.is_visible()
    term.click()
    assert tip.is_visible()
    page.mouse.click(5, 500)
    page.mouse.move(5, 500)
    assert not tip.is_visible()
    term.hover()
    assert tip.is_visible()


def test_the_table_of_states_is_searched(page, site):
    page.goto(site + "recompiling/")
    settled(page)
    rows = page.locator(".states tbody tr")
    assert rows.count() == facts()["counts"]["states"]
    page.get_by_label("Find a state").fill("optimization")
    visible = [row for row in rows.all() if row.is_visible()]
    assert [row.get_attribute("id") for row in visible] == ["state-jax_optimization_level"]
    assert page.locator(".state-filter output").inner_text()


def test_source_links_name_the_pinned_commit(dist):
    """The line of each was computed when the page was made; here: nothing else links out."""
    beginning = f"https://github.com/jax-ml/jax/blob/{facts()['commit']}/"
    for path in dist.rglob("*.html"):
        for address in re.findall(r'href="(https?:[^"]+)"', path.read_text(encoding="utf-8")):
            assert address.startswith(beginning), (path, address)
            assert address.startswith(beginning + "jaxlib/") or re.search(r"\.py#L\d+$", address)


def test_chapters_follow_one_another(dist):
    for here, after in zip(CHAPTERS, CHAPTERS[1:]):
        assert f'rel="next" href="../{after}"' in (dist / here / "index.html").read_text()
        assert f'rel="prev" href="../{here}"' in (dist / after / "index.html").read_text()


def test_questions_are_there_for_search_engines_too(dist):
    text = (dist / "questions" / "index.html").read_text(encoding="utf-8")
    found = re.search(r'<script type="application/ld\+json">(.*?)</script>', text, re.S)
    page = json.loads(found[1])
    assert len(page["mainEntity"]) == text.count("<h2 id=")
    for entry in page["mainEntity"]:
        assert entry["name"] and not re.search(r"[<✓]", entry["acceptedAnswer"]["text"])


def test_search_finds_a_section_and_leads_there(page, site):
    page.goto(site + "search/")
    page.get_by_label("Words").fill("committed arrays")
    link = page.locator(".search ol a").first
    link.wait_for()
    assert "Committed arrays" in link.inner_text()
    link.click()
    page.wait_for_url(re.compile(r"#committed-arrays$"))
    page.go_back()
    page.get_by_label("Words").fill("xyzzy")
    page.get_by_text("0 found").wait_for()


BESIDE = "document.querySelector('.beside jit-stack').figure.timeline"


def to_step(page, number):
    """Scrolls until the step's beginning is above the middle of the window."""
    page.evaluate(
        """number => {
          const step = document.querySelectorAll('.beside .step')[number - 1];
          scrollTo(0, scrollY + step.getBoundingClientRect().top - innerHeight * 0.2);
        }""",
        number,
    )
    page.wait_for_function(f"number => {BESIDE}.call === number", arg=number)


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_a_figure_stays_in_view_and_follows_its_paragraphs(chromium, site, watch, motion):
    context = chromium.new_context(
        viewport={"width": 1440, "height": 900}, reduced_motion=motion, service_workers="block"
    )
    page = context.new_page()
    watch.follow(page)
    page.goto(site + "params/")
    settled(page)
    figure = page.locator(".beside jit-stack").first
    for number in (1, 2, 3, 2):
        to_step(page, number)
        box = figure.bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= 900
        if motion == "reduce":
            assert page.evaluate(f"{BESIDE}.over")  # stands still at once
    figure.get_by_role("button", name="Reset", exact=True).click()
    assert page.evaluate(f"{BESIDE}.call") == 0  # the reader's hand wins
    context.close()


def test_on_a_small_screen_every_step_has_its_row_and_the_figure_is_the_readers(page, site):
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(site + "params/")
    settled(page)
    steps = page.locator(".beside .step")
    assert steps.count() == 3
    assert [row.inner_text().split() for row in steps.nth(1).locator(".strip b").all()] == [
        ["miss"], ["hit"], ["not", "asked"], ["hit"], ["hit"], ["not", "asked"],
    ]  # fmt: skip
    steps.nth(2).scroll_into_view_if_needed()
    assert page.evaluate(f"{BESIDE}.call") == 0


def test_the_reading_position_survives_a_reload_and_is_offered(page, site):
    page.goto(site + "tracing/")
    settled(page)
    heading = page.locator("#weak-types")
    page.evaluate("scrollTo(0, document.querySelector('#weak-types').offsetTop + 20)")
    page.wait_for_timeout(100)
    before = heading.bounding_box()["y"]
    page.reload()
    settled(page)
    assert abs(heading.bounding_box()["y"] - before) <= 2
    page.goto(site)
    link = page.locator(".resume a")
    assert link.inner_text() == "Tracing"
    link.click()
    page.wait_for_url(re.compile(r"/tracing/#"))


@pytest.mark.parametrize("path", ["", "questions/", "embed/opening/"])
def test_the_place_of_a_figure_is_kept_at_every_width(page, site, path):
    page.goto(site + path)
    settled(page)
    for width in (360, 700, 768, 900, 1024, 1100, 1200, 1280, 1366, 1440, 1920):
        page.set_viewport_size({"width": width, "height": 900})
        kept, found = page.evaluate(
            "() => { const figure = document.querySelector('jit-stack:not([compact])');"
            " return [parseFloat(getComputedStyle(figure).minHeight), figure.clientHeight]; }"
        )
        assert abs(kept - found) <= 1, (width, kept, found)


@pytest.mark.parametrize("width", [360, 1366, 1440])
def test_nothing_moves_while_a_chapter_is_scrolled(chromium, site, watch, width):
    context = chromium.new_context(
        viewport={"width": width, "height": 900}, service_workers="block"
    )
    page = context.new_page()
    watch.follow(page)
    page.add_init_script(
        "window.moved = []; new PerformanceObserver((list) => moved.push(...list.getEntries().map("
        "(entry) => [entry.value, entry.sources.map((source) => source.node?.className ?? '')])))"
        ".observe({ type: 'layout-shift', buffered: true })"
    )
    page.goto(site + "lowering/")
    settled(page)
    for _ in range(14):
        page.mouse.wheel(0, 700)
        page.wait_for_timeout(120)
    moved = page.evaluate("moved")
    assert sum(value for value, _ in moved) <= 0.05, moved
    context.close()
