"""``jax.monitoring``: listeners for JAX's events.

JAX source: ``jax/_src/monitoring.py``.

Simplified: the model fires the events of the persistent cache and the three
compile durations (with a duration of zero); nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simulator import process
from simulator.facade.public import missing as _missing


def register_event_listener(callback: Callable[..., None]) -> None:
    """`callback(name, **details)` for every event."""
    process.current().listeners.events.append(callback)


def register_event_duration_secs_listener(callback: Callable[..., None]) -> None:
    """`callback(name, seconds, **details)` for every duration."""
    process.current().listeners.durations.append(callback)


def unregister_event_listener(callback: Callable[..., None]) -> None:
    """Forget a listener for events. AssertionError when it is none."""
    assert callback in process.current().listeners.events
    process.current().listeners.events.remove(callback)


def unregister_event_duration_listener(callback: Callable[..., None]) -> None:
    """Forget a listener for durations. AssertionError when it is none."""
    assert callback in process.current().listeners.durations
    process.current().listeners.durations.remove(callback)


def clear_event_listeners() -> None:
    """Forget every listener."""
    listeners = process.current().listeners
    listeners.events.clear()
    listeners.durations.clear()


def record_event(event: str, **details: Any) -> None:
    """Tell every event listener."""
    process.current().listeners.event(event, **details)


def record_event_duration_secs(event: str, duration: float, **details: Any) -> None:
    """Tell every duration listener."""
    process.current().listeners.duration(event, duration, **details)


__getattr__ = _missing("jax.monitoring")
