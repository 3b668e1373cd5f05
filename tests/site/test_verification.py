"""The page of the verification: short until something is opened, every row within reach."""

import dataclasses
import re

import pytest

from make.book import whole_book
from make.pages import Pages
from make.truth import CallCheck, Check
from make.verified import Section, counted, row

pytestmark = pytest.mark.browser
CALLS = (CallCheck("f(1)", "C++ hit", "C++ hit", True), CallCheck("f(2)", "C++ hit", "miss trace", False))


def program(name, calls, refused=""):
    return row(Check(name, "", None if refused else object(), object(), refused, calls, (0, 0)), name)


def section(*rows):
    return Section("some", "Some programs", "Text.", rows)


def test_a_fold_says_what_its_rows_come_to():
    same, other = program("same", CALLS[:1]), program("other", CALLS)
    refused = program("refused", (), "vmap at line 3")
    assert section(same).told == "1 program, 1 call: 1 agrees, 0 differ, no programs refused"
    mixed = section(same, other, refused)
    assert mixed.told == "3 programs, 3 calls: 2 agree, 1 differs, 1 program refused"
    assert (mixed.differ, mixed.refused) == (1, 1)
    assert refused.reason == "Refused: vmap at line 3"
    assert counted(0, "call") == "no calls"


@pytest.fixture(scope="module")
def rendered(tmp_path_factory, dist):
    """The page with a section of our own, as text: `rendered(section)`."""
    pages = Pages(tmp_path_factory.mktemp("pages"), _Assets(), whole_book(), [])

    def render(one):
        pages.verification([dataclasses.replace(one)])
        return (pages.dist / "verification/index.html").read_text()

    return render


class _Assets(dict):
    def __missing__(self, name):
        return name


def test_a_table_stands_open_where_something_differs(rendered):
    for rows, opened in ((CALLS[:1], ""), (CALLS, " open")):
        text = rendered(section(program("other", rows)))
        fold = re.search(r'<details class="fold evidence"( open)?>\s*<summary>1 program, ', text)
        assert (fold[1] or "") == opened


def test_the_top_names_every_section_with_what_it_comes_to(page, site):
    page.goto(site + "verification/")
    sections = page.locator("main section > h2").evaluate_all("all => all.map(({ id }) => id)")
    entries = page.locator(".totals li")
    assert entries.locator("a").evaluate_all("all => all.map(({ hash }) => hash.slice(1))") == sections
    told = entries.locator("span").all_inner_texts()
    folds = page.locator(".evidence > summary").all_inner_texts()
    assert len(folds) == 4 and set(folds) < set(told)
    programs, calls = map(int, re.match(r"(\d+) programs, (\d+) calls", told[sections.index("cases")]).groups())
    cases = page.locator("section:has(#cases) tbody")
    assert cases.count() == programs
    assert cases.locator("td.agree, td.differ").count() == calls


@pytest.mark.parametrize("width, screens", [(360, 12), (1440, 8)])
def test_short_until_something_is_opened(page, site, width, screens):
    page.set_viewport_size({"width": width, "height": 740})
    page.goto(site + "verification/")
    assert page.locator(".evidence[open]").count() == 0
    assert page.evaluate("document.documentElement.scrollHeight") < screens * 740


def test_opened_on_a_phone_a_table_is_cards(page, site):
    """Nothing has to be pushed aside to be read, and each answer says whose it is."""
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(site + "verification/")
    page.evaluate("for (const fold of document.querySelectorAll('.evidence')) fold.open = true")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    wide = "all => all.filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.ariaLabel)"
    assert page.locator(".check-scroll").evaluate_all(wide) == []
    unnamed = """all => all.filter((cell) => cell.textContent && !cell.dataset.head
      && !cell.matches('.agree, .differ, .refused, [colspan]')).length"""
    bare = page.locator(".calls td").evaluate_all(unnamed)
    assert bare == page.locator(".calls tr > td:has(> code:only-child)").count()  # the call itself


@pytest.mark.parametrize("row", ["opening", "claim-A1", "beneath_the_public_names"])
def test_an_address_leads_to_its_row(page, site, row):
    page.goto(site + "verification/")
    page.goto(site + f"verification/#{row}")
    page.wait_for_function(
        "id => { const { top, height } = document.getElementById(id).getBoundingClientRect();"
        " return height > 0 && top >= -1 && top < innerHeight; }",
        arg=row,
    )
    assert page.locator(".evidence[open]").count() == 1


def test_browsers_that_leave_folds_closed_are_helped(page, site):
    """A browser that opens by itself does so as it goes to the address: here it does not go."""
    page.goto(site + "verification/")
    page.evaluate("history.replaceState(null, '', '#opening'); dispatchEvent(new HashChangeEvent('hashchange'))")
    page.wait_for_function("document.getElementById('opening').closest('details').open && scrollY > 500")


def test_without_scripts_a_fold_opens_and_a_row_is_reached(chromium, site, watch):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    watch.follow(page)
    page.goto(site + "verification/")
    row = page.locator("#opening tr").first
    assert not row.is_visible()
    page.locator("section:has(#scenarios) summary").first.click()
    assert row.is_visible()
    context.close()


def test_printed_every_row_stands_and_what_does_not_is_said(page, site):
    page.goto(site + "verification/")
    said = page.get_by_text("All tables are printed whole")
    assert not said.is_visible()
    page.emulate_media(media="print")
    assert said.is_visible()
    hidden = "all => all.filter((row) => !row.querySelector(':scope > td > details') && !row.getBoundingClientRect().height).length"
    assert page.locator("table.check tr").evaluate_all(hidden) == 0
