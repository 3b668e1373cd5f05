"""Config states of the installed JAX, seen while they are constructed.

Runs in a fresh process before jax is imported: `watch` puts a recording
subclass in the place of jaxlib's `Config` class, because JAX has no public list
of the names in the jit key (``jaxlib/config.cc: Config``).
"""

from __future__ import annotations

import enum
import sys
from typing import Any


def watch() -> list[dict]:
    """Start recording; returns the list that fills up while jax is imported.

    Must run before ``import jax``. Each item: name, default (object), in_jit_key,
    in_trace_context, file, line, state (the object).
    """
    if "jax" in sys.modules:
        raise RuntimeError("jax is already imported: states can no longer be watched")
    from jaxlib import _jax
    original = _jax.config.Config
    seen: list[dict] = []

    class Watched(original):
        def __init__(self, name, default, *, include_in_jit_key=False,
                     include_in_trace_context=False):
            original.__init__(self, name, default, include_in_jit_key=include_in_jit_key,
                              include_in_trace_context=include_in_trace_context)
            file, line = _definition(sys._getframe(1))
            seen.append({"name": name, "default": default, "in_jit_key": include_in_jit_key,
                         "in_trace_context": include_in_trace_context, "file": file,
                         "line": line, "state": self})

        def __class_getitem__(cls, item):
            return cls

    Watched.__name__ = "Config"
    _jax.config.Config = Watched
    return seen


def _definition(frame) -> tuple[str, int]:
    """Where a state is defined: the innermost frame that runs module-level code."""
    while frame.f_code.co_name != "<module>" and frame.f_back is not None:
        frame = frame.f_back
    file = frame.f_code.co_filename.replace("\\", "/")
    return file[file.rindex("/jax/") + 1:], frame.f_lineno


def describe(seen: list[dict]) -> list[dict]:
    """JSON-ready facts about the watched states, in the order of construction."""
    from jax._src import config
    attributes = {id(value): name for name, value in vars(config).items()}
    found = []
    for item in seen:
        state, name = item["state"], item["name"]
        meta = config.config.meta.get(name)
        kind, values = _kind(meta)
        text, plain = _plain(item["default"])
        found.append({
            "name": name,
            "attribute": attributes.get(id(state)),
            "kind": kind,
            "values": values,
            "none_allowed": _none_allowed(state, item["default"]) if meta else None,
            "default": plain,
            "default_text": text,
            "settable": meta is not None,
            "in_jit_key": item["in_jit_key"],
            "in_trace_context": item["in_trace_context"],
            "file": item["file"],
            "line": item["line"],
        })
    return found


def _kind(meta) -> tuple[str, list | None]:
    if meta is None:
        return "context", None
    opt_type, _, kwargs = meta
    if opt_type == "enum":
        return "enum", list(kwargs["enum_values"])
    if opt_type == "enum_class":
        return "enum", [member.value for member in kwargs["enum_class"]]
    if opt_type is bool:
        return "bool", [False, True]
    return getattr(opt_type, "__name__", str(opt_type)), None


def _none_allowed(state, default) -> bool:
    """Whether None is a value of the state: it is the default, or the parser keeps it."""
    if default is None:
        return True
    parser = getattr(state, "_parser", None)
    if parser is None:
        return False
    try:
        return parser(None) is None
    except (TypeError, ValueError, AttributeError):
        return False


def _plain(value: Any) -> tuple[str, Any]:
    """Short text for people, and the value itself where JSON can hold it."""
    if isinstance(value, enum.Enum):
        plain = value.value if isinstance(value.value, (str, int)) else value.name
        return str(plain), plain
    if value is None or isinstance(value, (bool, int, float, str)):
        return str(value), value
    if value == ():
        return "()", []
    name = type(value).__name__
    return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}", None
