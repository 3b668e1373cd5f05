"""What each command does once `.venv` is ready. Runs inside it."""

import os
import subprocess
import sys

from make.checking import check
from make.command_line import parse
from make.paths import ROOT
from make.progress import Trouble
from make.server import make_server, serve
from make.site import build_site


def main(arguments: list[str]) -> int:
    """Run the task that the arguments name; its exit status. 1 with one line of text for
    `Trouble`."""
    options = parse(arguments)
    try:
        return globals()[f"task_{options.command}"](options)
    except Trouble as trouble:
        print(f"build.py: {trouble}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nbuild.py: stopped", file=sys.stderr)
        return 130


def task_build(options) -> int:
    """Build the site."""
    build_site()
    return 0


def task_serve(options) -> int:
    """Build the site and serve it until it is stopped."""
    make_server(options.port).server_close()  # a taken port is said before the build, not after
    build_site()
    serve(options.port)
    return 0


def task_test(options) -> int:
    """Build the site and run the tests on all cores; pytest's exit status."""
    build_site()
    built = dict(os.environ, SIX_CACHES_BUILT="1")
    side_by_side = ["-n", "auto", "--dist", "worksteal"]  # as many at once as there are cores
    return subprocess.call([sys.executable, "-m", "pytest", *side_by_side, *options.handed_on], cwd=ROOT, env=built)


def task_check(options) -> int:
    """Build the site and check code, HTML and links; 0 when all is well."""
    build_site()
    return check(options.fix)


def task_bench(options) -> int:
    """Build the site and measure it; 0 when everything is within its budget."""
    from tests.benchmarks.report import main as measure

    build_site()
    return measure()


def task_mutate(options) -> int:
    """Run the mutation test of the cache keys; its exit status."""
    return subprocess.call([sys.executable, "-m", "tests.mutation", *options.handed_on], cwd=ROOT)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
