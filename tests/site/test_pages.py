"""Every page: what it holds, how it weighs, that it is accessible, and that it
reads without scripts, without storage, by keyboard alone."""

import html
import json
import re

import pytest

from make.paths import NODE_MODULES, SITE
from make.sizes import measure, with_imports

pytestmark = pytest.mark.browser

AXE = (NODE_MODULES / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
PAGES = ["", "lab/", "open/", "verification/", "404.html"]
NAMES = ["C++ fast path", "Params", "Tracing", "Lowering", "Executable", "Persistent"]


def settled(page):
    """Waits until every figure on the page stands."""
    page.wait_for_function(
        "() => [...document.querySelectorAll('jit-stack')].every((stack) => stack.hasAttribute('ready'))"
    )


def undrawn(page):
    """Controls with the look of the browser's own: no style of ours reached them."""
    return page.evaluate("""() => [...document.querySelectorAll("button, select, textarea, summary, input:is([type=text], [type=search])")]
      .filter((node) => getComputedStyle(node).fontSize === "13.3333px").map((node) => node.outerHTML)""")


def violations(page, colours=False):
    """What axe finds, a line each: by all of its rules, those that are off by default too, but
    for two that ask for more than the standard's level AA; or by its rules about colours alone."""
    found = page.evaluate(
        """async ([beyond, colours]) => {
          const wanted = axe.getRules().filter(({ ruleId, tags }) => !beyond.includes(ruleId) && !tags.includes("deprecated"));
          const rules = Object.fromEntries(axe.getRules().map(({ ruleId }) => [ruleId, { enabled: false }]));
          for (const { ruleId, tags } of wanted) rules[ruleId].enabled = !colours || tags.includes("cat.color");
          return (await axe.run({ resultTypes: ["violations"], rules })).violations;
        }""",
        [["color-contrast-enhanced", "identical-links-same-purpose"], colours],
    )
    return [
        f"{item['id']}: {item['help']}: {node['target']}"
        for item in found
        for node in item["nodes"]
    ]


def accessible(page, problem=""):
    """Fails on any violation in either theme, and on a control that was never drawn. Themes differ
    in colours alone (`test_themes_differ_in_colours_alone`): all else is looked at once."""
    assert undrawn(page) == [], problem
    page.emulate_media(reduced_motion="reduce")  # nothing is half faded in
    page.evaluate(AXE)
    for theme in ("light", "dark"):
        page.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
        assert violations(page, colours=theme == "dark") == [], (problem, theme)


def test_themes_differ_in_colours_alone():
    """Nothing but tokens knows of themes: a rule says which it is, and each colour both of its values."""
    sheets = {path.name: re.sub(r"/\*.*?\*/", "", path.read_text("utf-8"), flags=re.S) for path in (SITE / "styles").glob("*.css")}
    tokens = sheets.pop("tokens.css")
    themed = re.findall(r"[^{}]*\[data-theme=\"(\w+)\"\] \{\s*([^{}]*?)\s*\}", tokens)
    assert sorted(themed) == [("dark", "color-scheme: dark;"), ("light", "color-scheme: light;")]
    assert len(re.findall(r"--[\w-]+: light-dark\(#[0-9a-f]{6,8}, #[0-9a-f]{6,8}\);", tokens)) == tokens.count("light-dark") > 12
    for name, sheet in sheets.items():
        assert not re.search(r"data-theme=|prefers-color-scheme|light-dark", sheet), name


@pytest.mark.parametrize("system", ["light", "dark"])
def test_the_theme_is_that_of_the_system_or_the_one_chosen(page, site, system):
    page.emulate_media(color_scheme=system)
    paper = "getComputedStyle(document.body).backgroundColor"
    papers = {"light": "rgb(250, 248, 243)", "dark": "rgb(20, 22, 26)"}
    for chosen in ("system", "light", "dark"):
        page.goto(f"{site}404.html?theme={chosen}")
        assert page.evaluate(paper) == papers[system if chosen == "system" else chosen]


def test_the_rules_about_colours_find_a_colour(page, site):
    page.goto(site + "404.html")
    page.evaluate(AXE)
    assert violations(page, colours=True) == []
    page.evaluate("document.documentElement.style.setProperty('--ink', '#aaaaaa')")
    found = violations(page, colours=True)
    assert found and all(line.startswith("color-contrast") for line in found)


@pytest.mark.parametrize("place", PAGES)
def test_page_is_accessible_in_both_themes(page, site, place):
    page.goto(site + place)
    settled(page)
    accessible(page)


def test_no_page_is_too_heavy(dist):
    sizes = measure(dist)
    assert {size.kind for size in sizes} == {"page", "embed", "editor", "engine"}
    assert [size for size in sizes if not size.fits] == []


def test_bytes_before_first_interaction_as_the_browser_counts_them(page, site, dist):
    """Whatever a visit fetches by itself has been counted. The lab's engine is asked for ahead of
    its use, and has a budget of its own."""
    counted = {size.name: size.bytes for size in measure(dist) if size.kind in ("page", "embed")}
    for place in [name for name in counted if not name.startswith("/embed/")] + ["/embed/opening/"]:
        page.goto(site + place[1:])
        settled(page)
        page.wait_for_load_state("networkidle")
        fetched = page.evaluate(
            "() => performance.getEntries().filter((e) => e.encodedBodySize).map((e) => [e.name, e.encodedBodySize])"
        )
        engine = [name for name, _ in fetched if "/engine" in name]
        assert place == "/lab/" or engine == [], place
        if engine:
            engine += [site + path.relative_to(dist).as_posix() for path in with_imports(dist.glob("assets/engine-*.js"))]
        sent = sum(size for name, size in dict(fetched).items() if name not in engine)  # each once
        assert 5_000 < sent <= counted[place], (place, fetched)


@pytest.mark.parametrize("place", [*PAGES, "embed/opening/"])
def test_without_scripts_there_is_a_picture_and_a_table(chromium, site, place, watch):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    watch.follow(page)
    page.goto(site + place)
    for still in page.locator("jit-stack .still").all():
        assert still.locator("svg").first.is_visible()
        assert still.locator("table").count() >= 1
        for name in NAMES:
            assert still.get_by_text(name).count() >= 1
    context.close()


def test_unknown_address_gives_the_404_page(page, site, watch):
    watch.allow("404")
    response = page.goto(site + "nowhere/at/all/")
    assert response.status == 404
    assert "nothing at this address" in page.inner_text("h1")
    page.click("text=lab")
    page.wait_for_url(site + "lab/")


def test_policy_is_on_every_page_and_in_the_headers(dist, site, page):
    for path in dist.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert 'http-equiv="Content-Security-Policy"' in text, path
        assert "'wasm-unsafe-eval'" in html.unescape(text) and "unsafe-inline" not in text
        assert not re.search(r"<script(?![^>]*\b(src|type=\"application/(?:ld\+)?json\"))[^>]*>", text), path
        assert " style=" not in text and " onclick=" not in text, path
    headers = page.goto(site).headers
    assert "default-src 'self'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["content-encoding"] == "gzip"


def test_nothing_named_by_a_page_is_missing(dist):
    for page in dist.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        ids = set(re.findall(r'\bid="([^"]+)"', text))
        for address in re.findall(r'\b(?:href|src|engine|kinds|lab|page|check)="([^"]+)"', text):
            target, _, fragment = address.partition("#")
            target = target.partition("?")[0]
            if target.startswith("https://github.com/jax-ml/jax/blob/"):
                continue  # the pinned source: tests/site/test_chapters.py
            assert "://" not in target, (page, address)
            if target.startswith("data:"):
                continue
            base = dist if target.startswith("/") else page.parent
            path = (base / target.lstrip("/")).resolve() if target else page
            if path.is_dir():
                path = path / "index.html"
            assert path.exists(), (page, address)
            if fragment:
                known = (
                    ids if path == page else set(re.findall(r'\bid="([^"]+)"', path.read_text()))
                )
                assert fragment in known, (page, address)


def test_every_recording_is_sound(dist):
    from simulator.recordings.recording import Recording

    for path in dist.glob("recordings/*.json"):
        if path.name not in ("kinds.json", "lab.json"):
            Recording.load(path)
    firsts = json.loads((dist / "recordings/lab.json").read_text())
    assert {"call", "call,call", "call,numpy,call"} <= set(firsts)
    for recording in firsts.values():
        Recording.from_data(recording)


def test_verification_names_every_program(dist):
    text = (dist / "verification/index.html").read_text()
    from make.scenarios import all_scenarios

    for scenario in all_scenarios():
        assert f'id="{scenario.name}"' in text
    agree, calls = re.search(r"(\d+) of (\d+) calls agree", text).groups()
    assert agree == calls and ">differs<" not in text
    same, lookups = re.search(r"(\d+) of (\d+) lookups have the same key", text).groups()
    assert same == lookups and int(lookups) > int(calls)



def test_verification_counts_the_random_programs(dist):
    import re

    from make.paths import RANDOM_PROGRAMS

    text = (dist / "verification/index.html").read_text()
    counts = json.loads(RANDOM_PROGRAMS.read_text())
    section = text.partition('id="random-programs"')[2].partition("</section>")[0]
    said = " ".join(re.sub("<[^>]*>", " ", section).split())
    assert f"{counts['programs']} programs were drawn" in said
    assert f"{counts['agree']} agree, {counts['differ']} differ" in said
    assert f"JAX {counts['jax']}" in said
    for one in counts["seeds"]:
        row = f"{one['seed']} {one['drawn_by']} {one['jax']} {one['programs']}, numbers 0 to"
        assert row in said
        assert one["ended"] in said


@pytest.mark.parametrize("refused", ["localStorage", "everything"])
def test_storage_may_be_refused(page, site, refused):
    page.add_init_script(
        """
        const refuse = () => { throw new DOMException("refused", "SecurityError"); };
        Object.defineProperty(window, "localStorage", { get: refuse });
        Object.defineProperty(window, "sessionStorage", { get: refuse });
        """
        + (
            "Object.defineProperty(window, 'caches', { get: refuse });"
            "Object.defineProperty(navigator, 'serviceWorker', { get: refuse });"
            if refused == "everything"
            else ""
        )
    )
    page.goto(site)
    settled(page)
    page.get_by_role("button", name="Reset", exact=True).click()  # it may have shown its calls
    page.get_by_role("button", name="Issue call", exact=True).click()
    page.get_by_role("list", name="Caches").get_by_text("miss").first.wait_for()
    toggle = page.locator("[data-theme-toggle]")
    before = toggle.inner_text()
    toggle.click()
    assert toggle.inner_text() != before


def test_a_recording_that_is_broken_is_said_and_the_picture_stays(page, site, watch):
    page.route(
        "**/recordings/opening.json",
        lambda route: route.fulfill(body='{"schema": 1}', content_type="application/json"),
    )
    page.goto(site)
    page.wait_for_selector("jit-stack[failed]")
    assert page.get_by_role("alert").inner_text()
    assert page.locator("jit-stack .still svg").first.is_visible()


def test_first_call_shows_at_once(page, site):
    """From the click to the new picture, on a baked figure: at most 100 ms (the best of five
    tries, since the machine may be busy with something else)."""
    page.goto(site)
    settled(page)
    took = min(_first_call(page) for _ in range(5))
    assert took <= 100


def _first_call(page):
    page.get_by_role("button", name="Reset", exact=True).click()
    return page.evaluate(
        """() => new Promise((done) => {
          const button = [...document.querySelectorAll('jit-stack button')].find((b) => b.textContent.trim() === 'Issue call');
          const list = document.querySelector('[aria-label=Caches]');
          const start = performance.now();
          new MutationObserver((_, observer) => {
            if (!/miss/.test(list.textContent)) return;
            observer.disconnect();
            requestAnimationFrame(() => done(performance.now() - start));
          }).observe(list, { subtree: true, childList: true, characterData: true, attributes: true });
          button.click();
        })"""
    )


@pytest.mark.parametrize("width", [320, 768, 1440])
@pytest.mark.parametrize("place", ["", "lab/", "verification/", "embed/opening/"])
def test_nothing_is_wider_than_the_window(page, site, place, width):
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(site + place)
    settled(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


SPACED = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("* { line-height: 1.5 !important; letter-spacing: .12em !important; "
    + "word-spacing: .16em !important } p { margin-bottom: 2em !important }");
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}"""
CUT = """() => [...document.querySelectorAll(".status, .strip span, .strip b, .acts button")]
  .filter((node) => node.checkVisibility() && (node.scrollHeight > node.clientHeight + 2
    || node.getBoundingClientRect().right > node.closest("li, .fig").getBoundingClientRect().right + 1)
    && getComputedStyle(node).display !== "inline").map((node) => node.textContent)"""


@pytest.mark.parametrize("place", ["lab/", "second-call/", "embed/opening/"])
def test_text_may_be_spaced_further_apart(page, site, place):
    """As readers do who need it (WCAG 1.4.12): nothing is cut off, nothing leaves the window."""
    page.set_viewport_size({"width": 320, "height": 800})
    page.goto(site + place)
    settled(page)
    page.get_by_role("button", name="Issue call", exact=True).first.click()
    page.evaluate(SPACED)
    page.wait_for_timeout(100)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert page.evaluate(CUT) == []


def test_a_page_read_from_the_right_is_no_wider(page, site):
    """As a translator of pages turns it round."""
    page.goto(site + "glossary/")
    page.evaluate("document.documentElement.dir = 'rtl'")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.keyboard.press("Tab")
    skip = page.evaluate("document.activeElement.className + document.activeElement.getBoundingClientRect().top")
    assert skip.startswith("skip") and float(skip[4:]) >= 0
