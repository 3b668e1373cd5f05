"""The figure in a real browser, from the outside: by role, name and text."""

import re

import figure_site
import pytest
from figure_site import GOLDEN, golden
from playwright.sync_api import expect
from test_pages import AXE, violations

import reading
from reading import read_calls
from sentence import sentence

pytestmark = pytest.mark.browser

NAMES = ["C++ fast path", "Params", "Tracing", "Lowering", "Executable", "Persistent"]
WORDS = ["hit", "miss", "not asked", "skipped"]
BUTTONS = [
    "Issue call",
    "Reset",
    "Step",
    "Play",
    "Back",
    "Copy as Python",
    "Share",
    "Embed",
    "Change one thing",
]


@pytest.fixture(scope="module")
def address():
    server, found = figure_site.serve()
    yield found
    server.shutdown()
    server.server_close()


@pytest.fixture
def open_page(chromium, address):
    """open_page(path, **media): a page with its figure ready; any console error, page error or
    violation of the policy fails the test. `width`, `height`: of the window."""
    problems, contexts = [], []

    def opened(path, ready=True, allow=None, width=1440, height=1000, scripts=True, touch=False, **media):
        contexts.append(chromium.new_context(java_script_enabled=scripts, has_touch=touch, is_mobile=touch, service_workers="block"))
        page = contexts[-1].new_page()
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(**media)
        page.on(
            "console",
            lambda message: (
                message.type in ("error", "warning")
                and not (allow and re.match(allow, message.text))
                and problems.append(message.text)
            ),
        )
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(address + path)
        if ready:
            page.wait_for_selector("jit-stack[ready]")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not problems


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def items(page):
    return page.get_by_role("list", name="Caches").get_by_role("listitem")


def words(page):
    """The one verdict word of every floor."""
    return words_of(items(page).all_text_contents())


def words_of(texts):
    found = []
    for text, name in zip(texts, NAMES):
        assert name in text
        held = [word for word in WORDS if re.search(rf"(?<![a-z]){word}(?![a-z])", text)]
        assert len(held) == 1, text
        found += held
    assert len(found) == 6
    return found


def status(page):
    return page.get_by_role("status").first


def timeline(page):
    return page.get_by_role("slider", name="Timeline")


def position(page):
    return int(timeline(page).input_value())


@pytest.mark.parametrize("path", ["/scenario/opening/", "/lab/", "/guided/"])
def test_every_control_has_its_role_and_name(open_page, path):
    page = open_page(path)
    for name in BUTTONS:
        expect(button(page, name)).to_have_count(1)
    expect(timeline(page)).to_have_count(1)
    expect(items(page)).to_have_count(6)
    assert words(page) == ["not asked"] * 6
    expect(status(page)).not_to_be_empty()
    for name in ("Step", "Play", "Back", "Share", "Embed", "Reset", "Issue call"):
        assert page.get_by_role("button", name=name).count() == 1, f"{name} is ambiguous"


def test_first_call_is_told_at_once(open_page):
    page = open_page("/scenario/opening/")
    told = page.evaluate("""() => {
      [...document.querySelectorAll("button")].find((b) => b.textContent === "Issue call").click();
      return document.querySelector("[role=status]").textContent;
    }""")
    assert told.startswith("Call 1 ")  # before the click returns; `tests.benchmarks.first_call` has the time
    assert words(page) == ["miss"] * 6


def test_opening_call_by_call(open_page):
    page = open_page("/scenario/opening/")
    expected = [
        [reading.WORDS["verdicts"][floor.verdict] for floor in call.floors]
        for call in read_calls(golden("opening"))
    ]
    for call in expected:
        button(page, "Issue call").click()
        assert words(page) == call
    button(page, "Issue call").click()
    expect(status(page)).to_contain_text("no further call")


