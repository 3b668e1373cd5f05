"""``jax.lax`` slices, gather and scatter.

JAX source: ``jax/_src/lax/slicing.py``; ``jax/_src/lax/lax.py: _reduction_jaxpr``.
"""

from __future__ import annotations

import math
import operator as op
from collections.abc import Callable, Sequence
from typing import Any

from simulator import process, tracing
from simulator.api import jit
from simulator.caches import StrongLRUCache
from simulator.facade.jax.lax import base, shapes
from simulator.facade.jax.lax import convert as conv
from simulator.facade.jax.lax import elementwise as el
from simulator.functions import signature
from simulator.primitives import gather as g
from simulator.primitives import scatter as s
from simulator.primitives import slicing as sl
from simulator.primitives.gather import GatherDimensionNumbers, GatherScatterMode
from simulator.primitives.scatter import ScatterDimensionNumbers
from simulator.types import dtypes
from simulator.types.scalar_types import integer


def slice(operand: Any, start_indices: Sequence[int], limit_indices: Sequence[int],
          strides: Sequence[int] | None = None) -> Any:
    """``jax.lax.slice``."""
    return sl.slice_p.bind(operand, start_indices=tuple(start_indices),
                           limit_indices=tuple(limit_indices),
                           strides=None if strides is None else tuple(strides))


def dynamic_slice(operand: Any, start_indices: Any, slice_sizes: Any, *,
                  allow_negative_indices: Any = True) -> Any:
    """``jax.lax.dynamic_slice``: a window whose place may be traced."""
    starts = _starts(operand, start_indices, allow_negative_indices)
    return sl.dynamic_slice_p.bind(operand, *starts,
                                   slice_sizes=base.canonical_shape(slice_sizes))


def dynamic_update_slice(operand: Any, update: Any, start_indices: Any, *,
                         allow_negative_indices: Any = True) -> Any:
    """``jax.lax.dynamic_update_slice``."""
    starts = _starts(operand, start_indices, allow_negative_indices)
    return sl.dynamic_update_slice_p.bind(operand, update, *starts)


def _starts(operand: Any, indices: Any, allow_negative: Any) -> list:
    shape = base.shape(operand)
    if len(indices) != len(shape):
        raise ValueError("Length of slice indices must match number of operand dimensions "
                         f"({len(indices)} vs {shape})")
    if not isinstance(indices, (tuple, list)):
        if indices.ndim != 1:
            raise ValueError(f"Slice indices must be a 1D sequence, got {indices.shape}")
        indices = list(indices)
    if isinstance(allow_negative, bool):
        allow_negative = [allow_negative] * len(indices)
    result = []
    for i, d, negative in zip(indices, shape, allow_negative):
        if base.dtype(i).family == "u":
            result.append(i)
        elif isinstance(i, (int, integer)):
            if i < 0 and not negative:
                raise ValueError(f"Index {i} is out of bounds for dimension {d} if "
                                 "allow_negative_indices=False")
            result.append(conv.convert_element_type(i + d if i < 0 else i, base.dtype(i)))
        elif negative:
            wrapped = conv.convert_element_type(d, base.dtype(i))
            result.append(el.select(i < 0, i + wrapped, i))
        else:
            result.append(i)
    return result


def slice_in_dim(operand: Any, start_index: int | None, limit_index: int | None, stride: int = 1,
                 axis: int = 0) -> Any:
    """``jax.lax.slice_in_dim``."""
    rank = operand.ndim
    starts, limits, strides = [0] * rank, list(operand.shape), [1] * rank
    size = operand.shape[axis]
    first = 0 if start_index is None else op.index(start_index)
    last = size if limit_index is None else op.index(limit_index)
    axis = int(axis)
    starts[axis] = first + size if first < 0 else first
    limits[axis] = last + size if last < 0 else last
    strides[axis] = op.index(stride)
    return slice(operand, starts, limits, strides)


def index_in_dim(operand: Any, index: int, axis: int = 0, keepdims: bool = True) -> Any:
    """``jax.lax.index_in_dim``. IndexError out of bounds."""
    index, axis = op.index(index), int(axis)
    size = operand.shape[axis]
    wrapped = index + size if index < 0 else index
    if not 0 <= wrapped < size:
        raise IndexError(f"index {index} is out of bounds for axis {axis} with size {size}")
    result = slice_in_dim(operand, wrapped, wrapped + 1, 1, axis)
    return result if keepdims else shapes.squeeze(result, (axis,))


def dynamic_slice_in_dim(operand: Any, start_index: Any, slice_size: int, axis: int = 0, *,
                         allow_negative_indices: bool = True) -> Any:
    """``jax.lax.dynamic_slice_in_dim``."""
    starts = [base.const(start_index, 0)] * operand.ndim
    sizes, axis = list(operand.shape), int(axis)
    negative = [False] * operand.ndim
    negative[axis] = allow_negative_indices
    starts[axis] = start_index
    sizes[axis] = op.index(slice_size)
    return dynamic_slice(operand, starts, sizes, allow_negative_indices=negative)


