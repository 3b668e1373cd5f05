"""Making a checkout ready: `.venv` with the pinned Python packages,
`node_modules` with the pinned npm packages, and a Chromium for the tests.

Standard library only, because it runs before anything is installed. Each part
leaves a stamp holding a hash of what it was made from; a matching stamp means
there is nothing to do, a missing one means an earlier run was interrupted and
the part is made again from the start.
"""

import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from make.paths import NODE_MODULES, ROOT, VENV
from make.progress import Trouble, run, say

NODE_WANTED = 20


def venv_python() -> Path:
    """The path of the Python in the project's own environment."""
    return VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def ensure_venv(groups: tuple[str, ...]) -> Path:
    """Installs the dependency groups of pyproject.toml and returns the path of
    the environment's Python."""
    lists = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]
    base = f"{sys.version} {Path(sys.base_prefix)}"
    stamp = VENV / "stamp.json"
    done = _read_stamp(stamp)
    if done.get("base") != base:
        if VENV.exists():
            say("· .venv is half-made or from another Python: making it anew")
            shutil.rmtree(VENV)
        run(
            "Creating .venv",
            [sys.executable, "-m", "venv", VENV],
            "Could not create .venv: this Python lacks the venv module "
            "(on Debian: apt-get install python3-venv).",
        )
        done = {"base": base}
    for group in groups:
        wanted = hashlib.sha256("\n".join(lists[group]).encode()).hexdigest()
        if done.get(group) == wanted:
            continue
        run(
            f"Installing {len(lists[group])} Python packages ({group})",
            [venv_python(), "-m", "pip", "install", "--no-deps", "--quiet", *lists[group]],
            "pip could not install the packages above: check the network, then run this again.",
            env=dict(os.environ, PIP_USER="0"),  # here is no user's folder, whatever pip is set to
        )
        done[group] = wanted
        stamp.write_text(json.dumps(done))
    return venv_python()


def check_node() -> str:
    """The path of npm; Trouble when it or Node is missing or too old. Told before anything is
    installed: nobody waits for the half of a setup."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if not node or not npm:
        missing = "Node.js" if not node else "npm"
        raise Trouble(f"{missing} was not found: install Node.js {NODE_WANTED} or newer with npm.")
    version = subprocess.run([node, "--version"], capture_output=True, text=True).stdout.strip()
    major = re.match(r"v(\d+)", version)
    if not major or int(major[1]) < NODE_WANTED:
        raise Trouble(f"Node.js is {version}: install Node.js {NODE_WANTED} or newer.")
    return npm


def ensure_node_modules(npm: str) -> None:
    """Installs what package-lock.json lists."""
    lock = (ROOT / "package-lock.json").read_bytes()
    wanted = {"lock": hashlib.sha256(lock).hexdigest(), "machine": platform.machine()}
    stamp = NODE_MODULES / "stamp.json"
    if _read_stamp(stamp) == wanted:
        return
    run(
        "Installing npm packages",
        [npm, "ci", "--include=dev", "--no-audit", "--no-fund"],
        "npm could not install the packages: check the network, then run this again.",
        cwd=ROOT,
    )
    stamp.write_text(json.dumps(wanted))


def find_browser() -> str | None:
    """A Chromium by $CHROMIUM or on PATH."""
    named = os.environ.get("CHROMIUM")
    if named:
        if not shutil.which(named):
            raise Trouble(
                f"CHROMIUM is set to {named}, which is not a program: correct or unset it."
            )
        return named
    for name in ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome"):
        if path := shutil.which(name):
            return path
    return None


def ensure_browser() -> str | None:
    """The path of a Chromium, installing one when there is none: Debian's by
    apt-get when we may, else Playwright's own build, which Playwright finds by
    itself (None is returned then)."""
    if path := find_browser():
        return path
    may_apt = shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0
    if may_apt:
        env = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
        try:
            run("Refreshing Debian's package lists", ["apt-get", "update"], "", env=env)
            run(
                "Installing Chromium",
                ["apt-get", "install", "-y", "--no-install-recommends", "chromium"],
                "",
                env=env,
            )
        except Trouble:
            say("· apt-get could not install Chromium; trying Playwright's own build")
        if path := find_browser():
            return path
    stamp = VENV / "browser.stamp"
    if not stamp.exists():
        run(
            "Installing Playwright's Chromium",
            [venv_python(), "-m", "playwright", "install", "chromium"],
            "No browser could be installed: install Chromium, or set CHROMIUM to the path of one.",
        )
        stamp.touch()
    return None


def _read_stamp(path: Path) -> dict:
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError):
        return {}
