"""The commands of build.py. This file and `setup` run on a bare Python; what
needs packages is started again inside `.venv`."""

import argparse
import os
import subprocess
import sys

from make import setup
from make.paths import ROOT
from make.progress import Trouble

GROUPS = {
    "build": ("build",),
    "serve": ("build",),
    "test": ("build", "test"),
    "check": ("build", "test"),
    "bench": ("build", "test"),
    "mutate": ("build",),
}


# What the other program of a command takes, beyond ours.
HANDED_ON = {"test": "pytest", "mutate": "tests.mutation"}


def parse(arguments: list[str]) -> argparse.Namespace:
    """The command and its options. `handed_on`: what pytest or `tests.mutation` is given,
    options first if they come first (which `argparse.REMAINDER` does not allow)."""
    top = argparse.ArgumentParser(prog="build.py", description="Build, serve and test Six Caches.")
    commands = top.add_subparsers(dest="command", required=True)
    commands.add_parser("build", help="set up and build the site into dist/")
    serve = commands.add_parser("serve", help="set up, build and serve the site on this machine")
    serve.add_argument("--port", type=int, default=8642, metavar="N",
                       help="the port to serve it at (default: %(default)s)")
    check = commands.add_parser("check", help="lint, types, HTML and links")
    check.add_argument("--fix", action="store_true", help="mend what can be mended")
    commands.add_parser("bench", help="measure speed and sizes")
    for name, about in (("test", "set up, build and run every test"),
                        ("mutate", "is every field of every cache key tested?")):
        commands.add_parser(name, help=about, allow_abbrev=False,
                            epilog=f"All other arguments are for {HANDED_ON[name]}.")
    options, options.handed_on = top.parse_known_args(arguments)
    if options.handed_on and options.command not in HANDED_ON:
        top.error(f"unrecognized arguments: {' '.join(options.handed_on)}")
    return options


def hand_over(command: list[str], environment: dict[str, str]) -> int:
    """Run the command in this one's place; its exit status. Ctrl-C reaches both, and is told by
    the command, which may have something to put away first."""
    process = subprocess.Popen(command, cwd=ROOT, env=environment)
    try:
        return process.wait()
    except KeyboardInterrupt:
        try:
            return process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            raise


def main(arguments: list[str]) -> int:
    """Runs one command; returns the exit status. Anything a person can put
    right ends as one line on standard error and status 1."""
    options = parse(arguments)
    try:
        npm = setup.check_node()
        python = setup.ensure_venv(GROUPS[options.command])
        setup.ensure_node_modules(npm)
        environment = dict(os.environ)
        if "test" in GROUPS[options.command]:
            if browser := setup.ensure_browser():
                environment["CHROMIUM"] = browser
        environment["PYTHONPATH"] = os.pathsep.join([str(ROOT), str(ROOT / "site")])
        environment["PYTHONIOENCODING"] = f"{sys.stdout.encoding}:replace"
        command = [str(python), "-m", "make.tasks", *arguments]
        return hand_over(command, environment)
    except Trouble as trouble:
        print(f"build.py: {trouble}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("build.py: stopped", file=sys.stderr)
        return 130
