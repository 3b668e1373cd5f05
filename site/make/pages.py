"""The pages: Jinja templates filled with prose, figures and checks."""

import dataclasses
import json
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from make import beneath, blocks, public_claims, search
from make.assets import Assets
from make.chapters import CONTENT, Book, plain, questions, title_and_lede
from make.markdown import coloured_lines
from make.paths import RANDOM_PROGRAMS, SITE
from make.scenarios import Scenario
from make.server import read_headers
from make.truth import Check
from make.verified import Section, counted
from simulator import lab
from simulator.facts import VERSION
from simulator.recordings.recording import Recording
from still import still


@dataclasses.dataclass(frozen=True)
class Figure:
    """What a template needs to place one figure."""

    name: str
    title: str
    recording: Recording
    agree: str = ""
    file: str = ""
    expected: str = ""
    description: str = ""
    page: str = ""
    do: str = ""
    free: bool = False
    at: str = ""
    compact: bool = False

    @property
    def still(self) -> Markup:
        """The figure without JavaScript: an SVG drawing and a table."""
        return Markup(still(self.recording, self.title))

    @property
    def json(self) -> Markup:
        """The Recording as it may stand inside a script element."""
        return Markup(self.recording.to_json().replace("</", "<\\/").replace("<!--", "<\\!--"))


def scenario_figure(scenario: Scenario, check: Check) -> Figure:
    """The figure of a kept scenario, with its check against real JAX."""
    return Figure(
        name=scenario.name,
        title=scenario.title,
        recording=check.model,
        agree=check.agree,
        file=f"{scenario.name}.json",
        expected=scenario.expected,
        description=_description(scenario, check),
        page=f"embed/{scenario.name}/",
    )


def _description(scenario: Scenario, check: Check) -> str:
    """What search engines show of a scenario: how its decisive call came out on real JAX."""
    decided = next((call for call in check.calls if call.label == scenario.decisive), None)
    return f"{scenario.title}. {decided.label}: {decided.real}." if decided else scenario.title


