"""Training steps written with flax, equinox and optax, watched by the recorder and not:

    pip install --target FOLDER flax equinox optax      # with this project's JAX
    PYTHONPATH=site:FOLDER python -m benchmarks.libraries [--record]

These libraries are no dependency of the project, so this is no part of `build.py bench`.
``--record`` writes the recordings that the tests read (tests/golden/own).
"""

from __future__ import annotations

import gzip
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile

from benchmarks.programs import EQUINOX, FLAX
from benchmarks.report import Result
from make.paths import GOLDEN, ROOT

STEPS = {"flax_step": FLAX, "equinox_step": EQUINOX}
ROUNDS = 3


def measure(name: str, text: str, record: bool) -> Result:
    """Run one program of a library with and without the recorder, several times each."""
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, f"{name}.py").write_text(text, encoding="utf-8")
        watching = ["-m", "simulator.live", "observe", f"{name}.py", "--recording", "-o", "run.json"]
        pairs = [(_printed(folder, watching), _printed(folder, [f"{name}.py"]))
                 for _ in range(ROUNDS)]
        if record:
            written = pathlib.Path(folder, "run.json").read_bytes()
            (GOLDEN / "own" / f"{name}.json.gz").write_bytes(gzip.compress(written, 9, mtime=0))
    watched, bare = (min(side) for side in zip(*pairs))
    detail = f"best of {ROUNDS}; {watched * 1e6 / 50:.0f} µs a step, {bare * 1e6 / 50:.0f} µs unwatched"
    return Result(f"{name}: watched, slower by", watched / bare, "×", detail, ("<=", 2))


def _printed(folder: str, arguments: list[str]) -> float:
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run([sys.executable, *arguments], cwd=folder, stdout=subprocess.PIPE,
                          env={**os.environ, "PYTHONPATH": path, "JAX_PLATFORMS": "cpu"},
                          stderr=subprocess.DEVNULL, text=True, check=True)
    return float(done.stdout.split()[-1])


def main(arguments: list[str]) -> int:
    """Measures every step; 1 when a goal is missed, 2 when a library is not there."""
    missing = [name for name in ("flax", "equinox", "optax") if not importlib.util.find_spec(name)]
    if missing:
        print(f"not installed: {', '.join(missing)}; pip install --target FOLDER {' '.join(missing)}, "
              "and put FOLDER on PYTHONPATH", file=sys.stderr)
        return 2
    results = [measure(name, text, "--record" in arguments) for name, text in STEPS.items()]
    for result in results:
        print(result.line())
    return 0 if all(result.met for result in results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
