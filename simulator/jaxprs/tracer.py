"""Tracers: stand-ins for arrays while a function is traced.

A tracer knows its type, never its value. Asking for the value (``if x > 0``)
raises the error JAX raises. The arithmetic and the array methods are put in by
`simulator.facade.jax.numpy.array_methods`, the same ones that `Array` has.

JAX source: ``jax/_src/core.py: Tracer``, ``jax/_src/errors.py``.
"""

from __future__ import annotations

from typing import Any

from simulator import errors

# What only an array with a value has: asking for it is an error, or calling it is.
_CONCRETE_PROPERTIES = ("addressable_shards", "committed", "global_shards",
                        "is_fully_addressable", "is_fully_replicated", "traceback")
_CONCRETE_METHODS = ("addressable_data", "delete", "devices", "is_deleted",
                     "on_device_size_in_bytes", "tobytes", "unsafe_buffer_pointer")


class DynamicJaxprTracer:
    """A value of the trace `trace`, with type `aval`, written as `atom` in its jaxpr."""

    __slots__ = ("_trace", "aval", "atom", "__weakref__")

    def __init__(self, trace: Any, aval: Any, atom: Any):
        self._trace = trace
        self.aval = aval
        self.atom = atom

    @property
    def shape(self) -> tuple[int, ...]:
        return self.aval.shape

    @property
    def dtype(self) -> Any:
        return self.aval.dtype

    @property
    def ndim(self) -> int:
        return len(self.aval.shape)

    @property
    def size(self) -> int:
        total = 1
        for n in self.aval.shape:
            total *= n
        return total

    @property
    def weak_type(self) -> bool:
        return self.aval.weak_type

    def __len__(self) -> int:
        if not self.aval.shape:
            raise TypeError("len() of unsized object")
        return self.aval.shape[0]

    def __hash__(self) -> int:
        raise TypeError(f"unhashable type: {type(self).__name__!r}")

    def __bool__(self) -> bool:
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
        if self.shape != () or self.dtype.family not in "iu":
            raise TypeError("Only integer scalar arrays can be converted to a scalar index.")
        raise errors.TracerIntegerConversionError(
            "The __index__() method was called on traced array with shape "
            f"{self.aval.str_short()}")

    def __int__(self) -> int:
        if self.ndim:
            raise TypeError("Only scalar arrays can be converted to Python scalars; got "
                            f"arr.ndim={self.ndim}")
        self._concretize(f"traced array with shape {self.aval.str_short()}")

    __float__ = __complex__ = __int__  # type: ignore[assignment]

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        raise errors.TracerArrayConversionError(
            "The numpy.ndarray conversion method __array__() was called on traced array with "
            f"shape {self.aval.str_short()}")

    def item(self) -> Any:
        self._concretize(f"traced array with shape {self.aval.str_short()}")

    def tolist(self) -> Any:
        self._concretize(f"traced array with shape {self.aval.str_short()}")

    @property
    def itemsize(self) -> int:
        return self.aval.dtype.itemsize

    @property
    def nbytes(self) -> int:
        return self.size * self.itemsize

    def __getattr__(self, name: str) -> Any:
        what = f"traced array with shape {self.aval.str_short()}"
        if name in _CONCRETE_PROPERTIES:
            self._concretize(what)
        if name in _CONCRETE_METHODS:
            return lambda *args, **kwargs: self._concretize(what)
        if name == "sharding":
            raise AttributeError(
                f"The 'sharding' attribute is not available on {what}. To query sharding "
                "information on tracers, use `jax.typeof(x)`.")
        if name in ("block_until_ready", "copy_to_host_async"):
            raise AttributeError(f"The {name!r} method is not available on {what}.")
        raise AttributeError(f"{type(self).__name__} has no attribute {name}")

    def __repr__(self) -> str:
        weak = "~" if self.aval.weak_type else ""
        return f"JitTracer({weak}{self.aval.str_short()})"


# There is one kind of tracer here; its class has JAX's name because error
# messages show it.
Tracer = DynamicJaxprTracer
Tracer.__module__ = "jax._src.interpreters.partial_eval"
