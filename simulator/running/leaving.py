"""What would take a program out of its process: refused by name.

`os` is the real module. A call of one of these would end whoever runs the model, or
start something beside it, and nothing of what was recorded would be seen.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from typing import NoReturn

from simulator.errors import OutOfScope

_REFUSED = ("_exit", "abort", "kill", "killpg", "fork", "forkpty", "system", "popen",
            "posix_spawn", "posix_spawnp", "startfile")
_KINDS = ("exec", "spawn")


def _refusal(name: str) -> Callable[..., NoReturn]:
    def refuse(*args: object, **kwargs: object) -> NoReturn:
        raise OutOfScope(f"os.{name}", "let the program end by itself or with sys.exit; "
                         "other processes come with the header line # processes: N")
    return refuse


@contextlib.contextmanager
def refused() -> Iterator[None]:
    """For the length of a program: functions of `os` that leave the process are refused."""
    real = {name: value for name, value in vars(os).items()
            if name in _REFUSED or (name.startswith(_KINDS) and callable(value))}
    vars(os).update({name: _refusal(name) for name in real})
    try:
        yield
    finally:
        vars(os).update(real)
