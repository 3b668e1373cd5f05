"""What ``python -m simulator`` does: ``observe FILE… [--json | --recording]``.

Exit status: 0; 3 when a file uses something out of scope (said on standard
error, no records printed for it); 1 when a program fails (said there, too, and what it
did until then is printed); 2 for wrong usage.
"""

from __future__ import annotations

import json
import os
import sys

from simulator.errors import OutOfScope
from simulator.recordings.recording import Recording
from simulator.recordings.records import records, table
from simulator.running import garbage
from simulator.running.program import ProgramError, observe

USAGE = """usage: python -m simulator observe FILE... [--json | --recording]

Predict what the caches of JAX 0.11.1 do, by running programs on the model.

  --json       one list of records per file
  --recording  the full event stream
"""
_FORMS = ("--json", "--recording")


def _parsed(arguments: list[str]) -> tuple[list[str], str] | None:
    """(files, form), or None for wrong usage."""
    files = [a for a in arguments[1:] if not a.startswith("-")]
    forms = {a for a in arguments[1:] if a.startswith("-")}
    if arguments[:1] != ["observe"] or not files or len(forms) > 1 or not forms <= {*_FORMS}:
        return None
    return files, forms.pop() if forms else ""


def print_anything() -> None:
    """Whatever the terminal is set to: UTF-8, and half a character as its number, which JSON
    reads back. A stream that was closed before we began swallows everything."""
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115 (open as long as we are)
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]


def main(arguments: list[str] | None = None) -> int:
    """Entry point; `arguments` without the program name."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if {"-h", "--help"} & {*arguments}:
        print(USAGE, end="")
        return 0
    parsed = _parsed(arguments)
    if parsed is None:
        print(USAGE, end="", file=sys.stderr)
        return 2
    files, form = parsed
    if len(files) > 2:
        garbage.settle()
    status = 0
    for file in files:
        failed = None
        try:
            recording = observe(file, keys=form == "--recording")
        except OutOfScope as refused:
            print(refused, file=sys.stderr)
            status = max(status, 3)
            continue
        except OSError as error:
            print(f"{file}: {error.strerror}", file=sys.stderr)
            status = max(status, 2)
            continue
        except ProgramError as error:
            failed, recording = error, error.recording
        _print(file, recording, form)
        if failed is not None:
            print(f"{file}: {failed}", file=sys.stderr)
            if isinstance(failed.error, KeyboardInterrupt):
                return 130
            status = max(status, 1)
    return status


def _print(file: str, recording: Recording, form: str) -> None:
    if form == "--recording":
        print(recording.to_json())
    elif form == "--json":
        print(json.dumps(records(recording), ensure_ascii=False))
    else:
        print(f"## {file}\n{table(records(recording))}")
    sys.stdout.flush()
