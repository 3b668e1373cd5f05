"""Where things lie in a checkout. Everything the build writes is under
`dist/` (the site), `.cache/` (kept between builds) and `.venv/`."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "site"
DIST = ROOT / "dist"
CACHE = ROOT / ".cache"
VENV = ROOT / ".venv"
NODE_MODULES = ROOT / "node_modules"
SCENARIOS = ROOT / "content" / "scenarios"
BENEATH = ROOT / "content" / "beneath"
GOLDEN = ROOT / "tests" / "golden"
RANDOM_PROGRAMS = ROOT / "simulator" / "data" / "random-programs.json"
