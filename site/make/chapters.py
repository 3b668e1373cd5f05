"""The chapters: files `content/NN-name.md`, served at `/name/`, in the order of NN."""

import dataclasses
import html
import json
import re

from markupsafe import Markup

from make import beneath, blocks, names, states
from make.evidence import ClaimError, Evidence, Place
from make.glossary import Glossary
from make.macros import Page, expand
from make.paths import ROOT
from make.prose import Prose

CONTENT = ROOT / "content"


@dataclasses.dataclass(frozen=True)
class Chapter:
    """One chapter. `place` is its address, `lede` its first paragraph as plain text."""

    number: int
    name: str
    source: str
    title: str
    lede: str

    @property
    def place(self) -> str:
        """Its address below the site's root."""
        return f"{self.name}/"


def all_chapters() -> list[Chapter]:
    """Every chapter in reading order."""
    found = []
    for path in sorted(CONTENT.glob("[0-9][0-9]-*.md")):
        title, lede = title_and_lede(path.read_text(encoding="utf-8"))
        number, _, name = path.stem.partition("-")
        found.append(Chapter(int(number), name, path.name, title, lede))
    return found


def title_and_lede(text: str) -> tuple[str, str]:
    """The heading and the first paragraph, without marks or macros."""
    title = re.search(r"^# (.+)$", text, re.M)
    if title is None:
        raise ValueError("a page needs a `# title`")
    paragraphs = [part for part in text.split("\n\n") if not part.startswith(("#", "{"))]
    plain = re.sub(r"\{`(.*?)`\}", r"\1", paragraphs[0])
    plain = re.sub(r"\{([A-Za-z]+): ([^{}|]*)\}", _said, plain)
    plain = re.sub(r"\[([^][]*)\](?:\{[^}]*\}|\([^)]*\))", r"\1", plain)
    if left := re.search(r"[{}]|\]\(", plain):
        raise ValueError(f"the first paragraph is also the page's description, and {left[0]!r} stays in it")
    words = re.sub(r"[ \n]+", " ", re.sub(r"[`*]", "", plain)).strip()  # spaces that do not break stay
    return title[1], re.sub(r'(?<!\S)"', "\u201c", words).replace('"', "\u201d").replace("'", "\u2019")


def _said(macro: re.Match) -> str:
    """What a macro in a first paragraph becomes, without its marks: a number or a name."""
    made = expand(Page("", "./", Evidence({}), links=False), macro[1], macro[2])
    return html.unescape(re.sub(r"<[^>]+>", "", made))


def questions(parts: list[dict]) -> Markup:
    """The page's headings as questions, each with its paragraphs as the answer:
    structured data for search engines, to stand in a script element."""
    text = "".join(str(part["html"]) for part in parts if part["kind"] == "prose")
    found = []
    for section in re.split(r"(?=<h2 )", text)[1:]:
        heading, *paragraphs = re.findall(r"<(?:h2|p|li)\b.*?</(?:h2|p|li)>", section, re.S)
        answer = {"@type": "Answer", "text": " ".join(plain(part) for part in paragraphs)}
        found.append({"@type": "Question", "name": plain(heading), "acceptedAnswer": answer})
    page = {"@context": "https://schema.org", "@type": "FAQPage", "mainEntity": found}
    return Markup(json.dumps(page, ensure_ascii=False).replace("</", "<\\/"))


def plain(text: str) -> str:
    """The words of a piece of a page, without tips, marks and anchors."""
    aside = r'<span class="tip".*?>Glossary</a></span>|<a class="(?:proof|anchor)".*?</a>'
    text = re.sub(aside, "", text)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", text)).split())


