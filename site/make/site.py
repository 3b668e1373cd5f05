"""The build, from programs and prose to `dist/`, step by step.

It is made in a folder of its own and moved into place when it is whole, so
that an interrupted build never leaves half a site. Two builds of the same
source are equal, byte for byte, wherever they are made.
"""

import functools
import hashlib
import json
import shutil
from pathlib import Path

from make import own_run, playground, sizes, verified
from make.assets import build_assets, bundle_service_worker
from make.baked import OPENING, first_histories, lab_text, write_lab, write_recordings
from make.book import make_book
from make.engine import build_engine
from make.lock import alone
from make.model import Model
from make.packing import gzipped
from make.pages import Figure, Pages, scenario_figure
from make.paths import CACHE, DIST, GOLDEN, SITE
from make.progress import Step, say
from make.scenarios import Scenario, all_scenarios
from make.truth import Check, check
from make.unchecked import insist
from simulator import browser
from simulator.live.golden import load

PACKED = (".html", ".js", ".mjs", ".css", ".json", ".svg", ".wasm", ".webmanifest")


def build_site(dist: Path = DIST) -> None:
    """Builds everything into `dist`, and says what it weighs."""
    with alone(CACHE / "lock"):
        _build(dist)
    say(sizes.report(sizes.measure(dist)))


def _build(dist: Path) -> None:
    fresh = CACHE / f"fresh-{dist.name}"
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    model = Model()
    with Step("Running the scenarios on the model"):
        scenarios = all_scenarios()
        model.ahead([
            *((one.text, f"{one.name}.py") for one in scenarios),
            *((text, f"{name}.py") for name, text, _ in case_programs()),
            *((lab_text(history), browser.LAB_NAME) for history in first_histories()),
        ])
        checks = [check_scenario(model, scenario) for scenario in scenarios]
        cases = check_cases(model)
        write_recordings(fresh / "recordings", checks)
        write_lab(fresh / "recordings", model)
        playground.write_data(fresh / "playground", model, scenarios, checks, cases)
        own_run.write_data(fresh / "open")
    engine = build_engine(fresh / "engine")
    with Step("Bundling scripts and styles"):
        assets = build_assets(fresh, engine)
    with Step("Rendering pages"):
        _render(fresh, assets, model, scenarios, checks, cases)
        _plain_files(fresh)
        _offline(fresh)
    with Step("Compressing"):
        for path in sorted(fresh.rglob("*")):
            if path.suffix in PACKED and path.stat().st_size > 800:
                path.with_name(path.name + ".gz").write_bytes(gzipped(path.read_bytes()))
    _put(fresh, dist)


def _put(fresh: Path, dist: Path) -> None:
    """The new site in the place of the old one, which may be served meanwhile."""
    old = CACHE / f"old-{dist.name}"
    shutil.rmtree(old, ignore_errors=True)
    if dist.exists():
        dist.rename(old)
    fresh.rename(dist)
    shutil.rmtree(old, ignore_errors=True)


def check_scenario(model: Model, scenario: Scenario) -> Check:
    """A scenario on the model, held against its golden recording."""
    golden = GOLDEN / "scenarios" / f"{scenario.name}.json"
    return check(model, scenario.name, scenario.text, golden)


@functools.cache
def case_programs() -> list[tuple[str, str, Path]]:
    """The real-world cases: name, text, and the golden recording that the text is in."""
    paths = sorted((GOLDEN / "cases").glob("*.json.gz"))
    return [(path.name.split(".")[0], load(path).program["text"], path) for path in paths]


def check_cases(model: Model) -> list[Check]:
    """The real-world cases on the model, held against what real JAX did."""
    return [check(model, *one) for one in case_programs()]


def _render(dist, assets, model, scenarios, checks, cases) -> None:
    figures = {
        scenario.name: scenario_figure(scenario, found)
        for scenario, found in zip(scenarios, checks)
        if found.model
    }
    book = make_book(model, scenarios, checks, cases, figures, dist / "recordings")
    pages = Pages(dist, assets, book, [*checks, *cases])
    pages.text("", "home.md")
    pages.chapters()
    pages.glossary()
    text = playground.own_examples()[0]["text"]
    pages.playground(text, model.run(text, playground.NAME)[0])
    pages.open(own_run.sample())
    pages.search()
    history = ",".join(OPENING)
    opening, _ = model.run(lab_text(history), browser.LAB_NAME)
    pages.lab(
        Figure(
            name="lab",
            title="The lab",
            recording=opening,
            file="lab-opening.json",
            do=history,
            free=True,
        )
    )
    for figure in figures.values():
        pages.embed(figure)
    pages.verification(verified.sections(scenarios, checks, cases))
    pages.not_found()
    insist(book)


def _plain_files(dist: Path) -> None:
    shutil.copyfile(SITE / "_headers", dist / "_headers")
    for path in sorted((SITE / "assets").iterdir()):
        shutil.copyfile(path, dist / path.name)


def _offline(dist: Path) -> None:
    """The service worker, with the list of what to keep: everything but the
    engine and what a reader asks for by name."""
    left_out = ("engine/", "_headers")
    files = {}
    for path in sorted(dist.rglob("*")):
        name = path.relative_to(dist).as_posix()
        if path.is_dir() or name.startswith(left_out) or name.endswith(".real.json"):
            continue
        files[name] = hashlib.sha256(path.read_bytes()).hexdigest()
    version = hashlib.sha256(json.dumps(files, sort_keys=True).encode()).hexdigest()[:12]
    addresses = [name.removesuffix("index.html") or "./" for name in files]
    bundle_service_worker(dist, addresses, version)
