"""Static and dynamic slices.

An eager slice without strides runs as a dynamic slice, so that one program
serves all places.

JAX source: jax/_src/lax/slicing.py: slice_p, _slice_impl, dynamic_slice_p,
dynamic_update_slice_p.
"""

from __future__ import annotations

from simulator.ndarrays.cells import row_major, strided
from simulator.primitives.explicit import resized, updated
from simulator.primitives.rules import check_same_dtypes, check_shapelike, input_dtype
from simulator.primitives.shapes import gather_at
from simulator.primitives.standard import all_weak, first_weak, standard


def _slice_shape(operand, *, start_indices, limit_indices, strides):
    starts, limits, shape = start_indices, limit_indices, operand.shape
    check_shapelike("slice", "start_indices", starts)
    check_shapelike("slice", "limit_indices", limits)
    if len(shape) != len(starts):
        raise TypeError("slice start_indices must have length equal to the number of dimensions "
                        f"of the operand, got indices {starts} for operand shape {shape}.")
    if len(starts) != len(limits):
        raise TypeError("slice limit_indices must have the same length as start_indices, got "
                        f"start_indices {starts} and limit_indices {limits}.")
    if any(n < lim for n, lim in zip(shape, limits)):
        raise TypeError("slice limit_indices must be less than or equal to operand shape, got "
                        f"limit_indices {limits} for operand shape {shape}.")
    if any(lim < s for s, lim in zip(starts, limits)):
        raise TypeError("slice limit_indices must be greater than or equal to start_indices, got "
                        f"start_indices {starts} and limit_indices {limits}.")
    sizes = tuple(int(lim) - int(s) for s, lim in zip(starts, limits))
    if strides is None or tuple(strides) == (1,) * len(shape):
        return sizes
    check_shapelike("slice", "strides", strides)
    if len(strides) != len(shape):
        raise TypeError("slice strides must have length equal to the number of dimensions of the "
                        f"operand, got strides {strides} for operand shape {shape}.")
    return tuple(-(-n // s) for n, s in zip(sizes, strides))


def _slice(ins, out, values, *, start_indices, limit_indices, strides):
    steps = row_major(ins[0].shape)
    hops = strides or (1,) * len(steps)
    offset = sum(s * t for s, t in zip(start_indices, steps))
    return gather_at(values, strided(out.shape, [t * h for t, h in zip(steps, hops)], offset))


slice_p = standard("slice", _slice_shape, input_dtype, _slice,
                   spec=lambda x, **params: resized("slicing", x, _slice_shape(x, **params)))
slice_p.lowered = lambda params: (
    "slice", dict(params, strides=params["strides"] or (1,) * len(params["start_indices"])))


def _eager_slice(x, *, start_indices, limit_indices, strides):
    from simulator.dispatch import apply_primitive
    if strides is not None:
        return apply_primitive(slice_p, (x,), dict(
            start_indices=start_indices, limit_indices=limit_indices, strides=strides))
    sizes = tuple(lim - s for s, lim in zip(start_indices, limit_indices))
    return apply_primitive(dynamic_slice_p, (x, *start_indices), dict(slice_sizes=sizes))


slice_p.eager = _eager_slice


def _dynamic_slice_shape(operand, *starts, slice_sizes):
    if any(n < s for n, s in zip(operand.shape, slice_sizes)):
        raise TypeError("slice slice_sizes must be less than or equal to operand shape, got "
                        f"slice_sizes {slice_sizes} for operand shape {operand.shape}.")
    if any(s < 0 for s in slice_sizes):
        raise TypeError("slice slice_sizes must be greater than or equal to zero, got slice_sizes "
                        f"of {slice_sizes}.")
    if any(s.ndim for s in starts):
        raise TypeError("start_indices arguments to dynamic_slice must be scalars,  got indices "
                        f"{starts}")
    return tuple(map(int, slice_sizes))


def _integer_indices(name, text, starts):
    if any(i.dtype is not starts[0].dtype or i.dtype.family not in "iu" for i in starts):
        raise TypeError(f"index arguments to {name} must be integers of the {text} "
                        f"{', '.join(i.dtype.name for i in starts)}")


def _dynamic_slice_dtype(operand, *starts, slice_sizes):
    _integer_indices("dynamic_slice", "same type, got:", starts)
    return operand.dtype


def clamped_offset(shape, sizes, starts) -> int:
    """Flat position of a window whose start is moved so that the window fits."""
    return sum(max(0, min(v[0], n - k)) * t
               for v, n, k, t in zip(starts, shape, sizes, row_major(shape)))


def _dynamic_slice(ins, out, values, *starts, slice_sizes):
    shape = ins[0].shape
    return gather_at(values, strided(out.shape, row_major(shape),
                                     clamped_offset(shape, slice_sizes, starts)))


dynamic_slice_p = standard("dynamic_slice", _dynamic_slice_shape, _dynamic_slice_dtype,
                           _dynamic_slice, weak=first_weak,
                           spec=lambda x, *starts, slice_sizes: resized("dynamic_slice", x,
                                                                        slice_sizes),
                           placing=lambda x, *starts: (x,))


def _update_shape(operand, update, *starts):
    if operand.ndim != update.ndim:
        raise TypeError("dynamic_update_slice update must have the same rank as operand, got "
                        f"update shape {update.shape} for operand shape {operand.shape}.")
    if operand.ndim != len(starts):
        raise TypeError("dynamic_update_slice start_indices must have length equal to the rank of "
                        f"operand, got indices {starts} for operand shape {operand.shape}.")
    if any(n < s for n, s in zip(operand.shape, update.shape)):
        raise TypeError("dynamic_update_slice update shape must be smaller than operand shape, "
                        f"got update shape {update.shape} for operand shape {operand.shape}.")
    if any(s.ndim for s in starts):
        raise TypeError("start_indices arguments to dynamic_update_slice must be scalars, got "
                        f"indices {starts}")
    return operand.shape


def _update_dtype(operand, update, *starts):
    check_same_dtypes("dynamic_update_slice", operand, update)
    _integer_indices("dynamic_update_slice", "same type, got", starts)
    return operand.dtype


def _dynamic_update_slice(ins, out, values, update, *starts):
    shape, sizes = ins[0].shape, ins[1].shape
    result = list(values)
    for at, v in zip(strided(sizes, row_major(shape), clamped_offset(shape, sizes, starts)),
                     update):
        result[at] = v
    return result


dynamic_update_slice_p = standard("dynamic_update_slice", _update_shape, _update_dtype,
                                  _dynamic_update_slice, weak=all_weak, spec=updated)
