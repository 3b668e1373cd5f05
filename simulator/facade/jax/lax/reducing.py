"""``jax.lax`` reductions, running reductions, sorting, joining and cutting.

JAX source: ``jax/_src/lax/lax.py: reduce, _get_monoid_reducer, reduce_sum,
argmax, sort, concatenate, split, pad …``; ``jax/_src/lax/control_flow/loops.py:
cumsum …``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from simulator.device_arrays.arrays import Array
from simulator.facade.jax.lax import base
from simulator.facade.jax.lax import convert as conv
from simulator.facade.jax.lax import elementwise as el
from simulator.manual.varying import together
from simulator.ndarrays.ndarray import NDArray
from simulator.primitives import joining, sorting
from simulator.primitives import reductions as red
from simulator.trees import pytrees
from simulator.types.scalar_types import Generic


def reduce_sum(operand: Any, axes: Sequence[int], *, out_sharding: Any = None) -> Any:
    """``jax.lax.reduce_sum``."""
    base.no_out_sharding(out_sharding, "jax.lax.reduce_sum")
    return red.reduce_sum_p.bind(operand, axes=tuple(axes), out_sharding=None)


def reduce_max(operand: Any, axes: Sequence[int], *, out_sharding: Any = None) -> Any:
    """``jax.lax.reduce_max``."""
    base.no_out_sharding(out_sharding, "jax.lax.reduce_max")
    return red.reduce_max_p.bind(operand, axes=tuple(axes), out_sharding=None)


def reduce_min(operand: Any, axes: Sequence[int], *, out_sharding: Any = None) -> Any:
    """``jax.lax.reduce_min``."""
    base.no_out_sharding(out_sharding, "jax.lax.reduce_min")
    return red.reduce_min_p.bind(operand, axes=tuple(axes), out_sharding=None)


def reduce_prod(operand: Any, axes: Sequence[int]) -> Any:
    """``jax.lax.reduce_prod``."""
    return red.reduce_prod_p.bind(operand, axes=tuple(axes))


def reduce_or(operand: Any, axes: Sequence[int]) -> Any:
    """``jax.lax.reduce_or``."""
    return red.reduce_or_p.bind(operand, axes=tuple(axes))


def reduce_and(operand: Any, axes: Sequence[int]) -> Any:
    """``jax.lax.reduce_and``."""
    return red.reduce_and_p.bind(operand, axes=tuple(axes))


def reduce_xor(operand: Any, axes: Sequence[int]) -> Any:
    """``jax.lax.reduce_xor``."""
    return red.reduce_xor_p.bind(operand, axes=tuple(axes))


def reduce(operands: Any, init_values: Any, computation: Callable, dimensions: Sequence[int],
           out_sharding: Any = None) -> Any:
    """``jax.lax.reduce``: one of the known operations, or a computation of one's own.

    Errors: ValueError for first values of another structure than the arrays.
    """
    base.no_out_sharding(out_sharding, "jax.lax.reduce")
    flat, tree = pytrees.tree_flatten(operands)
    inits, init_tree = pytrees.tree_flatten(init_values)
    if tree != init_tree:
        raise ValueError("Operands must have the same tree structure as init_values: "
                         f"{tree} vs. {init_tree}")
    for dimension in dimensions:
        if flat and dimension >= (ndim := base.ndim(flat[0])):
            raise IndexError(f"index {dimension} is out of bounds for axis 0 with size {ndim}")
    reducer = _reducer(computation, inits[0]) if len(inits) == 1 else None
    if reducer is None:
        from simulator.control_flow import reduce as own
        return own.reduce(flat, tree, inits, computation, init_values, tuple(dimensions))
    out = reducer(flat[0], dimensions)
    return conv.convert(out, weak_type=base.is_weak(flat[0]) and base.is_weak(inits[0]))


def _reducer(computation: Callable, init: Any) -> Callable | None:
    # An operation with its own neutral element has a primitive of its own.
    if not isinstance(init, (*base.SCALARS, Generic, NDArray, Array)) or base.shape(init):
        return None
    d = base.dtype(init)
    value = init.item() if hasattr(init, "item") else init
    exact = d.family in "biu"
    lowest, highest = (-math.inf, math.inf) if d.family == "c" else (red._lowest(d), red._highest(d))
    table: list[tuple[Callable, bool, Any, Callable]] = [
        (el.add, True, 0, reduce_sum), (el.mul, True, 1, reduce_prod),
        (el.bitwise_or, exact, 0, reduce_or), (el.bitwise_xor, exact, 0, reduce_xor),
        (el.bitwise_and, exact, True if d.family == "b" else
         (1 << d.bits) - 1 if d.family == "u" else -1, reduce_and),
        (el.max, True, lowest, reduce_max), (el.min, True, highest, reduce_min)]
    for operation, fits, neutral, reducer in table:
        if computation is operation:
            return reducer if fits and value == neutral else None
    return None


def argmax(operand: Any, axis: int, index_dtype: Any) -> Any:
    """``jax.lax.argmax``."""
    return red.argmax_p.bind(operand, axes=(axis,),
                             index_dtype=base.user_dtype(index_dtype, "argmax"))


def argmin(operand: Any, axis: int, index_dtype: Any) -> Any:
    """``jax.lax.argmin``."""
    return red.argmin_p.bind(operand, axes=(axis,),
                             index_dtype=base.user_dtype(index_dtype, "argmin"))


def _cumulative(name: str, primitive: Any) -> Callable:
    def fun(operand: Any, axis: int = 0, reverse: bool = False) -> Any:
        return primitive.bind(operand, axis=int(axis), reverse=bool(reverse))
    fun.__name__ = fun.__qualname__ = name
    fun.__module__ = "jax.lax"
    fun.__doc__ = f"``jax.lax.{name}``."
    return fun


cumsum = _cumulative("cumsum", red.cumsum_p)
cumprod = _cumulative("cumprod", red.cumprod_p)
cummax = _cumulative("cummax", red.cummax_p)
cummin = _cumulative("cummin", red.cummin_p)
cumlogsumexp = _cumulative("cumlogsumexp", red.cumlogsumexp_p)


def sort(operand: Any, dimension: int = -1, is_stable: bool = True, num_keys: int = 1) -> Any:
    """``jax.lax.sort`` of one array, or of several by the first `num_keys`."""
    if isinstance(operand, (tuple, list)):
        if len(operand) == 0:
            raise TypeError("Sort requires at least one operand")
        if not 1 <= num_keys <= len(operand):
            raise ValueError(f"num_keys={num_keys!r} must be between 1 and "
                             f"len(operand)={len(operand)!r}")
        dimension = base.canonical_axis(dimension, len(operand[0].shape))
        return tuple(sorting.sort_p.bind(*together(operand), dimension=dimension, is_stable=is_stable,
                                         num_keys=num_keys))
    if num_keys != 1:
        raise ValueError(f"num_keys={num_keys!r} must equal 1 for a single operand.")
    dimension = base.canonical_axis(dimension, len(operand.shape))
    return sorting.sort_p.bind(operand, dimension=dimension, is_stable=is_stable, num_keys=1)[0]


def sort_key_val(keys: Any, values: Any, dimension: int = -1, is_stable: bool = True) -> tuple:
    """``jax.lax.sort_key_val``."""
    dimension = base.canonical_axis(dimension, len(keys.shape))
    k, v = sorting.sort_p.bind(keys, values, dimension=dimension, is_stable=is_stable, num_keys=1)
    return k, v


def top_k(operand: Any, k: int, *, axis: int = -1, is_stable: bool = True) -> Any:
    """``jax.lax.top_k``: the largest entries and their places. ValueError for negative k."""
    k = int(k)
    if k < 0:
        raise ValueError(f"k argument to top_k must be nonnegative, got {k}")
    return sorting.top_k_p.bind(operand, k=k, axis=base.canonical_axis(axis, base.ndim(operand)),
                                is_stable=is_stable)


def concatenate(operands: Any, dimension: int) -> Any:
    """``jax.lax.concatenate``. ValueError without operands."""
    if len(operands) == 0:
        raise ValueError("concatenate requires a non-empty sequences of arrays")
    if len(operands) == 1 and isinstance(operands[0], base.ARRAYS):
        return operands[0]
    return joining.concatenate_p.bind(*operands, dimension=dimension)


def split(operand: Any, sizes: Sequence[int], axis: int = 0) -> list:
    """``jax.lax.split``."""
    operand = conv.asarray(operand)
    return joining.split_p.bind(operand, sizes=tuple(sizes),
                                axis=base.canonical_axis(axis, operand.ndim))


def stack(operands: Sequence[Any], axis: int = 0) -> Any:
    """``jax.lax.stack``."""
    arrays = [conv.asarray(x) for x in operands]
    return joining.stack_p.bind(*arrays, axis=base.canonical_axis(axis, arrays[0].ndim + 1))


def unstack(x: Any, axis: int = 0) -> tuple:
    """``jax.lax.unstack``."""
    arr = conv.asarray(x)
    return tuple(joining.unstack_p.bind(arr, axis=base.canonical_axis(axis, arr.ndim)))


def pad(operand: Any, padding_value: Any, padding_config: Sequence[tuple]) -> Any:
    """``jax.lax.pad``: (low, high, interior) per dimension."""
    return joining.pad_p.bind(operand, padding_value, padding_config=tuple(padding_config))
