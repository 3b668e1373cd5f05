"""``jax.debug.print`` and ``jax.debug.callback``: look into a compiled program.

The format string, the structure of the arguments and everything that is no array
are parameters of the equation; the arrays are its operands.

JAX source: ``jax/_src/debugging.py: debug_print, debug_callback,
_format_print_callback``.
"""

from __future__ import annotations

import copy
import logging
import string
import sys
from collections.abc import Callable
from typing import Any

from simulator.device_arrays.values import abstractify
from simulator.running import source
from simulator.side_effects import effects
from simulator.trees import pytrees

logger = logging.getLogger("jax._src.debugging")

# NumPy's print options at the start of a process, as they are kept with the equation.
PRINT_OPTIONS = (("edgeitems", 3), ("threshold", 1000), ("floatmode", "maxprec"),
                 ("precision", 8), ("suppress", False), ("linewidth", 75), ("nanstr", "nan"),
                 ("infstr", "inf"), ("sign", "-"), ("formatter", None), ("legacy", False),
                 ("override_repr", None))


class _Checker(string.Formatter):
    """Formats nothing; finds missing and unused arguments."""

    def format_field(self, value: Any, format_spec: str) -> str:
        return ""

    def check_unused_args(self, used_args: Any, args: Any, kwargs: Any) -> None:
        positional = [a for i, a in enumerate(args) if i not in used_args]
        named = [k for k in kwargs if k not in used_args]
        if positional:
            raise ValueError(f"Unused positional arguments to `jax.debug.print`: {positional}")
        if named:
            raise ValueError(f"Unused keyword arguments to `jax.debug.print`: {named}. You may be "
                             'passing an f-string (i.e, `f"{x}"`) into `jax.debug.print` and '
                             "instead should pass in a regular string.")


def _split(args: tuple, kwargs: dict) -> tuple[Any, list, dict]:
    """(structure, arrays, {position: anything else}) of a callback's arguments."""
    leaves, tree = pytrees.tree_flatten((args, kwargs))
    arrays, others = [], {}
    for i, leaf in enumerate(leaves):
        try:
            abstractify(leaf)
            arrays.append(leaf)
        except TypeError:
            others[i] = leaf
    return tree, arrays, others


def _flat(tree: Any, callback: Callable, others: dict) -> Callable:
    def _flat_callback(*arrays: Any) -> tuple:
        remaining = iter(arrays)
        leaves = [others[i] if i in others else next(remaining)
                  for i in range(len(others) + len(arrays))]
        args, kwargs = tree.unflatten(leaves)
        callback(*args, **kwargs)
        return ()
    return _flat_callback


def _printer(params: dict) -> Callable:
    def write(*args: Any, **kwargs: Any) -> None:
        fmt, record = params["fmt"], params["logging_record"]
        text = (fmt.format(*args, **kwargs) if params["has_placeholders"]
                else " ".join((fmt, *map(str, args))))
        if record is None:
            sys.stdout.write(text + "\n")
        else:
            record = copy.copy(record)
            record.msg = text
            logger.handle(record)
    return _flat(params["in_tree"], write, dict(params["static_args"]))


debug_print_p = effects.debug_primitive(
    "debug_print", lambda p: effects.ORDERED_DEBUG if p["ordered"] else effects.DEBUG, _printer)


def debug_print(fmt: str | None = None, *args: Any, ordered: bool = False,
                partitioned: bool = False, skip_format_check: bool = False,
                _use_logging: bool = False, **kwargs: Any) -> Any:
    """``jax.debug.print``, in one call or as ``print(ordered=True)(fmt, …)``.

    Errors: IndexError / KeyError for missing arguments, ValueError for unused ones.
    """
    def _debug_print(fmt: str, *args: Any, **kwargs: Any) -> None:
        if not skip_format_check:
            _Checker().format(fmt, *args, **kwargs)
        first = next(iter(string.Formatter().parse(fmt)), None)
        tree, arrays, others = _split(args, kwargs)
        debug_print_p.bind(
            *arrays, fmt=fmt, ordered=ordered, partitioned=partitioned, in_tree=tree,
            static_args=tuple(others.items()), np_printoptions=PRINT_OPTIONS,
            has_placeholders=first is not None and first[1] is not None,
            logging_record=_record() if _use_logging else None)

    if fmt is not None:
        _debug_print(fmt, *args, **kwargs)
        return None
    if args or kwargs:
        raise TypeError(f"debug_print received unexpected arguments in the two-call form: {args=} "
                        f"{kwargs=}")
    return _debug_print


def debug_log(*args: Any, **kwargs: Any) -> Any:
    """``jax.debug.log``: as `debug_print`, through the logger ``jax._src.debugging``."""
    return debug_print(*args, _use_logging=True, **kwargs)


def _record() -> logging.LogRecord:
    filename, line = source.user_position()
    return logger.makeRecord(logger.name, logging.INFO, filename, line, "", (), None)


def debug_callback(callback: Callable | None = None, *args: Any, ordered: bool = False,
                   partitioned: bool = False, **kwargs: Any) -> Any:
    """``jax.debug.callback``, in one call or as ``callback(ordered=True)(f, …)``.

    Errors: TypeError when `callback` cannot be called.
    """
    def _debug_callback(callback: Callable, *args: Any, **kwargs: Any) -> None:
        if not callable(callback):
            raise TypeError("first argument to jax.debug.callback must be callable, but got an "
                            f"object of type {type(callback)}")
        tree, arrays, others = _split(args, kwargs)
        flat = _flat(tree, callback, others)
        # The name that a jaxpr shows.
        flat.__qualname__ = "debug_callback.<locals>._debug_callback.<locals>._flat_callback"
        effects.debug_callback_p.bind(
            *arrays, callback=flat, effect=effects.ORDERED_DEBUG if ordered else effects.DEBUG,
            partitioned=partitioned)

    if callback is not None:
        _debug_callback(callback, *args, **kwargs)
        return None
    if args or kwargs:
        raise TypeError("debug_callback received unexpected arguments in the two-call form: "
                        f"{args=} {kwargs=}")
    return _debug_callback
