"""``jax.numpy`` functions that join or cut arrays.

JAX source: ``jax/_src/numpy/lax_numpy.py: concatenate, stack, vstack, hstack,
split, append, pad …``.
"""

from __future__ import annotations

import operator
from typing import Any

from simulator.api import jit
from simulator.errors import OutOfScope
from simulator.facade.jax.lax import base, reducing, shapes, slicing
from simulator.facade.jax.lax.convert import convert
from simulator.facade.jax.numpy.constructors import asarray
from simulator.facade.jax.numpy.reshaping import (
    atleast_1d,
    atleast_2d,
    atleast_3d,
    broadcast_to,
    expand_dims,
    ravel,
    squeeze,
)
from simulator.facade.jax.numpy.util import (
    check_arraylike,
    ensure_array,
    ensure_arrays,
    promote_dtypes,
)
from simulator.ndarrays.ndarray import NDArray
from simulator.ndarrays.ndarray import asarray as numpy_array
from simulator.trees import pytrees
from simulator.types.scalar_types import int64, integer, make

_ARRAYS = (NDArray, *base.ARRAYS)


def _blocks(xs):
    # The joined array, and along which axis from the last the lists around it join.
    if isinstance(xs, tuple):
        raise ValueError(f"jax.numpy.block does not allow tuples, got {xs}")
    if not isinstance(xs, list):
        return asarray(xs), 1
    if not xs:
        raise ValueError("jax.numpy.block does not allow empty list arguments")
    parts, depths = zip(*map(_blocks, xs))
    if any(d != depths[0] for d in depths):
        raise ValueError("Mismatched list depths in jax.numpy.block")
    rank = max(depths[0], *(p.ndim for p in parts))
    parts = [shapes.broadcast(p, (1,) * (rank - p.ndim)) if p.ndim < rank else asarray(p)
             for p in parts]
    return concatenate(parts, axis=-depths[0]), depths[0] + 1


@jit
def block(arrays):
    """``jax.numpy.block``."""
    return _blocks(arrays)[0]


def stack(arrays, axis=0, out=None, dtype=None):
    """``jax.numpy.stack``."""
    if not len(arrays):
        raise ValueError("Need at least one array to stack.")
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.stack is not supported.")
    if isinstance(arrays, _ARRAYS):
        axis = base.canonical_axis(axis, arrays.ndim)
        return concatenate(expand_dims(arrays, axis + 1), axis=axis, dtype=dtype)
    arrays = ensure_arrays("stack", *arrays)
    if dtype is not None:
        arrays = [asarray(a, dtype=dtype) for a in arrays]
    else:
        arrays = promote_dtypes(*arrays)
    return reducing.stack(arrays, axis=axis)


@jit(static_argnames="axis", inline=True)
def unstack(x, /, *, axis=0):
    """``jax.numpy.unstack``."""
    return reducing.unstack(ensure_array("unstack", x), axis=axis)


def _concatenate_array(arr: Any, axis: Any, dtype: Any) -> Any:
    # An array counts as the list of its rows.
    arr = asarray(arr, dtype=dtype)
    if arr.ndim == 0 or arr.shape[0] == 0:
        raise ValueError("Need at least one array to concatenate.")
    if axis is None:
        return shapes.reshape(arr, (arr.size,))
    if arr.ndim == 1:
        raise ValueError("Zero-dimensional arrays cannot be concatenated.")
    axis = base.canonical_axis(axis, arr.ndim - 1)
    own = arr.shape
    shape = own[1:axis + 1] + (own[0] * own[axis + 1],) + own[axis + 2:]
    return shapes.reshape(arr, shape, [*range(1, axis + 1), 0, *range(axis + 1, arr.ndim)])


def concatenate(arrays, axis=0, dtype=None):
    """``jax.numpy.concatenate``."""
    if isinstance(arrays, _ARRAYS):
        return _concatenate_array(arrays, axis, dtype)
    arrays = ensure_arrays("concatenate", *arrays)
    if not len(arrays):
        raise ValueError("Need at least one array to concatenate.")
    if axis is None:
        return concatenate([ravel(a) for a in arrays], axis=0, dtype=dtype)
    if arrays[0].ndim == 0:
        raise ValueError("Zero-dimensional arrays cannot be concatenated.")
    axis = base.canonical_axis(axis, arrays[0].ndim)
    if dtype is None:
        joined = promote_dtypes(*arrays)
    else:
        joined = [asarray(a, dtype=dtype) for a in arrays]
    return reducing.concatenate(joined, axis)