class Book:
    """Everything that prose can refer to, and the parts that a page is made of.

    Args:
      glossary: the terms.
      evidence: recordings that claims are held against.
      scenarios: `make.scenarios.Scenario` objects.
      figures: scenario figures by name.
      lab_figure: makes a figure of a lab history and its heading.
      programs: texts of further programs, whose names may stand in code.
    """

    def __init__(
        self, glossary: Glossary, evidence: Evidence, scenarios, figures, lab_figure, programs=()
    ):
        self.prose = Prose(glossary)
        self.glossary = glossary
        self.evidence = evidence
        self.scenarios = {scenario.name: scenario for scenario in scenarios}
        self.figures = figures
        self.lab_figure = lab_figure
        self.chapters = all_chapters()
        self.pages: dict[str, Page] = {}
        texts = [*(scenario.text for scenario in scenarios), *programs]
        defined = [names.defined_names(text) for text in texts]
        self._local = frozenset().union(*defined)
        self._titles = {one.name: one.title for one in (*scenarios, *beneath.programs())}

    def page(self, source: str, root: str, links: bool = True) -> Page:
        """The record of one page: what was claimed on it, and what is unchecked."""
        made = Page(source, root, self.evidence, self._local, self._titles, links)
        made.outcomes = source.endswith(".md")
        self.pages[source] = made
        return made

    def parts(self, source: str, root: str) -> tuple[list[dict], list[dict]]:
        """The parts of a page, and its headings. Raises ValueError when a claim
        does not hold or a name is gone, with the file's name."""
        page = self.page(source, root)
        text = (CONTENT / source).read_text(encoding="utf-8")
        parts, contents = [], []
        try:
            for name, argument, body in blocks.split(text):
                part = self._part(name, argument, body, page)
                contents += part.pop("headings", [])
                parts.append(part)
        except ClaimError as error:
            raise ValueError(f"{source}: {error}") from error
        return parts, contents

    def _part(self, name: str, argument: str, body: str, page: Page) -> dict:
        if not name:
            made, found = blocks.headings(self.prose.html(body, page))
            return {"kind": "prose", "html": made, "headings": found}
        if name == "figure":
            return {"kind": "figure", "figure": self._figure(argument)}
        if name == "beside":
            steps = [self._step(place, text, page) for place, text in blocks.steps(argument, body)]
            figure = dataclasses.replace(self._figure(argument), compact=True)
            text = Markup("").join(step["html"] for step in steps)
            return {"kind": "beside", "figure": figure, "steps": steps, "html": text}
        if name == "predict":
            place = Place.parse(argument)
            return {
                "kind": "predict",
                "question": Markup(self._scene(body, page)),
                "answer": Markup(blocks.answer(self.evidence, place)),
                "scenario": place.scenario,
                "title": self._titles[place.scenario],
            }
        if name == "fold":
            return {"kind": "fold", "summary": argument, "html": Markup(self.prose.html(body, page))}
        if name == "program":
            scenario = self.scenarios.get(argument)
            if scenario is None:
                raise ClaimError(f"there is no scenario {argument!r}")
            return {
                "kind": "program",
                "name": argument,
                "title": scenario.title,
                "html": Markup(blocks.program(scenario.text)),
            }
        if name in ("log", "show"):
            make = blocks.log_lines if name == "log" else blocks.note_block
            return {"kind": "html", "html": Markup(make(self.evidence, argument))}
        if name == "states":
            return {"kind": "states", "states": states.table()}
        if name == "corrections":
            from make import public_claims

            found = public_claims.read(self, page.root)
            return {"kind": "corrections", "claims": [c for c in found if c.verdict != "holds"]}
        if name == "ladder":
            return {"kind": "ladder", "rows": blocks.ladder()}
        if name == "scenarios":
            known = [item for item in self.scenarios.values() if item.kind == "surprise"]
            return {"kind": "scenarios", "scenarios": [i for i in known if i.name in self.figures]}
        if name == "chapters":
            return {"kind": "chapters", "chapters": self.chapters}
        if name == "caches":
            return {"kind": "caches"}
        raise ClaimError(f"{{{name}}} stands for nothing known")

    def _scene(self, body: str, page: Page) -> str:
        """A question tells what was done before; the answer comes from the recording."""
        page.outcomes = False
        made = self.prose.html(body, page)
        page.outcomes = True
        return made

    def _step(self, place: Place, text: str, page: Page) -> dict:
        read = self.evidence.read(place)
        return {
            "label": place.label,
            "number": read.number,
            "strip": Markup(blocks.strip(read)),
            "html": Markup(self.prose.html(text, page)),
        }

    def _figure(self, argument: str):
        if argument.startswith("lab "):
            history, _, heading = argument[4:].partition("|")
            return self.lab_figure(history.strip(), heading.strip() or "From the lab")
        if argument not in self.figures:
            raise ClaimError(f"there is no figure {argument!r}")
        return self.figures[argument]

    def neighbours(self, chapter: Chapter) -> tuple[Chapter | None, Chapter | None]:
        """The chapters before and after."""
        at = self.chapters.index(chapter)
        before = self.chapters[at - 1] if at else None
        after = self.chapters[at + 1] if at + 1 < len(self.chapters) else None
        return before, after