def test_nothing_is_said_of_what_lines_before_the_calls_left(open_page):
    """Before the first call JAX made the array: what that stored is no riddle for the reader."""
    page = open_page("/scenario/opening/", reduced_motion="reduce")
    expect(status(page)).not_to_contain_text("empty")
    button(page, "Issue call").click()
    expect(status(page)).to_contain_text("The fast path had no entry of this function yet.")
    assert not [text for text in items(page).all_text_contents() if "stage" in text or "differ" in text]
    button(page, "Params").click()
    sheet = page.get_by_role("dialog", name="Params")
    expect(sheet).to_contain_text("call 1: miss, no entry of this function yet")
    expect(sheet).not_to_contain_text("stage")


def test_play_pause_step_back(open_page):
    page = open_page("/scenario/opening/")
    button(page, "Issue call").click()
    expect(button(page, "Pause")).to_have_count(1)
    button(page, "Pause").click()
    expect(button(page, "Play")).to_have_count(1)
    at = position(page)
    assert 0 < at < int(timeline(page).get_attribute("max"))
    button(page, "Step").click()
    assert position(page) == at + 1
    button(page, "Back").click()
    button(page, "Back").click()
    assert position(page) == max(at - 1, 0)
    page.get_by_role("combobox", name="Speed").select_option("4")
    button(page, "Play").click()
    expect(timeline(page)).to_have_js_property(
        "value", timeline(page).get_attribute("max"), timeout=20_000
    )
    expect(button(page, "Play")).to_have_count(1, timeout=10_000)


def test_stopped_in_the_middle_only_what_is_known_is_said(open_page):
    page = open_page("/scenario/opening/")
    button(page, "Step").click()
    assert words(page) == ["not asked"] * 6
    button(page, "Step").click()
    assert words(page) == ["miss"] + ["not asked"] * 5
    expect(status(page)).to_contain_text("C++ fast path")
    expect(timeline(page)).to_have_attribute("aria-valuetext", re.compile("Call 1 of 1, step 2 of"))


def test_step_issues_the_next_call(open_page):
    page = open_page("/scenario/opening/", reduced_motion="reduce")
    button(page, "Issue call").click()
    before = position(page)
    button(page, "Step").click()
    assert position(page) == before + 1
    expect(page.get_by_role("button", name="Go to call 2")).to_have_count(1)


def test_timeline_rewinds_and_reset_empties(open_page):
    page = open_page("/scenario/opening/", reduced_motion="reduce")
    for _ in range(3):
        button(page, "Issue call").click()
    timeline(page).focus()
    page.keyboard.press("Home")
    assert position(page) == 0
    assert words(page) == ["not asked"] * 6
    page.keyboard.press("End")
    assert words(page) == ["miss", "hit", "not asked", "hit", "hit", "not asked"]
    page.get_by_role("button", name="Go to call 2").click()
    assert words(page) == ["hit"] + ["not asked"] * 5
    button(page, "Reset").click()
    assert position(page) == 0
    assert page.get_by_role("button", name=re.compile("Go to call")).count() == 0


def test_reduced_motion_stands_still_and_offers_play(open_page):
    page = open_page("/scenario/opening/", reduced_motion="reduce")
    button(page, "Issue call").click()
    expect(button(page, "Play")).to_have_count(1)
    assert position(page) == int(timeline(page).get_attribute("max"))
    button(page, "Play").click()
    expect(button(page, "Pause")).to_have_count(1)


def test_change_in_a_scenario_leads_on(open_page):
    page = open_page("/scenario/opening/", reduced_motion="reduce")
    button(page, "Change one thing").click()
    sheet = page.get_by_role("dialog", name="Change one thing")
    expect(sheet.get_by_role("link", name=re.compile("lab"))).to_have_count(1)
    sheet.get_by_role("button", name="g(xn)").click()
    expect(status(page)).to_contain_text("Call 3")
    assert words(page)[0] == "miss"


