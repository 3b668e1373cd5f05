"""`jax.Array`: numbers with a place.

An `Array` knows its type, its numbers, where it lives (`sharding`) and whether
the user put it there (`committed`). The last two are what the caches below the
trace look at.

JAX source: ``jax/_src/array.py: ArrayImpl``; ``jax/_src/core.py:
ShapeDtypeStruct``.

Simplified: the numbers are kept once, not split over devices. The arithmetic
and array methods are put in by `simulator.facade.jax.numpy.array_methods`.
"""

from __future__ import annotations

from typing import Any

from simulator.c_types import CType, written_in_c
from simulator.errors import JaxRuntimeError, OutOfScope
from simulator.ndarrays.ndarray import NDArray
from simulator.running import uncovered
from simulator.trees.tree_registry import LEAVES
from simulator.types import dtypes
from simulator.types.avals import HasAval, ShapedArray

# Public attributes of JAX's arrays that the model does not have.
_UNCOVERED = ("clone", "device_buffer", "device_buffers", "flat", "format",
              "on_device_size_in_bytes", "platform", "tobytes", "traceback",
              "unsafe_buffer_pointer", "unsafe_raw_buffer")


class Array(HasAval, metaclass=CType):
    """A concrete array.

    Args:
      aval: its type.
      value: its numbers, same shape and dtype.
      sharding: a `SingleDeviceSharding` or `NamedSharding`.
      committed: whether it was placed by the user (or by a computation whose
        inputs or mesh were).

    `program_aval` is the type as the program that made it has it. Where XLA chose the
    sharding, that is not in it; JAX shows this one, and traces with the other.
    """

    __slots__ = ("aval", "program_aval", "_value", "_sharding", "_committed", "_deleted", "was_donated",
                 "__dict__", "__weakref__")

    def __init__(self, aval: ShapedArray, value: NDArray, sharding: Any, committed: bool):
        self.aval = self.program_aval = aval
        self._value: NDArray | None = value
        self._sharding = sharding
        self._committed = committed
        self._deleted = False
        self.was_donated = False

    @property
    def sharding(self) -> Any:
        """Where its elements are."""
        return self._sharding

    @property
    def committed(self) -> bool:
        """Whether the user said where it is to be; else a computation may take it elsewhere."""
        return self._committed

    @property
    def device(self) -> Any:
        """The one device it is on, or the sharding when there are several."""
        devices = self._sharding.device_set
        return next(iter(devices)) if len(devices) == 1 else self._sharding

    def devices(self) -> set:
        """The devices it is on. RuntimeError when the array was deleted or donated."""
        self._check()
        return set(self._sharding.device_set)

    @property
    def is_fully_addressable(self) -> bool:
        """Whether this process has all its devices. Always: there is one process."""
        return True

    @property
    def is_fully_replicated(self) -> bool:
        """Whether every device has all of it."""
        return self._sharding.is_fully_replicated

    def is_deleted(self) -> bool:
        """Whether its buffer is gone: donated, or deleted by the user."""
        return self._deleted

    def delete(self) -> None:
        """Give the buffer back; using the array afterwards is an error."""
        self._deleted = True
        self._value = None
        self.was_donated = False

    def donate(self) -> None:
        """The runtime took the buffer. C++ does not notice until it runs."""
        self.delete()
        self.was_donated = True

    def _check(self) -> None:
        if self._value is None:
            raise RuntimeError(f"Array has been deleted with shape={self.program_aval.str_short()}.")

    def storage(self) -> NDArray:
        """The numbers. RuntimeError when the array was deleted or donated."""
        self._check()
        return self._value

    def numpy(self) -> NDArray:
        """A NumPy copy (``np.asarray(x)``)."""
        return self.storage().copy()

    __array__ = numpy

    def item(self, *args: Any) -> Any:
        """One element as a Python number, its index as in NumPy. RuntimeError when it is
        deleted."""
        return self.storage().item(*args)

    def tolist(self) -> Any:
        """Nested lists of Python numbers. RuntimeError when it is deleted."""
        return self.storage().tolist()

    def block_until_ready(self) -> Array:
        """The array itself: the model never runs ahead. JaxRuntimeError when it is deleted."""
        if self._deleted:
            raise JaxRuntimeError("INVALID_ARGUMENT: BlockHostUntilReady() called on deleted or "
                                  "donated buffer")
        return self

    def is_ready(self) -> bool:
        """Always True. RuntimeError when it is deleted."""
        self.storage()
        return True

    def copy_to_host_async(self) -> None:
        """Nothing: the numbers are on the host. RuntimeError when it is deleted."""
        self.storage()

    def __len__(self) -> int:
        if not self.aval.shape:
            raise TypeError("len() of unsized object")
        return self.aval.shape[0]

    def __bool__(self) -> bool:
        if self.aval.size == 0:
            raise ValueError("The truth value of an empty array is ambiguous. Use `array.size > 0`"
                             " to check that an array is not empty.")
        if self.aval.size > 1:
            raise ValueError("The truth value of an array with more than one element is "
                             "ambiguous. Use a.any() or a.all()")
        return bool(self.storage())

    def _scalar(self) -> NDArray:
        if self.ndim:
            raise TypeError("Only scalar arrays can be converted to Python scalars; "
                            f"got arr.ndim={self.ndim}")
        return self.storage()

    def __int__(self) -> int:
        return int(self._scalar())

    def __float__(self) -> float:
        return float(self._scalar())

    def __complex__(self) -> complex:
        return complex(self._scalar())

    def __index__(self) -> int:
        if self.ndim or not dtypes.is_integer(self.dtype):
            raise TypeError("Only integer scalar arrays can be converted to a scalar index.")
        return int(self.storage())

    def __getattr__(self, name: str) -> Any:
        if name in _UNCOVERED:
            raise OutOfScope(f"jax.Array.{name}", "use the attributes that are covered")
        raise AttributeError(f"'jaxlib._jax.ArrayImpl' object has no attribute {name!r}")

    __hash__ = None  # type: ignore[assignment]

    def __format__(self, spec: str) -> str:
        return format(self.storage(), spec)

    def __str__(self) -> str:
        storage = self.storage()
        return repr(self) if storage.nbytes >= 1 << 20 else str(storage)

    def __repr__(self) -> str:
        from simulator.ndarrays.ndarray_text import device_array_repr
        return device_array_repr(self.storage(), self.aval.weak_type)


