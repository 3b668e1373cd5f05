"""What each command does once `.venv` is ready. Runs inside it."""

import subprocess
import sys

from make.command_line import parser
from make.paths import ROOT
from make.progress import Trouble


def main(arguments: list[str]) -> int:
    options = parser().parse_args(arguments)
    try:
        return globals()[f"task_{options.command}"](options)
    except Trouble as trouble:
        print(f"build.py: {trouble}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nbuild.py: stopped", file=sys.stderr)
        return 130


def task_test(options) -> int:
    return subprocess.call([sys.executable, "-m", "pytest", *options.pytest], cwd=ROOT)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
