"""Cut a history that fails down to a smallest one that still fails (delta debugging)."""

from __future__ import annotations

from collections.abc import Callable

from simulator.lab import KINDS, Action

History = tuple[Action, ...]
MOST_TRIALS = 80
"""How many shorter histories are tried at most for one difference."""


def shrink(history: History, fails: Callable[[History], bool],
           most: int = MOST_TRIALS) -> tuple[History, int]:
    """The smallest history found that still fails.

    Args:
      history: one that fails.
      fails: whether a history fails.
      most: how many histories are tried at most.
    Returns: the history and the number of trials. No single action can be left out of it,
      unless `most` was reached.
    """
    trials = 0
    known: dict[History, bool] = {}

    def still(candidate: History) -> bool:
        nonlocal trials
        if candidate not in known:
            if trials >= most:
                return False
            trials += 1
            known[candidate] = fails(candidate)
        return known[candidate]

    known[history] = True
    size = max(1, len(history) // 2)
    while True:
        for start in range(0, len(history), size):
            shorter = history[:start] + history[start + size:]
            if shorter and still(shorter):
                history = shorter
                break
        else:
            if size == 1:
                break
            size = max(1, size // 2)
            continue
        size = min(size, max(1, len(history) // 2))
    for index, action in enumerate(history):
        plain = (*history[:index], Action(action.kind), *history[index + 1:])
        if action.choice and KINDS[action.kind].choices[0].id != action.choice and still(plain):
            history = plain
    return history, trials