def concat(arrays, /, *, axis=0):
    """``jax.numpy.concat``."""
    check_arraylike("concat", *arrays)
    return concatenate(arrays, axis=axis)


def _parts(tup: Any, name: str, raise_rank: Any) -> list:
    if isinstance(tup, _ARRAYS):
        raise OutOfScope(f"jax.numpy.{name} of one array", "it is a vmap; give a list of arrays")
    check_arraylike(name, *tup)
    return [raise_rank(x) for x in tup]


def vstack(tup, dtype=None):
    """``jax.numpy.vstack``."""
    return concatenate(_parts(tup, "vstack", atleast_2d), axis=0, dtype=dtype)


def hstack(tup, dtype=None):
    """``jax.numpy.hstack``."""
    arrays = _parts(tup, "hstack", atleast_1d)
    return concatenate(arrays, axis=0 if arrays[0].ndim == 1 else 1, dtype=dtype)


def dstack(tup, dtype=None):
    """``jax.numpy.dstack``."""
    if not isinstance(tup, _ARRAYS):
        tup = ensure_arrays("dstack", *tup)
    return concatenate(_parts(tup, "dstack", atleast_3d), axis=2, dtype=dtype)


def column_stack(tup):
    """``jax.numpy.column_stack``."""
    if isinstance(tup, _ARRAYS):
        raise OutOfScope("jax.numpy.column_stack of one array", "give a list of arrays")
    check_arraylike("column_stack", *tup)
    return concatenate([atleast_2d(a).T if a.ndim < 2 else a for a in map(asarray, tup)], axis=1)


@jit(static_argnames=("axis",))
def append(arr, values, axis=None):
    """``jax.numpy.append``."""
    if axis is None:
        return concatenate([ravel(arr), ravel(values)], 0)
    return concatenate([arr, values], axis=axis)


def _split(name: str, ary: Any, sections: Any, axis: int = 0) -> list:
    ary = ensure_array(name, ary)
    axis = base.concrete(operator.index, axis, f"in jax.numpy.{name} argument `axis`")
    size = ary.shape[axis]
    listed = isinstance(sections, (tuple, list)) or (isinstance(sections, _ARRAYS)
                                                     and sections.ndim > 0)
    if listed:
        at = [0]
        for section in sections:
            i = base.concrete(operator.index, section, f"in jax.numpy.{name} argument 1")
            i = i + size if i < 0 else i
            at.append(min(max(i, 0), size))
        at.append(size)
        sizes = [b - a for a, b in zip(at, at[1:])]
    else:
        count = base.concrete(int, sections, f"in jax.numpy.{name} argument 1")
        part, rest = divmod(size, count)
        if rest and name != "array_split":
            raise ValueError(f"array split does not result in an equal division: rest is {rest}")
        sizes = [part + 1] * rest + [part] * (count - rest)
    # NumPy integers here, too.
    return list(reducing.split(ary, [int64(n) for n in sizes], axis=axis))


def split(ary, indices_or_sections, axis=0):
    """``jax.numpy.split``."""
    return _split("split", ary, indices_or_sections, axis=axis)


def array_split(ary, indices_or_sections, axis=0):
    """``jax.numpy.array_split``."""
    return _split("array_split", ary, indices_or_sections, axis=axis)


def vsplit(ary, indices_or_sections):
    """``jax.numpy.vsplit``."""
    return _split("vsplit", ary, indices_or_sections, axis=0)


def hsplit(ary, indices_or_sections):
    """``jax.numpy.hsplit``."""
    a = ensure_array("hsplit", ary)
    return _split("hsplit", a, indices_or_sections, axis=0 if a.ndim == 1 else 1)


def dsplit(ary, indices_or_sections):
    """``jax.numpy.dsplit``."""
    return _split("dsplit", ary, indices_or_sections, axis=2)


