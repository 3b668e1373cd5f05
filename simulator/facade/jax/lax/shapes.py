"""``jax.lax`` functions that change shapes, and arrays from nothing.

JAX source: ``jax/_src/lax/lax.py: broadcast, broadcast_in_dim, broadcast_to,
reshape, squeeze, expand_dims, transpose, full, full_like, broadcasted_iota …``.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any

from simulator import process
from simulator.device_arrays.arrays import Array
from simulator.errors import OutOfScope, ShardingTypeError
from simulator.facade.jax.lax import base
from simulator.facade.jax.lax import convert as conv
from simulator.jaxprs.tracer import Tracer
from simulator.primitives import creation, explicit, shapes


def broadcast_shapes(*shapes_: tuple[int, ...]) -> tuple[int, ...]:
    """``jax.lax.broadcast_shapes``. ValueError when there is no common shape."""
    for wanted in shapes_:
        if not all(d >= 0 for d in base.canonical_shape(wanted)):
            raise TypeError("Only non-negative indices are allowed when broadcasting static "
                            f"shapes, but got shape {wanted!r}.")
    if len(shapes_) == 1:
        return shapes_[0]
    rank = max(map(len, shapes_))
    out = []
    for sizes in zip(*[(1,) * (rank - len(s)) + tuple(s) for s in shapes_]):
        wide = [n for n in sizes if n != 1]
        if any(n != wide[0] for n in wide):
            raise ValueError(
                f"Incompatible shapes for broadcasting: shapes={list(shapes_)}")
        out.append(wide[0] if wide else 1)
    return tuple(out)


def broadcast(operand: Any, sizes: Sequence[int], *, out_sharding: Any = None) -> Any:
    """``jax.lax.broadcast``: new leading dimensions."""
    if len(sizes) == 0 and out_sharding is None:
        return conv.asarray(operand)
    dims = tuple(range(len(sizes), len(sizes) + base.ndim(operand)))
    return broadcast_in_dim(operand, tuple(sizes) + base.shape(operand), dims,
                            out_sharding=out_sharding)


def broadcast_in_dim(operand: Any, shape: Sequence[int], broadcast_dimensions: Sequence[int], *,
                     out_sharding: Any = None) -> Any:
    """``jax.lax.broadcast_in_dim``."""
    sharding = _canonical_sharding(out_sharding, "broadcast_in_dim")
    if (base.ndim(operand) == len(shape) and not len(broadcast_dimensions)
            and isinstance(operand, base.ARRAYS) and sharding is None):
        return operand
    aval = base.typeof(operand)
    if (aval.shape == tuple(shape) and list(broadcast_dimensions) == list(range(aval.ndim))
            and sharding is not None and base.sharding_of(aval) != sharding):
        from simulator.facade.jax.lax.reshard import reshard
        return reshard(operand, sharding)
    return shapes.broadcast_in_dim_p.bind(
        operand, shape=tuple(shape), broadcast_dimensions=tuple(broadcast_dimensions),
        sharding=sharding)


def _canonical_sharding(sharding: Any, name: str) -> Any:
    # The empty sharding of a type without a mesh counts as none.
    if sharding is None or sharding is NO_MESH:
        return None
    from simulator.facade.jax.lax.placing import canonical_out_sharding
    return canonical_out_sharding(sharding, name)


class _NoMesh:
    """The sharding of a type without a mesh: no sharding, but asked for explicitly.

    JAX passes such an empty sharding along in ``zeros_like(tracer)``, which keeps
    a broadcast to shape ``()`` in the jaxpr.
    """

    _is_concrete = False


NO_MESH = _NoMesh()


def broadcast_to(arr: Any, shape: Sequence[int], sharding: Any = None) -> Any:
    """``lax.broadcast_to``: NumPy's broadcasting to one shape.

    Errors: ValueError when the shape does not fit.
    """
    aval = base.typeof(arr)
    shape = tuple(shape)
    if aval.shape == shape and (sharding is None or base.sharding_of(aval) == sharding):
        return conv.asarray(arr)
    if len(shape) < aval.ndim:
        raise ValueError("Cannot broadcast to shape with fewer dimensions: "
                         f"arr_shape={aval.shape!r} shape={shape!r}")
    lead = len(shape) - aval.ndim
    wrong = any(a not in (1, d) for a, d in zip(aval.shape, shape[lead:]))
    place = {"spec": None}
    if sharding is not None:
        parts = sharding.spec.partitions + (None,) * (len(shape) - len(sharding.spec))
        wrong |= any(a not in (None, s) for a, s in zip(aval.spec, parts[lead:]))
        place = {"mesh": sharding.mesh, "spec": sharding.spec}
    if wrong:
        wanted = aval.update(shape=shape, weak_type=False, **place).str_short()
        raise ValueError(f"Incompatible types for broadcasting: input type={aval} and "
                         f"requested type={wanted}")
    return broadcast_in_dim(arr, shape, tuple(range(lead, len(shape))), out_sharding=sharding)


def broadcast_shardings(*avals: Any) -> Any:
    """The sharding that arrays of these types have once broadcast; None without a mesh.

    Errors: ShardingTypeError when they do not fit.
    """
    result = max(avals, key=lambda a: a.ndim)
    rank, own = result.ndim, explicit.parts(result)
    if not rank or all(own[rank - a.ndim:] == explicit.parts(a) for a in avals):
        return base.sharding_of(result)
    found = [a.mesh for a in avals if a.mesh is not None]
    for mesh in found:
        if mesh != found[0]:
            raise ShardingTypeError(f"Mesh for all inputs should be equal. Got one mesh: {found[0]} "
                                    f"and another mesh: {mesh}")
    wide = [a.update(shape=(1,) * (rank - a.ndim) + a.shape,
                     spec=(None,) * (rank - a.ndim) + explicit.parts(a)) for a in avals]
    spec = explicit.broadcasting("broadcast_shardings")(*wide)
    return base.sharding_of(result.update(mesh=found[0] if found else context_mesh(), spec=spec))


def broadcast_to_rank(x: Any, rank: int) -> Any:
    """Leading dimensions of size 1 until the rank is reached."""
    have = base.ndim(x)
    return conv.asarray(x) if have == rank else broadcast(x, (1,) * (rank - have))


def reshape(operand: Any, new_sizes: Sequence[int], dimensions: Sequence[int] | None = None, *,
            out_sharding: Any = None) -> Any:
    """``jax.lax.reshape``. Returns the operand itself when nothing changes."""
    new_sizes = base.canonical_shape(new_sizes)
    old = base.shape(operand)
    dims = None if dimensions is None else base.index_tuple(dimensions)
    same_dims = dims is None or dims == tuple(range(len(old)))
    sharding = _canonical_sharding(out_sharding, "reshape")
    if (old and old == new_sizes and same_dims and sharding is None
            and isinstance(operand, base.ARRAYS)):
        return operand
    if math.prod(old) != math.prod(new_sizes) and min(new_sizes, default=0) >= 0:
        raise OutOfScope("jax.lax.reshape to another number of elements",
                         "JAX notices only when it lowers the program; use jax.numpy.reshape")
    return shapes.reshape_p.bind(operand, new_sizes=new_sizes,
                                 dimensions=None if same_dims else dims, sharding=sharding)


def transpose(operand: Any, permutation: Sequence[int]) -> Any:
    """``jax.lax.transpose``."""
    permutation = tuple(map(operator.index, permutation))
    if permutation == tuple(range(base.ndim(operand))) and isinstance(operand, base.ARRAYS):
        return operand
    return shapes.transpose_p.bind(operand, permutation=permutation)


def squeeze(array: Any, dimensions: Sequence[int]) -> Any:
    """``jax.lax.squeeze``: drop dimensions of size 1."""
    rank = base.ndim(array)
    dimensions = tuple(sorted(base.canonical_axis(i, rank) for i in dimensions))
    if not dimensions and isinstance(array, base.ARRAYS):
        return array
    return shapes.squeeze_p.bind(array, dimensions=dimensions)


def expand_dims(array: Any, dimensions: Sequence[int]) -> Any:
    """``jax.lax.expand_dims``: insert dimensions of size 1. ValueError for repeated ones."""
    rank = base.ndim(array) + len(dimensions)
    if len(set(dimensions)) == len(dimensions):
        dims = [base.canonical_axis(i, rank) for i in dimensions]
    if len(set(dimensions)) != len(dimensions) or len(set(dims)) != len(dims):
        shown = dimensions if len(set(dimensions)) != len(dimensions) else dims
        raise ValueError(f"repeated axis in lax.expand_dims: {shown}")
    result = list(base.shape(array))
    for i in sorted(dims):
        result.insert(i, 1)
    return broadcast_in_dim(array, result, [i for i in range(rank) if i not in dims])


def rev(operand: Any, dimensions: Sequence[int]) -> Any:
    """``jax.lax.rev``."""
    return shapes.rev_p.bind(operand, dimensions=tuple(dimensions))


def tile(operand: Any, reps: Sequence[int]) -> Any:
    """``jax.lax.tile``."""
    return shapes.tile_p.bind(operand, reps=tuple(reps))


def collapse(operand: Any, start_dimension: int, stop_dimension: int | None = None) -> Any:
    """``jax.lax.collapse``: several dimensions into one."""
    old = operand.shape
    lo, hi, _ = slice(start_dimension, stop_dimension).indices(len(old))
    if hi < lo:
        raise ValueError("Invalid dimension range passed to collapse: "
                         f"{old}[{start_dimension}:{stop_dimension}]")
    return reshape(operand, (*old[:lo], math.prod(old[lo:hi]), *old[hi:]))


def full(shape: Any, fill_value: Any, dtype: Any = None, *, sharding: Any = None) -> Any:
    """``jax.lax.full``. TypeError when `fill_value` is no scalar."""
    shape = base.canonical_shape(shape)
    if base.shape(fill_value):
        raise TypeError("full must be called with scalar fill_value, got fill_value.shape "
                        f"{base.shape(fill_value)}.")
    if dtype is None:
        weak, wanted = base.is_weak(fill_value), base.dtype(fill_value)
    else:
        weak, wanted = False, base.user_dtype(dtype, "full")
    fill_value = conv.convert(fill_value, wanted, weak)
    if sharding is not None and sharding._is_concrete and isinstance(fill_value, Array):
        from simulator.facade.jax.lax.placing import filled
        return filled(broadcast(fill_value, sharding.shard_shape(shape)), shape, sharding)
    if sharding is not None and not sharding._is_concrete:
        return broadcast(fill_value, shape, out_sharding=sharding)
    return broadcast(fill_value, shape)


def full_like(x: Any, fill_value: Any, dtype: Any = None, shape: Any = None,
              sharding: Any = None) -> Any:
    """``jax.lax.full_like``: shape, dtype, weakness (and placement) of `x`."""
    fill_shape = base.shape(x) if shape is None else base.canonical_shape(shape)
    weak = dtype is None and base.is_weak(x)
    wanted = base.dtype(x) if dtype is None else base.dtype(dtype)
    if sharding is None and shape is None and isinstance(x, Tracer):
        sharding = base.sharding_of(x.aval) or NO_MESH
    elif sharding is None and _placement_counts(x, weak, fill_shape):
        sharding = x.sharding
    out = full(fill_shape, conv.convert(fill_value, wanted, weak), sharding=sharding)
    return vary_like(out, x)


def vary_like(out: Any, x: Any) -> Any:
    """`out`, its type varying over the mesh axes over which that of `x` does."""
    varying = x.aval.varying if isinstance(x, Tracer) else ()
    if not varying:
        return out
    from simulator.manual.varying import vary
    return vary(out, varying)


def _placement_counts(x: Any, weak: bool, fill_shape: tuple) -> bool:
    if not isinstance(x, Array) or weak or not x._committed:
        return False
    return fill_shape == x.shape or x.sharding.is_fully_replicated


def zeros_like(x: Any) -> Any:
    """Zeros, with the shape, dtype and weakness of `x`."""
    return full_like(x, 0)


def ones_like(x: Any) -> Any:
    """Ones, with the shape, dtype and weakness of `x`."""
    return full_like(x, 1)


def zero(x: Any) -> Any:
    """A scalar zero of the type of `x`."""
    return full_like(x, 0, shape=(), sharding=NO_MESH)


def iota(dtype: Any, size: int) -> Any:
    """``jax.lax.iota``."""
    return broadcasted_iota(dtype, (size,), 0)


def broadcasted_iota(dtype: Any, shape: Any, dimension: int, *, out_sharding: Any = None) -> Any:
    """``jax.lax.broadcasted_iota``: counts along one dimension."""
    wanted = base.user_dtype(dtype, "broadcasted_iota")
    shape = base.canonical_shape(shape)
    dimension = base.concrete(int, dimension, "dimension argument of lax.broadcasted_iota")
    return creation.iota_p.bind(dtype=wanted, shape=shape, dimension=dimension,
                                sharding=_canonical_sharding(out_sharding, "broadcasted_iota"))


def empty(shape: Any, dtype: Any, *, out_sharding: Any = None) -> Any:
    """``jax.lax.empty``: zeros, in practice. Shape and dtype are parameters as they are given."""
    return creation.empty_p.bind(
        shape=shape, dtype=dtype, out_sharding=_canonical_sharding(out_sharding, "empty"))


def empty_like(x: Any, *, dtype: Any = None, shape: Any = None, out_sharding: Any = None) -> Any:
    """``jax.lax.empty_like``: like `x`, and where `x` is when that was said."""
    fill_shape = base.shape(x) if shape is None else base.canonical_shape(shape)
    weak = dtype is None and base.is_weak(x)
    wanted = base.dtype(x) if dtype is None else base.dtype(dtype)
    if out_sharding is None and shape is None and isinstance(x, Tracer):
        out_sharding = base.sharding_of(x.aval)
    elif out_sharding is None and _placement_counts(x, weak, fill_shape):
        out_sharding = x.sharding
    if out_sharding is not None and out_sharding._is_concrete:
        from simulator.facade.jax.lax.placing import filled
        out = filled(empty(out_sharding.shard_shape(fill_shape), wanted), fill_shape, out_sharding)
    else:
        out = empty(fill_shape, wanted, out_sharding=out_sharding)
    return conv.convert(out, weak_type=True) if weak else out


def context_mesh() -> Any:
    """The abstract mesh in context, or None."""
    mesh = process.current().config.value("abstract_mesh_context_manager")
    return None if mesh is None or mesh.empty else mesh
