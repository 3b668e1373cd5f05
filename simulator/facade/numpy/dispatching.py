"""NumPy's functions are objects of a type that takes no weak reference.

``jax.jit(np.sum)`` therefore fails: `jax.jit` holds its function weakly.

NumPy source: ``numpy/_core/src/multiarray/arrayfunction_override.c:
PyArray_ArrayFunctionDispatcherObject``.
"""

from __future__ import annotations

import types
from typing import Any

from simulator.c_types import CType, written_in_c

# Functions that take no array to dispatch on: built in, or plain Python.
_PLAIN = frozenset("""
    arange array asanyarray asarray ascontiguousarray broadcast_shapes diag_indices empty eye
    frombuffer fromfunction fromiter full get_printoptions identity indices isscalar issubdtype ndenumerate ndindex
    ones printoptions promote_types set_printoptions seterr tri tril_indices triu_indices zeros
""".split())


class ArrayFunctionDispatcher(metaclass=CType):
    """A function that calls another one."""

    __slots__ = ("__wrapped__",)

    def __init__(self, function: types.FunctionType):
        self.__wrapped__ = function

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        return self.__wrapped__(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        try:
            return getattr(self.__wrapped__, name)
        except AttributeError:
            raise AttributeError(f"'numpy._ArrayFunctionDispatcher' object has no attribute '{name}'"
                                 ) from None

    def __repr__(self) -> str:
        return repr(self.__wrapped__)


written_in_c(ArrayFunctionDispatcher, "numpy._ArrayFunctionDispatcher")


def dispatched(names: dict[str, Any]) -> dict[str, ArrayFunctionDispatcher]:
    """The functions among a module's `names` that NumPy dispatches, as such objects."""
    return {name: ArrayFunctionDispatcher(value) for name, value in names.items()
            if isinstance(value, types.FunctionType)
            and not name.startswith("_") and name not in _PLAIN}