def _pairs(values: Any, rank: int, name: str) -> tuple:
    """One (before, after) pair per dimension."""
    values = pytrees.tree_map(
        lambda x: base.concrete(None, x, context=f"{name} argument of jnp.pad"), values)
    table = numpy_array(values)
    # NumPy integers: they print as such in a jaxpr.
    numbers = [make(table.dtype, v) for v in table.values()]
    if table.shape == (rank, 2):
        return tuple((numbers[2 * i], numbers[2 * i + 1]) for i in range(rank))
    if table.shape in ((1, 2), (2,)):
        return (tuple(numbers),) * rank
    if table.shape in ((1,), ()):
        return ((numbers[0], numbers[0]),) * rank
    raise ValueError(f"jnp.pad: {name} with nd={rank!r} has unsupported shape {table.shape}. Valid "
                     f"shapes are ({rank}, 2), (1, 2), (2,), (1,), or ().")


def pad(array, pad_width, mode="constant", **kwargs):
    """``jax.numpy.pad`` in the modes constant, wrap and edge."""
    array = ensure_array("pad", array)
    pad_width = _pairs(pad_width, array.ndim, "pad_width")
    if any(not isinstance(n, integer) for pair in pad_width for n in pair):
        raise TypeError("`pad_width` must be of integral type.")
    if callable(mode):
        raise OutOfScope("jax.numpy.pad with a function as mode", "use mode='constant'")
    if mode not in _PAD_OPTIONS:
        raise NotImplementedError(f"Unimplemented padding mode '{mode}' for np.pad.")
    unknown = set(kwargs) - set(_PAD_OPTIONS[mode])
    if unknown:
        raise ValueError(f"unsupported keyword arguments for mode '{mode}': {unknown}")
    return _pad(array, pad_width, mode, kwargs.get("constant_values", 0),
                kwargs.get("stat_length"), kwargs.get("end_values", 0),
                kwargs.get("reflect_type", "even"))


_PAD_OPTIONS = {"empty": [], "edge": [], "wrap": [], "constant": ["constant_values"],
                "linear_ramp": ["end_values"], "maximum": ["stat_length"],
                "mean": ["stat_length"], "median": ["stat_length"], "minimum": ["stat_length"],
                "reflect": ["reflect_type"], "symmetric": ["reflect_type"]}


@jit(static_argnums=(1, 2, 4, 5, 6))
def _pad(array, pad_width, mode, constant_values, stat_length, end_values, reflect_type):
    array = asarray(array)
    if array.ndim == 0:
        return array
    pad_width = _pairs(pad_width, array.ndim, "pad_width")
    if any(n < 0 for pair in pad_width for n in pair):
        raise ValueError("index can't contain negative values")
    if mode == "constant":
        return _pad_constant(array, pad_width, asarray(constant_values))
    if mode == "wrap":
        return _pad_wrap(array, pad_width)
    raise OutOfScope(f"jax.numpy.pad(mode={mode!r})", "use mode='constant' or 'wrap'")


def _pad_constant(array: Any, pad_width: tuple, values: Any) -> Any:
    rank = array.ndim
    values = convert(values, array.dtype, base.is_weak(array))
    if values.ndim == 0 or values.shape == (1,):
        widths = [(low, high, 0) for low, high in pad_width]
        return reducing.pad(array, values if values.ndim == 0 else squeeze(values), widths)
    if values.ndim == 1 and values.shape[-1] != 2:
        raise ValueError(f"jnp.pad: constant_values has unsupported shape {values.shape}. If the "
                         "shape is 1D or 2D, the last dimension must be of size 1 or 2.")
    values = broadcast_to(values, (rank, 2))
    for i in range(rank):
        widths = [(0, 0, 0)] * rank
        if pad_width[i][0] != 0:
            widths[i] = (pad_width[i][0], 0, 0)
            array = reducing.pad(array, values[i, 0], widths)
        if pad_width[i][1] != 0:
            widths[i] = (0, pad_width[i][1], 0)
            array = reducing.pad(array, values[i, 1], widths)
    return array


def _pad_wrap(array: Any, pad_width: tuple) -> Any:
    for i in range(array.ndim):
        size = array.shape[i]
        if size == 0:
            if any(n > 0 for n in pad_width[i]):
                raise ValueError("Cannot apply 'wrap' padding to empty axis")
            continue
        left, left_rest = divmod(int(pad_width[i][0]), size)
        right, right_rest = divmod(int(pad_width[i][1]), size)
        parts = []
        if left_rest:
            parts.append(slicing.slice_in_dim(array, size - left_rest, size, axis=i))
        parts += (left + right + 1) * [array]
        if right_rest:
            parts.append(slicing.slice_in_dim(array, 0, right_rest, axis=i))
        array = reducing.concatenate(parts, dimension=i)
    return array
