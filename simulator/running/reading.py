"""The text of a program file, as Python reads it."""

from __future__ import annotations


def decoded(source: bytes) -> str:
    """The text of a program, its mark and coding line obeyed, with simple line ends.

    Raises SyntaxError, with the line where it is known, for what Python cannot read either.
    """
    try:
        if any(b"coding" in line for line in source.split(b"\n", 2)[:2]):
            from importlib.util import decode_source  # slower, and loads `tokenize`
            return decode_source(source)
        text = source.removeprefix(b"\xef\xbb\xbf").decode("utf-8")
    except LookupError as error:
        raise SyntaxError(f"encoding problem: {error}") from None
    except UnicodeError as error:
        start = error.start if isinstance(error, UnicodeDecodeError) else 0
        line = source.count(b"\n", 0, start) + 1
        raise SyntaxError(f"(unicode error) {error}", (None, line, None, None)) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def lines(text: str) -> list[str]:
    """The lines of a program as Python counts them: a form feed, say, ends none."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def shown(source: bytes) -> str:
    """The text of a program for people, also where Python cannot read it."""
    try:
        return decoded(source)
    except SyntaxError:
        return source.decode("utf-8", "replace")
