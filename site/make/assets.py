"""Scripts and styles: bundled, minified, named after their content."""

import dataclasses
import json
import subprocess
from pathlib import Path

from make import own_run
from make.paths import ROOT
from make.progress import Trouble

BUNDLER = Path(__file__).with_name("bundle.mjs")
SCRIPTS = "site/scripts"
PAGE_STYLES = [
    f"site/styles/{name}.css"
    for name in ("tokens", "page", "chapters", "evidence", "figure", "beside", "print")
]
PLAY_STYLES = ["site/styles/play.css", "site/styles/lanes.css"]
OPEN_STYLES = ["site/styles/open.css"]
EMBED_STYLES = [f"site/styles/{name}.css" for name in ("tokens", "figure", "print")]


@dataclasses.dataclass(frozen=True)
class Assets:
    """File names under `assets/`, by the names that templates use. `chunks` are
    the shared parts that a module loads with it."""

    names: dict[str, str]
    chunks: dict[str, list[str]]

    def __getitem__(self, name: str) -> str:
        return f"assets/{self.names[name]}"


def build_assets(dist: Path, engine: dict) -> Assets:
    """Bundles everything into `dist/assets`. `engine` is what `build_engine`
    returned: the page's engine script learns from it where the engine lies."""
    out = dist / "assets"
    worker = _bundle(out, modules={"engine-worker": f"{SCRIPTS}/engine-worker.js"})
    worker |= _bundle(
        out,
        define={"__LOG_FORMATS__": own_run.log_formats()},
        modules={"open-worker": f"{SCRIPTS}/open/open-worker.js"},
    )
    place = {
        "__ENGINE_WORKER__": json.dumps(worker["engine-worker"]["file"]),
        "__ENGINE_FOLDER__": json.dumps(f"../engine/{engine['folder']}/"),
        "__ENGINE_WHEEL__": json.dumps("six-caches"),
    }
    found = worker | _bundle(
        out,
        define=place,
        modules={
            "engine": f"{SCRIPTS}/engine.js",
            "page": f"{SCRIPTS}/page.js",
            "playground": f"{SCRIPTS}/play/playground.js",
            "open": f"{SCRIPTS}/open/open.js",
        },
        classics={
            "embed": f"{SCRIPTS}/embed.js",
            "theme": f"{SCRIPTS}/theme.js",
            "head": f"{SCRIPTS}/head.js",
        },
        styles={
            "page-style": PAGE_STYLES,
            "embed-style": EMBED_STYLES,
            "play-style": PLAY_STYLES,
            "open-style": OPEN_STYLES,
        },
    )
    return Assets(
        {name: entry["file"] for name, entry in found.items()},
        {name: entry["chunks"] for name, entry in found.items()},
    )


def bundle_service_worker(dist: Path, files: list[str], version: str) -> None:
    """Writes `sw.js`: its name must stay, so that browsers find the next one."""
    define = {"__FILES__": json.dumps(files), "__VERSION__": json.dumps(version)}
    made = _bundle(dist / "assets", define=define, classics={"sw": f"{SCRIPTS}/service-worker.js"})
    (dist / "assets" / made["sw"]["file"]).rename(dist / "sw.js")


def _bundle(out: Path, *, define=None, modules=None, classics=None, styles=None) -> dict:
    order = {
        "root": str(ROOT),
        "outdir": str(out),
        "define": define or {},
        "modules": modules or {},
        "classics": classics or {},
        "styles": styles or {},
    }
    result = subprocess.run(
        ["node", str(BUNDLER), json.dumps(order)], capture_output=True, text=True, cwd=ROOT
    )
    if result.returncode:
        raise Trouble("A script or style has a mistake:\n" + result.stderr.strip())
    return json.loads(result.stdout)
