"""Training steps written with flax, equinox and optax, watched by the recorder and not:

    pip install --target FOLDER flax equinox optax      # with this project's JAX
    PYTHONPATH=site:FOLDER python -m tests.benchmarks.libraries [--record]

These libraries are no dependency of the project, so this is no part of `build.py bench`.
``--record`` writes the recordings that the tests read (tests/golden/own).
"""

from __future__ import annotations

import gzip
import importlib.util
import sys

from make.paths import GOLDEN
from tests.benchmarks import observing
from tests.benchmarks.programs import EQUINOX, FLAX
from tests.benchmarks.report import Result

STEPS = {"flax_step": FLAX, "equinox_step": EQUINOX}


def measure(name: str, text: str, record: bool) -> Result:
    """Run one program of a library with and without the recorder, several times each."""
    result, recording = observing.watched(name, text)
    if record:
        (GOLDEN / "own" / f"{name}.json.gz").write_bytes(gzip.compress(recording, 9, mtime=0))
    return result


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
