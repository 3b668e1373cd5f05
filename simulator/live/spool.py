"""The file that the calls of a run are written to, line by line, while the program runs.

It lives inside a process that is not ours: the program may close every file it finds
open (as one does that goes into the background), and its own next file then has the
number of ours. A disk may be full. Neither may reach the program as an exception, nor
our lines its files.
"""

from __future__ import annotations

import contextlib
import os


class Spool:
    """An append-only file of lines.

    Args:
      path: where it is made, when there is a line.

    `size`: bytes written. `failed`: why nothing is written any more, or "".
    """

    def __init__(self, path: str):
        self.path, self.size, self.failed = path, 0, ""
        self._number, self._identity = -1, None

    def _open(self) -> None:
        # A bare number: a file object would close it in the end, whosever it is by then.
        self._number = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT
                               | getattr(os, "O_BINARY", 0), 0o600)
        self._identity = self._seen()

    def _seen(self) -> tuple | None:
        try:
            found = os.fstat(self._number)
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def write(self, line: str) -> None:
        """Append a line; all of it, or nothing and `failed` says why."""
        if self.failed:
            return
        data = line.encode()
        try:
            if self._identity is None or self._seen() != self._identity:
                self._open()
            done = 0
            while done < len(data):
                done += os.write(self._number, data[done:])
            self.size += done
        except OSError as error:
            self.failed = error.strerror or str(error)
            with contextlib.suppress(OSError):
                os.truncate(self.path, self.size)      # half a line is none

    def close(self) -> None:
        """Nothing more is written."""
        if self._identity is not None and self._seen() == self._identity:
            os.close(self._number)
