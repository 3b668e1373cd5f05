"""`build.py check`: everything about the source that a machine can judge."""

import os
import subprocess
import sys

from make.paths import DIST, NODE_MODULES, ROOT
from make.progress import say

PYTHON = ["build.py", "simulator", "site", "tests", "content/scenarios"]


def check(fix: bool) -> int:
    """Runs each tool and says how it went; 1 when any found something."""
    tools = NODE_MODULES / ".bin"
    pages = [str(path) for path in sorted(DIST.rglob("*.html"))]
    runs = [
        (
            "Python: lint",
            [sys.executable, "-m", "ruff", "check", *(["--fix"] if fix else []), *PYTHON],
        ),
        ("Prose: claims, numbers, names", [sys.executable, "-m", "make.unchecked"]),
        ("Spelling", [sys.executable, "-m", "make.spelling"]),
        ("JavaScript: types", [str(tools / "tsc"), "-p", "site/tsconfig.json"]),
        ("HTML", [str(tools / "html-validate"), "--config", "site/html-validate.json", *pages]),
        (
            "Links",
            [sys.executable, "-m", "pytest", "-q", "--no-header", "tests/site/test_pages.py"]
            + ["-k", "missing or policy_is_on"],
        ),
    ]
    failed = []
    built = dict(os.environ, SIX_CACHES_BUILT="1")
    for label, command in runs:
        result = subprocess.run(command, cwd=ROOT, env=built, capture_output=True, text=True)
        say(f"· {label}: {'fine' if result.returncode == 0 else 'see below'}")
        if result.returncode:
            failed.append(label)
            say((result.stdout + result.stderr).strip())
    return 1 if failed else 0
