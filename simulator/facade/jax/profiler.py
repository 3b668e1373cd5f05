"""``jax.profiler``: marks for a profiler, which no cache looks at.

Nothing is profiled here; what makes or reads a profile is out of scope.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from simulator.facade.public import missing as _missing

__getattr__ = _missing("jax.profiler")


class TraceAnnotation:
    """``jax.profiler.TraceAnnotation``: a context manager that marks a span of time."""

    def __init__(self, name: str, **kwargs: Any):
        if not isinstance(name, str):
            raise TypeError("__init__(): incompatible function arguments. The following argument "
                            "types are supported:")

    def __enter__(self) -> TraceAnnotation:
        return self

    def __exit__(self, *error: Any) -> None:
        """The end of the span."""

    def set_metadata(self, **kwargs: Any) -> None:
        """More marks."""

    @staticmethod
    def is_enabled() -> bool:
        """Whether a profile is being taken."""
        return False


class StepTraceAnnotation(TraceAnnotation):
    """``jax.profiler.StepTraceAnnotation``: the same for a step of training."""


def annotate_function(func: Callable, name: str | None = None, **decorator_kwargs: Any) -> Callable:
    """``jax.profiler.annotate_function``: a decorator that marks every call."""
    name = name or func.__name__

    @functools.wraps(func)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        with TraceAnnotation(name, **decorator_kwargs):
            return func(*args, **kwargs)
    return wrapper


__all__ = ["StepTraceAnnotation", "TraceAnnotation", "annotate_function"]