def test_lab_change_call_rewind_fork(open_page):
    page = open_page("/lab/", reduced_motion="reduce")
    button(page, "Issue call").click()
    button(page, "Issue call").click()
    assert words(page)[0] == "hit"
    page.get_by_role("button", name="Go to call 1").click()
    button(page, "Change one thing").click()
    page.get_by_role("button", name=re.compile("^Committed to its device")).click()
    expect(status(page)).to_contain_text("You changed: where x lives")
    button(page, "Issue call").click()
    expect(status(page)).to_contain_text("Call 2 fell past", timeout=5_000)
    assert words(page) == ["miss", "hit", "not asked", "miss", "miss", "skipped"]
    branch = page.get_by_role("button", name=re.compile("^Branch 1"))
    expect(branch).to_have_count(1)
    branch.click()
    assert words(page)[0] == "hit"
    expect(page.get_by_role("button", name=re.compile("^Branch 2"))).to_have_count(1)


def test_lab_follows_what_is_recorded_without_the_engine(open_page):
    page = open_page("/lab/", reduced_motion="reduce")
    page.route("**/engine.js", lambda route: route.abort())
    button(page, "Issue call").click()
    button(page, "Issue call").click()
    button(page, "Change one thing").click()
    page.get_by_role("button", name=re.compile("^A NumPy array")).click()
    button(page, "Issue call").click()
    expect(status(page)).to_contain_text("Call 3 fell past the fast path")


def test_engine_failure_is_told_and_nothing_is_lost(open_page):
    page = open_page("/lab/", reduced_motion="reduce")
    button(page, "Issue call").click()
    button(page, "Change one thing").click()
    page.get_by_role("button", name=re.compile("^jax.clear_caches")).click()
    button(page, "Issue call").click()
    expect(status(page)).to_contain_text("The model does not cover this. (line 7)")
    expect(page.get_by_role("button", name="Go to call 1")).to_have_count(1)
    button(page, "Reset").click()
    button(page, "Issue call").click()
    expect(status(page)).to_contain_text("Call 1")


def test_bets_are_settled_in_place(open_page):
    page = open_page("/scenario/opening/", reduced_motion="reduce")
    fast, params = (
        page.get_by_role("button", name=re.compile(f"^Bet on {re.escape(name)}"))
        for name in NAMES[:2]
    )
    fast.click()
    expect(fast).to_have_accessible_name("Bet on C++ fast path: hit")
    fast.click()
    params.click()
    button(page, "Issue call").click()
    expect(page.get_by_text("Your bets: 1 of 2 right.")).to_be_visible()
    expect(page.get_by_text("bet hit, wrong")).to_have_count(1)
    expect(page.get_by_text("bet right")).to_have_count(1)


def test_drawers_open_with_keys_and_entries(open_page):
    page = open_page("/scenario/opening/", reduced_motion="reduce")
    for _ in range(3):
        button(page, "Issue call").click()
    button(page, "Lowering").click()
    sheet = page.get_by_role("dialog", name="Lowering")
    for name in ("_pjit_lower", "_cached_lowering_to_hlo"):
        expect(sheet.get_by_role("heading", name=name)).to_have_count(1)
    page.keyboard.press("Escape")
    button(page, "C++ fast path").click()
    sheet = page.get_by_role("dialog", name="C++ fast path")
    for group in ("function", "arguments", "placement"):
        expect(sheet.get_by_role("rowheader", name=group, exact=True).first).to_be_visible()
    expect(sheet.get_by_text("was SingleDevice(cpu:0)")).to_be_visible()
    expect(sheet.get_by_text("2 entries from these calls")).to_be_visible()


