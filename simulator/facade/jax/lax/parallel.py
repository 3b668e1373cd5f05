"""``jax.lax`` functions across the elements of a named axis.

A name is in scope inside ``jax.vmap(…, axis_name=…)`` and inside ``jax.shard_map``. A
value that is no tracer is the same for every element, and needs no collective.

JAX source: ``jax/_src/lax/parallel.py``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from simulator.errors import OutOfScope
from simulator.facade.jax.lax import base, shapes
from simulator.facade.jax.lax import convert as conv
from simulator.facade.jax.lax import reducing as red
from simulator.jaxprs.tracer import Tracer
from simulator.manual.varying import pvary, vary
from simulator.primitives import collectives as prims
from simulator.primitives.collectives import as_names, axis_env
from simulator.trees import pytrees
from simulator.types import dtypes


def _groups(groups: Any) -> tuple | None:
    return None if groups is None else tuple(map(tuple, groups))


def _checked_groups(groups: Any, axes: tuple) -> tuple | None:
    if groups is None:
        return None
    if any(isinstance(a, int) for a in axes):
        raise ValueError("axis_index_groups only supported for sums over just named axes")
    if {i for g in groups for i in g} != set(range(sum(map(len, groups)))):
        raise ValueError("axis_index_groups must cover all indices exactly once")
    return _groups(groups)


def psum(x: Any, axis_name: Any, *, axis_index_groups: Any = None) -> Any:
    """``jax.lax.psum``: the sum over the axis. NameError for an axis that is not bound."""
    axes = as_names(axis_name)
    if not axes:
        return x

    def summed(leaf: Any) -> Any:
        base.typeof(leaf)
        groups = _checked_groups(axis_index_groups, axes)
        if base.dtype(leaf) is dtypes.bool_:
            leaf = conv.convert_element_type(leaf, dtypes.int32)
        if isinstance(leaf, Tracer):
            if prims.varies():
                if groups is not None:
                    raise NotImplementedError
                return prims.psum_invariant_p.bind(vary(leaf, axes), axes=axes)
            return prims.psum_p.bind(leaf, axes=axes, axis_index_groups=groups)
        positions = [a for a in axes if isinstance(a, int)]
        size = (len(groups[0]) if groups is not None else
                math.prod(axis_env().axis_size(n) for n in axes if not isinstance(n, int)))
        if positions:
            leaf = red.reduce_sum(leaf, [base.canonical_axis(a, base.ndim(leaf))
                                         for a in positions])
        return base.const(leaf, size) * leaf

    return pytrees.tree_map(summed, x)


def pmean(x: Any, axis_name: Any, *, axis_index_groups: Any = None) -> Any:
    """``jax.lax.pmean``: the mean over the axis."""
    x = psum(x, axis_name, axis_index_groups=axis_index_groups)
    n = _axis_size(axis_name, axis_index_groups)
    return pytrees.tree_map(lambda v: v / n, x)


def _extreme(name: str, primitive: Any) -> Callable:
    def fun(x: Any, axis_name: Any, *, axis_index_groups: Any = None) -> Any:
        axes = as_names(axis_name)
        if not axes:
            return x
        groups = _checked_groups(axis_index_groups, axes)
        return pytrees.tree_map(
            lambda leaf: primitive.bind(vary(leaf, axes), axes=axes, axis_index_groups=groups), x)

    fun.__name__ = fun.__qualname__ = name
    fun.__module__ = "jax.lax"
    fun.__doc__ = f"``jax.lax.{name}``: over the axis."
    return fun


pmax = _extreme("pmax", prims.pmax_p)
pmin = _extreme("pmin", prims.pmin_p)


def axis_size(axis_name: Any) -> int:
    """``jax.lax.axis_size``. NameError for an axis that is not bound."""
    return _axis_size(axis_name, None)


def _axis_size(axis_name: Any, groups: Any) -> int:
    return psum(1, axis_name, axis_index_groups=_groups(groups))


def axis_index(axis_name: Any) -> Any:
    """``jax.lax.axis_index``: which element this is, counted over several axes if asked."""
    if not isinstance(axis_name, (tuple, list)):
        return prims.axis_index_p.bind(axis_name=axis_name)
    inner = 1
    index = conv.asarray(0)
    for name in reversed(axis_name):
        index += axis_index(name) * inner
        inner *= axis_size(name)
    return index


def ppermute(x: Any, axis_name: Any, perm: Sequence) -> Any:
    """``jax.lax.ppermute``: `perm` is pairs ``(from, to)``. TypeError for other things."""
    names = tuple(axis_name) if isinstance(axis_name, (list, tuple)) else (axis_name,)
    if not isinstance(perm, (list, tuple)):
        raise TypeError("`perm` passed to `jax.lax.ppermute` must be a list or a tuple. Got perm of "
                        f"type {type(perm)}")
    return pytrees.tree_map(
        lambda leaf: prims.ppermute_p.bind(vary(leaf, names), axis_name=names,
                                           perm=tuple(map(tuple, perm))), x)


def pshuffle(x: Any, axis_name: Any, perm: Sequence) -> Any:
    """``jax.lax.pshuffle``: `perm` is where each element comes from."""
    if set(perm) != set(range(len(perm))):
        raise ValueError(f"`perm` does not represent a permutation: {perm}")
    return ppermute(x, axis_name, list(zip(perm, range(len(perm)))))


def pbroadcast(x: Any, axis_name: Any, source: int) -> Any:
    """``jax.lax.pbroadcast``: the element number `source`, for all."""
    return pytrees.tree_map(
        lambda leaf: prims.pbroadcast_p.bind(leaf, axis_name=axis_name, source=source), x)


def all_gather(x: Any, axis_name: Any, *, axis_index_groups: Any = None, axis: int = 0,
               tiled: bool = False, to: str = "varying") -> Any:
    """``jax.lax.all_gather``: all elements, in a new axis or (`tiled`) joined along one."""
    if to not in ("varying", "reduced", "invarying"):
        raise ValueError("Got unexpected `to` value for `jax.lax.all_gather`. Allowed `to` values "
                         f"are: { {'varying', 'reduced', 'invarying'} }")
    if to == "reduced":
        raise OutOfScope(f"jax.lax.all_gather(to={to!r})", "leave `to` out")
    names = axis_name if isinstance(axis_name, tuple) else (axis_name,)
    if not names:
        return x
    groups = _groups(axis_index_groups)
    if to == "invarying" and groups is not None:
        raise NotImplementedError
    size = _axis_size(names, groups)

    def gathered(leaf: Any) -> Any:
        params = {"all_gather_dimension": base.canonical_axis(axis, base.ndim(leaf) + (not tiled)),
                  "axis_name": names}
        leaf = vary(leaf, names)
        if to == "invarying":
            return prims.all_gather_invariant_p.bind(leaf, **params, axis_size=size, tiled=tiled)
        return prims.all_gather_p.bind(leaf, **params, axis_index_groups=groups, axis_size=size,
                                       tiled=tiled)
    return pytrees.tree_map(gathered, x)


def psum_scatter(x: Any, axis_name: Any, *, scatter_dimension: int = 0,
                 axis_index_groups: Any = None, tiled: bool = False) -> Any:
    """``jax.lax.psum_scatter``: the sum, of which each element keeps its part."""
    names = as_names(axis_name)
    if not names:
        return x
    groups = _groups(axis_index_groups)
    size = _axis_size(names, groups)
    return pytrees.tree_map(lambda leaf: prims.reduce_scatter_p.bind(
        vary(leaf, names), axis_name=names, axis_index_groups=groups, axis_size=size, tiled=tiled,
        scatter_dimension=base.canonical_axis(scatter_dimension, base.ndim(leaf))), x)


def all_to_all(x: Any, axis_name: Any, split_axis: int, concat_axis: int, *,
               axis_index_groups: Any = None, tiled: bool = False) -> Any:
    """``jax.lax.all_to_all``: the mapped axis and another change places.

    Errors: ValueError when their sizes do not fit.
    """
    groups = _groups(axis_index_groups)

    def exchanged(leaf: Any) -> Any:
        split, concat = (base.canonical_axis(a, base.ndim(leaf)) for a in (split_axis, concat_axis))
        size = _axis_size(axis_name, groups)
        have = base.shape(leaf)[split]
        if tiled and have % size:
            raise ValueError(f"The size of all_to_all split_axis ({have}) has to be divisible by "
                             f"the size of the named axis {axis_name} ({size})")
        if not tiled and have != size:
            raise ValueError("all_to_all requires the size of the mapped axis axis_name to equal "
                             f"x.shape[split_axis], but they are {size} and {have} respectively.")
        if not tiled and split != concat:
            concat += split < concat
            leaf = shapes.expand_dims(leaf, (concat,))
            split += concat < split
        leaf = vary(leaf, as_names(axis_name))
        out = prims.all_to_all_p.bind(leaf, split_axis=split, concat_axis=concat,
                                      axis_name=axis_name, axis_index_groups=groups, tiled=tiled)
        return out if tiled or split == concat else shapes.squeeze(out, (split,))

    return pytrees.tree_map(exchanged, x)


def pcast(x: Any, axis_name: Any, *, to: str) -> Any:
    """``jax.lax.pcast``: another type for the same values; only ``to="varying"`` is covered."""
    if isinstance(axis_name, (set, frozenset)):
        raise TypeError(f"{axis_name=} must be a tuple or a str. Got {axis_name}")
    axes = axis_name if isinstance(axis_name, tuple) else (axis_name,)
    if not axes:
        return x
    if to not in ("unreduced", "reduced", "varying"):
        raise ValueError("Got unexpected `to` value. Allowed `to` values are: "
                         f"{ {'unreduced', 'reduced', 'varying'} }")
    if to != "varying":
        raise OutOfScope(f"jax.lax.pcast(to={to!r})", 'use to="varying"')

    def cast(leaf: Any) -> Any:
        now = {"varying" if a in base.typeof(leaf).varying else "invarying" for a in axes}
        if len(now) > 1:
            raise ValueError(
                "jax.lax.pcast can only accept axis_name which corresponds to one of varying, "
                "unreduced, reduced or invarying state of the input. Got input type: "
                f"{base.typeof(leaf)}, axes: {axes} and input state: {now}")
        if now == {"varying"}:
            raise ValueError(f"Unsupported pcast from=varying, {to=}")
        return pvary(leaf, axes)
    return pytrees.tree_map(cast, x)


def pswapaxes(x: Any, axis_name: Any, axis: int, *, axis_index_groups: Any = None) -> Any:
    """``jax.lax.pswapaxes``."""
    return all_to_all(x, axis_name, axis, axis, axis_index_groups=axis_index_groups)
