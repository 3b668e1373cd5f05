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
_CONCRETE_PROPERTIES = {
    "addressable_shards": "'addressable_shards' attribute is not available",
    "committed": "'committed' attribute is not available",
    **{name: f"{name} property was called" for name in (
        "global_shards", "is_fully_addressable", "is_fully_replicated", "traceback")}}
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
            f"Attempted boolean conversion of {self._described()}.{self.origin()}")

    def origin(self) -> str:
        """What error messages say of where it came from; empty where nothing is known."""
        return ""

    def unknown(self, context: str) -> errors.ConcretizationTypeError:
        """The error for a value that has to be known. context: who asked for it."""
        return errors.ConcretizationTypeError(
            "Abstract tracer value encountered where concrete value is expected: "
            f"{self._described()}\n{context}{self.origin()}\n")

    def __index__(self) -> int:
        known = self._known()
        if known is not None:
            return operator.index(known)
        if self.shape != () or self.dtype.family not in "iu":
            raise TypeError("Only integer scalar arrays can be converted to a scalar index.")
        raise errors.TracerIntegerConversionError(
            f"The __index__() method was called on {self._described()}{self.origin()}")

    def __int__(self) -> int:
        known = self._known()
        return int(known) if known is not None else self._convert("int")

    def __float__(self) -> Any:
        # JAX asks for no value here, even where there is one.
        return self._convert("float")

    def __complex__(self) -> Any:
        return self._convert("complex")

    def _convert(self, kind: str) -> Any:
        if self.ndim:
            raise TypeError("Only scalar arrays can be converted to Python scalars; got "
                            f"arr.ndim={self.ndim}")
        raise self.unknown(f"The problem arose with the `{kind}` function. If trying to convert "
                           f"the data type of a value, try using `x.astype({kind})` or "
                           f"`jnp.array(x, {kind})` instead.")

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        raise errors.TracerArrayConversionError(
            "The numpy.ndarray conversion method __array__() was called on "
            f"{self._described()}{self.origin()}")

    def item(self) -> Any:
        """The error JAX raises: the value is not known."""
        raise self.unknown("This occurred in the item() method of jax.Array")

    def tolist(self) -> Any:
        """The error JAX raises: the value is not known."""
        raise self._refusal("tolist() method was called")

    def _refusal(self, what: str) -> errors.ConcretizationTypeError:
        # The words that end the first line, and the origin, are said twice.
        return self.unknown(f"The {what} on {self._described()}.{self.origin()}")

    def __getattr__(self, name: str) -> Any:
        if name in _CONCRETE_PROPERTIES:
            raise self._refusal(_CONCRETE_PROPERTIES[name])
        if name in _CONCRETE_METHODS:
            return lambda *args, **kwargs: _raise(self._refusal(f"{name}() method was called"))
        if name == "sharding":
            raise AttributeError(
                f"The 'sharding' attribute is not available on {self._described()}. To query "
                "sharding information on tracers, use `jax.typeof(x)`.")
        if name in ("block_until_ready", "copy_to_host_async"):
            raise AttributeError(f"The {name!r} method is not available on "
                                 f"{self._described()}.{self.origin()}")
        raise AttributeError(f"{type(self).__name__} has no attribute {name}")

    def _described(self) -> str:
        return f"traced array with shape {self.aval.str_short()}"


def _raise(error: Exception) -> Any:
    raise error


class DynamicJaxprTracer(Tracer):
    """A value of a trace that writes down a jaxpr, where it is written as `atom`.

    places: the user's frames when it was made, for the message of a leak; none for an
    argument, and None where nobody can have kept it.
    """

    __slots__ = ("atom", "places")

    def __init__(self, trace: Any, aval: Any, atom: Any, places: tuple | None = None):
        self._trace = trace
        self.aval = aval
        self.atom = atom
        self.places = places

    def origin(self) -> str:
        """The arguments of the traced function it depends on, or the operations."""
        from simulator.jaxprs import origins
        return origins.written_down(self)

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
