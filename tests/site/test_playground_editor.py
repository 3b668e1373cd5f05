"""The playground before its editor and its engine have come: nothing of them is fetched before a
touch, nothing is seen to change when they come, and nothing that was done meanwhile is lost."""

import base64

import pytest
from playing import MARKS, bring_editor, open_page, settled, status, text_of

pytestmark = pytest.mark.browser


@pytest.fixture
def editor_file(dist):
    """The name of the editor's script: the largest one that a page has."""
    return max(dist.glob("assets/shared-*.js"), key=lambda path: path.stat().st_size).name


@pytest.fixture
def held(page, editor_file):
    """Requests for the editor, which wait until the test lets them go on."""
    waiting = []
    page.route(f"**/{editor_file}", lambda route: waiting.append(route))
    return waiting


def let_it_come(page, held):
    """Lets the editor go on its way, which it was asked to go."""
    for _ in range(500):
        if held:
            return held.pop().continue_()
        page.wait_for_timeout(20)
    raise AssertionError("the editor was not asked for")


def arrived(page):
    """Waits until the editor stands."""
    page.wait_for_selector(".playground[data-editor]")


def not_yet(page, editor_file):
    """The editor's script is there and had time to run; the editor waits all the same."""
    page.wait_for_function(
        "name => performance.getEntriesByType('resource').some((e) => e.name.endsWith(name) && e.responseEnd)",
        arg=editor_file,
    )
    page.wait_for_timeout(500)
    return page.locator(".playground[data-editor]").count() == 0


def place(page, line, column):
    """Where a character of the drawn program stands in the window."""
    page.locator(f".sheet-line:nth-child({line})").scroll_into_view_if_needed()
    return page.evaluate(
        """([number, column]) => {
          const walk = document.createTreeWalker(document.querySelector(`.sheet-line:nth-child(${number})`), NodeFilter.SHOW_TEXT);
          let node = walk.nextNode();
          while (column > node.length) { column -= node.length; node = walk.nextNode(); }
          const range = document.createRange();
          range.setStart(node, column);
          const { left, top, height } = range.getBoundingClientRect();
          const line = document.querySelector(`.sheet-line:nth-child(${number})`).getBoundingClientRect();
          return height ? [left, top + height / 2] : [line.left + 8, line.top + line.height / 2]; // an empty line
        }""",
        [line, column],
    )


# --- what is fetched ----------------------------------------------------------


def test_a_mouse_over_the_program_brings_the_editor_and_a_press_the_engine(page, site, editor_file):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    open_page(page, site, editor=False)
    page.wait_for_load_state("networkidle")
    assert not [url for url in asked if editor_file in url or "/engine" in url]
    bring_editor(page)
    page.wait_for_load_state("networkidle")
    assert [url for url in asked if editor_file in url]
    assert not [url for url in asked if "/engine" in url]
    with page.expect_request("**/engine/**"):
        page.locator(".cm-content").click()


def touch(finger, kind, *at):
    """One event of a finger at a place, or of none any more."""
    points = [{"x": at[0], "y": at[1]}] if at else []
    finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def test_a_finger_that_scrolls_past_brings_nothing_and_a_tap_does(chromium, site, editor_file):
    context = chromium.new_context(
        viewport={"width": 360, "height": 780}, has_touch=True, is_mobile=True, service_workers="block"
    )
    page = context.new_page()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    open_page(page, site, editor=False)
    page.locator(".play-editor").scroll_into_view_if_needed()
    x, y = place(page, 3, 2)
    before = page.evaluate("() => scrollY")
    finger = context.new_cdp_session(page)
    for _ in range(2):  # the program to its end, then the page
        touch(finger, "touchStart", x, y)
        for way in range(20, 201, 20):
            touch(finger, "touchMove", x, y - way)
        touch(finger, "touchEnd")
    page.wait_for_function("before => scrollY > before", arg=before)
    page.wait_for_load_state("networkidle")
    assert not [url for url in asked if editor_file in url or "/engine" in url]
    page.touchscreen.tap(*place(page, 11, 3))
    arrived(page)
    page.keyboard.insert_text("!")
    assert "sca!le(x)" in text_of(page)
    context.close()


def test_readers_who_save_data_get_the_engine_when_they_run(page, site):
    page.add_init_script("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    open_page(page, site)
    page.locator(".cm-content").click()
    page.wait_for_load_state("networkidle")
    assert not [url for url in asked if "/engine" in url]
    page.keyboard.press("Control+Enter")
    settled(page)
    assert "11 calls" in status(page)


def test_run_needs_no_editor(page, site, held):
    open_page(page, site, editor=False)
    page.get_by_role("button", name="Run").click()
    settled(page)
    assert "11 calls" in status(page) and page.locator(".sheet-word").count() == 7
    let_it_come(page, held)
    arrived(page)
    assert page.locator(".cm-word").count() == 7


def test_an_error_found_before_the_editor_came_is_marked_in_it(page, site, held):
    open_page(page, site, editor=False)
    page.get_by_role("textbox", name="Program").fill("import jax\n1 / 0\n")
    page.keyboard.press("Control+Enter")
    settled(page)
    assert page.locator(".sheet-line").all_inner_texts()[1] == "1 / 0error"
    let_it_come(page, held)
    arrived(page)
    assert page.locator(".cm-lintRange-error").count() == 1


# --- what is seen -------------------------------------------------------------


DIFFERENT = """async (pictures) => {
  const [one, two] = await Promise.all(pictures.map(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const place = new OffscreenCanvas(image.width, image.height).getContext("2d");
    place.drawImage(image, 0, 0);
    return place.getImageData(0, 0, image.width, image.height);
  }));
  let points = 0;
  for (let i = 0; i < one.data.length; i += 4) {
    const apart = Math.max(...[0, 1, 2].map((k) => Math.abs(one.data[i + k] - two.data[i + k])));
    if (apart > 8) points++;
  }
  return one.width === two.width && one.height === two.height ? points / one.width / one.height : 1;
}"""


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 768, 1440])
def test_the_editor_looks_like_the_lines_whose_place_it_takes(page, site, width, theme):
    page.set_viewport_size({"width": width, "height": 900})
    open_page(page, site, f"?theme={theme}", editor=False)
    box = page.locator(".play-editor")
    before = box.screenshot(animations="disabled")
    bring_editor(page)
    page.locator(".cm-word").first.wait_for()
    after = box.screenshot(animations="disabled")
    blank = page.context.new_page()
    pictures = [base64.b64encode(picture).decode() for picture in (before, after)]
    assert blank.evaluate(DIFFERENT, pictures) < 0.002  # edges of letters, by parts of a point