@jit(static_argnames=["axis", "keepdims", "allow_negative_indices"])
def dynamic_index_in_dim(operand, index, axis=0, keepdims=True, *, allow_negative_indices=True):
    """``jax.lax.dynamic_index_in_dim``."""
    result = dynamic_slice_in_dim(operand, index, 1, axis,
                                  allow_negative_indices=allow_negative_indices)
    return result if keepdims else shapes.squeeze(result, (axis,))


def dynamic_update_slice_in_dim(operand: Any, update: Any, start_index: Any, axis: int, *,
                                allow_negative_indices: bool = True) -> Any:
    """``jax.lax.dynamic_update_slice_in_dim``."""
    axis, rank = int(axis), base.ndim(operand)
    starts = [base.const(start_index, 0)] * rank
    starts[axis] = start_index
    negative = [False] * rank
    negative[axis] = allow_negative_indices
    return dynamic_update_slice(operand, update, starts, allow_negative_indices=negative)


@jit(static_argnames=["axis", "allow_negative_indices"])
def dynamic_update_index_in_dim(operand, update, index, axis, *, allow_negative_indices=True):
    """``jax.lax.dynamic_update_index_in_dim``."""
    axis = int(axis)
    if base.ndim(update) != base.ndim(operand):
        assert base.ndim(update) + 1 == base.ndim(operand)
        update = shapes.expand_dims(update, (axis,))
    return dynamic_update_slice_in_dim(operand, update, index, axis,
                                       allow_negative_indices=allow_negative_indices)


def gather(operand: Any, start_indices: Any, dimension_numbers: GatherDimensionNumbers,
           slice_sizes: Any, *, unique_indices: bool = False, indices_are_sorted: bool = False,
           mode: Any = None, fill_value: Any = None) -> Any:
    """``jax.lax.gather``: windows of the operand, at places given by an index array."""
    parsed = GatherScatterMode.from_any(GatherScatterMode.PROMISE_IN_BOUNDS if mode is None
                                        else mode)
    if parsed is GatherScatterMode.FILL_OR_DROP:
        if fill_value is None:
            d = base.dtype(operand)
            fill_value = (math.nan if d.family in "fc" else True if d.family == "b"
                          else dtypes.iinfo(d).min if d.family == "i"
                          else dtypes.iinfo(d if d.family == "u" else dtypes.uint32).max)
    else:
        fill_value = None
    return g.gather_p.bind(operand, start_indices, dimension_numbers=dimension_numbers,
                           slice_sizes=base.canonical_shape(slice_sizes),
                           unique_indices=bool(unique_indices),
                           indices_are_sorted=bool(indices_are_sorted), mode=parsed,
                           fill_value=fill_value)


def reduction_jaxpr(computation: Callable, aval: Any) -> Any:
    """The jaxpr of a binary operation on scalars, traced once per process and type.

    The trace is an ordinary one: the tracing cache counts it, under the name ``comp``.
    """
    cache = process.current().side_caches
    if "reduction_jaxpr" not in cache:
        cache["reduction_jaxpr"] = StrongLRUCache(
            _trace_reduction, process.current().config.trace_context)
    return cache["reduction_jaxpr"](computation, aval)


def _trace_reduction(computation: Callable, aval: Any) -> Any:
    def comp(x: Any, y: Any) -> tuple:
        return (computation(x, y),)

    info = signature.debug_info("reduction_jaxpr", computation, (aval, aval), {})
    call = signature.flatten_call((0, 0), {}).with_leaves((aval, aval))
    return tracing.trace_to_jaxpr(comp, call, info).jaxpr


def _scatter(name: str, primitive: Any, computation: Callable | None) -> Callable:
    neutral = 1 if name == "scatter_mul" else 0

    def fun(operand: Any, scatter_indices: Any, updates: Any,
            dimension_numbers: ScatterDimensionNumbers, *, indices_are_sorted: bool = False,
            unique_indices: bool = False, mode: Any = None) -> Any:
        jaxpr = None if computation is None else reduction_jaxpr(
            computation, base.typeof(base.const(operand, neutral)))
        return primitive.bind(
            operand, scatter_indices, updates, update_jaxpr=jaxpr, update_consts=(),
            dimension_numbers=dimension_numbers, indices_are_sorted=indices_are_sorted,
            unique_indices=unique_indices, mode=GatherScatterMode.from_any(mode))

    fun.__name__ = fun.__qualname__ = name
    fun.__module__ = "jax.lax"
    fun.__doc__ = f"``jax.lax.{name}``."
    return fun


scatter = _scatter("scatter", s.scatter_p, None)
scatter_add = _scatter("scatter_add", s.scatter_add_p, el.add)
scatter_sub = _scatter("scatter_sub", s.scatter_sub_p, el.sub)
scatter_mul = _scatter("scatter_mul", s.scatter_mul_p, el.mul)
scatter_min = _scatter("scatter_min", s.scatter_min_p, el.min)
scatter_max = _scatter("scatter_max", s.scatter_max_p, el.max)
