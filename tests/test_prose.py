"""The prose: macros take what they say from the facts and the recordings, and a
page that says what is not so cannot be built."""

import re
import types
from pathlib import Path

import pytest

from make import macros, names, numbers, public_claims, timings, wording
from make.blocks import split
from make.chapters import title_and_lede
from make.evidence import ClaimError, Evidence, Place
from make.glossary import Glossary
from make.progress import Trouble
from make.prose import Prose
from make.unchecked import insist, read_everything, unchecked
from reading import WORDS
from simulator.facts import VERSION, facts, symbols
from simulator.recordings.recording import Note, Recording

ROOT = macros.__file__.rsplit("/site/", 1)[0]
PARAMS = "minimal_params @ g(xn)"


@pytest.fixture(scope="module")
def evidence():
    found = {}
    for name in ("minimal_params", "dead_entries_from_tracing", "minimal_disk_restart"):
        recording = Recording.load(f"{ROOT}/tests/golden/scenarios/{name}.json")
        found[name] = (recording, recording)
    return Evidence(found)


@pytest.fixture
def page(evidence):
    return macros.Page("a.md", "../", evidence, frozenset(("f", "g", "x", "xn")))


@pytest.fixture(scope="module")
def prose():
    return Prose(Glossary.read("## aval\nalso: avals\n\nA *type*.\n\n## jaxpr\n\nA program.\n"))


@pytest.fixture(scope="module")
def book():
    from make.book import whole_book

    made = whole_book()
    read_everything(made)
    return made


# -- claims ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "condition",
    [
        "fast_path=miss params=hit trace=none lower=hit memo=hit",
        "fast_path.differs=shardings,layouts",
        "ran=nothing stored=stored",
        "value='f32[3](0,0.841471,0.909297)'",
        "raises=nothing size=2 disk=none",
        "params.counts=1,0 trace.counts=0,0",
        "fast_path.closest=f",
    ],
)
def test_a_claim_that_holds(evidence, condition):
    assert evidence.hold(f"{PARAMS}: {condition}") == [Place("minimal_params", "g(xn)")]


@pytest.mark.parametrize(
    "condition, found",
    [
        ("fast_path=hit", "it is miss"),
        ("trace=miss", "it is none"),
        ("fast_path.differs=committed", "['shardings', 'layouts']"),
        ("ran=compile", "it is nothing"),
        ("lower.counts=0,1", "they are 1,0"),
        ("raises=TypeError", "it is nothing"),
        ("log=anything", "the log is []"),
        ("fast_path.closest=stage", "it is of f"),
        ("event=cache_misses", "the events are []"),
    ],
)
def test_a_claim_that_does_not_hold_says_what_was_found(evidence, condition, found):
    with pytest.raises(ClaimError, match=re.escape(found)):
        evidence.hold(f"{PARAMS}: {condition}")


@pytest.mark.parametrize(
    "claim",
    [
        "minimal_params @ g(y): params=hit",
        "no_such @ g(x): params=hit",
        "minimal_params: params=hit",
        "minimal_params @ g(x)",
        "minimal_params @ g(x): weather=fine",
        "minimal_params @ g(x): params.colour=red",
        "minimal_params @ g(x): fast_path.counts=0,1",
    ],
)
def test_a_claim_about_nothing_is_refused(evidence, claim):
    with pytest.raises(ClaimError):
        evidence.hold(claim)


def test_notes_and_repeated_labels(evidence):
    evidence.hold("dead_entries_from_tracing @ entries, third time: note=4")
    evidence.hold("minimal_disk_restart @ g(x) #2: disk=hit ran=trace,lower,load")
    evidence.hold("minimal_disk_restart @ g(x): disk=miss event=cache_misses")
    evidence.hold(
        "minimal_disk_restart @ g(x): disk=miss; minimal_disk_restart @ g(x) #2: disk=hit"
    )


def test_a_jaxpr_stands_in_a_claim():
    """Its semicolons separate nothing, and its line breaks are blanks."""
    recording = Recording("jax", {}, [Note("jaxpr", "{ lambda ; a:f32[3]. let\n    b:f32[3] = sin a\n  in (b,) }")])
    found = Evidence({"one": (recording, recording)})
    claim = 'one @ jaxpr: note="{ lambda ; a:f32[3]. let b:f32[3] = sin a in (b,) }"'
    assert found.hold(f"{claim}; {claim}") == [Place("one", "jaxpr")] * 2
    with pytest.raises(ClaimError, match="the note is"):
        found.hold(claim.replace("sin", "cos"))


def test_both_sides_have_to_agree(evidence):
    model = Recording.load(f"{ROOT}/tests/golden/scenarios/minimal_params.json")
    real = Recording.load(f"{ROOT}/tests/golden/scenarios/minimal_params.json")
    model.calls[1].events[0]["outcome"] = "hit"
    with pytest.raises(ClaimError, match="miss does not hold"):
        Evidence({"minimal_params": (model, real)}).hold(f"{PARAMS}: fast_path=miss")


