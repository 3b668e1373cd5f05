"""ShapedArray: what the tracer knows of a value (shape, dtype, weak type, sharding type).

Two avals are equal when all of that is equal, and hash alike; JAX interns them,
here they compare by value.

Simplified: no memory spaces, layouts or unreduced axes; those programs are out of
scope before an aval is made.

JAX source: jax/_src/core.py: ShapedArray, str_short_aval.
"""

from __future__ import annotations

import math
from typing import Any

from simulator.named_tuples import NamedTuple
from simulator.running import uncovered
from simulator.types.dtype_core import DType, dtype, short_name


class ManualAxisType(NamedTuple):
    """How a value differs over mesh axes (`jax.sharding.ManualAxisType`).

    `unreduced` and `reduced` stay empty: those types are out of scope.
    """

    varying: frozenset = frozenset()
    unreduced: frozenset = frozenset()
    reduced: frozenset = frozenset()
    unreduced_kind: None = None

    def __repr__(self) -> str:
        return (f"ManualAxisType(varying={self.varying}, unreduced={self.unreduced}, "
                f"reduced={self.reduced}), unreduced_kind={self.unreduced_kind}")


class ShapedArray:
    """An array type.

    Args:
      shape: ints; dtype: a DType or what `dtypes.dtype` takes; weak_type: bool.
      mesh: AbstractMesh of the array's sharding, or None.
      spec: PartitionSpec (or a tuple of None / axis name / tuple of names), one
        entry per dimension; missing entries are None.
      varying: inside `jax.shard_map`, the mesh axes over which the value may differ
        from device to device.
    """

    __slots__ = ("shape", "dtype", "weak_type", "mesh", "spec", "varying", "_hash", "__weakref__")
    __module__ = "jax._src.core"   # messages show it

    def __init__(self, shape, dtype_, weak_type=False, mesh=None, spec=None,
                 varying=frozenset()):
        put = object.__setattr__
        put(self, "shape", tuple(shape))
        put(self, "dtype", dtype_ if isinstance(dtype_, DType) else dtype(dtype_))
        put(self, "weak_type", bool(weak_type))
        if mesh is not None and getattr(mesh, "empty", False):
            mesh, spec = None, None
        put(self, "mesh", mesh)
        if mesh is None:
            spec = ()
        else:
            spec = tuple(spec or ())
            spec += (None,) * (len(self.shape) - len(spec))
        put(self, "spec", spec)
        put(self, "varying", varying)
        put(self, "_hash", hash((self.shape, self.dtype, self.weak_type, mesh, spec, varying)))

    def __setattr__(self, name, value):
        raise AttributeError(f"ShapedArray is immutable: {name}")

    ndim = property(lambda self: len(self.shape))

    @property
    def sharding(self):
        """A NamedSharding over the type's abstract mesh; over an empty one without."""
        from simulator.placement.mesh_types import empty_abstract_mesh
        from simulator.placement.partition_spec import PartitionSpec
        from simulator.placement.sharding_types import NamedSharding
        return NamedSharding(self.mesh or empty_abstract_mesh,
                             PartitionSpec(*(self.spec or (None,) * len(self.shape))))

    @property
    def manual_axis_type(self):
        """What it says inside `jax.shard_map`: over which mesh axes the value varies."""
        return ManualAxisType(varying=self.varying)

    mat = manual_axis_type

    __getattr__ = uncovered.refusing(
        "ShapedArray", "at_least_vspace format is_high layout lower_val lo_ty "
        "memory_space normalize nospec raise_val to_ct_aval to_tangent_aval "
        "update_weak_type vspace_add")

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)

    def __eq__(self, other):
        if self is other:
            return True
        return (type(other) is ShapedArray and self._hash == other._hash
                and self.shape == other.shape and self.dtype is other.dtype
                and self.weak_type == other.weak_type and self.mesh == other.mesh
                and self.spec == other.spec and self.varying == other.varying)

    def __hash__(self):
        return self._hash

    def __reduce__(self):
        return (ShapedArray, (self.shape, self.dtype, self.weak_type, self.mesh, self.spec,
                              self.varying))

    def update(self, **changes) -> ShapedArray:
        """A copy with some fields replaced: `shape, dtype, weak_type, mesh, spec, varying`."""
        new = {"shape": self.shape, "dtype": self.dtype, "weak_type": self.weak_type,
               "mesh": self.mesh, "spec": self.spec, "varying": self.varying, **changes}
        return ShapedArray(new["shape"], new["dtype"], new["weak_type"], new["mesh"],
                           new["spec"], new["varying"])

    def strip_weak_type(self) -> ShapedArray:
        """The same type, not weak."""
        return self.update(weak_type=False) if self.weak_type else self

    def str_short(self, short_dtypes=False, mesh_axis_types=False) -> str:
        """``float32[3]``, ``f32[3]``, ``f32[8@x]``; with the mesh's axis types on request."""
        short = short_dtypes or self.dtype.family == "v"
        name = short_name(self.dtype) if short else self.dtype.name
        types = f"({_axis_types(self.mesh)})" if mesh_axis_types else ""
        return f"{name}[{self._dims()}]{self._varying()}{types}"

    def _varying(self) -> str:
        if not self.varying:
            return ""
        names = [n for n in self.mesh.axis_names if n in self.varying]
        return f"{{V:{names[0] if len(names) == 1 else '(' + ','.join(names) + ')'}}}"

    def _dims(self) -> str:
        if self.mesh is None:
            return ",".join(map(str, self.shape))
        out = []
        for size, axis in zip(self.shape, self.spec):
            if axis is None:
                out.append(f"{size}")
            elif isinstance(axis, tuple):
                out.append(f"{size}@({','.join(axis)})")
            else:
                out.append(f"{size}@{axis}")
        return ",".join(out)

    def __repr__(self):
        weak = ", weak_type=True" if self.weak_type else ""
        return f"ShapedArray({self.str_short()}{weak})"

    def __str__(self):
        return f"{'~' if self.weak_type else ''}{self.str_short()}"


def match(a: ShapedArray, b: ShapedArray) -> bool:
    """Whether two types agree: weak types and meshes without an explicit axis do not count.

    JAX source: jax/_src/core.py: typematch.
    """
    if a.shape != b.shape or a.dtype is not b.dtype or a.varying != b.varying:
        return False
    if a.mesh is not None and b.mesh is not None and (
            a.mesh._any_axis_explicit or b.mesh._any_axis_explicit):
        return (a.mesh, a.spec) == (b.mesh, b.spec)
    return True


def _axis_types(mesh) -> dict:
    """Axis names grouped by axis type, in mesh order."""
    grouped: dict = {}
    if mesh is not None:
        for name, kind in zip(mesh.axis_names, mesh.axis_types):
            grouped.setdefault(kind, []).append(name)
    return {kind: tuple(names) for kind, names in grouped.items()}


class HasAval:
    """What a value says of itself when its type, `aval`, is all that is asked."""

    __slots__ = ()
    aval: ShapedArray

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes of the axes."""
        return self.aval.shape

    @property
    def dtype(self) -> Any:
        """The dtype."""
        return self.aval.dtype

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.aval.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return self.aval.size

    @property
    def weak_type(self) -> bool:
        """Whether it adapts to the dtype it is combined with."""
        return self.aval.weak_type

    @property
    def itemsize(self) -> int:
        """Bytes per element."""
        return self.aval.dtype.itemsize

    @property
    def nbytes(self) -> int:
        """Bytes of all elements together."""
        return self.aval.size * self.aval.dtype.itemsize
