"""Log lines of a program that is watched as it is: recorded, and passed on.

The recorder switches JAX's explanations on. What only they say goes into the
Recording and not to the program's own handlers; everything else reaches both.
"""

from __future__ import annotations

import json
import logging
import pathlib
from collections.abc import Callable

_DATA = pathlib.Path(__file__).resolve().parent.parent / "data" / "jax-0.11.1.json"
_SWITCHED = ("logger.log", "explain", "log_elapsed_time")
"""How JAX calls the logger where `jax_log_compiles` or an explanation decides the level."""


class Passing(logging.Handler):
    """Sits on the logger ``jax`` in the place of its way to the root logger.

    Args:
      write: takes every record at WARNING or above.
    """

    def __init__(self, write: Callable[[logging.LogRecord], None]):
        super().__init__(logging.NOTSET)
        facts = json.loads(_DATA.read_text(encoding="utf-8"))
        self._write = write
        self._places = {(item["logger"], item["function"].rsplit(".", 1)[-1])
                        for item in facts["messages"] if item["call"] in _SWITCHED}
        self._places.add(("jax._src.dispatch", "__exit__"))     # LogElapsedTimeContextManager

    def emit(self, record: logging.LogRecord) -> None:
        """Record, and pass on what the program would have heard without us."""
        if record.levelno >= logging.WARNING:
            self._write(record)
        ours = (record.levelno <= logging.DEBUG and record.name == "jax._src.cache_key"
                or record.levelno == logging.WARNING
                and (record.name, record.funcName) in self._places)
        if not ours:
            logging.getLogger().callHandlers(record)
