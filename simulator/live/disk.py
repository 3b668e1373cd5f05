"""The persistent cache: lookups, loads, compilations and what was written.

All of it is seen at the start and end of JAX's own functions; the parts of the
key come from the DEBUG lines of jax/_src/cache_key.py: _log_cache_key_hash.
"""

from __future__ import annotations

import inspect
import logging
import re
from collections.abc import Callable

from simulator.live.stream import Stream

_HASH = re.compile(r"hash of serialized (.+): ([0-9a-f]{64})")
_FIELDS = {"computation": "module", "jax_lib version": "jaxlib", "backend version": "platform",
           "XLA flags": "xla_flags", "compile_options": "compile_options",
           "accelerator_config": "topology", "compression": "compression",
           "custom_hook": "custom_hook"}
"""JAX's name of a key part -> our field name."""


class Disk:
    """Reports disk lookups and stores, ``compile`` and ``load`` work.

    Args:
      name: gives the plain name of what is being compiled on this thread.
    `starts`, `returns`: code object -> hook, for the recorder to install.
    """

    def __init__(self, stream: Stream, name: Callable[[], str]):
        from jax._src import cache_key, compilation_cache, compiler
        self.stream, self.name = stream, name
        self._module = compilation_cache
        self._parts: dict[str, str] = {}
        self._written = False
        code = _code
        self.starts = {code(compiler.compile_or_get_cached): self._request,
                       code(compiler.backend_compile_and_load): self._compiles,
                       code(compiler._cache_write): self._write_starts}
        self.returns = {code(compiler._cache_read): self._read,
                        code(compiler._cache_write): self._write_ends}
        self._logger = logging.getLogger(cache_key.__name__)
        self._level = self._logger.level
        self._logger.addHandler(_Parts(self._part))

    def _part(self, name: str, digest: str) -> None:
        self._parts[_FIELDS.get(name, name)] = digest

    def _request(self, frame):
        from jax._src import config
        self._parts = {}
        # A key is computed for each compilation, and each part of it logged: only where wanted.
        wanted = self._module._cache is not None or config.compilation_cache_dir.value is not None
        self._logger.setLevel(logging.DEBUG if wanted else self._level)

    def in_use(self, backend) -> bool:
        """Whether there is a place to look in: a folder was set when it was first needed."""
        return self._module._cache is not None

    def _read(self, frame, value):
        if not self.in_use(frame.f_locals["backend"]):
            return
        found = isinstance(value, tuple) and value[0] is not None
        key = [(name, f"{name} {digest}") for name, digest in self._parts.items()]
        key.append(("file name", str(frame.f_locals["cache_key"])))
        depth = self.stream.inside()
        self.stream.lookup("disk", self.name(), depth, "hit" if found else "miss", key)
        if found:
            self.stream.work("load", self.name(), depth)

    def _compiles(self, frame):
        self.stream.work("compile", self.name(), self.stream.inside())

    def _write_starts(self, frame):
        self._written = False

    def on_event(self, name: str) -> None:
        """A `jax.monitoring` event: ``cache_misses`` is recorded when an entry is written."""
        if name.endswith("/compilation_cache/cache_misses"):
            self._written = True

    def _write_ends(self, frame, value):
        if not self.in_use(frame.f_locals["backend"]):
            return
        outcome = "written" if self._written else "skipped"
        self.stream.store("disk", self.name(), self.stream.inside(), outcome,
                          "" if self._written else self._why_skipped(frame))

    def _why_skipped(self, frame) -> str:
        from jax._src import config, distributed
        if distributed.global_state.process_id != 0:
            return "only process 0 writes"
        least = config.persistent_cache_min_compile_time_secs.value
        if frame.f_locals["compile_time_secs"] < least:
            return f"it took less than {least:g} s to compile"
        size = config.persistent_cache_min_entry_size_bytes.value
        return f"it is smaller than {size} bytes" if size > 0 else "it could not be written"


class _Parts(logging.Handler):
    def __init__(self, write):
        super().__init__(logging.DEBUG)
        self._write = write

    def emit(self, record):
        match = _HASH.search(record.getMessage())
        if match:
            self._write(match[1], match[2])


def _code(function):
    return inspect.unwrap(function).__code__
