"""A hash of the model's source, to know what has to be made again."""

import hashlib
import sys
from collections.abc import Iterable
from pathlib import Path

from make.paths import ROOT


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
