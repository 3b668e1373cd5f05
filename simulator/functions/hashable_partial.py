"""Functions with their first arguments, equal where code and arguments are.

JAX source: ``jax/_src/util.py: HashablePartial``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class HashablePartial:
    """A function with its first arguments: equal to another one by code and arguments.

    It has no name, which is why the log calls it ``<unnamed function>``.
    """

    def __init__(self, f: Callable, *args: Any):
        self.f, self.args = f, args

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, HashablePartial) and self.f.__code__ == other.f.__code__
                and self.args == other.args)

    def __hash__(self) -> int:
        return hash((self.f.__code__, self.args))

    def __call__(self, *args: Any) -> Any:
        return self.f(*self.args, *args)


HashablePartial.__module__ = "jax._src.util"   # texts of the class show it