def test_drawers_show_what_is_there_at_the_step(open_page):
    page = open_page("/scenario/minimal_fast_path/", reduced_motion="reduce")
    for step in range(4):
        button(page, "Step").click()
        for name in ("C++ fast path", "Lowering"):
            button(page, name).click()
            sheet = page.get_by_role("dialog", name=name)
            expect(sheet.get_by_text("No entry from these calls").first).to_be_visible()
            expect(sheet.get_by_text("1 entry")).to_have_count(0)
            # what the floor says by now, its drawer says too
            known = step > 0 and name != "Lowering"
            expect(sheet.get_by_text("in call 1.")).to_have_count(int(known))
            page.keyboard.press("Escape")
    for _ in range(20):
        button(page, "Step").click()
        if "climbs back" in status(page).inner_text() or "fell through" in status(page).inner_text():
            break
    button(page, "Lowering").click()
    expect(page.get_by_role("dialog", name="Lowering").get_by_text("1 entry from these calls").first).to_be_visible()


def test_log_events_and_change_follow_the_step(open_page):
    page = open_page("/lab/", reduced_motion="reduce")
    log, events = (page.get_by_role("tabpanel", name=name) for name in ("Log", "Events"))
    button(page, "Step").click()
    expect(log).to_contain_text("JAX has logged nothing yet.")
    page.get_by_role("tab", name="Events").click()
    expect(events).not_to_contain_text("trace_to_jaxpr")
    page.get_by_role("tab", name="Log").click()
    timeline(page).focus()
    page.keyboard.press("End")
    expect(log).to_contain_text("Finished XLA compilation")
    while "XLA compiles" not in status(page).inner_text():
        button(page, "Back").click()
    expect(log).to_contain_text("Compiling jit(f)")
    expect(log).not_to_contain_text("value")
    page.get_by_role("tab", name="Events").click()
    expect(events).to_contain_text("_pjit_lower (f): miss")
    page.keyboard.press("End")
    # a change waits after the call it was made after, and nowhere else
    button(page, "Issue call").click()
    button(page, "Change one thing").click()
    page.get_by_role("button", name=re.compile("^A NumPy array")).click()
    changed = page.locator(".changed")
    expect(changed).to_contain_text("You changed")
    button(page, "Back").click()
    expect(changed).to_be_empty()
    expect(page.locator(".code [aria-current=step]")).to_have_count(1)


def test_the_last_call_is_finished_by_the_key_for_the_next(open_page):
    page = open_page("/scenario/opening/", reduced_motion="reduce")
    button(page, "Step").click()
    page.keyboard.press("Shift+ArrowRight")
    expect(timeline(page)).to_have_js_property("value", timeline(page).get_attribute("max"))
    expect(status(page)).to_contain_text("Call 1 fell through every cache")
    page.keyboard.press("Shift+ArrowRight")
    expect(status(page)).to_contain_text("No later call was issued yet.")


def test_the_cost_is_that_of_the_call_on_show(open_page):
    page = open_page("/scenario/opening/", reduced_motion="reduce")
    cost = page.locator(".cost-text")
    expect(cost).to_contain_text("cost of a call nothing yet")
    for text in ("25 ms", "10 µs"):
        button(page, "Issue call").click()
        expect(cost).to_contain_text(f"cost of this call ≈ {text}")
    button(page, "Back").click()
    expect(cost).to_contain_text("this call so far")


def test_program_log_and_told(open_page):
    page = open_page("/scenario/opening/", reduced_motion="reduce")
    button(page, "Issue call").click()
    expect(page.locator(".code [aria-current=step]")).to_contain_text("g(x)")
    expect(page.get_by_role("tabpanel", name="Log")).to_contain_text(
        "Finished XLA compilation of jit(f)"
    )
    told = page.locator(".told")
    expect(told).to_contain_text("never seen function")
    expect(told).to_contain_text("4 lines")
    expect(told).to_contain_text("0 → 1")
    page.get_by_role("tab", name="Events").click()
    expect(page.get_by_role("tabpanel", name="Events")).to_contain_text("_pjit_lower (f): miss")


