"""``jax.numpy``: elements in another order, and repeated: flip, rot90, roll, tile, repeat.

JAX source: ``jax/_src/numpy/lax_numpy.py: flip, rot90, roll, tile, repeat``.
"""

from __future__ import annotations

import operator

from simulator.api import jit
from simulator.errors import OutOfScope, ShardingTypeError
from simulator.facade import numpy as on_host
from simulator.facade.jax.lax import base, reducing, shapes, slicing
from simulator.facade.jax.lax import elementwise as el
from simulator.facade.jax.lax.convert import convert_element_type
from simulator.facade.jax.numpy import creation, taking
from simulator.facade.jax.numpy.constructors import array, asarray
from simulator.facade.jax.numpy.cumulating import cumsum
from simulator.facade.jax.numpy.reductions import static_axis
from simulator.facade.jax.numpy.reshaping import broadcast_to, ravel, reshape, transpose
from simulator.facade.jax.numpy.util import check_arraylike, ensure_array
from simulator.types.scalar_types import int32


def flip(m, axis=None):
    """``jax.numpy.flip``."""
    return _flip(ensure_array("flip", m), static_axis(axis))


@jit(static_argnames=("axis",))
def _flip(m, axis=None):
    if axis is None:
        return shapes.rev(m, list(range(m.ndim)))
    return shapes.rev(m, [base.canonical_axis(i, m.ndim) for i in base.index_tuple(axis)])


def fliplr(m):
    """``jax.numpy.fliplr``."""
    return _flip(ensure_array("fliplr", m), 1)


def flipud(m):
    """``jax.numpy.flipud``."""
    return _flip(ensure_array("flipud", m), 0)


@jit(static_argnames=("k", "axes"))
def rot90(m, k=1, axes=(0, 1)):
    """``jax.numpy.rot90``."""
    m = ensure_array("rot90", m)
    if m.ndim < 2:
        raise ValueError("rot90 requires its first argument to have ndim at least two, but got "
                         f"first argument of shape {m.shape}, which has ndim {m.ndim}")
    one, two = (base.canonical_axis(i, m.ndim) for i in axes)
    if one == two:
        raise ValueError("Axes must be different")
    k = k % 4
    if k == 0:
        return asarray(m)
    if k == 2:
        return flip(flip(m, one), two)
    order = list(range(m.ndim))
    order[one], order[two] = order[two], order[one]
    return transpose(flip(m, two), order) if k == 1 else flip(transpose(m, order), two)


