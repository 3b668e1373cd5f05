"""Texts that are equal from run to run: log lines, exceptions, result summaries.

The rules are those of the reference recordings, so that both can be compared.
"""

from __future__ import annotations

import os
import re

_RULES = tuple((re.compile(pattern), text) for pattern, text in (
    (r"0x[0-9a-fA-F]{6,}", "<addr>"),
    (r"\bid=\d+", "id=<id>"),
    (r"-[0-9a-f]{64}\b", "-<key>"),
    (r"\b\d+(\.\d+)?(e-?\d+)? ?(sec|secs|seconds|ms)\b", "<time>"),
    (r"\(\d+\.\d+s\)", "(<time>)"),
    (r"\(\d+ bytes\)", "(<n> bytes)"),
    (r"/[^\s'\"]*?/site-packages/", "<site>/"),
    (r"/[^\s'\"]*?/lib/python3\.\d+/", "<stdlib>/"),
))
_KEY_SETS = re.compile(r"(key sets: \{)([^}]*)\}")
_SETS = (re.compile(r"(Accepted dtypes(?: at position \d+)? are subtypes of )([^.]*)(\.)"),
         re.compile(r"(Input dtypes \()([^)]*)(\) have no)"))


def in_order(text: str) -> str:
    """Sort what JAX prints in the order of a set."""
    for pattern in _SETS:
        text = pattern.sub(lambda m: m[1] + ", ".join(sorted(m[2].split(", "))) + m[3], text)
    return text


class Normaliser:
    """Replaces what differs between runs: addresses, ids, times, folders.

    Args:
      folder: where the program lies, written ``<dir>``.
      scratch: the run's temporary folder, written ``<tmp>``.
    """

    def __init__(self, folder: str, scratch: str):
        self.folder = folder + os.sep
        self.scratch = scratch

    def __call__(self, text: str) -> str:
        text = _KEY_SETS.sub(lambda m: m[1] + " ".join(sorted(m[2].split())) + "}", text)
        text = in_order(text)
        text = text.replace(self.folder, "<dir>/").replace(self.scratch, "<tmp>")
        for pattern, replacement in _RULES:
            text = pattern.sub(replacement, text)
        return text

    def exception(self, error: BaseException) -> str:
        """Type name and first line, at most 300 characters."""
        lines = str(error).strip().splitlines() or [""]
        return self(f"{type(error).__name__}: {lines[0]}")[:300]

    def summary(self, value) -> str:
        """Type and first numbers of the first four leaves of a result."""
        import jax
        import numpy as np
        parts = []
        for leaf in jax.tree_util.tree_leaves(value)[:4]:
            if isinstance(leaf, jax.Array):
                text = leaf.aval.str_short(True) + ("*" if leaf.aval.weak_type else "")
                if leaf.is_deleted():
                    text += "(deleted)"
                elif (leaf.is_fully_addressable
                      and not jax.dtypes.issubdtype(leaf.dtype, jax.dtypes.extended)):
                    numbers = np.asarray(leaf).ravel()[:3].tolist()
                    text += "(" + ",".join(f"{n:.6g}" if isinstance(n, float) else str(n)
                                           for n in numbers) + ")"
            elif isinstance(leaf, (int, float, bool, str, np.generic)):
                text = f"{type(leaf).__name__}({leaf})"
            else:
                text = type(leaf).__name__
            parts.append(text)
        return self(" ".join(parts))