@pytest.mark.parametrize("scenario, calls", [("scan_body", 1), ("minimal_disk_clear", 2)])
def test_the_log_is_called_wrong_only_when_nothing_was_compiled(open_page, scenario, calls):
    page = open_page(f"/scenario/{scenario}/", reduced_motion="reduce")
    for _ in range(calls):
        button(page, "Issue call").click()
    expect(page.locator(".told")).to_contain_text(" lines")
    wrong = page.locator(".told-blind", has_text="says compiled; nothing was")
    expect(wrong).to_have_count(int(scenario == "minimal_disk_clear"))


def test_keyboard_alone(open_page):
    page = open_page("/scenario/opening/", reduced_motion="reduce")
    page.keyboard.press("Tab")
    for _ in range(12):
        if page.evaluate("document.activeElement.textContent") == "Issue call":
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(status(page)).to_contain_text("Call 1")
    for key, text in (
        ("c", "Call 2"),
        ("ArrowLeft", "C++ fast path"),
        ("ArrowRight", "Call 2"),
        ("r", "Nothing has been called"),
    ):
        page.keyboard.press(key)
        expect(status(page)).to_contain_text(text)
    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keys")
    expect(keys).to_contain_text("Issue call")
    page.keyboard.press("Escape")
    expect(keys).to_have_count(0)
    page.keyboard.press("3")
    expect(page.get_by_role("dialog", name="Tracing")).to_be_visible()


def test_nothing_jumps(open_page):
    page = open_page("/scenario/opening/", ready=False)
    page.evaluate("""() => {
      window.shifts = 0;
      new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.shifts += entry.value; })
        .observe({ type: "layout-shift", buffered: true });
    }""")
    page.wait_for_selector("jit-stack[ready]")
    button(page, "Issue call").click()
    page.wait_for_timeout(3000)
    assert page.evaluate("window.shifts") <= 0.001


CUT = """() => {
  const floors = [...document.querySelectorAll("[aria-label=Caches] > li")];
  return [[...new Set(floors.map((floor) => floor.offsetHeight))], floors.flatMap((floor) => {
    const why = floor.querySelector(".why"), style = getComputedStyle(why), box = floor.getBoundingClientRect(), own = why.getBoundingClientRect();
    const whole = style.textOverflow === "clip" && style.whiteSpace === "normal" && why.scrollWidth <= why.clientWidth && why.scrollHeight <= why.clientHeight;
    return whole && own.top >= box.top && own.bottom <= box.bottom + 1 ? [] : [why.textContent];
  })];
}"""


@pytest.mark.parametrize("width", [360, 768, 1440])
@pytest.mark.parametrize("name", ["opening", "mesh_axis_name", "minimal_memo", "minimal_trace"])
def test_what_a_floor_says_is_whole_and_no_floor_grows(open_page, name, width):
    page = open_page(f"/scenario/{name}/", width=width, reduced_motion="reduce")
    heights, cut = page.evaluate(CUT)
    assert cut == [] and len(heights) == 1
    for _ in read_calls(golden(name)):
        button(page, "Issue call").click()
        assert page.evaluate(CUT) == [heights, []]


ORDER = """() => [...document.querySelectorAll(".stage :is(button, [tabindex='0'])")].filter((node) => node.checkVisibility())
  .map((node) => node.closest(".code, .tablist, .log, .building, .score").className.split(" ")[0])
  .filter((part, i, all) => part !== all[i - 1])"""


@pytest.mark.parametrize("width, order", [
    (1440, ["code", "tablist", "log", "building", "score"]),
    (768, ["building", "score", "tablist", "code"]),
])  # fmt: skip
def test_the_focus_goes_through_the_parts_as_they_stand(open_page, width, order):
    page = open_page("/lab/", width=width, reduced_motion="reduce")
    button(page, "Issue call").click()
    assert page.evaluate(ORDER) == order


def test_bets_on_a_phone_leave_the_status_in_view(open_page):
    page = open_page("/scenario/opening/", width=360, height=740, reduced_motion="reduce")
    button(page, "Issue call").click()
    page.get_by_role("button", name="your bet").click()
    for part in (status(page), page.get_by_role("button", name=re.compile("^Bet on Persistent")), button(page, "Issue call")):
        expect(part).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("width", [320, 390, 768, 1024, 1440, 1920])
