"""What JAX says while it is watched: log lines, warnings, monitoring events."""

from __future__ import annotations

import logging
import warnings

from simulator.live.disk import Disk
from simulator.live.normal import Normaliser
from simulator.live.own_log import Passing
from simulator.live.stream import Stream
from simulator.recordings import event_data


class Heard:
    """Listens from now on, and writes it into the call that is open.

    Args:
      normal: turns log lines into stable text.
      brief: the program's own handlers and filters stay as they are.
    """

    def __init__(self, stream: Stream, disk: Disk, normal: Normaliser, brief: bool):
        from jax import monitoring
        self.stream, self.disk, self.normal = stream, disk, normal
        self._shown = None
        monitoring.register_event_listener(self._on_event)
        logger = logging.getLogger("jax")
        logger.propagate = False
        if brief:
            logger.addHandler(Passing(self._on_record))
            self._shown = warnings.showwarning
        else:
            logger.addHandler(_Handler(self._on_record))
            warnings.simplefilter("always")
        warnings.showwarning = self._on_warning

    def _on_event(self, name, **more):
        if self.stream.call is not None and "compilation_cache" in name:
            self.stream.call.persistent.append(name.rsplit("/", 1)[-1])
        self.disk.on_event(name)

    def _on_record(self, record: logging.LogRecord) -> None:
        self._log(f"{record.levelname}:{record.name}: {self.normal(record.getMessage())}")

    def _log(self, text: str) -> None:
        if self.stream.call is not None:
            self.stream.emit(event_data.log(text))
            self.stream.call.log.append(text)

    def _on_warning(self, message, category, filename, lineno, file=None, line=None):
        if self.stream.call is not None:
            first = self.normal(str(message)).splitlines()[0]
            self._log(f"WARNING:{category.__name__}: {first}")
        if self._shown is not None:
            self._shown(message, category, filename, lineno, file, line)


class _Handler(logging.Handler):
    def __init__(self, write):
        super().__init__(logging.WARNING)
        self._write = write

    def emit(self, record):
        self._write(record)
