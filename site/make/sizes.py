"""What a reader's browser has to fetch, compressed, against the budgets."""

import dataclasses
import re
from collections.abc import Iterable
from pathlib import Path

BUDGETS = {"page": 150_000, "embed": 60_000, "editor": 175_000, "engine": 7_000_000}
ENGINE_FILES = (
    "pyodide.mjs",
    "pyodide-lock.json",
    "fast/pyodide.asm.js",
    "fast/pyodide.asm.wasm",
    "fast/memory.bin",
)


@dataclasses.dataclass(frozen=True)
class Size:
    """How large something is that has a budget. `bytes`: after compression."""

    kind: str
    name: str
    bytes: int

    @property
    def fits(self) -> bool:
        """Whether it is within its budget."""
        return self.bytes <= BUDGETS[self.kind]


def packed(path: Path) -> int:
    """Bytes on the wire: the gzip beside the file, or the file if it has none."""
    beside = path.with_name(path.name + ".gz")
    return (beside if beside.exists() else path).stat().st_size


def measure(dist: Path) -> list[Size]:
    """Every page before a first interaction, every embed, the parts that a script loads
    with the first interaction (the editor), and the engine with its worker script."""
    found = []
    for page in sorted(dist.rglob("*.html")):
        place = page.relative_to(dist).as_posix().removesuffix("index.html")
        kind = "embed" if place.startswith("embed/") else "page"
        files = [page, *_fetched(dist, page)]
        found.append(Size(kind, "/" + place, sum(packed(path) for path in files)))
    for script in sorted(dist.glob("assets/playground-*.js")):
        for name in re.findall(r'import\("\./([^"]+)"\)', script.read_text(encoding="utf-8")):
            found.append(Size("editor", "the playground's editor", packed(script.with_name(name))))
    for folder in sorted((dist / "engine").iterdir()):
        files = [folder / name for name in ENGINE_FILES]
        files += with_imports(path.resolve() for path in (dist / "assets").glob("engine-*.js"))
        found.append(Size("engine", "the engine", sum(packed(path) for path in files)))
    return found


def _fetched(dist: Path, page: Path) -> set[Path]:
    """What a page loads by itself: styles, scripts and what those import,
    recordings, icon, manifest."""
    text = page.read_text(encoding="utf-8")
    base = page.parent
    names = re.findall(r'<(?:link|script|jit-stack)\b[^>]*?\b(?:href|src)="([^"]+)"', text)
    names += re.findall(r'\b(?:kinds|data-opening)="([^"]+)"', text)
    return with_imports(
        (dist / name[1:] if name.startswith("/") else base / name).resolve() for name in names
    )


def with_imports(files: Iterable[Path]) -> set[Path]:
    """Those of the files that exist, and what the scripts among them import."""
    found, open_ = set(), list(files)
    while open_:
        path = open_.pop()
        if path in found or not path.is_file():
            continue
        found.add(path)
        if path.suffix == ".js":
            script = path.read_text(encoding="utf-8")
            for name in re.findall(r'(?:from|import)\s*"(\./[^"]+)"', script):
                open_.append((path.parent / name).resolve())
    return found


def report(sizes: list[Size]) -> str:
    """A line for each kind: the largest of its kind against its budget."""
    lines = []
    for kind, budget in BUDGETS.items():
        of_kind = [size for size in sizes if size.kind == kind]
        if not of_kind:
            continue
        largest = max(of_kind, key=lambda size: size.bytes)
        mark = "within" if largest.fits else "OVER"
        lines.append(
            f"  {kind:<7}{largest.bytes / 1000:>9.1f} kB  {mark} {budget / 1000:.0f} kB"
            f"  (largest of {len(of_kind)}: {largest.name})"
        )
    return "\n".join(lines)