def test_lines_that_were_not_touched_keep_their_colours(page, site, held):
    open_page(page, site, editor=False)
    coloured = page.locator(".sheet-line .k, .sheet-line .kn").count()
    x, y = place(page, 11, 0)
    page.mouse.click(x + 1, y)
    page.keyboard.insert_text("import this\n")
    lines = page.locator(".sheet-line")
    assert lines.all_inner_texts()[10] == "import this"
    assert page.locator(".sheet-line .k, .sheet-line .kn").count() == coloured
    assert page.locator(".sheet-numbers").inner_text().split() == [str(n + 1) for n in range(lines.count())]
    assert page.locator(".sheet-shapes > div:nth-child(15) svg").count() == 1  # it was in line 14


# --- what was done meanwhile --------------------------------------------------


def test_a_click_sets_the_caret_and_keys_pressed_before_the_editor_came_are_kept(page, site, held):
    open_page(page, site, editor=False)
    page.mouse.click(*place(page, 17, 8))
    page.keyboard.type("abc")
    let_it_come(page, held)
    arrived(page)
    page.keyboard.type("def")
    assert text_of(page).split("\n")[16] == "scale(x,abcdef by=3.0)"
    page.reload()
    page.get_by_text("This is your text of the last visit").wait_for()


def test_a_reader_without_a_mouse_comes_to_the_program_by_tab_and_writes(page, site, held):
    open_page(page, site, editor=False)
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.id") == "program":
            break
    page.keyboard.type("xy")
    let_it_come(page, held)
    arrived(page)
    page.keyboard.type("z")
    assert text_of(page).startswith("xyzimport jax")


def test_a_text_that_was_scrolled_stays_where_it_was(page, site, held):
    text = "\n".join(f"line_{n} = {n}{'0' * 200}" for n in range(300))
    page.add_init_script(f"sessionStorage.setItem('playground', {text!r})")
    open_page(page, site, editor=False)
    page.evaluate("() => document.querySelector('.play-sheet').scrollTo(40, 3000)")
    page.mouse.click(*place(page, 151, 8))
    let_it_come(page, held)
    arrived(page)
    scrolled = page.evaluate(
        "() => { const { scrollLeft, scrollTop } = document.querySelector('.play-code').shadowRoot.querySelector('.cm-scroller'); return [scrollLeft, scrollTop]; }"
    )
    assert scrolled == [40, 3000]
    page.keyboard.type("!")
    page.locator(".cm-line").get_by_text("line_150! = 1500").wait_for()


def test_the_editor_does_not_come_in_the_middle_of_a_selection(page, site, held, editor_file):
    open_page(page, site, editor=False)
    page.mouse.move(*place(page, 11, 0))
    page.mouse.down()
    let_it_come(page, held)
    page.mouse.move(*place(page, 11, 5))
    assert not_yet(page, editor_file)
    page.mouse.up()
    arrived(page)
    page.keyboard.insert_text("other")
    assert text_of(page).split("\n")[10] == "other(x)"


def test_the_editor_does_not_come_in_the_middle_of_a_composed_character(page, site, held, editor_file):
    open_page(page, site, editor=False)
    page.mouse.click(*place(page, 4, 0))
    keys = page.context.new_cdp_session(page)
    keys.send("Input.imeSetComposition", {"text": "に", "selectionStart": 1, "selectionEnd": 1})
    let_it_come(page, held)
    assert not_yet(page, editor_file)
    keys.send("Input.insertText", {"text": "日"})
    arrived(page)
    assert text_of(page).split("\n")[3] == "日"


def test_what_is_written_before_any_script_ran_is_seen_and_kept(page, site):
    waiting = []
    page.route("**/assets/playground-*.js", lambda route: waiting.append(route))
    page.goto(site + "playground/", wait_until="commit")
    area = page.get_by_role("textbox", name="Program")
    area.fill(MARKS)
    assert area.evaluate("(area) => getComputedStyle(area).color") == page.evaluate(
        "() => getComputedStyle(document.body).color"
    )
    waiting.pop().continue_()
    page.wait_for_selector(".playground[data-live]")
    assert area.evaluate("(area) => getComputedStyle(area).color") == "rgba(0, 0, 0, 0)"
    assert page.locator(".sheet-line").all_inner_texts() == MARKS.split("\n")
    page.unroute("**/assets/playground-*.js")
    page.reload()
    page.get_by_text("This is your text of the last visit").wait_for()
