"""The build itself: pins, the two commands, what a person reads when
something is missing."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def build(*arguments, **environment):
    env = dict(os.environ, **environment)
    return subprocess.run(
        [sys.executable, str(ROOT / "build.py"), *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=env,
    )


@pytest.mark.parametrize("group", ["build", "test"])
def test_every_python_package_is_pinned_exactly(group):
    lists = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]
    for entry in lists[group]:
        assert re.fullmatch(r"[\w.\-]+==[\w.]+", entry), entry


def test_missing_node_is_one_clear_line(tmp_path):
    result = build("build", PATH=str(tmp_path))
    assert result.returncode == 1
    assert result.stderr.strip() == (
        "build.py: Node.js was not found: install Node.js 20 or newer with npm."
    )


def test_wrong_browser_variable_is_one_clear_line():
    result = build("test", CHROMIUM="no-such-browser")
    assert result.returncode == 1
    assert "CHROMIUM is set to no-such-browser" in result.stderr
