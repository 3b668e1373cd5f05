"""``jax.numpy`` functions that change the shape or the order of one array.

JAX source: ``jax/_src/numpy/lax_numpy.py: reshape, ravel, transpose, squeeze,
expand_dims, moveaxis, flip, roll, tile, repeat, broadcast_to …``;
``jax/_src/numpy/array_methods.py: _reshape, _compute_newshape``.
"""

from __future__ import annotations

import math
import operator
from typing import Any

from simulator.api import jit
from simulator.errors import OutOfScope, ShardingTypeError
from simulator.facade.jax.lax import base, reducing, shapes
from simulator.facade.jax.lax import elementwise as el
from simulator.facade.jax.lax.convert import convert_element_type
from simulator.facade.jax.numpy import util
from simulator.facade.jax.numpy.constructors import array, asarray
from simulator.facade.jax.numpy.reductions import static_axis
from simulator.facade.jax.numpy.util import check_arraylike, ensure_array, ensure_arrays
from simulator.facade.lazily import Later
from simulator.types.scalar_types import int32

creation, reductions, taking = (Later(f"simulator.facade.jax.numpy.{name}") for name in (
    "creation", "reductions", "taking"))
on_host, slicing = Later("simulator.facade.numpy"), Later("simulator.facade.jax.lax.slicing")


