"""Saying what is going on: a line per step, seconds while a long one runs,
and one clear line when something is wrong."""

import subprocess
import sys
import tempfile
import threading
import time


class Trouble(Exception):
    """Something the person can put right. The text is one line: what is
    wrong and what to do."""


def say(text: str) -> None:
    """Print a line at once."""
    print(text, flush=True)


class Step:
    """`with Step("Compiling")`: prints the label, the seconds as they pass
    (each second on a terminal, every 15 s in a log), and the total."""

    def __init__(self, label: str):
        self.label = label
        self._done = threading.Event()

    def __enter__(self):
        self._start = time.monotonic()
        self._live = sys.stdout.isatty()
        print(f"· {self.label}", end="" if self._live else "\n", flush=True)
        self._thread = threading.Thread(target=self._tick, daemon=True)
        self._thread.start()
        return self

    def _tick(self):
        while not self._done.wait(1 if self._live else 15):
            seconds = int(time.monotonic() - self._start)
            if self._live:
                print(f"\r· {self.label} … {seconds} s", end="", flush=True)
            else:
                print(f"  … {self.label}, {seconds} s so far", flush=True)

    def __exit__(self, kind, value, trace):
        self._done.set()
        self._thread.join()
        seconds = time.monotonic() - self._start
        end = "stopped" if kind else "done"
        start = f"\r· {self.label}" if self._live else f"  {self.label}"
        if self._live or seconds > 5:
            print(f"{start}: {end} ({seconds:.1f} s)   ", flush=True)


def run(label: str, command: list, advice: str, *, cwd=None, env=None) -> None:
    """Runs a long command behind a `Step`. Its output is kept out of sight
    unless it fails; then the last lines are shown and `Trouble(advice)` is
    raised."""
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as output:
        with Step(label):
            code = subprocess.call(
                [str(part) for part in command],
                cwd=cwd,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        if code:
            output.seek(0)
            tail = output.read().strip().splitlines()[-25:]
            say("\n".join("    " + line[:200] for line in tail))
            raise Trouble(advice)
