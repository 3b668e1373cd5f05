"""What the header comments of a program ask for: one reading for both producers."""

from __future__ import annotations

from simulator.errors import OutOfScope
from simulator.named_tuples import NamedTuple

MOST_PROCESSES = 16
"""How many processes a program may ask for."""


class Directives(NamedTuple):
    """What the header comments of a program ask for."""

    env: dict[str, str]
    processes: int = 1
    log: bool = True

    @classmethod
    def of(cls, text: str) -> Directives:
        """What the header comments of a program say; the first line without ``#`` ends them.

        Raises OutOfScope for a number of processes that nobody runs.
        """
        found = cls({})
        for line in text.split("\n"):
            if not line.startswith("#"):
                break
            kind, _, rest = line[1:].strip().partition(":")
            rest = rest.strip()
            name, equals, value = rest.partition("=")
            if kind == "env" and equals and name.isidentifier():
                found.env[name] = value.strip()
            elif kind == "processes" and rest.isdecimal():
                found = found._replace(processes=_number(rest))
            elif kind == "log" and rest.startswith("off"):
                found = found._replace(log=False)
        return found


def _number(digits: str) -> int:
    digits = digits.lstrip("0")[:10]
    wanted = int(digits or "0")
    if not 1 <= wanted <= MOST_PROCESSES:
        raise OutOfScope(f"{wanted} processes", f"a program may ask for 1 up to {MOST_PROCESSES}")
    return wanted
