"""``jax.numpy.pad``.

JAX source: ``jax/_src/numpy/lax_numpy.py: pad, _pad, _pad_constant, _pad_wrap,
_broadcast_to_pairs``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from simulator.api import jit
from simulator.errors import OutOfScope
from simulator.facade.jax.lax import base, reducing, slicing
from simulator.facade.jax.lax.convert import convert
from simulator.facade.jax.numpy.constructors import asarray
from simulator.facade.jax.numpy.moving import repeat
from simulator.facade.jax.numpy.reshaping import (
    broadcast_to,
    squeeze,
)
from simulator.facade.jax.numpy.util import (
    ensure_array,
)
from simulator.ndarrays.ndarray import asarray as numpy_array
from simulator.trees import pytrees
from simulator.types.scalar_types import integer, make


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
    if mode == "edge":
        return _pad_edge(array, pad_width)
    raise OutOfScope(f"jax.numpy.pad(mode={mode!r})", "use mode='constant', 'edge' or 'wrap'")


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


def _padded_axes(array: Any, pad_width: tuple, mode: str) -> Iterator[int]:
    # Along the others there is nothing to take.
    for i in range(array.ndim):
        if array.shape[i]:
            yield i
        elif any(n > 0 for n in pad_width[i]):
            raise ValueError(f"Cannot apply '{mode}' padding to empty axis")


def _pad_edge(array: Any, pad_width: tuple) -> Any:
    for i in _padded_axes(array, pad_width, "edge"):
        size = array.shape[i]
        before, after = (
            repeat(slicing.slice_in_dim(array, at, at + 1, axis=i), count, axis=i)
            for at, count in zip((0, size - 1), pad_width[i]))
        array = reducing.concatenate([before, array, after], dimension=i)
    return array


def _pad_wrap(array: Any, pad_width: tuple) -> Any:
    for i in _padded_axes(array, pad_width, "wrap"):
        size = array.shape[i]
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
