"""The command line of the real-JAX side: ``python -m simulator.live --help``."""

from __future__ import annotations

import argparse
import sys


def main(arguments: list[str] | None = None) -> int:
    """Run one command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m simulator.live", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("introspect", help="write the files in simulator/data")
    options = parser.parse_args(arguments)
    if options.command == "introspect":
        from simulator.live import introspect, public_names
        print(introspect.run())
        print(public_names.run())
    return 0


if __name__ == "__main__":
    sys.exit(main())
