"""One simulated Python process: everything that dies with it.

All caches, the configuration, the pytree registries, the devices and the disk
settings hang off one `Process`. A second process with the same persistent
cache directory is a second `Process`; only files survive between them.
"""

from __future__ import annotations

import functools
import os
import threading
import weakref
from collections.abc import Mapping
from typing import Any

from simulator.listeners import Listeners


class ThreadState(threading.local):
    """What JAX keeps per thread.

    trace: the current trace, see `simulator.traces`.
    depth: how many Python paths are open on this thread (events carry it).
    around: the program's places around the function that is being traced, see
      `simulator.running.source.places`.
    print_options: how arrays print, where it was changed.
    """

    depth = 0
    around: tuple = ()
    print_options: dict[str, Any] | None = None

    def __init__(self) -> None:
        from simulator import traces
        self.trace: Any = traces.EVAL


class Process:
    """A fresh interpreter with JAX imported and nothing called yet.

    Args:
      environ: environment variables (``XLA_FLAGS``, ``JAX_…``, ``CASE_TMP``).
      recorder: receives every event; see `simulator.events.Recorder`.
    """

    def __init__(self, environ: Mapping[str, str], recorder: Any):
        from simulator import dispatch, executable, fast_path, lowering, params, persistent, tracing
        from simulator.configuration import config
        from simulator.trees import pytrees

        self.environ = dict(environ)
        self.recorder = recorder
        self.thread = recorder.thread = ThreadState()
        self.listeners = Listeners()
        self.registries = pytrees.Registries()
        self.config = config.Config(self.environ)
        self.callsites_with_misses: set[str] = set()
        self.deprecated_names: set[str] = set()  # asked for, and warned of
        self.aot_caches: weakref.WeakSet = weakref.WeakSet()
        # Set for unmarked programs: observes outermost calls. See `simulator.running.outermost`.
        self.on_outermost: Any = None

        context = self.config.trace_context
        self.fast_path = fast_path.FastPathCache()
        self.params = params.new_cache(context)
        self.trace = tracing.new_cache(context)
        self.lower = lowering.new_lower_cache(context)
        self.hlo = lowering.new_hlo_cache(context)
        self.dce = lowering.new_dce_cache(context)
        self.compile = executable.new_cache(context)
        self.prim = dispatch.new_cache(context)
        self.disk = persistent.Disk(self)
        # Caches of the library that no station counts, by name.
        self.side_caches: dict[str, Any] = {}
        self.profiling = False
        # The state that numpy.random.rand and its like share, once it has a seed.
        self.numpy_random: Any = None
        for station, cache in self.python_caches().items():
            cache.on_compute = functools.partial(recorder.body, station)

    @functools.cached_property
    def devices(self) -> tuple:
        """The CPU devices. Like JAX's backend, made when first needed."""
        from simulator.placement import devices
        self.config.backends_initialized = True
        asked = self.config.value("jax_num_cpu_devices")
        if asked not in (None, -1):
            return tuple(devices.Device(i) for i in range(asked))
        # JAX reads the flags when the backend starts, not when it is imported.
        return tuple(devices.devices_from_flags(os.environ.get("XLA_FLAGS", "")))

    def devices_of(self, backend: str | None) -> tuple:
        """The devices of a platform by name. RuntimeError for any but the CPU."""
        if backend in (None, "cpu"):
            return self.devices
        raise RuntimeError(
            f"Unknown backend: {backend!r} requested, but no platforms that are instances of "
            f"{backend} are present. Platforms present are: cpu" if backend == "gpu" else
            f"Unknown backend {backend}. Available backends are ['cpu']")

    def sizes(self) -> dict[str, int]:
        """Station id -> number of entries, where entries can be counted."""
        sizes = {name: len(cache) for name, cache in self.python_caches().items()}
        return {"fast_path": len(self.fast_path), **sizes}

    def python_caches(self) -> dict[str, Any]:
        """Station id -> cache, for the stations that count hits and misses."""
        return {"params": self.params, "trace": self.trace, "lower": self.lower,
                "hlo": self.hlo, "compile": self.compile, "prim": self.prim}

    def clear_caches(self) -> None:
        """``jax.clear_caches()``: everything in memory, nothing on disk."""
        self.fast_path.clear()
        for cache in self.aot_caches:
            cache.clear()
        self.dce.clear()
        self.side_caches.clear()
        for cache in self.python_caches().values():
            cache.clear()


_current: Process | None = None


def current() -> Process:
    """The process that the running program lives in. RuntimeError when there is none."""
    if _current is None:
        raise RuntimeError("no simulated process: run programs through simulator.running.program")
    return _current


def enter(process: Process | None) -> Process | None:
    """Make `process` the current one and return the one before."""
    global _current
    before, _current = _current, process
    if process is not None:
        from simulator.trees import pytrees
        pytrees.use(process.registries)
    return before


def running() -> bool:
    """Whether there is a current process (there is none while modules are imported)."""
    return _current is not None
