"""The page `/open/` in a browser: a recording, a log, hostile files, a large one, every hand."""

import gzip
import json

import pytest
from conftest import DIST
from test_pages import accessible

from make.own_run import large, sample

pytestmark = pytest.mark.browser


@pytest.fixture
def opened(page, site):
    page.goto(site + "open/")
    page.wait_for_selector(".open[ready]")
    return page


def give(page, data, name="run.json"):
    """Choose a file and wait until the page has an answer."""
    if not isinstance(data, bytes):
        data = (data if isinstance(data, str) else json.dumps(data)).encode()
    page.set_input_files("#own-file", {"name": name, "mimeType": "application/json", "buffer": data})
    page.wait_for_selector(".open:not([aria-busy])")


def problem(page):
    return page.locator(".open-problem").inner_text()


def show_sample(page):
    page.get_by_role("button", name="Open a sample").click()
    page.wait_for_selector(".run .play-detail:not([hidden])")


def test_a_recording_is_told_call_by_call(opened, site, watch):
    asked = []
    opened.on("request", lambda request: asked.append(request.method + " " + request.url))
    give(opened, sample().to_json())
    # The page may fetch files of its own; nothing of the recording goes anywhere.
    assert not [one for one in asked if not one.startswith(f"GET {site}") or "?" in one]
    opened.get_by_role("heading", name="train.py").wait_for()
    assert "137 calls: 125 answered by the fast path" in opened.locator(".run-sum").inner_text()
    rows = opened.locator(".cost-table tbody tr")
    seconds = [float(text) for text in opened.locator(".cost-cell span").all_inner_texts()]
    assert rows.count() == 7 and seconds == sorted(seconds, reverse=True)
    opened.get_by_role("button", name="Show the calls of step: Another shape").click()
    assert opened.locator(".filter-said").inner_text() == "1 of 137 calls"
    detail = opened.locator(".play-detail")
    # The call shown before was recompiled too: wait for what only this one says.
    detail.get_by_text("Pad to a few fixed sizes").wait_for()
    detail.get_by_text("came back after").wait_for()
    detail.get_by_role("button", name="Open the figure").click()
    figure = opened.locator("jit-stack[ready]")
    figure.wait_for()
    assert figure.get_by_role("list", name="Caches").get_by_role("listitem").count() == 6
    assert figure.get_by_role("button", name="Embed").count() == 0
    figure.get_by_role("button", name="Share").click()
    share = opened.get_by_role("dialog", name="Share", exact=True)
    assert "no address opens it" in share.inner_text()
    assert share.get_by_role("textbox").count() == 0


def test_filters(opened):
    show_sample(opened)
    opened.get_by_label("Cause", exact=True).select_option("function")
    assert opened.locator(".filter-said").inner_text() == "5 of 137 calls"
    opened.get_by_label("Took", exact=True).select_option("1")
    opened.get_by_label("Cause", exact=True).select_option("")
    assert 0 < int(opened.locator(".filter-said").inner_text().split()[0]) < 12
    opened.get_by_label("Function", exact=True).select_option("step")
    opened.get_by_role("button", name="Show all").click()
    assert opened.locator(".filter-said").inner_text() == "137 calls"


def test_by_keys_alone(opened):
    opened.get_by_role("button", name="Open a sample").focus()
    opened.keyboard.press("Enter")
    opened.wait_for_selector(".run .play-detail:not([hidden])")
    calls = opened.get_by_role("listbox", name="Calls")
    calls.focus()
    opened.keyboard.press("End")
    opened.get_by_role("heading", name="Call 137").wait_for()
    opened.keyboard.press("ArrowLeft")
    opened.get_by_role("heading", name="Call 136").wait_for()
    assert calls.get_by_role("option", selected=True).get_attribute("aria-posinset") == "136"
    opened.keyboard.press("Enter")
    opened.wait_for_selector("jit-stack[ready]")
    opened.keyboard.press("Escape")
    opened.locator("dialog").wait_for(state="detached")


def test_a_log_is_explained(opened):
    opened.get_by_text("Paste a log instead").click()
    opened.get_by_role("button", name="A sample log").click()
    groups = opened.locator(".log-group")
    groups.first.wait_for()
    text = opened.locator(".log-read").inner_text()
    assert groups.count() == 4 and "95 of 96 lines are JAX's" in text
    assert "A new function object ×5" in text and "What this log cannot show" in text
    opened.get_by_label("Log", exact=True).fill("nothing of JAX here\n")
    opened.get_by_role("button", name="Explain it").click()
    opened.get_by_text("No line here is one of JAX's").wait_for()
    opened.get_by_label("Log", exact=True).fill(" ")
    opened.get_by_role("button", name="Explain it").click()
    assert "the field is empty" in problem(opened)