@pytest.mark.parametrize(
    "said, conditions, found",
    [
        ("Params answers, and C++ misses.", "params=hit fast_path=miss", []),
        ("Params misses, and C++ misses.", "params=hit fast_path=miss", ["Params misses"]),
        ("C++ answers.", "fast_path=miss", ["C++ answers"]),
        ("It is never answered by C++, unless params answers.", "fast_path=fallback", []),
        ("It is answered by C++.", "fast_path=fallback params=hit", ["answered by C++"]),
        ("The call raises.", "trace=miss ran=trace", ["raises"]),
        ("It is traced again, and nothing is compiled.", "trace=hit ran=compile", ["nothing is compiled", "traced again"]),
        ("It is compiled again.", "ran=lower,compile", []),
        ("{counted: S @ c | params misses} of them are new.", "params.counts=1,2", []),
    ],
)  # fmt: skip
def test_a_sentence_may_not_say_the_opposite_of_its_conditions(said, conditions, found):
    assert wording.unsaid(said, conditions) == found


def test_a_sentence_turned_round_fails_the_page(prose, page):
    assert "proof" in prose.inline(f"[Params answers.]{{{PARAMS}: params=hit}}", page)
    with pytest.raises(ValueError, match="says 'Params misses', and no condition"):
        prose.inline(f"[Params misses.]{{{PARAMS}: params=hit}}", page)


def test_a_sentence_carries_its_mark(prose, page):
    text = f"[Params answers `g(xn)`]{{{PARAMS}: params=hit}}, and so on."
    html = prose.inline(text, page)
    # the mark stands behind the comma
    assert '<span class="claim">Params answers <code>g(xn)</code>,<a class="proof"' in html
    assert 'href="../embed/minimal_params/"' in html and html.endswith("</span> and so on.")
    with pytest.raises(ValueError, match="a.md"):
        prose.inline(text.replace("=hit", "=miss"), page)


def test_a_term_keeps_its_comma(prose, page):
    html = prose.inline("One aval, two.", page)
    assert "</span>,</span> two." in html and html.startswith('One <span class="term">')


# -- names and numbers -----------------------------------------------------------------


def test_numbers_come_from_the_facts(prose, page):
    html = prose.inline(
        "{count: jit_key} {capacity: params} {count: jit_key - trace_context}", page
    )
    assert html == f"{facts()['counts']['jit_key']} 2048 5"
    assert page.unchecked == []


def test_lookups_of_a_whole_call_are_counted(prose, page):
    places = (f"{{counted: minimal_params @ g(x) | trace {what}}}" for what in ("hits", "misses"))
    asked = "{counted: minimal_params @ g(xn) | params asked}"
    assert prose.inline(" ".join((*places, asked)), page) == "0 1 1"
    assert page.unchecked == []


def test_a_source_link_names_commit_and_line(prose, page):
    html = prose.inline("{src: _infer_params_cached}", page)
    line = symbols()["jax/_src/pjit.py"]["_infer_params_cached"]
    assert f"/{facts()['commit']}/jax/_src/pjit.py#L{line}" in html


@pytest.mark.parametrize(
    "text",
    [
        "{src: no_such_symbol}",
        "{cpp: gone.cc}",
        "{count: sheep}",
        "{capacity: trace}",
        "{unlimited: params}",
        "{default: jax_no_such}",
        "{state: jax_no_such}",
        "{key: CallSignature.colour}",
        "{says: JAX is fine}",
        "{event: /jax/nothing}",
        "{time: forever}",
        "{fact: weather}",
        "{unheard: of}",
        "{plain: 3}",
        "{size: minimal_params @ g(y)}",
        "{counted: minimal_params @ g(xn) | fast_path hits}",
        "{counted: minimal_params @ g(xn) | params found}",
        "{words: value minimal_params @ g(xn)}",
        "{Unheard: of}",
        "{calls: no_such}",
        "{counted: dead_entries_from_tracing @ entries, third time | params hits}",
        "{`jax.no_such_name(x)`}",
        "{`g.no_such_method(x)`}",
        "{plain: 2",
        "a sentence]{minimal_params @ g(x): params=miss} that begins in another paragraph",
        "[a sentence that ends in another paragraph",
    ],
)
def test_what_is_not_there_fails_the_page(prose, page, text):
    with pytest.raises(ValueError):
        prose.inline(text, page)


@pytest.mark.parametrize(
    "text",
    ["{`jax.jit(f, inline=True)(x)`}", "{`jnp.sum(x)`}", "{`g.lower(x).compile()`}", "{`len(xn)`}"],
)
def test_code_whose_names_are_known(prose, page, text):
    assert prose.inline(text, page).startswith("<code")


