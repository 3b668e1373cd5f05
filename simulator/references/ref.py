"""`jax.Ref`: a box with an array in it, and the functions that use it.

JAX source: ``jax/_src/core.py: Ref, new_ref, freeze``;
``jax/_src/state/primitives.py: ref_get, ref_set, ref_swap, ref_addupdate``.
"""

from __future__ import annotations

from typing import Any

from simulator.device_arrays.arrays import Array
from simulator.device_arrays.values import abstractify
from simulator.errors import OutOfScope
from simulator.jaxprs.tracer import Tracer
from simulator.references import ref_index, ref_primitives
from simulator.references.ref_types import AbstractRef, is_ref
from simulator.running import uncovered


class Ref:
    """A mutable reference. C++ has no place for it in a key.

    Args:
      aval: its `AbstractRef`. buffer: what is inside now.
    """

    def __init__(self, aval: AbstractRef, buffer: Array):
        self.aval = aval
        self.buffer = buffer

    shape = property(lambda self: self.aval.shape)
    dtype = property(lambda self: self.aval.dtype)
    ndim = property(lambda self: self.aval.ndim)
    size = property(lambda self: self.aval.size)
    sharding = property(lambda self: self.buffer.sharding)
    # A reference counts as placed by the user, whatever is inside.
    committed = _committed = property(lambda self: True)

    __getattr__ = uncovered.refusing("Ref", "at bitcast format get reshape set swap T transpose "
                                     "unsafe_buffer_pointer")

    def __getitem__(self, index: Any) -> Any:
        return get(self, index)

    def __setitem__(self, index: Any, value: Any) -> None:
        swap(self, index, value)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def addupdate(self, value: Any, idx: Any = ()) -> None:
        """Add `value` to the elements at `idx`."""
        addupdate(self, idx, value)

    def __repr__(self) -> str:
        return "Ref" + repr(self.buffer)[5:]


Ref.__module__ = "jax._src.core"


class _PublicRefMeta(type):
    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, Ref) or (
            isinstance(instance, Tracer) and is_ref(instance.aval))


class PublicRef(metaclass=_PublicRefMeta):
    """`jax.Ref` as a program sees it: tracers of references are instances, too."""


def new_ref(init_val: Any, *, memory_space: Any = None, kind: Any = None,
            pin: bool = False) -> Any:
    """``jax.new_ref``: a reference with `init_val` inside."""
    if memory_space is not None or kind is not None or pin:
        raise OutOfScope("jax.new_ref with memory_space, kind or pin", "leave them out")
    return ref_primitives.new_ref_p.bind(init_val, memory_space=None, kind=None, pin=False)


def freeze(ref: Any) -> Any:
    """``jax.freeze``: the last value of a reference."""
    return ref_primitives.freeze_p.bind(ref)


def _parts(ref: Any, index: Any, what: str) -> tuple[list, ref_index.Transforms]:
    if not is_ref(abstractify(ref)):
        raise ValueError(f"Can only call `{what}` on a `Ref`: {ref}.")
    return ref_index.split(ref.shape, index)


def get(ref: Any, idx: Any = None) -> Any:
    """``jax.ref.get``: ``ref[idx]``."""
    integers, tree = _parts(ref, idx, "ref_get")
    return ref_primitives.get_p.bind(ref, *integers, tree=tree)


def swap(ref: Any, idx: Any, value: Any, _function_name: str = "ref_swap") -> Any:
    """``jax.ref.swap``: put `value` in, return what was there. Also ``ref[idx] = value``."""
    if hasattr(ref, "dtype"):
        value = _cast(ref.dtype, value)
    integers, tree = _parts(ref, idx, _function_name)
    return ref_primitives.swap_p.bind(ref, value, *integers, tree=tree)


def set_(ref: Any, idx: Any, value: Any) -> None:
    """``jax.ref.set``: ``ref[idx] = value``."""
    swap(ref, idx, value, "ref_set")


def addupdate(ref: Any, idx: Any, x: Any) -> None:
    """``jax.ref.addupdate``: add to what is there."""
    integers, tree = _parts(ref, idx, "ref_addupdate")
    ref_primitives.addupdate_p.bind(ref, x, *integers, tree=tree)


def _cast(dtype: Any, value: Any) -> Any:
    # Weak floats become the reference's float; any integer its integer.
    from simulator.facade.jax.lax.convert import convert_element_type
    aval = abstractify(value)
    floats = dtype.family == aval.dtype.family == "f"
    integers = dtype.family in "iu" and aval.dtype.family in "iu"
    if (aval.weak_type and floats) or integers:
        return convert_element_type(value, dtype)
    return value
