"""One build at a time in one checkout."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from make.progress import say

try:
    import fcntl
except ImportError:  # Windows: two builds at once are left to the person's care
    fcntl = None


@contextlib.contextmanager
def alone(path: Path) -> Iterator[None]:
    """Waits until no other process holds `path`, and holds it meanwhile. The
    system lets go of it when the process ends, however it ends."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        if fcntl:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                say("· Another build is running in this folder; waiting for it to end")
                fcntl.flock(file, fcntl.LOCK_EX)
        yield