def test_reflow_and_targets(open_page, width):
    page = open_page(
        "/scenario/opening/", width=width, height=800, reduced_motion="reduce"
    )
    for _ in range(4):
        button(page, "Issue call").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for target in page.locator(
        "jit-stack button:visible, jit-stack input:visible, jit-stack a:visible"
    ).all():
        box = target.bounding_box()
        if target.evaluate("(node) => node.closest('p') !== null"):
            continue
        assert box["width"] >= 24 and box["height"] >= 24, target.evaluate(
            "(node) => node.outerHTML"
        )


REACH = """(node) => {
  node.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  const box = node.getBoundingClientRect(), x = box.left + box.width / 2, y = box.top + box.height / 2;
  const far = (dx, dy) => {
    let n = 0;
    while (n < 60 && node.contains(document.elementFromPoint(x + dx * (n + 1), y + dy * (n + 1)))) n += 1;
    return n;
  };
  return [far(1, 0) + far(-1, 0) + 1, far(0, 1) + far(0, -1) + 1];
}"""


@pytest.mark.parametrize("betting", [False, True])
@pytest.mark.parametrize("width", [360, 390, 768, 1024, 1180])
def test_a_finger_meets_every_control(open_page, width, betting):
    """As far as a touch reaches a control, not as far as it is drawn."""
    page = open_page("/scenario/opening/", width=width, height=800, touch=True, reduced_motion="reduce")
    assert page.evaluate("matchMedia('(pointer: coarse)').matches")
    for _ in range(4):
        button(page, "Issue call").click()
    if betting:
        page.get_by_role("button", name="your bet").click()
    else:
        page.get_by_role("button", name="Go to call 2").click()  # the later ones are faint
    small = []
    for target in page.locator("jit-stack button:visible, jit-stack input:visible, jit-stack a:visible").all():
        if not target.evaluate("(node) => node.closest('p') !== null"):
            reach = target.evaluate(REACH)
            small += [(target.inner_text(), reach)] * (min(reach) < 32)
    assert small == []


def test_phone_keeps_controls_and_score_in_view(open_page):
    page = open_page(
        "/scenario/opening/", width=390, height=760, reduced_motion="reduce"
    )
    for _ in range(3):
        button(page, "Issue call").click()
    items(page).nth(4).scroll_into_view_if_needed()
    for part in (button(page, "Issue call"), page.get_by_role("region", name="Score of calls")):
        expect(part).to_be_in_viewport()


def test_permalink(open_page):
    page = open_page("/lab/?v=1&do=call,committed,call&at=1", reduced_motion="reduce")
    expect(page.get_by_role("button", name="Go to call 2")).to_have_count(1)
    expect(status(page)).to_contain_text("Call 1")
    button(page, "Share").click()
    assert (
        page.get_by_role("textbox", name="Address")
        .input_value()
        .endswith("/lab/?v=1&do=call,committed,call&at=1")
    )


def test_wrong_permalink_opens_with_what_can_be_read(open_page):
    page = open_page("/lab/?v=9&do=call,launch,shape:99,call&at=x", reduced_motion="reduce")
    said = status(page)
    expect(said).to_contain_text('version "9"')
    expect(said).to_contain_text('"launch"')
    expect(said).to_contain_text('"shape:99"')
    expect(page.get_by_role("button", name="Go to call 2")).to_have_count(1)


def test_share_embed_and_python(open_page):
    page = open_page("/scenario/opening/", reduced_motion="reduce")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    button(page, "Issue call").click()
    button(page, "Embed").click()
    code = page.get_by_role("textbox", name="HTML").input_value()
    assert 'sandbox="allow-scripts"' in code and 'title="' in code and "/scenario/opening/" in code
    page.keyboard.press("Escape")
    button(page, "Copy as Python").click()
    expect(status(page)).to_contain_text("Copied")
    text = page.evaluate("navigator.clipboard.readText()")
    compile(text, "copied.py", "exec")
    assert "def call(label, thunk):" in text and "Call 1 fell through every cache" in text


