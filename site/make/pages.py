"""The pages: Jinja templates filled with prose, figures and checks."""

import dataclasses
import json
import re
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from make.assets import Assets
from make.markdown import to_html
from make.paths import ROOT, SITE
from make.scenarios import Scenario
from make.server import read_headers
from make.truth import Check
from simulator import lab
from simulator.facts import VERSION
from simulator.recording import Recording
from still import still

CONTENT = ROOT / "content"


@dataclasses.dataclass(frozen=True)
class Figure:
    """What a template needs to place one figure."""

    name: str
    title: str
    recording: Recording
    agree: str = ""
    file: str = ""
    expected: str = ""
    happens: str = ""
    page: str = ""
    do: str = ""
    free: bool = False
    at: str = ""

    @property
    def still(self) -> Markup:
        return Markup(still(self.recording, self.title))

    @property
    def json(self) -> Markup:
        """The Recording as it may stand inside a script element."""
        return Markup(self.recording.to_json().replace("</", "<\\/").replace("<!--", "<\\!--"))


def scenario_figure(scenario: Scenario, check: Check) -> Figure:
    return Figure(
        name=scenario.name,
        title=scenario.title,
        recording=check.model,
        agree=check.agree,
        file=f"{scenario.name}.json",
        expected=scenario.expected,
        happens=scenario.happens,
        page=f"embed/{scenario.name}/",
    )


class Pages:
    """Writes pages into `dist`. `figures` are the scenario figures by name."""

    def __init__(self, dist: Path, assets: Assets, figures: dict[str, Figure], checks: list[Check]):
        self.dist = dist
        self.figures = figures
        loader = FileSystemLoader(SITE / "templates")
        self.env = Environment(
            loader=loader,
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self.env.globals.update(
            assets=assets,
            csp=_policy(),
            jax=VERSION,
            agreeing=sum(check.agreeing for check in checks),
            checked=sum(len(check.calls) for check in checks),
        )

    def text(self, place: str, source: str, scenarios: list[Scenario]) -> None:
        """A page of prose: Markdown in which `{figure: name}`, `{caches}` and
        `{scenarios}` on a line of their own stand for what they name."""
        text = (CONTENT / source).read_text(encoding="utf-8")
        parts = []
        for piece in re.split(r"^(\{[^}\n]+\})$", text, flags=re.M):
            if not piece.strip():
                continue
            if match := re.fullmatch(r"\{figure: (\w+)\}", piece):
                parts.append({"kind": "figure", "figure": self._figure(match[1], source)})
            elif piece == "{caches}":
                parts.append({"kind": "caches", "caches": _caches()})
            elif piece == "{scenarios}":
                known = [item for item in scenarios if item.name in self.figures]
                parts.append({"kind": "scenarios", "scenarios": known})
            elif piece.startswith("{"):
                raise ValueError(f"{source}: {piece} stands for nothing known")
            else:
                html = _opening(piece) if not parts else Markup(to_html(piece))
                parts.append({"kind": "prose", "html": html})
        title, lede = _title_and_lede(text)
        self.write(place, "text.html", title=f"{title} · Six Caches", description=lede, parts=parts)

    def lab(self, figure: Figure) -> None:
        groups: dict[str, dict] = {}
        for kind in lab.vocabulary():
            group = groups.setdefault(
                kind["group"], {"heading": kind.get("heading", kind["group"]), "kinds": []}
            )
            group["kinds"].append(kind)
        text = (CONTENT / "lab.md").read_text(encoding="utf-8")
        title, lede = _title_and_lede(text)
        self.write(
            "lab/",
            "lab.html",
            title=f"{title} · Six Caches",
            description=lede,
            intro=_opening(text),
            lab=figure,
            groups=list(groups.values()),
        )

    def verification(self, sections: list[dict], refused: list[Check]) -> None:
        text = (CONTENT / "verification.md").read_text(encoding="utf-8")
        title, lede = _title_and_lede(text)
        self.write(
            "verification/",
            "verification.html",
            title=f"{title} · Six Caches",
            description=lede,
            intro=_opening(text),
            sections=sections,
            refused=refused,
        )

    def embed(self, figure: Figure) -> None:
        title = f"{figure.title}: a call through the six caches of jax.jit"
        self.write(figure.page, "embed.html", title=title, description=figure.happens, fig=figure)

    def not_found(self) -> None:
        title, text = "Nothing here · Six Caches", "There is no page at this address."
        # Shown at any depth: addresses start at the site's own root.
        self.write("404.html", "404.html", title=title, description=text, root="/")

    def write(self, place: str, template: str, **context) -> None:
        path = self.dist / place
        if not path.suffix:
            path = path / "index.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        values = {"root": "../" * place.count("/") or "./", "here": place} | context
        path.write_text(self.env.get_template(template).render(values), encoding="utf-8")

    def _figure(self, name: str, source: str) -> Figure:
        if name not in self.figures:
            raise ValueError(f"{source}: there is no figure {name!r}")
        return self.figures[name]


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


def _opening(text: str) -> Markup:
    """A page's title and first words, the first paragraph marked as its lede."""
    return Markup(to_html(text).replace("<p>", '<p class="lede">', 1))


def _title_and_lede(text: str) -> tuple[str, str]:
    title = re.search(r"^# (.+)$", text, re.M)
    paragraphs = [part for part in text.split("\n\n") if not part.startswith(("#", "{"))]
    return title[1], re.sub(r"[`*]", "", paragraphs[0]).replace("\n", " ")