def test_what_no_macro_made_is_listed(prose, page):
    prose.html("It takes 8 µs. `jax.jit` and `_infer_params_cached`, `g(x)`.", page)
    assert page.unchecked == ["8", "jax.jit", "_infer_params_cached"]
    prose.html("`PjitInfo` and `Box`", page)
    assert page.unchecked.pop() == "PjitInfo"
    prose.html("{plain: 2 × 2 | arithmetic}", page)
    assert page.unchecked == ["8", "jax.jit", "_infer_params_cached"]
    assert page.justified == [("2 × 2", "arithmetic")]


def test_a_build_ends_where_nothing_checks_a_sentence(prose, page):
    page.outcomes = True
    pages = types.SimpleNamespace(pages={"a.md": page})
    prose.html(f"[Params answers]{{{PARAMS}: params=hit}}.", page)
    insist(pages)
    prose.html("Then the disk answers.", page)
    with pytest.raises(Trouble, match="a.md: Then the disk answers"):
        insist(pages)


@pytest.mark.parametrize(
    "text, found",
    [
        ("There are six caches, and two drawers.", ["six caches", "two drawers"]),
        ("It leaves two dead entries.", ["two dead entries"]),
        ("Params is asked three times.", ["asked three times"]),
        ("It asks at the side twice.", ["asks at the side twice"]),
        ("That is a factor of two thousand.", ["factor of two"]),
        ("The seventh floor. It costs ten milliseconds.", ["seventh floor", "ten milliseconds"]),
        ("`g` is traced once.", ["traced once"]),
        ("One of the two answers. Make it once, and count on two hands.", []),
        ("{words: count floors} caches", []),
        (f"[Its two lookups]{{{PARAMS}: params.counts=1,0}}", ["two lookups"]),
        (f"[Two entries]{{{PARAMS}: size=2}}", []),
        (f"[It is asked once]{{{PARAMS}: params.counts=1,0}}", []),
        (f"[Two keys]{{minimal_params @ g(x): fast_path=miss; {PARAMS}: fast_path=miss}}", []),
    ],
)
def test_number_words_that_count_are_listed(prose, page, text, found):
    prose.inline(text, page)
    assert page.unchecked == found


@pytest.mark.parametrize(
    "text, found",
    [
        ("C++ answers the next call. It is fast.", ["C++ answers the next call."]),
        ("Then `g` is traced again.", ["Then g is traced again."]),
        ("A function that was warm falls past params.", ["A function that was warm falls past params."]),
        ("All functions share one list.", ["All functions share one list."]),
        ("A NumPy array costs a new trace.", ["A NumPy array costs a new trace."]),
        ("The second call reuses it. It is slow.", ["The second call reuses it."]),
        ("It comes from the params cache.", ["It comes from the params cache."]),
        (f"[Params answers]{{{PARAMS}: params=hit}}, and nothing is compiled.", ["and nothing is compiled."]),
        (f"[Params answers, and nothing is compiled.]{{{PARAMS}: params=hit ran=nothing}}", []),
        (f"Params is asked {{counted: {PARAMS} | params asked}} times.", []),
        ("Which cache answers? What is compiled?", []),
        ("## C++ answers\n\nA list of what was kept.", []),
    ],
)
def test_outcomes_that_nothing_shows_are_listed(prose, page, text, found):
    page.outcomes = True
    prose.html(text, page)
    assert page.unchecked == found


def test_a_word_in_its_everyday_sense_opens_no_tip(prose, page):
    assert "popover" in prose.html("Avals are compared.", page)
    page.seen.clear()
    assert prose.html("Two {everyday: avals}. {Everyday: avals}.", page) == "<p>Two avals. Avals.</p>\n"


def test_the_description_of_a_page_is_its_first_paragraph_without_marks():
    text = f"# A call\n\n[Params answers.]{{{PARAMS}: params=hit; opening @ g(x): ran=trace}} See [the\nlab](/lab/), {{`jax.jit`}}.\n"
    assert title_and_lede(text) == ("A call", "Params answers. See the lab, jax.jit.")
    with pytest.raises(ValueError, match="stays in it"):
        title_and_lede("# A call\n\nA [sentence]{opening @ g(x): note='{ lambda }'} with a brace in it.")


def test_a_sentence_that_no_run_can_show_gives_its_reason(prose, page):
    page.outcomes = True
    assert "proof" not in prose.inline("[C++ finds it.]{plain: read in the source}", page)
    assert (page.unchecked, page.justified) == ([], [("C++ finds it.", "read in the source")])


def test_outcomes_are_looked_for_on_every_page(book, prose, page):
    prose.html("C++ answers.", page)
    assert page.unchecked == []
    read_everything(book)
    assert {name for name, made in book.pages.items() if not made.outcomes} == {"claims.toml"}