written_in_c(Array, "jaxlib._jax.ArrayImpl")
LEAVES.add(Array)


def any_array(aval: ShapedArray, value: NDArray, sharding: Any, committed: bool) -> Array:
    """An array of any type, keys included."""
    if aval.dtype.family != "k":
        return Array(aval, value, sharding, committed)
    from simulator.randomness.key_arrays import new_keys
    return new_keys(aval, value, sharding, committed)


class _PublicArrayMeta(type):
    def __instancecheck__(cls, instance: Any) -> bool:
        from simulator.jaxprs.tracer import Tracer
        return isinstance(instance, (Array, Tracer))

    def __call__(cls, *args: Any) -> Any:
        raise TypeError("jaxlib._jax.Array() takes no arguments")


class PublicArray(metaclass=_PublicArrayMeta):
    """`jax.Array` as a program sees it: tracers are instances, too."""


PublicArray.__name__ = PublicArray.__qualname__ = "Array"
PublicArray.__module__ = "jax"


class ShapeDtypeStruct:
    """A type without numbers, for ``lower`` and ``eval_shape``.

    Args:
      shape: ints. dtype: a dtype. sharding: a `Sharding` or None.
      weak_type: whether Python-scalar promotion applies.
    """

    __slots__ = ("shape", "dtype", "sharding", "weak_type", "_committed")

    def __init__(self, shape: Any, dtype: Any, *, sharding: Any = None, weak_type: bool = False):
        self.shape = shape = tuple(shape)
        if None in shape:
            raise ValueError("`shape` passed to `ShapeDtypeStruct` cannot have None in it. Got "
                             f"{shape=}")
        if dtype is None:
            raise ValueError("ShapeDtypeStruct: dtype must be specified.")
        self.dtype = dtypes.dtype(dtype)
        self.sharding = sharding
        self.weak_type = weak_type

    @classmethod
    def like(cls, x: Any) -> ShapeDtypeStruct:
        """The type of `x`. OutOfScope: an array that is committed to a layout."""
        from simulator.device_arrays.values import abstractify
        aval = abstractify(x)
        if isinstance(x, Array) and x._committed:
            raise OutOfScope("jax.ShapeDtypeStruct.like of a committed array",
                             "give shape, dtype and sharding")
        sharding = None if isinstance(x, Array) else getattr(x, "sharding", None)
        return cls(aval.shape, aval.dtype, sharding=sharding, weak_type=aval.weak_type)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return self.aval().size

    def aval(self) -> ShapedArray:
        """Its type, with the sharding's mesh when it has one."""
        from simulator.device_arrays.values import x64
        from simulator.placement.shardings import aval_with_sharding
        plain = ShapedArray(self.shape, dtypes.canonicalize(self.dtype, x64()), self.weak_type)
        return aval_with_sharding(plain, self.sharding)

    def __repr__(self) -> str:
        extra = f", sharding={self.sharding}" if self.sharding is not None else ""
        weak = ", weak_type=True" if self.weak_type else ""
        return f"ShapeDtypeStruct(shape={self.shape}, dtype={self.dtype.name}{extra}{weak})"

    def update(self, **changes: Any) -> ShapeDtypeStruct:
        """A copy with some fields replaced."""
        fields = {"sharding": self.sharding, "weak_type": self.weak_type, **changes}
        return ShapeDtypeStruct(fields.pop("shape", self.shape), fields.pop("dtype", self.dtype),
                                **fields)

    __module__ = "jax"

    __getattr__ = uncovered.refusing("ShapeDtypeStruct", "format is_ref manual_axis_type")

    def _key(self) -> tuple:
        return self.shape, self.dtype, self.sharding, self.weak_type

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ShapeDtypeStruct) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())