class Pages:
    """Writes pages into `dist`; `book` holds what their prose refers to."""

    def __init__(self, dist: Path, assets: Assets, book: Book, checks: list[Check]):
        self.dist = dist
        self.book = book
        self.index: list[dict] = []
        loader = FileSystemLoader(SITE / "templates")
        self.env = Environment(
            loader=loader,
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self.env.globals.update(
            anchor=blocks.anchor,
            assets=assets,
            csp=_policy(),
            jax=VERSION,
            caches=_caches(),
            agreeing=sum(check.agreeing for check in checks),
            checked=sum(len(check.calls) for check in checks),
            keys_equal=sum(check.lookups[0] for check in checks),
            lookups=sum(check.lookups[1] for check in checks),
        )

    def text(self, place: str, source: str) -> None:
        """A page of prose: Markdown with the macros of `make/macros.py`, `make/blocks.py`."""
        parts, _ = self.book.parts(source, _root(place))
        self._write_source(place, "text.html", source, parts=[_as_hero(parts[0]), *parts[1:]])

    def chapters(self) -> None:
        """Every chapter, with its table of contents and its neighbours."""
        for chapter in self.book.chapters:
            parts, contents = self.book.parts(chapter.source, _root(chapter.place))
            self.index += search.sections(chapter.place, chapter.title, parts)
            before, after = self.book.neighbours(chapter)
            self._write_source(
                chapter.place,
                "chapter.html",
                chapter.source,
                parts=[_as_hero(parts[0]), *parts[1:]],
                contents=contents,
                chapter=chapter,
                count=len(self.book.chapters),
                before=before,
                after=after,
                faq=questions(parts) if chapter.name == "questions" else "",
            )

    def glossary(self) -> None:
        """Write the glossary's page, and put its terms into the search index."""
        page = self.book.page("glossary.md", "../")
        page.seen.update(term.id for term in self.book.glossary.terms)  # no tips on this page
        terms = [
            {
                "name": term.name,
                "also": " ".join(term.also),
                "id": term.id,
                "short": Markup(self.book.prose.inline(term.short, page)),
                "more": Markup(self.book.prose.html(term.more, page)),
            }
            for term in self.book.glossary.terms
        ]
        self.index += [
            {
                "at": f"glossary/#{term['id']}",
                "page": "Glossary",
                "head": term["name"],
                "also": term["also"],
                "text": plain(f"{term['short']} {term['more']}"),
            }
            for term in terms
        ]
        intro = (CONTENT / "glossary.md").read_text(encoding="utf-8").partition("\n## ")[0]
        made, _ = blocks.headings(self.book.prose.html(intro, page))
        html = _as_hero({"html": made})["html"]
        self._write_source("glossary/", "glossary.html", "glossary.md", terms=terms, intro=html)

    def search(self) -> None:
        """The page of the search, and its index: call it after the chapters and the glossary."""
        (self.dist / "search.json").write_text(search.index(self.index), encoding="utf-8")
        lede = "Search in the text of all chapters and the glossary."
        title = "Search · Six Caches"
        self.write(
            "search/", "search.html", title=title, description=lede, chapters=self.book.chapters
        )

    def lab(self, figure: Figure) -> None:
        """Write the lab's page: `figure` and the vocabulary of "change one thing"."""
        groups: dict[str, dict] = {}
        for kind in lab.vocabulary():
            group = groups.setdefault(
                kind["group"], {"heading": kind.get("heading", kind["group"]), "kinds": []}
            )
            group["kinds"].append(kind)
        self._write_source(
            "lab/",
            "lab.html",
            "lab.md",
            intro=self._opening("lab.md", "../"),
            lab=figure,
            groups=list(groups.values()),
        )

    def playground(self, text: str, recording: Recording) -> None:
        """The playground, opening with a program, its lines coloured, and what it did."""
        picture = Markup(still(recording, "The program above, call by call"))
        lines = [Markup(line) for line in coloured_lines(text)]
        self._tool("playground", "Playground", text=text, lines=lines, picture=picture)

    def open(self, sample: Recording) -> None:
        """The page that opens a reader's own recording; without scripts, a sample's first calls."""
        picture = Markup(still(_first_calls(sample), "A small training program, its first calls"))
        self._tool("open", "Your own run", picture=picture)

    def _tool(self, name: str, title: str, **values: object) -> None:
        """A page around a tool: its text opens with the hero."""
        parts, _ = self.book.parts(f"{name}.md", "../")
        self.index += search.sections(f"{name}/", title, parts)
        self._write_source(f"{name}/", f"{name}.html", f"{name}.md",
                           parts=[_as_hero(parts[0]), *parts[1:]], **values)

    def verification(self, sections: list[Section]) -> None:
        """Write the page of evidence: public claims, random programs, checks by section."""
        below = [program.row() for program in beneath.programs()]
        self._write_source(
            "verification/",
            "verification.html",
            "verification.md",
            intro=self._opening("verification.md", "../"),
            sections=sections,
            refused=sum(section.refused for section in sections),
            beneath=below,
            beneath_told=f"{counted(len(below), 'program')}, "
            f"{counted(sum(len(one['calls']) for one in below), 'call')}: on real JAX alone",
            claims=(claims := public_claims.read(self.book, "../")),
            tally=public_claims.tally(claims),
            probed=public_claims.probed(),
            random=json.loads(RANDOM_PROGRAMS.read_text(encoding="utf-8")),
        )

    def embed(self, figure: Figure) -> None:
        """Write the page of one figure alone, for other sites to embed."""
        title = f"{figure.title}: a call through the six caches of jax.jit"
        self.write(figure.page, "embed.html", title=title, description=figure.description, fig=figure)

    def not_found(self) -> None:
        """Write the page for addresses that are none."""
        title, text = "Nothing here · Six Caches", "There is no page at this address."
        # Shown at any depth: addresses start at the site's own root.
        self.write("404.html", "404.html", title=title, description=text, root="/")

    def write(self, place: str, template: str, **context) -> None:
        """Render `template` into the page at address `place`."""
        path = self.dist / place
        if not path.suffix:
            path = path / "index.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        values = {"root": _root(place), "here": place} | context
        path.write_text(self.env.get_template(template).render(values), encoding="utf-8")

    def _write_source(self, place: str, template: str, source: str, **context) -> None:
        """A page whose title and description come from its Markdown."""
        title, lede = title_and_lede((CONTENT / source).read_text(encoding="utf-8"))
        self.write(place, template, title=f"{title} · Six Caches", description=lede, **context)

    def _opening(self, source: str, root: str) -> Markup:
        """A page's title and first words, the first paragraph marked as its lede."""
        parts, _ = self.book.parts(source, root)
        return _as_hero(parts[0])["html"]


def _first_calls(recording: Recording, count: int = 12) -> Recording:
    """The same recording, with its first calls only."""
    return Recording.from_data(recording.data() | {"calls": recording.data()["calls"][:count]})


def _root(place: str) -> str:
    return "../" * place.count("/") or "./"


def _as_hero(part: dict) -> dict:
    """The part with its first paragraph marked as the page's lede."""
    return part | {"html": Markup(str(part["html"]).replace("<p>", '<p class="lede">', 1))}


def _policy() -> str:
    """The content security policy, from the same file that hosts read."""
    for _pattern, headers in read_headers(SITE / "_headers"):
        for name, value in headers:
            if name == "Content-Security-Policy":
                return value
    raise ValueError("site/_headers names no Content-Security-Policy")


def _caches() -> list[dict]:
    """The six caches as the figure words them, each with its drawers' names."""
    script = (SITE / "scripts" / "words.js").read_text(encoding="utf-8")
    words = json.loads(script.partition("export const WORDS = ")[2].rstrip().rstrip(";"))
    return [
        {
            "name": floor["name"],
            "holds": floor["holds"],
            "variables": [words["stations"][station]["variable"] for station in floor["stations"]],
        }
        for floor in words["floors"]
    ]