def test_numbers_in_words(prose, page):
    said = prose.inline(
        "{Words: count floors} {words: calls minimal_params} {times: counted minimal_params @ g(xn)"
        " | params asked} {words: counted minimal_params @ g(xn) again | floors none}",
        page,
    )
    assert said == "Six three once five"
    assert prose.inline("{times: counted minimal_params @ g(xn) | params others}", page) == "never"


def test_durations_in_words():
    assert timings.duration(7.94) == "7.9\u00a0µs"
    assert timings.duration(123.4) == "120\u00a0µs"
    assert timings.duration(20_400) == "20\u00a0ms"
    assert timings.rounded(9214) == "9\u202f200"


def test_every_public_name_resolves():
    assert names.is_public("jax.tree_util.Partial") and names.is_public("jax.config.update")
    assert not names.is_public("jax.jitt") and not names.is_public("jax.numpy.sun")


# -- terms and blocks ------------------------------------------------------------------


def test_a_term_is_explained_once_in_a_section(prose, page):
    html = prose.html("Avals and an aval.\n\n## Next, no aval\n\nAn aval.", page)
    assert html.count("popovertarget") == 2
    assert '<button type="button" popovertarget="tip-1">Avals</button>' in html
    assert 'id="tip-1" popover><b>aval</b> A <em>type</em>.' in html


def test_blocks_are_cut_where_their_lines_stand():
    text = "# T\n\nOne.\n\n## A\n\n{figure: opening}\n\n{predict: a @ b}\nWhat?\n{/predict}\nTwo."
    found = [(name, argument) for name, argument, _ in split(text)]
    assert found == [("", ""), ("", ""), ("figure", "opening"), ("predict", "a @ b"), ("", "")]
    with pytest.raises(ClaimError):
        split("# T\n\n{predict: a @ b}\nWhat?")


COUNTED = {
    "six caches": names.count("floors"),
    "two drawers": names.count("drawers lower"),
    "eight drawers": str(sum(len(floor["stations"]) for floor in WORDS["floors"])),
}
"""What templates and scripts count, and what the facts say. The rest is everyday language."""

EVERYDAY = {"run once", "runs the executable at once", "two functions", "two keys"}


def test_templates_and_scripts_count_nothing_else():
    site = Path(ROOT) / "site"
    found = set()
    for path in (site / "templates").glob("*.html"):
        shown = re.sub(r"{#.*?#}|{%.*?%}|{{.*?}}", "\0", path.read_text(encoding="utf-8"), flags=re.S)
        found |= {words.lower() for _, words in numbers.counts(re.sub(r"<[a-z/!]+|>", "\0", shown))}
    for path in (site / "scripts").rglob("*.js"):
        for text in re.findall(r'"(?:[^"\\\n]|\\.)*"|`[^`]*`', path.read_text(encoding="utf-8")):
            found |= {words.lower() for _, words in numbers.counts(text)}
    assert found == set(COUNTED) | EVERYDAY
    for words, fact in COUNTED.items():
        assert str(numbers.value(words)) == fact, words


# -- everything that is written ----------------------------------------------------------


def test_every_claim_holds_and_nothing_is_unchecked(book):
    assert unchecked(book) == []


def test_every_chapter_has_a_live_figure_and_a_prediction(book):
    for chapter in book.chapters:
        kinds = [part["kind"] for part in book.parts(chapter.source, "../")[0]]
        assert "predict" in kinds and {"figure", "beside"} & set(kinds), chapter.source


def test_addresses_of_chapters_are_kept(book):
    """Addresses keep their meaning: a chapter may be added, none may move."""
    kept = ["second-call", "fast-path", "params", "tracing", "lowering", "executable"]
    kept += ["persistent", "recompiling", "methods", "around-the-call", "procedure"]
    kept += ["questions", "corrections"]
    assert [chapter.name for chapter in book.chapters][: len(kept)] == kept
    assert [chapter.number for chapter in book.chapters] == list(range(1, len(book.chapters) + 1))


def test_every_public_claim_is_told_and_shown(book):
    claims = public_claims.read(book, "../")
    assert [claim.id for claim in claims] == [
        f"{page}{number}"
        for page, count in (("A", 27), ("B", 11), ("C", 17), ("D", 4))
        for number in range(1, count + 1)
    ]
    for claim in claims:
        assert claim.shown, claim.id
        assert claim.versions == VERSION, claim.id
    assert re.fullmatch(r"\d+ hold, \d+ hold in part, \d+ do not hold", public_claims.tally(claims))
    probed = {claim.id: claim.elsewhere for claim in claims if claim.elsewhere}
    assert probed["A9"] == "The same in all that were probed."
    assert "0.4.38" in probed["B10"] and "A1" not in probed
    assert VERSION not in public_claims.probed()
