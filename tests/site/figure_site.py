"""Pages with one figure each, served straight from the sources: the figure is tested without
the build, the model or the engine. Recordings are real ones: the golden scenarios, and the lab
histories of `fixtures/lab.json`, which a stand-in engine hands out."""

import http.server
import json
import re
import sys
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "site"
GOLDEN = ROOT / "tests" / "golden" / "scenarios"
FIXTURES = Path(__file__).with_name("fixtures")
for folder in (ROOT, SITE):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

from simulator import lab  # noqa: E402
from still import still  # noqa: E402

POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' "
    "data:; worker-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'"
)
TYPES = {".js": "text/javascript", ".css": "text/css", ".json": "application/json"}
HISTORIES = json.loads((FIXTURES / "lab.json").read_text(encoding="utf-8"))
OPENING = "call,call,numpy,call"

ENGINE = """
const known = await (await fetch("/histories.json")).json();
export async function runHistory(history, { signal, onProgress } = {}) {
  onProgress?.({ text: "Starting the engine", fraction: 0.5 });
  await new Promise((resolve, reject) => {
    setTimeout(resolve, 150);
    signal?.addEventListener("abort", () => reject(Object.assign(new Error("stopped"), { kind: "stopped" })));
  });
  const recording = known[history.join()];
  if (!recording) throw Object.assign(new Error("The model does not cover this."), { kind: "refused", line: 7 });
  return structuredClone(recording);
}
"""


def golden(name: str) -> dict:
    """The kept recording of a scenario."""
    return json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))


def page(figure: str) -> str:
    """An HTML page around a figure, under the policy of the site."""
    sheets = "".join(
        f'<link rel="stylesheet" href="/styles/{name}.css">'
        for name in ("tokens", "page", "figure", "print")
    )
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A figure</title>'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<link rel="icon" href="data:,">{sheets}<script src="/scripts/theme.js"></script>'
        '<script type="module" src="/scripts/jit-stack.js"></script></head><body>'
        '<header class="site-head"><button type="button" data-theme-toggle hidden></button>'
        f'</header><main class="page"><h1>A figure</h1><div class="wide">{figure}</div>'
        "</main></body></html>"
    )


def scenario(name: str, more: str = "") -> str:
    """A page with the figure of a scenario; `more`: further attributes."""
    shown = still(golden(name), "A still picture")
    return page(
        f'<jit-stack permalink scenario="{name}" src="/recordings/{name}.json" heading="{name}" lab="/lab/" '
        f'page="/scenario/{name}/" {more}><div class="still">{shown}</div></jit-stack>'
    )


def laboratory(more: str = "free") -> str:
    """A page with the lab's figure; `more`: further attributes."""
    shown = still(HISTORIES[OPENING], "A still picture")
    return page(
        f'<jit-stack permalink do="{OPENING}" src="/lab.json" kinds="/kinds.json" '
        f'engine="/engine.js" lab="/lab/" heading="The lab" {more}>'
        f'<div class="still">{shown}</div></jit-stack>'
    )


class Handler(http.server.BaseHTTPRequestHandler):
    """Serves these pages, and the site's own scripts and styles."""

    def log_message(self, *args):
        """Nothing is logged."""
        pass

    def do_GET(self):
        """Answer with a page made here or a file of the site; else 404."""
        path = self.path.partition("?")[0]
        if found := re.fullmatch(r"/scenario/(\w+)/", path):
            return self.answer(scenario(found[1]), "text/html")
        if found := re.fullmatch(r"/recordings/(\w+)\.json", path):
            return self.answer(json.dumps(golden(found[1])), "application/json")
        made = {
            "/lab/": (laboratory(), "text/html"),
            "/guided/": (laboratory(""), "text/html"),
            "/end/": (scenario("opening", 'at="end" agree="7/7" check="/x/"'), "text/html"),
            "/broken/": (
                page('<jit-stack src="/broken.json"><div class="still">still</div></jit-stack>'),
                "text/html",
            ),
            "/broken.json": ('{"schema": 7, "calls": []}', "application/json"),
            "/lab.json": (json.dumps(HISTORIES[OPENING]), "application/json"),
            "/histories.json": (json.dumps(HISTORIES), "application/json"),
            "/kinds.json": (json.dumps(lab.vocabulary()), "application/json"),
            "/engine.js": (ENGINE, "text/javascript"),
        }.get(path)
        if made:
            return self.answer(*made)
        file = SITE / path.lstrip("/")
        if file.suffix in TYPES and file.is_file():
            return self.answer(file.read_text(encoding="utf-8"), TYPES[file.suffix])
        return self.answer("not here", "text/plain", 404)

    def answer(self, text, kind, status=200):
        """Send a text."""
        data = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(data)


def serve():
    """A running server and its address."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_address[1]}"
