"""A history as an ordinary JAX program, with call(...) marks.

The program is written the way a person would write it: definitions at the top, then
one small change after another, each with a comment, and the calls in between. Calls
inside a context stand in a `with` block; several processes share one file.
"""

from __future__ import annotations

from collections.abc import Sequence

from simulator.lab.kinds import KINDS, Action
from simulator.lab.link import permalink
from simulator.lab.state import START, State, Step, follow
from simulator.lab.text import (
    base_definition,
    bindings,
    call_text,
    contexts,
    opening,
    opening_bindings,
)

DEVICES = 4


def issued(history: Sequence[Action]) -> list[tuple[int, str]]:
    """The calls of a history.

    Returns: (index of the action, label of its call) for each issuing action, in order.
      The label begins with the number of the call, so it is unique and does not depend on
      what comes later.
    """
    found: list[tuple[int, str]] = []
    for index, (action, now) in enumerate(zip(history, follow(history))):
        if KINDS[action.kind].issues:
            found.append((index, f"{len(found) + 1}. {call_text(now.state, action)}"))
    return found


def program(history: Sequence[Action]) -> str:
    """The text of the program that a history describes.

    Args:
      history: actions of known kinds.
    Returns: Python source, ending in a newline. The same history gives the same text.
    """
    steps = follow(history)
    states = [START, *(now.state for now in steps)]
    trees = any(state.tree != "leaf" for state in states)
    labels = dict(issued(history))
    writers = [_Process(START, trees)]
    for index, (action, before, now) in enumerate(zip(history, states, steps)):
        if action.kind == "restart":
            writers.append(_Process(now.state, trees))
        elif KINDS[action.kind].issues:
            writers[-1].issue(action, now.state, labels[index])
        else:
            writers[-1].change(action, before, now)
    many = len(writers) > 1
    body: list[str] = []
    for number, writer in enumerate(writers):
        if not many:
            body += writer.lines
            continue
        body += ["", f"if process == {number}:", *("    " + line for line in writer.lines)]
    if many:
        body = ['process = int(os.environ["CASE_PROCESS"])', *body]
    head = [f"# lab: {permalink(history)}",
            f"# env: XLA_FLAGS=--xla_force_host_platform_device_count={DEVICES}"]
    if many:
        head.append(f"# processes: {len(writers)}")
    top = opening(states, "\n".join(body), trees)
    return "\n".join([*head, *top, *body]) + "\n"


class _Process:
    """Writes what one process does."""

    def __init__(self, state: State, trees: bool):
        self.trees = trees
        self.context = ""
        self.spent = False          # the last call may have donated x
        self.lines: list[str] = []
        start = dict(opening_bindings(state, trees))
        if start["g"][0] == "previous = g":     # there is no earlier wrapper yet
            start["g"] = start["g"][1:]
        for lines in start.values():
            self.lines += lines
        self.bound = bindings(state, trees)

    def change(self, action: Action, before: State, now: Step) -> None:
        """Write the statements that bring the state about."""
        new = bindings(now.state, self.trees)
        again = set(now.again)
        if "def" in again or new["def"] != self.bound["def"]:
            again |= {"def", "g"}
        lines: list[str] = list(now.lines)
        if action.kind == "redefine":
            lines += ["del f, g", *base_definition(self.trees)]
        for name, text in new.items():
            if name in again or text != self.bound.get(name):
                lines += text
                self.spent = self.spent and name != "x"
        self.bound = new
        if lines or now.state != before:
            self.context = ""
            self.lines += [_comment(action), *lines]

    def issue(self, action: Action, state: State, label: str) -> None:
        """Write one call."""
        if self.spent:
            self.context = ""
            self.lines += [*self.bound["x"], *self.bound["y"]]
        text = call_text(state, action)
        around = contexts(state)
        if around and around != self.context:
            self.lines.append(f"with {around}:")
        self.context = around
        indent = "    " if around else ""
        quoted = label.replace("\\", "\\\\").replace("'", "\\'")
        mark = f"'{quoted}'" if '"' in label else f'"{label}"'
        line = f"{indent}call({mark}, lambda: {text})"
        if len(line) > 95:
            self.lines += [f"{indent}call({mark},", f"{indent}     lambda: {text})"]
        else:
            self.lines.append(line)
        runs = action.kind == "call" or action.picked == "run"
        self.spent = runs and state.options == "donate" and state.form in ("array", "weak")


def _comment(action: Action) -> str:
    """One line above the statements of a change."""
    kind = KINDS[action.kind]
    choice = kind.choice(action.choice)
    return f"# {kind.slot}: {choice.label if choice else kind.words}"
