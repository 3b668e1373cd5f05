"""Calls that cannot be calls of a jitted function: reported in great numbers, quickly told.

While a program of ten jitted calls is traced and lowered, the interpreter reports a hundred
thousand calls. A place in JAX's source, the standard library or this folder that names ``isinstance``
and calls it will not call anything else, and need not be reported again. Places in the
program itself always are.
"""

from __future__ import annotations

import builtins
import functools
import os
import types

ORDINARY = frozenset({types.FunctionType, types.BuiltinFunctionType, types.MethodDescriptorType,
                      types.WrapperDescriptorType, type})
"""Kinds of callables that are no jitted function and have none behind them."""

_NAMES = ("isinstance issubclass len getattr hasattr setattr id hash all any sum next repr callable "
          "tuple list dict set frozenset int str bool float zip enumerate range type super reversed")
_NEVER = frozenset(
    {getattr(builtins, name) for name in _NAMES.split()}
    | {method for kind in (tuple, list, dict, set, frozenset, str, bytes)
       for method in vars(kind).values() if type(method) is types.MethodDescriptorType})


@functools.cache
def _libraries() -> tuple[str, ...]:
    import jax
    return tuple(os.path.dirname(os.path.abspath(file)) + os.sep
                 for file in (os.__file__, jax.__file__, __file__))


def settled(code: types.CodeType, called: object) -> bool:
    """Whether the place in `code` that has called `called`, an ordinary callable, calls nothing else."""
    return (called in _NEVER and code.co_filename.startswith(_libraries())
            and called.__name__ in code.co_names)