def new_shape(arr: Any, wanted: Any) -> tuple[int, ...]:
    """The shape argument of reshape, -1 worked out. TypeError when it does not fit."""
    asked = wanted
    try:
        iter(wanted)
    except TypeError:
        wanted = [wanted]
    sizes = base.canonical_shape(wanted)
    unknown = [i for i, d in enumerate(sizes) if d == -1]
    if len(unknown) > 1:
        raise TypeError("can only specify one unknown axis size with a `-1` value, got "
                        f"{asked}")
    if unknown:
        i = unknown[0]
        known = math.prod(sizes[:i] + sizes[i + 1:])
        if arr.size % known if known else arr.size:
            raise TypeError(
                f"cannot reshape array of shape {arr.shape} (size {arr.size}) into shape {asked} "
                f"because the product of specified axis sizes ({known}) does not evenly divide "
                f"{arr.size}")
        return (*sizes[:i], arr.size // known if known else 0, *sizes[i + 1:])
    if arr.size != math.prod(sizes):
        raise TypeError(f"cannot reshape array of shape {arr.shape} (size {arr.size}) into shape "
                        f"{asked} (size {math.prod(sizes)})")
    return sizes


def reshape_method(self, *args, order="C", out_sharding=None):
    """``x.reshape(…)``."""
    wanted = new_shape(self, args[0] if len(args) == 1 else args)
    if order == "C":
        return shapes.reshape(self, wanted, None, out_sharding=out_sharding)
    if order == "F":
        base.no_out_sharding(out_sharding, "jax.numpy.reshape")
        return shapes.reshape(self, wanted[::-1], list(range(self.ndim)[::-1])).T
    if order == "A":
        raise NotImplementedError("np.reshape order=A is not implemented.")
    raise ValueError(f"Unexpected value for 'order' argument: {order}.")


def reshape(a, shape, order="C", *, copy=None, out_sharding=None):
    """``jax.numpy.reshape``."""
    check_arraylike("reshape", a)
    if out_sharding is None and hasattr(a, "reshape"):
        return a.reshape(shape, order=order)
    return asarray(a).reshape(shape, order=order, out_sharding=out_sharding)


@jit(static_argnames=("order", "out_sharding"), inline=True)
def ravel(a, order="C", *, out_sharding=None):
    """``jax.numpy.ravel``."""
    a = ensure_array("ravel", a)
    if order == "K":
        raise NotImplementedError("Ravel not implemented for order='K'.")
    return reshape(a, (a.size,), order, out_sharding=out_sharding)


def transpose(a, axes=None):
    """``jax.numpy.transpose``."""
    a = ensure_array("transpose", a)
    order = list(range(a.ndim)[::-1]) if axes is None else axes
    return shapes.transpose(a, [base.canonical_axis(i, a.ndim) for i in order])


def permute_dims(a, /, axes):
    """``jax.numpy.permute_dims``."""
    a = ensure_array("permute_dims", a)
    return shapes.transpose(a, base.canonical_axes(tuple(axes), a.ndim))


def matrix_transpose(x, /):
    """``jax.numpy.matrix_transpose``. ValueError below two dimensions."""
    x = ensure_array("matrix_transpose", x)
    n = x.ndim
    if n < 2:
        raise ValueError("x must be at least two-dimensional for matrix_transpose; got "
                         f"ndim={n!r}")
    return shapes.transpose(x, (*range(n - 2), n - 1, n - 2))


def squeeze(a, axis=None):
    """``jax.numpy.squeeze``."""
    arr = ensure_array("squeeze", a)
    return _squeeze(arr, base.index_tuple(axis) if axis is not None else None)


@jit(static_argnames=("axis",), inline=True)
def _squeeze(a, axis):
    if axis is None:
        axis = tuple(i for i, d in enumerate(a.shape) if d == 1)
    return shapes.squeeze(a, axis)


def expand_dims(a, axis):
    """``jax.numpy.expand_dims``."""
    return shapes.expand_dims(ensure_array("expand_dims", a), base.index_tuple(axis))


@jit(static_argnames=("axis1", "axis2"), inline=True)
def swapaxes(a, axis1, axis2):
    """``jax.numpy.swapaxes``."""
    a = ensure_array("swapaxes", a)
    order = list(range(a.ndim))
    order[axis1], order[axis2] = order[axis2], order[axis1]
    return shapes.transpose(a, order)


def moveaxis(a, source, destination):
    """``jax.numpy.moveaxis``."""
    arr = ensure_array("moveaxis", a)
    return _moveaxis(arr, base.index_tuple(source), base.index_tuple(destination))


@jit(static_argnames=("source", "destination"), inline=True)
def _moveaxis(a, source, destination):
    source = tuple(base.canonical_axis(i, a.ndim) for i in source)
    destination = tuple(base.canonical_axis(i, a.ndim) for i in destination)
    if len(source) != len(destination):
        raise ValueError(f"Inconsistent number of elements: {len(source)} vs {len(destination)}")
    order = [i for i in range(a.ndim) if i not in source]
    for to, came in sorted(zip(destination, source)):
        order.insert(to, came)
    return shapes.transpose(a, order)


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
    begins = reductions.cumsum(roll(repeats, shift=1).at[0].set(0))
    marks = creation.zeros([length], dtype="int32").at[begins].add(1)
    return taking.take(a, reductions.cumsum(marks) - 1, axis=axis)


def broadcast_to(array, shape, *, out_sharding=None):
    """``jax.numpy.broadcast_to``."""
    return util.broadcast_to(array, shape, sharding=out_sharding)


def broadcast_arrays(*args):
    """``jax.numpy.broadcast_arrays``."""
    return util._broadcast_arrays(*ensure_arrays("broadcast_arrays", *args))


def broadcast_shapes(*shapes_):
    """``jax.numpy.broadcast_shapes``."""
    if not shapes_:
        return ()
    return shapes.broadcast_shapes(*[(s,) if base.ndim(s) == 0 else tuple(s) for s in shapes_])


@jit
def atleast_1d(*arys):
    """``jax.numpy.atleast_1d``."""
    check_arraylike("atleast_1d", *arys)
    out = [array(a, copy=False, ndmin=1) for a in arys]
    return out[0] if len(out) == 1 else out


@jit
def atleast_2d(*arys):
    """``jax.numpy.atleast_2d``."""
    check_arraylike("atleast_2d", *arys)
    out = [array(a, copy=False, ndmin=2) for a in arys]
    return out[0] if len(out) == 1 else out


@jit
def atleast_3d(*arys):
    """``jax.numpy.atleast_3d``."""
    check_arraylike("atleast_3d", *arys)
    if len(arys) != 1:
        return [atleast_3d(a) for a in arys]
    arr = asarray(arys[0])
    new = {0: (0, 1, 2), 1: (0, 2), 2: (2,)}.get(arr.ndim)
    return arr if new is None else shapes.expand_dims(arr, dimensions=new)


def astype(x, dtype, /, *, copy=False, device=None):
    """``jax.numpy.astype``."""
    from simulator.facade.jax.lax.convert import convert
    from simulator.facade.jax.numpy.constructors import copied
    x = ensure_array("astype", x)
    to = base.default_float() if dtype is None else base.user_dtype(dtype, "astype")
    if x.dtype.family == "c" and to.family != "c":
        from simulator import explain
        if to.family == "b":
            x = x != base.const(x, 0)
        else:
            explain.python_warning(
                "DeprecationWarning", "Casting from complex to real dtypes will soon raise a "
                "ValueError. Please first use jnp.real or jnp.imag to take the real/imaginary "
                "component of your input.")
    result = convert(x, to, sharding=util.place_argument(device, None, "astype"),
                     warn_on_complex=False)
    return copied(result) if copy else result

