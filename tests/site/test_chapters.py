"""The chapters in a browser: accessible in both themes, every figure works, terms open
by keyboard and pointer, nothing is wider than the window, links lead somewhere."""

import json
import re

import pytest
from playwright.sync_api import expect
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
        figure.get_by_role("button", name="Reset", exact=True).click()  # it may have shown its calls
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
    expect(tip).to_be_hidden()
    term.focus()
    expect(tip).to_be_visible()
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    page.keyboard.press("Enter")
    expect(tip).to_be_visible()
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    expect(tip).to_be_visible()
    term.click()
    expect(tip).to_be_visible()
    page.mouse.click(5, 500)
    page.mouse.move(5, 500)
    expect(tip).to_be_hidden()
    term.hover()
    expect(tip).to_be_visible()


def test_the_table_of_states_is_searched(page, site):
    page.goto(site + "recompiling/")
    settled(page)
    rows = page.locator(".states tbody tr")
    assert rows.count() == facts()["counts"]["states"]
    page.get_by_label("Find a state").fill("optimization")
    visible = [row for row in rows.all() if row.is_visible()]
    assert [row.get_attribute("id") for row in visible] == ["state-jax_optimization_level"]
    assert page.locator(".state-filter output").inner_text()


def test_an_address_leads_to_a_row_that_the_search_had_hidden(page, site):
    page.goto(site + "recompiling/")
    settled(page)
    row = page.locator("#state-jax_enable_x64")
    for _ in range(2):  # the second time the address is the same
        page.get_by_label("Find a state").fill("optimization")
        assert not row.is_visible()
        page.evaluate("""() => {
          const link = document.createElement("a");
          link.href = "#state-jax_enable_x64";
          document.body.append(link);
          link.click();
        }""")
        row.wait_for()
        assert page.get_by_label("Find a state").input_value() == ""
        box = row.bounding_box()
        assert 0 <= box["y"] < page.viewport_size["height"]


def test_contents_mark_the_section_that_is_read(page, site):
    page.set_viewport_size({"width": 1440, "height": 700})
    page.goto(site + "questions/")
    settled(page)
    contents = page.get_by_role("navigation", name="On this page")
    current = contents.locator("[aria-current=location]")
    assert current.count() == 0  # before the first heading
    size, links = contents.bounding_box(), contents.get_by_role("link").all()
    for link in [*links, links[0]]:
        page.evaluate("id => document.getElementById(id).scrollIntoView({ block: 'start', behavior: 'instant' })",
                      link.get_attribute("href")[1:])
        expect(current).to_have_text(link.inner_text())
        box, place = contents.bounding_box(), current.bounding_box()
        assert (box["width"], box["height"]) == (size["width"], size["height"])
        assert box["y"] - 1 < place["y"] and place["y"] + place["height"] < box["y"] + box["height"] + 1
    links[-2].click()
    expect(current).to_have_text(links[-2].inner_text())
    page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
    expect(current).to_have_count(0)


def test_contents_are_a_list_of_links_without_scripts(chromium, site):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(site + "questions/")
    contents = page.get_by_role("navigation", name="On this page")
    assert contents.get_by_role("link").count() > 5 and contents.locator("[aria-current]").count() == 0
    contents.get_by_role("link").nth(3).click()
    expect(page.locator(":target")).to_be_in_viewport()
    context.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_paper_is_light_in_either_theme(page, site, theme):
    page.goto(f"{site}params/?theme={theme}")
    settled(page)
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 718, "height": 1000})
    drawn = page.evaluate("""() => {
      const colour = (where, what) => getComputedStyle(document.querySelector(where))[what];
      return [colour("body", "color"), colour(".still svg .s-miss", "fill"), colour(".strip", "backgroundColor")];
    }""")
    assert drawn == ["rgb(28, 30, 34)", "rgb(160, 67, 8)", "rgb(255, 255, 255)"]
    wide = page.evaluate("""() => [...document.querySelectorAll(".still-table")]
      .map((table) => table.offsetWidth - table.parentElement.clientWidth)""")
    assert wide and max(wide) <= 0