def test_copy_where_the_clipboard_is_refused(open_page):
    page = open_page("/scenario/opening/", reduced_motion="reduce")
    page.evaluate("void (navigator.clipboard.writeText = () => Promise.reject(new Error('no')))")
    button(page, "Copy as Python").click()
    expect(page.get_by_role("textbox", name="Program")).to_be_visible()


def test_broken_recording_is_named_and_the_still_stands_in(open_page):
    page = open_page("/broken/", ready=False)
    expect(page.get_by_role("alert")).to_contain_text("schema 7 is not the schema 1")
    expect(page.get_by_text("still", exact=True)).to_be_visible()


def test_without_scripts_and_in_print(open_page):
    page = open_page("/scenario/opening/", ready=False, scripts=False)
    expect(page.get_by_role("img", name="A still picture")).to_be_visible()
    expect(page.get_by_role("table", name="Every call, every cache")).to_contain_text("not asked")
    page = open_page("/scenario/opening/")
    expect(page.get_by_role("img", name="A still picture")).not_to_be_visible()
    page.emulate_media(media="print")
    expect(page.get_by_role("img", name="A still picture")).to_be_visible()
    expect(page.locator(".fig")).not_to_be_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/end/", "/lab/?v=1&do=call,call,numpy,call"])
@pytest.mark.parametrize("width", [390, 1440])
def test_no_accessibility_violations(open_page, path, theme, width):
    # axe itself measures with inline styles, which the policy refuses, and looks for the address
    # of a style sheet that stands in the page; all else must be quiet.
    page = open_page(
        path,
        allow="Applying inline style|Couldn't load preload assets",
        width=width,
        color_scheme=theme,
        reduced_motion="reduce",
    )
    page.evaluate(AXE)
    found = violations(page)
    for name in ("Change one thing", "Lowering"):
        button(page, name).click()
        found += violations(page)
        page.keyboard.press("Escape")
    assert not found


def test_theme_by_hand(open_page):
    page = open_page("/scenario/opening/", color_scheme="light")
    toggle = page.get_by_role("button", name=re.compile("^Theme"))
    colour = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(colour)
    toggle.click()
    toggle.click()
    assert page.evaluate(colour) != light
    page.reload()
    assert page.evaluate(colour) != light


# A figure of that recording in the place of the one that is there: for each of its calls, when it
# is issued, what the status line and the floors say.
SAID = """async (src) => {
  const stack = document.createElement("jit-stack");
  stack.setAttribute("src", src);
  document.querySelector("jit-stack").replaceWith(stack);
  while (!stack.hasAttribute("ready")) await new Promise((done) => setTimeout(done, 1));
  const issue = [...stack.querySelectorAll("button")].find((button) => button.textContent === "Issue call");
  const { children } = stack.querySelector("[role=list][aria-label=Caches]");
  return stack.figure.timeline.calls.map(() => {
    issue.click();
    return [stack.querySelector("[role=status]").textContent, [...children].map((item) => item.textContent)];
  });
}"""


@pytest.mark.long
def test_all_scenarios_say_the_same_as_python(open_page):
    """The figure and the still picture read every golden Recording alike."""
    page = open_page("/scenario/opening/", reduced_motion="reduce")
    for path in sorted(GOLDEN.glob("*.json")):
        calls, told = read_calls(golden(path.stem)), page.evaluate(SAID, f"/recordings/{path.name}")
        assert len(calls) == len(told) > 0, path.stem
        for call, (said, texts) in zip(calls, told):
            assert said == sentence(call), path.stem
            assert words_of(texts) == [reading.WORDS["verdicts"][floor.verdict] for floor in call.floors], path.stem
            for text, floor in zip(texts, call.floors):
                assert floor.why in text, path.stem
