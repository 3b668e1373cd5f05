"""The monitoring listeners of one process.

JAX source: ``jax/_src/monitoring.py: record_event, record_event_duration_secs``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

CACHE = "/jax/compilation_cache/"
COMPILE = "/jax/core/compile/"


class Listeners:
    """Callbacks that a program registered with `jax.monitoring`."""

    def __init__(self) -> None:
        self.events: list[Callable[..., None]] = []
        self.durations: list[Callable[..., None]] = []

    def event(self, name: str, **details: Any) -> None:
        """Tell every event listener."""
        for callback in list(self.events):
            callback(name, **details)

    def duration(self, name: str, seconds: float, **details: Any) -> None:
        """Tell every duration listener."""
        for callback in list(self.durations):
            callback(name, seconds, **details)