@pytest.mark.parametrize("path", ["questions/", "verification/", "lab/", "open/", "embed/opening/"])
def test_paper_has_no_controls_and_pictures_leave_room(page, site, path):
    page.goto(site + path)
    page.wait_for_selector("jit-stack[ready], .open[ready], .totals")
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 657, "height": 980})
    shown, heights, wide = page.evaluate("""() => {
      const seen = (node) => node.checkVisibility() && !node.closest(".term");
      const controls = [...document.querySelectorAll("button, input, select, textarea, progress, details:not(.predict details, .fold)")].filter(seen);
      const width = (table) => table.getBoundingClientRect().width - table.parentElement.clientWidth;
      return [controls.map((node) => node.outerHTML.slice(0, 80)), [...document.querySelectorAll(".still-svg")].map((picture) =>
        picture.getBoundingClientRect().height / Math.round(picture.viewBox.baseVal.height / 360)), [...document.querySelectorAll("table")].filter(seen).map(width)];
    }""")
    assert shown == []
    assert max(heights, default=0) < 300 and max(wide, default=0) < 1


@pytest.mark.parametrize("width", [1440, 768])
def test_lines_are_60_to_75_characters_long(page, site, width):
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(site + "tracing/")
    settled(page)
    lengths = page.evaluate("""() => {
      const lines = [], range = document.createRange();
      for (const paragraph of document.querySelectorAll(".prose > p:not([class])")) {
        const texts = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT), found = [];
        let bottom = -100;
        while (texts.nextNode()) for (let i = 0; i < texts.currentNode.length; i++) {
          range.setStart(texts.currentNode, i);
          range.setEnd(texts.currentNode, i + 1);
          const box = range.getClientRects()[0];
          if (!box?.width) continue;
          if (box.bottom - bottom > 14) { found.push(0); bottom = box.bottom; }
          found[found.length - 1] += 1;
        }
        lines.push(...found.slice(0, -1));
      }
      return lines.sort((a, b) => a - b);
    }""")
    assert len(lengths) > 50
    assert 60 <= lengths[len(lengths) // 2] <= 75
    assert sum(length > 75 for length in lengths) <= len(lengths) * 0.05


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
        answer = entry["acceptedAnswer"]["text"]
        assert entry["name"] and not re.search(r"[<✓]|Glossary", answer)
        assert answer.endswith((".", "?")), answer  # not a line that leads to something below it


def test_what_is_searched_holds_no_tips(dist):
    entries = json.loads((dist / "search.json").read_text(encoding="utf-8"))
    assert entries and not [entry for entry in entries if "Glossary" in entry["text"]]


@pytest.mark.parametrize("width", [360, 1440])
def test_searching_moves_nothing_and_says_what_to_do_when_nothing_is_found(page, site, width):
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(site + "search/")
    field, said = page.get_by_role("searchbox"), page.locator(".search output")
    hint = page.get_by_text("No section has all of these words")
    before = field.bounding_box()
    for words, found in (("jit", True), ("zzzz", False), ("trace key", True), ("", False)):
        field.fill(words)
        if words:
            expect(said).to_have_text(re.compile(r"^[1-9]\d* found$" if found else "^0 found$"))
        else:
            expect(said).to_have_text("")
        assert field.bounding_box() == before
        assert hint.is_visible() == (words == "zzzz")


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


@pytest.mark.parametrize(
    "words, found",
    [("retraced", "tracing"), ("donating", "donation"), ("recompilations", "recompile"), ("closures", "closure")],
)
def test_search_knows_other_forms_of_a_word(page, site, words, found):
    page.goto(site + "search/")
    page.get_by_label("Words").fill(words)
    page.locator(".search ol").get_by_role("link", name=f"Glossary: {found}", exact=True).wait_for()


def test_the_map_names_every_page(dist):
    text = (dist / "search" / "index.html").read_text(encoding="utf-8").partition('id="map"')[2]
    linked = set(re.findall(r'href="\.\./([^"#]*)"', text.partition("<footer")[0]))
    pages = {
        str(path.parent.relative_to(dist)).removeprefix(".") for path in dist.rglob("index.html")
    }
    assert linked == {f"{name}/" if name else "" for name in pages if "embed/" not in name} - {"search/"}
    assert 'href="#search"' in text


def test_every_heading_has_an_address(dist):
    for path in dist.rglob("*.html"):
        if "embed" in path.parts or path.name == "404.html":
            continue
        main = path.read_text(encoding="utf-8").partition("<main")[2]
        headings = re.findall(r"<h[1-3]([^>]*)>(.*?)</h", main, re.S)
        assert headings
        for attributes, inner in headings:
            if "contents-head" not in attributes:
                name = re.search(r'id="([^"]+)"', attributes)
                assert name and f'class="anchor" href="#{name[1]}"' in inner, (path, inner)


def hold_time(page):
    """The page's timers wait for `page.clock`: how busy the machine is changes nothing."""
    page.clock.install(time=0)
    page.clock.pause_at(1000)


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
def test_a_figure_stays_in_view_and_follows_its_paragraphs(page, site, motion):
    page.set_viewport_size({"width": 1440, "height": 900})
    page.emulate_media(reduced_motion=motion)
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
    hold_time(page)
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
def test_nothing_moves_while_a_chapter_is_scrolled(page, site, width):
    page.set_viewport_size({"width": width, "height": 900})
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


TIPS = """() => [...document.querySelectorAll(".term")].map((term) => {
  const button = term.querySelector("button"), tip = term.querySelector(".tip");
  button.scrollIntoView({ block: "center", behavior: "instant" });
  button.click();
  const { left, right } = tip.getBoundingClientRect();
  tip.hidePopover();
  return Math.min(left, document.documentElement.clientWidth - right);
})"""


@pytest.mark.parametrize("width", [360, 768])
def test_tips_keep_off_the_edge_of_the_window(page, site, width):
    page.set_viewport_size({"width": width, "height": 740})
    page.goto(site + "fast-path/")
    settled(page)
    room = page.evaluate(TIPS)
    assert len(room) > 20
    assert min(room) >= 8


SHOWN_CALLS = 2  # of a figure with more; the rest is left to the reader
SHOWN = "document.querySelectorAll('jit-stack[shows]')[%d].figure"


def bring(page, number):
    """Scrolls to a figure; the page has heard of it."""
    page.evaluate(f"""() => new Promise((done) => {{
      addEventListener("scroll", () => done(), {{ once: true }});
      {SHOWN % number}.host.scrollIntoView();
    }})""")


@pytest.mark.parametrize("width", [360, 1440])
def test_a_figure_at_rest_in_view_shows_its_calls_once_and_nothing_moves(page, site, width):
    page.set_viewport_size({"width": width, "height": 900})
    hold_time(page)
    page.goto(site + "questions/")
    settled(page)
    page.clock.run_for(700)
    bring(page, 1)
    # its place is made before it shows anything
    page.wait_for_function(f"() => {SHOWN % 1}.el.querySelector('[style*=min-height]')")
    page.clock.run_for(1400)
    assert page.evaluate(f"{SHOWN % 1}.timeline.revealed") == 0
    below = "document.querySelectorAll('jit-stack')[2].getBoundingClientRect().top + scrollY"
    place, focus = page.evaluate(below), page.evaluate("document.activeElement.tagName")
    page.evaluate(f"{SHOWN % 1}.player.speed = 40")
    for call, ms in ((1, 200), (SHOWN_CALLS, 2500)):
        page.clock.run_for(ms)
        assert page.evaluate(f"{SHOWN % 1}.timeline.call") == call
        assert page.evaluate(below) == place
    assert page.evaluate("document.activeElement.tagName") == focus
    # only what has been in view: the first may have been, as the page opened
    others = "[...document.querySelectorAll('jit-stack')].slice(2).filter((s) => s.figure.timeline.revealed)"
    assert page.evaluate(f"{others}.length") == 0
    bring(page, 3)  # one that is left has shown what it shows
    page.clock.run_for(2200)
    assert page.evaluate(f"{SHOWN % 3}.timeline.revealed") > 0
    assert page.evaluate(f"[{SHOWN % 1}.timeline.revealed, {SHOWN % 1}.timeline.over]") == [SHOWN_CALLS, True]
    bring(page, 1)
    page.clock.run_for(60_000)
    assert page.evaluate(f"{SHOWN % 1}.timeline.revealed") == SHOWN_CALLS
    page.locator("jit-stack[shows]").nth(1).get_by_role("button", name="Issue call").click()
    assert page.evaluate(f"{SHOWN % 1}.timeline.revealed") == SHOWN_CALLS + 1  # it goes on


# How high every figure is at the beginning, in the middle and at the end of every call, once it came near.
HEIGHTS = """async () => {
  const found = {};
  for (const stack of document.querySelectorAll("jit-stack")) {
    const { figure } = stack, { timeline } = figure, seen = [];
    scrollTo({ top: stack.getBoundingClientRect().top + scrollY - innerHeight - 50, behavior: "instant" });
    await new Promise((done) => new IntersectionObserver(([{ isIntersecting }], mine) => {
      if (!isIntersecting) return;
      mine.disconnect();
      const later = new MessageChannel(); // the page's own observer is told in the same turn, perhaps after this
      later.port1.onmessage = done;
      later.port2.postMessage(0);
    }, { rootMargin: "60%" }).observe(stack));
    const look = () => seen.push(stack.getBoundingClientRect().height);
    figure.act.goto(0);  // one may have shown its calls
    look();
    while (timeline.issue()) {
      look();
      for (const part of [2, 1]) {
        timeline.goto(timeline.call, Math.ceil(timeline.beats(timeline.call).length / part));
        look();
      }
    }
    found[stack.getAttribute("scenario")] = [Math.min(...seen), Math.max(...seen)];
  }
  return found;
}"""


@pytest.mark.parametrize("width", [360, 1440])
@pytest.mark.parametrize("place", CHAPTERS)
def test_what_stands_below_a_figure_stays_over_all_of_its_calls(page, site, place, width):
    page.set_viewport_size({"width": width, "height": 900})
    hold_time(page)
    page.goto(site + place)
    settled(page)
    page.clock.run_for(700)
    found = page.evaluate(HEIGHTS)
    assert found
    assert {name: span for name, span in found.items() if span[1] - span[0] > 0.5} == {}


def test_a_figure_of_one_call_starts_over_and_says_so(page, site):
    page.emulate_media(reduced_motion="reduce")
    page.goto(site + "tracing/")
    settled(page)
    number = page.evaluate("[...document.querySelectorAll('jit-stack[shows]')].findIndex((s) => s.figure.timeline.calls.length === 1)")
    assert number >= 0
    bring(page, number)
    figure = page.locator("jit-stack[shows]").nth(number)
    figure.and_(page.locator("[showing]")).wait_for()
    issue, status = figure.get_by_role("button", name="Issue call"), figure.get_by_role("status").first
    issue.click()
    expect(status).to_contain_text("Started over. Call 1")
    issue.click()
    expect(status).to_contain_text("There is no further call")


def test_a_touch_ends_what_a_figure_shows_and_less_motion_opens_at_the_same_place(context, site):
    for motion in ("no-preference", "reduce"):
        page = context.new_page()
        page.set_viewport_size({"width": 1440, "height": 900})
        page.emulate_media(reduced_motion=motion)
        hold_time(page)
        page.goto(site)
        settled(page)
        page.clock.run_for(2200)
        figure = page.locator("jit-stack")
        playing, call = page.evaluate(f"[{SHOWN % 0}.player.playing, {SHOWN % 0}.timeline.call]")
        assert (playing, call) == ((False, SHOWN_CALLS) if motion == "reduce" else (True, 1))
        if not playing:
            figure.get_by_role("button", name="Back", exact=True).click()
            assert page.evaluate(f"{SHOWN % 0}.timeline.call") == call
        figure.get_by_role("button", name="Pause" if playing else "Step", exact=True).click()
        page.clock.run_for(5000)
        assert page.evaluate(f"{SHOWN % 0}.player.playing") is False
        assert page.evaluate(f"{SHOWN % 0}.timeline.call") == call
