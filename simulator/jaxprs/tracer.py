"""Tracers: stand-ins for arrays while a function is traced.

A tracer knows its type. Most never know their value, and asking for it (``if x > 0``)
raises the error JAX raises; a tracer that wraps a known value answers. The arithmetic
and the array methods are put in by `simulator.facade.jax.numpy.array_methods`, the
same ones that `Array` has.

Each kind of trace has a kind of tracer. Its class has JAX's name and module, because
error messages show them.

JAX source: ``jax/_src/core.py: Tracer``, ``jax/_src/errors.py``;
``jax/_src/interpreters/partial_eval.py: DynamicJaxprTracer``.
"""

from __future__ import annotations

import operator
from typing import Any

from simulator import errors
from simulator.trees.tree_registry import LEAVES
from simulator.types.avals import HasAval

# What only an array with a value has: asking for it is an error, or calling it is.
_CONCRETE_PROPERTIES = ("addressable_shards", "committed", "global_shards",
                        "is_fully_addressable", "is_fully_replicated", "traceback")
_CONCRETE_METHODS = ("addressable_data", "delete", "devices", "is_deleted",
                     "on_device_size_in_bytes", "tobytes", "unsafe_buffer_pointer")


class Tracer(HasAval):
    """A value of the trace `trace`, with type `aval`."""

    __slots__ = ("_trace", "aval", "__weakref__")

    def __init__(self, trace: Any, aval: Any):
        self._trace = trace
        self.aval = aval

    def full_lower(self) -> Any:
        """The value itself, when this tracer only stands for a known one."""
        return self

    def to_concrete_value(self) -> Any:
        """The number behind, or None when there is none yet."""
        return None

    def short_repr(self) -> str:
        """How an error message shows it. JAX source: ``jax/_src/core.py: Tracer._short_repr``."""
        return f"{type(self).__name__}<{self.aval}>"

    def __repr__(self) -> str:
        return self.short_repr()

    def __len__(self) -> int:
        if not self.aval.shape:
            raise TypeError("len() of unsized object")
        return self.aval.shape[0]

    def __hash__(self) -> int:
        raise TypeError(f"unhashable type: {type(self).__name__!r}")

    def _known(self) -> Any:
        """The number behind, or None. JAX asks twice: whether there is one, and for it."""
        return None if self.to_concrete_value() is None else self.to_concrete_value()

    def __bool__(self) -> bool:
        known = self._known()
        if known is not None:
            return bool(known)
        if self.size == 0:
            raise ValueError("The truth value of an empty array is ambiguous. Use `array.size > 0` "
                             "to check that an array is not empty.")
        if self.size > 1:
            raise ValueError("The truth value of an array with more than one element is "
                             "ambiguous. Use a.any() or a.all()")
        raise errors.TracerBoolConversionError(
            "Attempted boolean conversion of traced array with shape "
            f"{self.aval.str_short()}.")

    def _concretize(self, what: str) -> Any:
        raise errors.ConcretizationTypeError(
            f"Abstract tracer value encountered where concrete value is expected: {what}")

    def __index__(self) -> int:
        known = self._known()
        if known is not None:
            return operator.index(known)
        if self.shape != () or self.dtype.family not in "iu":
            raise TypeError("Only integer scalar arrays can be converted to a scalar index.")
        raise errors.TracerIntegerConversionError(
            "The __index__() method was called on traced array with shape "
            f"{self.aval.str_short()}")

    def __int__(self) -> int:
        known = self._known()
        return int(known) if known is not None else self.__float__()

    def __float__(self) -> Any:
        # JAX asks for no value here, even where there is one.
        if self.ndim:
            raise TypeError("Only scalar arrays can be converted to Python scalars; got "
                            f"arr.ndim={self.ndim}")
        self._concretize(f"traced array with shape {self.aval.str_short()}")

    __complex__ = __float__

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        raise errors.TracerArrayConversionError(
            "The numpy.ndarray conversion method __array__() was called on traced array with "
            f"shape {self.aval.str_short()}")

    def item(self) -> Any:
        """The error JAX raises: the value is not known."""
        self._concretize(f"traced array with shape {self.aval.str_short()}")

    def tolist(self) -> Any:
        """The error JAX raises: the value is not known."""
        self._concretize(f"traced array with shape {self.aval.str_short()}")

    def __getattr__(self, name: str) -> Any:
        if name in _CONCRETE_PROPERTIES:
            self._concretize(self._described())
        if name in _CONCRETE_METHODS:
            return lambda *args, **kwargs: self._concretize(self._described())
        if name == "sharding":
            raise AttributeError(
                f"The 'sharding' attribute is not available on {self._described()}. To query "
                "sharding information on tracers, use `jax.typeof(x)`.")
        if name in ("block_until_ready", "copy_to_host_async"):
            raise AttributeError(f"The {name!r} method is not available on {self._described()}.")
        raise AttributeError(f"{type(self).__name__} has no attribute {name}")

    def _described(self) -> str:
        return f"traced array with shape {self.aval.str_short()}"


class DynamicJaxprTracer(Tracer):
    """A value of a trace that writes down a jaxpr, where it is written as `atom`."""

    __slots__ = ("atom",)

    def __init__(self, trace: Any, aval: Any, atom: Any):
        self._trace = trace
        self.aval = aval
        self.atom = atom

    def full_lower(self) -> Any:
        known = self._trace.constant(self)
        if known is None:
            return self
        return known.full_lower() if isinstance(known, Tracer) else known

    def short_repr(self) -> str:
        """How an error message shows it. JAX source:
        ``jax/_src/interpreters/partial_eval.py: DynamicJaxprTracer._short_repr``."""
        return f"JitTracer({self.aval})"


Tracer.__module__ = "jax._src.core"
DynamicJaxprTracer.__module__ = "jax._src.interpreters.partial_eval"
LEAVES.add(DynamicJaxprTracer)