def test_dropping_a_file(opened):
    opened.evaluate("""text => {
      const given = new DataTransfer();
      given.items.add(new File([text], "dropped.json"));
      document.querySelector(".open-word").dispatchEvent(new DragEvent("drop", { dataTransfer: given, bubbles: true, cancelable: true }));
    }""", sample().to_json())
    opened.get_by_text("dropped.json is open.").wait_for()


SCRIPT = "<img src=x onerror=pwned()><script>pwned()</script>\"'><svg onload=pwned()>javascript:pwned()"


def hostile():
    """Names and files that try to be more than data."""
    data = sample().data()
    words = json.loads(json.dumps(data))
    words["program"] = {"name": SCRIPT, "text": f"# {SCRIPT}\n" + data["program"]["text"], "processes": 1}
    words["run"]["arguments"] = words["run"]["limits"] = [SCRIPT]
    for call in words["calls"]:
        call["label"], call["exception"], call["where"] = SCRIPT, f"Error: {SCRIPT}", SCRIPT
        call["log"] = [SCRIPT]
        for event in call["events"]:
            for name in ("fun", "why", "text"):
                if name in event:
                    event[name] = SCRIPT
            if "key" in event:
                event["key"] = [[SCRIPT, SCRIPT]]
                event["closest"] = {"key": [[SCRIPT, "x"]], "differs": [SCRIPT, "__proto__"], "of": SCRIPT}
    proto = json.dumps(data).replace('"label"', '"__proto__": {"label": "x", "events": 1}, "label"')
    text = json.dumps(data)
    yield "words", json.dumps(words), ""
    yield "prototypes", proto, ""
    yield "schema", json.dumps({"schema": SCRIPT, "calls": []}), "schema is"
    yield "html", f"<!doctype html><body>{SCRIPT}", ""
    yield "log", f"WARNING:jax:Finished tracing {SCRIPT} for jit in 1.0 sec\n{SCRIPT}", ""
    yield "mark", b"\xef\xbb\xbf" + text.encode(), ""
    yield "utf-16", text.encode("utf-16"), "UTF-16"
    yield "utf-16 without a mark", text.encode("utf-16-be"), "UTF-16"
    yield "gzip", gzip.compress(text.encode()), "gzip"
    yield "gzip, cut off", gzip.compress(text.encode())[:3000], "damaged"
    yield "zip", b"PK\x03\x04" + bytes(200), "ZIP"
    yield "zeros", bytes(5000), ""
    yield "empty", b"", "empty"
    yield "deep", '{"schema":1,"calls":' + "[" * 300_000, "cannot be opened|damaged"
    yield "numbers", text.replace('"seconds": ', '"seconds": 1e999, "again": -1e999, "number": 1e300, "x": '), ""
    yield "not a number", text.replace('"depth": 0', '"depth": NaN', 3), "NaN"
    yield "cut off", text[:len(text) // 3], "ends in the middle"
    yield "wide", json.dumps({**data, "calls": [{**data["calls"][0], "label": "x" * 3_000_000}]}), ""


HOSTILE = list(hostile())


@pytest.mark.parametrize(("name", "data", "said"), HOSTILE, ids=[name for name, *_ in HOSTILE])
def test_no_file_does_more_than_be_shown(opened, watch, name, data, said):
    opened.evaluate("() => { window.pwned = () => { document.title = 'pwned'; }; }")
    opened.on("dialog", lambda dialog: pytest.fail("a dialog opened"))
    give(opened, data, SCRIPT[:60])
    shown = opened.locator(".open-results > *").count()
    told = opened.locator(".open").inner_text()
    assert shown or "cannot be opened" in told
    assert any(word in told for word in said.split("|"))
    if opened.get_by_role("button", name="Open the figure").count():
        opened.get_by_role("button", name="Open the figure").click()
        opened.wait_for_selector("jit-stack[ready], jit-stack[failed]")
    assert opened.title() != "pwned" and opened.evaluate("({}).label") is None
    assert opened.locator("script:not([src]):not([type='application/json']), img, [onload], [onerror]").count() == 0


def test_a_hundred_thousand_calls(opened, tmp_path):
    """All can be reached, and only those in view are in the page. The time it takes is a benchmark's."""
    (tmp_path / "large.json").write_text(large(100_000), encoding="utf-8")
    opened.set_input_files("#own-file", tmp_path / "large.json")
    opened.get_by_text("large.json is open.").wait_for(timeout=120_000)
    assert "100,000 calls:" in opened.locator(".run-sum").inner_text()
    calls = opened.get_by_role("listbox", name="Calls")
    at = opened.evaluate("""async () => {
      const box = document.querySelector(".lane-scroll"), seen = [];
      for (let i = 0; i < 12; i++) {
        box.scrollLeft = i * 7919 * 26 % box.scrollWidth;
        await new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)));
        seen.push([...box.querySelectorAll("[role=option]")].map((one) => Number(one.getAttribute("aria-posinset"))));
      }
      return seen;
    }""")
    assert all(0 < len(numbers) < 400 for numbers in at), [len(numbers) for numbers in at]
    assert len({max(numbers) for numbers in at}) == len(at)
    calls.focus()
    opened.keyboard.press("End")
    opened.get_by_role("heading", name="Call 100000").wait_for()


@pytest.mark.parametrize("width", [320, 360, 768, 1440, 2200])
def test_nothing_is_wider_than_the_window(opened, width):
    opened.set_viewport_size({"width": width, "height": 800})
    show_sample(opened)
    wide = "document.documentElement.scrollWidth - innerWidth"
    assert opened.evaluate(wide) <= 0
    opened.get_by_text("Paste a log instead").click()
    opened.get_by_role("button", name="A sample log").click()
    opened.locator(".log-group").first.wait_for()
    assert opened.evaluate(wide) <= 0


def test_accessible_with_a_recording_and_with_a_log(opened, watch):
    show_sample(opened)
    accessible(opened, "recording")
    opened.get_by_text("Paste a log instead").click()
    opened.get_by_role("button", name="A sample log").click()
    opened.locator(".log-group").first.wait_for()
    accessible(opened, "log")


def test_without_scripts(chromium, site):
    with chromium.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(site + "open/")
        text = page.locator("main").inner_text()
        assert "scripts of this page" in text and "How to record a run" in text
        assert page.locator(".play-still svg").count() == 1
        assert not page.locator("#own-file").is_visible()


def test_with_less_motion(page, site):
    page.emulate_media(reduced_motion="reduce")
    page.goto(site + "open/")
    page.wait_for_selector(".open[ready]")
    show_sample(page)
    assert page.evaluate("document.getAnimations().filter((one) => one.playState === 'running').length") == 0


def test_it_is_kept_for_offline(dist):
    kept = (DIST / "sw.js").read_text(encoding="utf-8")
    names = ["open/", "open/sample.json", *(path.name for path in (DIST / "assets").glob("open-*.js"))]
    assert len(names) >= 4 and all(name in kept for name in names)


@pytest.mark.parametrize("text", ['{"schema": 1, "calls": [1,2', '{"schema":1,"calls":[1,2]}'])
def test_a_damaged_file_is_not_said_to_hold_no_call(opened, text):
    give(opened, text)
    said = opened.locator(".open-said").inner_text()
    assert said == "Nothing in run.json can be read as a call: what the program called is not known."
    assert opened.locator(".run-sum").inner_text() == "No call of it can be read."
    assert "does not say" in opened.locator(".run-facts").inner_text()
    assert "No call can be read" in problem(opened) or "calls[0] is 1, and no call" in problem(opened)


def test_a_file_that_can_be_read_in_part_is_said_to_be(opened):
    text = sample().to_json()
    give(opened, text[: text.index('{"label"', text.index('{"label"') + 1) + 20])
    assert opened.locator(".open-said").inner_text() == "run.json is open, as far as it can be read."
    assert "1 call can be read and is shown." in problem(opened)


def test_a_recording_without_calls_is_said_to_have_none(opened):
    data = json.loads(sample().to_json())
    give(opened, {**data, "calls": []})
    assert opened.locator(".run-sum").inner_text() == "It holds no call."
    assert not opened.locator(".run-calls").is_visible()
    give(opened, {**data, "calls": [call for call in data["calls"] if "events" in call][:1]})
    assert opened.locator(".filter-said").inner_text() == "1 call"
