"""Primitives that only rearrange elements: broadcast, reshape, transpose, squeeze, rev, tile.

JAX source: jax/_src/lax/lax.py: broadcast_in_dim_p, reshape_p, transpose_p,
squeeze_p, rev_p, tile_p.
"""

from __future__ import annotations

import math

from simulator.ndarrays.cells import row_major, strided
from simulator.primitives.explicit import check_tile
from simulator.primitives.explicit_reshape import reshaped
from simulator.primitives.rules import check_shapelike, input_dtype, same_spec
from simulator.primitives.standard import standard


def gather_at(values: list, positions: list[int]) -> list:
    """The elements at flat positions."""
    return [values[i] for i in positions]


def _broadcast_shape(operand, *, shape, broadcast_dimensions, sharding):
    n, dims = operand.ndim, broadcast_dimensions
    check_shapelike("broadcast_in_dim", "shape", shape)
    check_shapelike("broadcast_in_dim", "broadcast_dimensions", dims)
    if n != len(dims):
        raise TypeError("broadcast_in_dim broadcast_dimensions must have length equal to operand "
                        f"ndim; got broadcast_dimensions {dims} for operand ndim {n}.")
    if len(shape) < n:
        raise TypeError("broadcast_in_dim target broadcast shape must have equal or higher rank "
                        f"to the operand shape; got operand ndim {n} and target broadcast ndim "
                        f"{len(shape)}.")
    if not set(dims) <= set(range(len(shape))):
        raise TypeError("broadcast_in_dim broadcast_dimensions must be a subset of output "
                        f"dimensions, got {dims} for operand ndim {n} and shape {shape}.")
    if any(operand.shape[i] not in (1, shape[d]) for i, d in enumerate(dims)):
        raise TypeError(
            "broadcast_in_dim operand dimension sizes must either be 1, or be equal to their "
            "corresponding dimensions in the target broadcast shape; got operand of shape "
            f"{operand.shape}, target broadcast shape {shape}, broadcast_dimensions {dims} ")
    if len(dims) != len(set(dims)):
        raise TypeError("broadcast_in_dim broadcast_dimensions must not contain duplicates, got "
                        f"broadcast_dimensions {dims}")
    return tuple(shape)


def _broadcast_spec(operand, *, shape, broadcast_dimensions, sharding):
    own = dict(zip(broadcast_dimensions, operand.spec))
    return tuple(own.get(i) for i in range(len(shape)))


def _broadcast(ins, out, values, *, shape, broadcast_dimensions, sharding):
    if len(values) == 1:
        return values * math.prod(shape)
    strides = [0] * len(shape)
    for d, n, s in zip(broadcast_dimensions, ins[0].shape, row_major(ins[0].shape)):
        strides[d] = 0 if n == 1 else s
    return gather_at(values, strided(shape, strides))


def _show_broadcast(params):
    shown = {k: v for k, v in params.items() if k not in ("shape", "sharding")}
    if not shown["broadcast_dimensions"]:
        del shown["broadcast_dimensions"]
    return shown


broadcast_in_dim_p = standard("broadcast_in_dim", _broadcast_shape, input_dtype, _broadcast,
                              spec=_broadcast_spec, adopts=True, print_params=_show_broadcast)


def _reshape_shape(operand, *, new_sizes, dimensions, sharding):
    if any(d < 0 for d in new_sizes):
        raise TypeError(f"reshape new_sizes must all be positive, got {new_sizes}.")
    if dimensions is not None and set(dimensions) != set(range(operand.ndim)):
        raise TypeError("reshape dimensions must be a permutation of operand dimensions, got "
                        f"dimensions {dimensions} for shape {operand.shape}.")
    return tuple(new_sizes)


def _reshape(ins, out, values, *, new_sizes, dimensions, sharding):
    if dimensions is None or tuple(dimensions) == tuple(range(ins[0].ndim)):
        return values
    return _permuted(values, ins[0].shape, dimensions)


