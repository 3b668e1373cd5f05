"""How long calls take: medians of one recorded run, with the machine it ran on.

`simulator/data/timings.json` is written by `python -m simulator.live.timings`.
Durations are shown in one rounded form, since only their order matters.
"""

import functools
import json

from make.paths import ROOT

FILE = ROOT / "simulator" / "data" / "timings.json"


@functools.cache
def run() -> dict:
    """The recorded run: `machine`, `jax`, `python`, `rounds`, `rows`."""
    return json.loads(FILE.read_text(encoding="utf-8"))


def row(name: str) -> dict:
    """The recorded timing of this id. ValueError when there is none."""
    for entry in run()["rows"]:
        if entry["id"] == name:
            return entry
    raise ValueError(f"no timing {name!r} was recorded")


def text(name: str) -> str:
    """A duration in words (`8 µs`, `23 ms`, with spaces that do not break), or with `a / b` how many times one is
    the other."""
    if "/" in name:
        top, bottom = (row(part.strip())["median_us"] for part in name.split("/"))
        return rounded(top / bottom)
    return duration(row(name)["median_us"])


def duration(microseconds: float) -> str:
    """Microseconds as text: "8 µs", "20 ms"."""
    if microseconds < 1000:
        return f"{rounded(microseconds)}\u00a0µs"
    return f"{rounded(microseconds / 1000)}\u00a0ms"


def rounded(number: float) -> str:
    """Two digits that count, no more."""
    if number >= 100:
        digits = len(str(int(number))) - 2
        return f"{int(round(number / 10**digits)) * 10**digits:,}".replace(",", "\u202f")
    return f"{number:.0f}" if number >= 10 else f"{number:.1f}".removesuffix(".0")


def machine() -> str:
    """The machine that was timed, in a few words."""
    return run()["machine"]
