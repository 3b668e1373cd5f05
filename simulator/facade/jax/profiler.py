"""``jax.profiler``: marks for a profiler, which no cache looks at.

Nothing is profiled here: a trace begins and ends, and leaves no files behind. What reads a
profile is out of scope.

JAX source: ``jax/_src/profiler.py``.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from typing import Any

from simulator import process
from simulator.errors import OutOfScope
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
        return process.current().profiling


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


def start_trace(log_dir: Any, create_perfetto_link: bool = False,
                create_perfetto_trace: bool = False, profiler_options: Any = None) -> None:
    """``jax.profiler.start_trace``. RuntimeError while another one runs; OutOfScope: Perfetto."""
    if create_perfetto_link or create_perfetto_trace:
        raise OutOfScope("jax.profiler.start_trace for Perfetto", "leave the options out")
    here = process.current()
    if here.profiling:
        raise RuntimeError("Profile has already been started. Only one profile may be run at a "
                           "time.")
    here.profiling = bool(here.devices)     # the backend is there from now on


def stop_trace() -> None:
    """``jax.profiler.stop_trace``. RuntimeError when none was started."""
    here = process.current()
    if not here.profiling:
        raise RuntimeError("No profile started")
    here.profiling = False


@contextlib.contextmanager
def trace(log_dir: Any, create_perfetto_link: bool = False, create_perfetto_trace: bool = False,
          profiler_options: Any = None) -> Iterator[None]:
    """``jax.profiler.trace``: a scope that is profiled."""
    start_trace(log_dir, create_perfetto_link, create_perfetto_trace, profiler_options)
    try:
        yield
    finally:
        stop_trace()


__all__ = ["StepTraceAnnotation", "TraceAnnotation", "annotate_function",
           "start_trace", "stop_trace", "trace"]
