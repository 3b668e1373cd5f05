"""Bytecode without what only a traceback needs.

A fifth of a code object is its table of source positions. The library's and
the model's own lines are never shown in the browser (the program's are, and it
is compiled there), so theirs are replaced by "no position known". Docstrings
and assertions have gone before, by compiling with ``-OO``.
"""

import marshal
from types import CodeType

HEADER = 16
"""Bytes before the code in a `.pyc` file: magic number, flags, hash."""


def slim_pyc(data: bytes, filename: str) -> bytes:
    """The same `.pyc` file without positions, saying that it comes from
    `filename`: the absolute path under which it is installed, as it would be had
    it been compiled there. (The model tells its own code from a program's by it.)"""
    return data[:HEADER] + marshal.dumps(_slim(marshal.loads(data[HEADER:]), filename))


def _slim(code: CodeType, filename: str) -> CodeType:
    constants = (_slim(c, filename) if isinstance(c, CodeType) else c for c in code.co_consts)
    return code.replace(
        co_consts=tuple(constants),
        co_filename=filename,
        co_linetable=_no_positions(len(code.co_code) // 2),
    )


def _no_positions(instructions: int) -> bytes:
    """A location table that says "none" for every instruction: entries of kind
    15, each for up to eight (CPython: ``InternalDocs/code_objects.md``)."""
    whole, rest = divmod(instructions, 8)
    return b"\xff" * whole + (bytes([0xF8 | (rest - 1)]) if rest else b"")
