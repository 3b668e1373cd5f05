"""``jax.numpy`` functions that change the shape of one array or the order of its axes.

JAX source: ``jax/_src/numpy/lax_numpy.py: reshape, ravel, transpose, squeeze,
expand_dims, moveaxis, broadcast_to …``;
``jax/_src/numpy/array_methods.py: _reshape, _compute_newshape``.
"""

from __future__ import annotations

import math
from typing import Any

from simulator.api import jit
from simulator.facade.jax.lax import base, shapes
from simulator.facade.jax.numpy import util
from simulator.facade.jax.numpy.constructors import array, asarray
from simulator.facade.jax.numpy.util import check_arraylike, ensure_array, ensure_arrays


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
    for axis in (axis1, axis2):
        if not -a.ndim <= axis < a.ndim:
            raise IndexError(f"index {axis} is out of bounds for axis 0 with size {a.ndim}")
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
