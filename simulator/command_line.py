"""What ``python -m simulator`` does: ``observe FILE… [--json | --recording]``.

Exit status: 0; 3 when a file uses something out of scope (said on standard
error, no records printed for it); 1 when a program fails; 2 for wrong usage.
"""

from __future__ import annotations

import argparse
import json
import sys

from simulator.errors import OutOfScope
from simulator.recording import records, table
from simulator.running.program import ProgramError, observe


def main(arguments: list[str] | None = None) -> int:
    """Entry point; `arguments` without the program name."""
    parser = argparse.ArgumentParser(
        prog="python -m simulator", description="Predict what the caches of JAX 0.11.1 do.")
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("observe", help="run programs on the model")
    command.add_argument("files", nargs="+", metavar="FILE")
    form = command.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one list of records per file")
    form.add_argument("--recording", action="store_true", help="the full event stream")
    options = parser.parse_args(arguments)
    status = 0
    for file in options.files:
        try:
            recording = observe(file, keys=options.recording)
        except OutOfScope as refused:
            print(refused, file=sys.stderr)
            status = max(status, 3)
            continue
        except ProgramError as failed:
            print(f"{file}: {failed}", file=sys.stderr)
            status = max(status, 1)
            continue
        except OSError as error:
            print(f"{file}: {error.strerror}", file=sys.stderr)
            status = max(status, 2)
            continue
        if options.recording:
            print(recording.to_json())
        elif options.json:
            print(json.dumps(records(recording), ensure_ascii=False))
        else:
            print(f"## {file}\n{table(records(recording))}")
    return status