def _permuted(values, shape, permutation):
    steps = row_major(shape)
    return gather_at(values, strided([shape[p] for p in permutation],
                                     [steps[p] for p in permutation]))


reshape_p = standard("reshape", _reshape_shape, input_dtype, _reshape, spec=reshaped)
# In the module the type of the result says all; an order is an operation in front.
reshape_p.lowered = lambda params: ("reshape", {})


def _transpose_shape(operand, *, permutation):
    if not isinstance(permutation, (tuple, list)):
        raise TypeError("transpose permutation must be a tuple/list/ndarray, got "
                        f"{type(permutation)}.")
    if sorted(permutation) != list(range(operand.ndim)):
        raise TypeError("transpose permutation isn't a permutation of operand dimensions, got "
                        f"permutation {permutation} for operand shape {operand.shape}.")
    return tuple(operand.shape[p] for p in permutation)


transpose_p = standard(
    "transpose", _transpose_shape, input_dtype,
    lambda ins, out, values, *, permutation: _permuted(values, ins[0].shape, permutation),
    spec=lambda x, *, permutation: tuple(x.spec[p] for p in permutation) if x.spec else ())


def squeezed_shape(operand, *, dimensions):
    """The shape without `dimensions`. ValueError when one is repeated, out of range, or not
    of size 1. JAX source: jax/_src/lax/lax.py: _compute_squeeze_shape."""
    drop, shape = set(dimensions), operand.shape
    if len(drop) != len(dimensions):
        raise ValueError(f"dimensions are not unique: {dimensions}")
    if not all(0 <= d < len(shape) for d in drop):
        raise ValueError(f"dimensions outside range [0, ndim): {dimensions}")
    if any(shape[d] != 1 for d in dimensions):
        raise ValueError("cannot select an axis to squeeze out which has size not equal to one, "
                         f"got shape={shape} and dimensions={dimensions}")
    return tuple(n for i, n in enumerate(shape) if i not in drop)


squeeze_p = standard(
    "squeeze", squeezed_shape, input_dtype, lambda ins, out, values, *, dimensions: values,
    spec=lambda x, *, dimensions: tuple(s for i, s in enumerate(x.spec) if i not in dimensions))
squeeze_p.lowered = lambda params: ("reshape", {})


def _rev_shape(operand, *, dimensions):
    check_shapelike("rev", "dimensions", dimensions)
    if len(set(dimensions)) != len(dimensions):
        raise TypeError(f"rev dimensions must be unique, got {dimensions}.")
    if dimensions and not max(dimensions) < operand.ndim:
        raise TypeError("rev dimensions must all be less than operand ndim, got dimensions "
                        f"{dimensions} for operand ndim {operand.ndim}.")
    return operand.shape


def _rev(ins, out, values, *, dimensions):
    shape, steps = ins[0].shape, list(row_major(ins[0].shape))
    offset = 0
    for d in dimensions:
        offset += steps[d] * (shape[d] - 1)
        steps[d] = -steps[d]
    return gather_at(values, strided(shape, steps, offset)) if values else []


rev_p = standard("rev", _rev_shape, input_dtype, _rev, spec=same_spec)


def _tile_shape(x, *, reps):
    if x.ndim != len(reps):
        raise TypeError("reps length must be equal to the ndim of x, got "
                        f"len(reps)={len(reps)} and x.ndim={x.ndim}.")
    return tuple(n * r for n, r in zip(x.shape, reps))


def _tile(ins, out, values, *, reps):
    at = [0]
    for n, r, s in zip(ins[0].shape, reps, row_major(ins[0].shape)):
        at = [p + k * s for p in at for _ in range(r) for k in range(n)]
    return gather_at(values, at)


def _tile_abstract(x, *, reps):
    shape = _tile_shape(x, reps=reps)
    check_tile(x, reps)
    return x.update(shape=shape)


tile_p = standard("tile", _tile_shape, input_dtype, _tile)
tile_p.abstract = _tile_abstract
