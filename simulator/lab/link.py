"""Permalinks: a history as readable data, never as Python.

    v=1&do=call,numpy,call,shape:8,call

`v` is the version of the grammar; `do` lists actions as ``kind`` or ``kind:choice``.
Reading is forgiving: what is not understood is left out and reported, the rest is kept.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence

from simulator.lab.kinds import KINDS, Action

VERSION = "1"
MOST_ACTIONS = 200
MOST_RESTARTS = 7
"""Limits that keep a link from asking for hours of work."""


@dataclasses.dataclass(frozen=True)
class Parsed:
    """A history read from a link, and what could not be read, one sentence each."""
    history: tuple[Action, ...]
    problems: tuple[str, ...]


def permalink(history: Sequence[Action]) -> str:
    """The query of a link to a history, without the question mark."""
    return f"v={VERSION}&do={','.join(str(action) for action in history)}"


def parse(link: str) -> Parsed:
    """Read a history from a link.

    Args:
      link: a query (``"v=1&do=call"``, with or without ``?``) or a whole address. Other
        parameters are ignored.
    Returns: the history and the problems. Never raises for any text.
    """
    from urllib.parse import parse_qs
    query = link.partition("?")[2] if "?" in link else link
    query = query.partition("#")[0]
    try:
        fields = parse_qs(query, keep_blank_values=True)
    except ValueError:
        return Parsed((), ("The link could not be read.",))
    problems = []
    version = fields.get("v", [VERSION])[-1]
    if version != VERSION:
        problems.append(f"The link has version {version[:20]!r}; this page knows version "
                        f"{VERSION} and reads it as that.")
    if "do" not in fields:
        return Parsed((), (*problems, "The link has no list of actions (do=...)."))
    found = read(",".join(fields["do"]).split(","))
    return Parsed(found.history, (*problems, *found.problems))


def read(actions: Iterable[str]) -> Parsed:
    """Read a history from texts like ``"shape:8"``. Never raises for any text."""
    history: list[Action] = []
    problems: list[str] = []
    restarts = 0
    for text in filter(None, (part.strip() for part in actions)):
        name, _, choice = text.partition(":")
        problem = _problem(name, choice)
        if not problem and len(history) == MOST_ACTIONS:
            problems.append(f"Only the first {MOST_ACTIONS} actions were kept.")
            break
        if not problem and name == "restart":
            restarts += 1
            if restarts > MOST_RESTARTS:
                problem = f"More than {MOST_RESTARTS} new processes: left out."
        if problem:
            problems.append(problem)
        else:
            history.append(Action(name, choice))
    return Parsed(tuple(history), tuple(problems))


def _problem(name: str, choice: str) -> str:
    """What is wrong with one action, or an empty text."""
    kind = KINDS.get(name)
    if kind is None:
        return f"There is no action {name[:40]!r}: left out."
    if choice and kind.choice(choice) is None:
        known = ", ".join(known.id for known in kind.choices) or "nothing to choose"
        return f"{name!r} has no choice {choice[:40]!r} (there is: {known}): left out."
    return ""