@jit(static_argnums=(1, 2))
def _roll_static(a, shift, axis):
    count = max(len(shift), len(axis))
    if not count:
        return a
    for ax, s in zip(axis * (count // len(axis)), shift * (count // len(shift))):
        if a.shape[ax] == 0:
            continue
        i = -s % a.shape[ax]
        a = reducing.concatenate([slicing.slice_in_dim(a, i, a.shape[ax], axis=ax),
                                  slicing.slice_in_dim(a, 0, i, axis=ax)], dimension=ax)
    return a


@jit(static_argnums=2)
def _roll_dynamic(a, shift, axis):
    from simulator.facade.jax.numpy.arithmetic import remainder
    both = shapes.broadcast_shapes(shift.shape, (len(axis),))
    if len(both) != 1:
        raise ValueError("'shift' and 'axis' arguments to roll must be scalars or 1D arrays")
    for by, ax in zip(broadcast_to(shift, both), axis * (both[0] // len(axis))):
        length = array(a.shape[ax], dtype="int32")
        by = remainder(convert_element_type(by, "int32"), el.max(length, int32(1)))
        a = slicing.dynamic_slice_in_dim(reducing.concatenate((a, a), ax), length - by,
                                         a.shape[ax], axis=ax)
    return a


def roll(a, shift, axis=None):
    """``jax.numpy.roll``."""
    arr = ensure_array("roll", a)
    if axis is None:
        return roll(arr.ravel(), shift, 0).reshape(arr.shape)
    axis = tuple(base.canonical_axis(i, arr.ndim) for i in base.index_tuple(axis))
    aval = base.typeof(arr)
    if aval.spec and any(aval.spec[i] is not None for i in axis):
        raise ShardingTypeError("`a` cannot be sharded on the axis being rolled over. Got arr "
                                f"type={aval.str_short(True)} and {axis=}")
    try:
        shift = base.index_tuple(shift)
    except TypeError:
        return _roll_dynamic(arr, asarray(shift), axis)
    return _roll_static(arr, shift, axis)


def tile(A, reps):
    """``jax.numpy.tile``."""
    A = ensure_array("tile", A)
    try:
        wanted = tuple(iter(reps))
    except TypeError:
        wanted = (reps,)
    wanted = tuple(map(operator.index, wanted))
    wanted = (1,) * (A.ndim - len(wanted)) + wanted
    if len(wanted) > A.ndim:
        A = shapes.expand_dims(A, dimensions=tuple(range(len(wanted) - A.ndim)))
    return shapes.tile(A, wanted)


def repeat(a, repeats, axis=None, *, total_repeat_length=None, out_sharding=None):
    """``jax.numpy.repeat``; the length of the result must be known while tracing."""
    if isinstance(repeats, int):
        check_arraylike("repeat", a)
    else:
        check_arraylike("repeat", a, repeats)
    base.no_out_sharding(out_sharding, "jax.numpy.repeat")
    a = asarray(a)
    if axis is None:
        a, axis = a.ravel(), 0
    mesh = shapes.context_mesh()
    if mesh is not None and mesh._any_axis_explicit:
        raise OutOfScope("jax.numpy.repeat on an Explicit mesh", "use jax.numpy.broadcast_to")
    try:
        return _repeat(a, repeats, axis, total_repeat_length)
    except ShardingTypeError:
        raise ValueError("Please pass sharding to `jnp.repeat` via `out_sharding` "
                         "parameter.") from None


def _repeat(a, repeats, axis, total_repeat_length):
    axis = base.concrete(operator.index, axis, "'axis' argument of jnp.repeat()")
    if total_repeat_length is None:
        repeats = base.concrete(
            None, repeats, "When jit-compiling jnp.repeat, the total number of repeats must be "
            "static. To fix this, either specify a static value for `repeats`, or pass a static "
            "value to `total_repeat_length`.")
    if total_repeat_length is not None or base.ndim(repeats) or not a.ndim:
        return _repeat_each(a, repeats, axis, total_repeat_length)
    axis = base.canonical_axis(axis, a.ndim)
    wide = list(a.shape)
    wide.insert(axis + 1, operator.index(repeats))
    result = list(a.shape)
    result[axis] *= operator.index(repeats)
    a = shapes.broadcast_in_dim(a, wide, [i for i in range(len(wide)) if i != axis + 1])
    return a.reshape(result)


def _repeat_each(a, repeats, axis, length):
    if length is None:
        repeats = on_host.asarray(repeats).ravel()
        if a.ndim:
            repeats = on_host.broadcast_to(repeats, (a.shape[axis],))
        length = int(repeats.sum())
    else:
        repeats = ravel(repeats)
        if a.ndim:
            repeats = broadcast_to(repeats, [a.shape[axis]])
    if not a.ndim:
        if base.shape(repeats) == (1,):
            return creation.full([length], a)
        raise ValueError("`repeat` with a scalar parameter `a` is only implemented for scalar "
                         "values of the parameter `repeats`.")
    if length == 0:
        return reshape(array([], dtype=a.dtype), [*a.shape[:axis], 0, *a.shape[axis:][1:]])
    if a.shape[axis] == 0:
        return a
    # Where each element begins, marked in a row of zeros: its running sum says who is where.
    begins = cumsum(roll(repeats, shift=1).at[0].set(0))
    marks = creation.zeros([length], dtype="int32").at[begins].add(1)
    return taking.take(a, cumsum(marks) - 1, axis=axis)
