#!/usr/bin/env python3
"""Six Caches, one entry point.

    python3 build.py serve    set up, build the site, serve it on this machine
    python3 build.py test     set up (a browser too), build, run every test
    python3 build.py build    set up and build into dist/
    python3 build.py check    lint, types, HTML and links
    python3 build.py bench    measure speed and sizes, printed as ratios
    python3 build.py mutate   is every field of every cache key tested? (minutes)

Needs Python 3.13 and Node 20 or newer; everything else it installs into
`.venv` and `node_modules` beside this file. The work is done by the small
modules in `site/make/`; this file only finds the right Python for them.
"""

import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.abspath(__file__))
WANTED = (3, 13)  # the browser's Python: the model is shipped as its bytecode


def find_python():
    """The path of a working Python 3.13 on PATH, or None."""
    path = shutil.which("python%d.%d" % WANTED)
    probe = [path, "-c", ""]
    if path and subprocess.call(probe, cwd=ROOT, stderr=subprocess.DEVNULL) == 0:
        return path
    return None


def main():
    """Run the command given, in this Python or in another one that is 3.13. Never returns:
    SystemExit."""
    if sys.version_info[:2] != WANTED:
        path = find_python()
        if path is None:
            sys.exit(
                "build.py: this is Python %d.%d, the project needs Python %d.%d: "
                "install it and run `python%d.%d build.py`." % (sys.version_info[:2] + WANTED * 2)
            )
        try:
            sys.exit(subprocess.call([path] + sys.argv, cwd=ROOT))
        except KeyboardInterrupt:
            sys.exit(130)  # what was called has said so

    for stream in sys.stdout, sys.stderr:  # a terminal that knows few letters stops nothing
        stream.reconfigure(errors="replace")
    sys.path.insert(0, os.path.join(ROOT, "site"))
    from make import command_line

    sys.exit(command_line.main(sys.argv[1:]))


if __name__ == "__main__":
    main()
