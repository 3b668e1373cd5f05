"""What jaxlib's C++ says about each call of a jitted function.

With the variables in `environment.SIGNATURES` set, ``pjit.cc`` writes to file
descriptor 2 the `CallSignature` of every call and whether it missed. `Tap` puts a
file in the place of that descriptor and reads what is new; Python's own
``sys.stderr`` goes on to the original one.
"""

from __future__ import annotations

import io
import os
import re
import sys
import tempfile
import threading

_HEAD = re.compile(rb"^[IWEF]\d{4} \d\d:\d\d:\d\d\.\d+\s+(\d+) (\S+\.cc):\d+\] ", re.MULTILINE)
_KEEP = 1 << 20


class Tap:
    """Messages of ``pjit.cc``, as (thread id, word, text) in the order written.

    word: ``signature`` (with its text), ``miss``, ``fell`` (there is an entry, but
    Python has to answer), ``unparsable`` (no key could be built) or ``other``.
    """

    def __init__(self):
        self._file = tempfile.TemporaryFile(buffering=0)    # noqa: SIM115 (open as long as we are)
        self._offset = 0
        sys.stderr.flush()
        self._stderr = os.dup(2)
        os.dup2(self._file.fileno(), 2)
        sys.stderr = io.TextIOWrapper(os.fdopen(os.dup(self._stderr), "wb"),
                                      line_buffering=True, errors="backslashreplace")

    def read(self) -> list[tuple[int, str, str]]:
        """New messages since the last time. Foreign text goes to the original stderr."""
        size = os.fstat(self._file.fileno()).st_size
        if size <= self._offset:
            return []
        data = os.pread(self._file.fileno(), size - self._offset, self._offset)
        self._offset = size
        if size > _KEEP:
            os.ftruncate(self._file.fileno(), 0)
            os.lseek(self._file.fileno(), 0, os.SEEK_SET)
            self._offset = 0
        heads = list(_HEAD.finditer(data))
        self._pass_on(data[:heads[0].start()] if heads else data)
        found = []
        for head, following in zip(heads, [*heads[1:], None]):
            end = following.start() if following else len(data)
            if not head[2].endswith(b"pjit.cc"):
                self._pass_on(data[head.start():end])
                continue
            text = data[head.end():end].decode("utf-8", "replace")
            found.append((int(head[1]), _word(text), text))
        return found

    def _pass_on(self, data: bytes) -> None:
        if data.strip():
            os.write(self._stderr, data)


class Inbox:
    """What a `Tap` reads, told apart by the thread that it is about."""

    def __init__(self, tap: Tap):
        self._tap = tap
        self._waiting: dict[int, list] = {}
        self._lock = threading.Lock()

    def take(self) -> list[tuple[str, str]]:
        """(word, text) of what is new on this thread."""
        with self._lock:
            for thread, word, text in self._tap.read():
                self._waiting.setdefault(thread, []).append((word, text))
            return self._waiting.pop(threading.get_native_id(), [])


def _word(text: str) -> str:
    for start, word in _WORDS.items():
        if text.startswith(start):
            return word
    return "other"


_WORDS = {"CallSignature:": "signature", "Cache miss for": "miss",
          "cpp pjit fallback to python": "fell", "Failed to prepare IFRT inputs": "fell",
          "ParseArguments failed": "unparsable", "ComputeCallSignature failed": "unparsable"}


_PARTS = (
    ("static args", "arg signature: static args (positional + keyword): "),
    ("static names", ", static arg keyword names: "),
    ("arg names", ", dynamic arg signatures (positional + keyword): "),
    ("treedefs", ", dynamic arg shardings: "),
    ("avals", "\ndynamic arg signatures (positional + keyword): "),
    ("shardings", "\ndynamic arg shardings: "),
    ("layouts", "\ndynamic arg layouts: "),
    ("committed", "\ncommitted args: "),
    ("device", "\ndevice: "),
)
"""Field -> the words before it, as jaxlib prints a CallSignature.

Two labels in that print are off by one: the argument names come under
"signatures" and the tree definitions under "shardings".
"""

_ORDER = ("treedefs", "arg names", "static args", "static names", "avals", "shardings",
          "layouts", "committed")


def key(text: str) -> list[tuple[str, str]]:
    """The argument fields of a printed CallSignature, in the order of key fields.

    Returns an empty list when the text has another form.
    """
    text = text.split("\nconfigs: ", 1)[0]
    fields: dict[str, str] = {}
    ends = []
    position = 0
    for name, words in _PARTS:
        found = text.find(words, position)
        if found < 0:
            return []
        ends.append((name, found, found + len(words)))
        position = found + len(words)
    for (name, _, start), following in zip(ends, [*ends[1:], None]):
        stop = following[1] if following else len(text)
        fields[name] = text[start:stop].strip()
    fields["avals"] = _avals(fields["avals"])
    fields["shardings"] = shardings(fields["shardings"])
    return [(name, fields[name]) for name in _ORDER]


_SHORT = {"PRED": "bool", "S": "i", "U": "u", "F": "f", "BF": "bf", "C": "c"}


def _avals(text: str) -> str:
    """``weak_F32[3]`` -> ``f32[3]*``, as JAX writes short avals, weak ones with a star."""
    def one(match: re.Match) -> str:
        weak, kind, bits, shape = match.groups()
        return _SHORT.get(kind, kind.lower()) + bits + shape + ("*" if weak else "")
    return re.sub(r"(weak_)?([A-Z]+)(\w*?)(\[[\d,]*\])", one, text)


def shardings(text: str) -> str:
    """Shardings as jaxlib prints them, shorter."""
    text = re.sub(r"SingleDeviceSharding\(device=\w+\(id=(\d+)\), memory_kind=\w+\)",
                  r"SingleDevice(cpu:\1)", text)
    return re.sub(r", memory_kind=\w+\)", ")", text)
