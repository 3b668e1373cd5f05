"""Derivatives of collectives: all of them are linear.

JAX source: ``jax/_src/lax/parallel.py: _psum_transpose_rule,
_psum_invariant_transpose_rule, _pvary_transpose_rule, _ppermute_transpose_rule,
_pbroadcast_transpose_rule, _all_gather_transpose_rule,
_all_gather_invariant_transpose_rule, _all_to_all_transpose_rule,
_reduce_scatter_transpose_rule``.
"""

from __future__ import annotations

from typing import Any

from simulator.autodiff.rules.common import aval_of, linear
from simulator.facade.jax import lax
from simulator.facade.jax.lax import parallel, shapes
from simulator.manual.varying import pvary
from simulator.primitives import collectives as prims


def _psum(t: Any, x: Any, *, axes: tuple, axis_index_groups: Any) -> list:
    positions = tuple(a for a in axes if isinstance(a, int))
    if positions:
        shape = aval_of(x).shape
        t = shapes.broadcast_in_dim(t, shape, [i for i in range(len(shape)) if i not in positions])
    return [prims.psum_p.bind(t, axes=tuple(a for a in axes if not isinstance(a, int)),
                              axis_index_groups=axis_index_groups)]


def _ppermute(t: Any, x: Any, *, axis_name: Any, perm: tuple) -> list:
    return [parallel.ppermute(t, axis_name, [(dst, src) for src, dst in perm])]


def _pbroadcast(t: Any, x: Any, *, axis_name: Any, source: int) -> list:
    is_source = parallel.axis_index(axis_name) == source
    total = parallel.psum(t, axis_name)
    return [lax.select(is_source, lax.full_like(t, total), lax.full_like(t, 0))]


def _all_gather(t: Any, x: Any, *, all_gather_dimension: int, axis_name: Any,
                axis_index_groups: Any, axis_size: int, tiled: bool) -> list:
    return [parallel.psum_scatter(t, axis_name, scatter_dimension=all_gather_dimension,
                                  axis_index_groups=axis_index_groups, tiled=tiled)]


def _all_gather_invariant(t: Any, x: Any, *, all_gather_dimension: int, axis_name: Any,
                          axis_size: int, tiled: bool) -> list:
    size = t.shape[all_gather_dimension] // axis_size
    out = lax.dynamic_slice_in_dim(t, parallel.axis_index(axis_name) * size, size,
                                   all_gather_dimension)
    return [out if tiled else lax.squeeze(out, [all_gather_dimension])]


def _all_to_all(t: Any, x: Any, *, axis_name: Any, split_axis: int, concat_axis: int,
                axis_index_groups: Any, tiled: bool) -> list:
    return [parallel.all_to_all(t, axis_name, concat_axis, split_axis,
                                axis_index_groups=axis_index_groups, tiled=tiled)]


def _reduce_scatter(t: Any, x: Any, *, axis_name: Any, scatter_dimension: int,
                    axis_index_groups: Any, axis_size: int, tiled: bool) -> list:
    return [parallel.all_gather(t, axis_name, axis_index_groups=axis_index_groups,
                                axis=scatter_dimension, tiled=tiled)]


linear("psum", _psum)
linear("psum_invariant", lambda t, x, *, axes: [pvary(t, axes)])
linear("pvary", lambda t, x, *, axes: [prims.psum_invariant_p.bind(t, axes=axes)])
linear("ppermute", _ppermute)
linear("pbroadcast", _pbroadcast)
linear("all_gather", _all_gather)
linear("all_gather_invariant", _all_gather_invariant)
linear("all_to_all", _all_to_all)
linear("reduce_scatter", _reduce_scatter)
