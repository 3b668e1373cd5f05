"""A hash of the model's source, to know what has to be made again."""

import hashlib
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

from make.paths import CACHE, ROOT


def model_fingerprint(more: Iterable[Path] = ()) -> str:
    """A short hash of every file of the model (its real-JAX side left out), of
    this Python, and of the files in `more`."""
    model = (ROOT / "simulator").rglob("*")
    parts = sorted(
        path for path in model if path.suffix in (".py", ".json") and "live" not in path.parts
    )
    total = hashlib.sha256(sys.version.encode())
    for path in (*parts, *more):
        total.update(path.name.encode() + path.read_bytes())
    return total.hexdigest()[:16]


def forget_older(pattern: str, keep: int = 3) -> None:
    """Removes all but the newest few of what `.cache` keeps under a name."""
    kept = sorted(CACHE.glob(pattern), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in kept[keep:]:
        shutil.rmtree(path, ignore_errors=True)
