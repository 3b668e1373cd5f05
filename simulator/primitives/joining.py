"""Primitives that join, cut and pad arrays.

JAX source: jax/_src/lax/lax.py: concatenate_p, stack_p, unstack_p, split_p, pad_p.
"""

from __future__ import annotations

import math

from simulator.ndarrays.cells import row_major, strided
from simulator.primitives.explicit import equal_specs, resized, stacked, unstacked
from simulator.primitives.rules import check_same_dtypes
from simulator.primitives.shapes import gather_at
from simulator.primitives.standard import standard, standard_multi


def _join(lists, inner):
    """Interleave: from each list a run of `inner` elements, until all are used up."""
    runs = [(v, n) for v, n in zip(lists, inner) if n]
    if not runs:
        return []
    outer = len(runs[0][0]) // runs[0][1]
    out = []
    for o in range(outer):
        for v, n in runs:
            out += v[o * n:(o + 1) * n]
    return out


def _concatenate_shape(*operands, dimension):
    shapes = [tuple(o.shape) for o in operands]
    listed = ", ".join(map(str, shapes))
    if len({len(s) for s in shapes}) != 1:
        raise TypeError("Cannot concatenate arrays with different numbers of dimensions: got "
                        f"{listed}.")
    if not 0 <= dimension < len(shapes[0]):
        raise TypeError(f"concatenate dimension out of bounds: dimension {dimension} for shapes "
                        f"{listed}.")
    if len({s[:dimension] + s[dimension + 1:] for s in shapes}) != 1:
        raise TypeError(
            "Cannot concatenate arrays with shapes that differ in dimensions other than the one "
            f"being concatenated: concatenating along dimension {dimension} for shapes {listed}.")
    first = shapes[0]
    return (*first[:dimension], sum(s[dimension] for s in shapes), *first[dimension + 1:])


def _same_dtype(name):
    def rule(*operands, **params):
        check_same_dtypes(name, *operands)
        return operands[0].dtype
    return rule


concatenate_p = standard(
    "concatenate", _concatenate_shape, _same_dtype("concatenate"),
    lambda ins, out, *lists, dimension: _join(
        lists, [math.prod(i.shape[dimension:]) for i in ins]),
    spec=equal_specs, adopts=True)


def _stack_shape(*operands, axis):
    shapes = [tuple(o.shape) for o in operands]
    listed = ", ".join(map(str, shapes))
    if len({len(s) for s in shapes}) != 1:
        raise ValueError(f"Cannot stack arrays with different numbers of dimensions: got {listed}.")
    if len(set(shapes)) != 1:
        raise ValueError(f"All input arrays must have the same shape. Got {listed}.")
    return (*shapes[0][:axis], len(shapes), *shapes[0][axis:])


stack_p = standard(
    "stack", _stack_shape, _same_dtype("stack"),
    lambda ins, out, *lists, axis: _join(lists, [math.prod(i.shape[axis:]) for i in ins]),
    spec=stacked, adopts=True)


def _unstack_shapes(operand, *, axis):
    rest = operand.shape[:axis] + operand.shape[axis + 1:]
    return [rest] * operand.shape[axis]


def _cut(values, shape, axis, start, stop):
    steps = row_major(shape)
    part = (*shape[:axis], stop - start, *shape[axis + 1:])
    return gather_at(values, strided(part, steps, start * steps[axis]))


unstack_p = standard_multi(
    "unstack", _unstack_shapes, lambda x, *, axis: [x.dtype] * x.shape[axis],
    lambda ins, outs, values, *, axis: [_cut(values, ins[0].shape, axis, i, i + 1)
                                        for i in range(len(outs))],
    weaks=lambda x, *, axis: [x.weak_type] * x.shape[axis], specs=unstacked)


def _split_shapes(operand, *, sizes, axis):
    if any(s < 0 for s in sizes):
        raise ValueError(f"Sizes passed to split must be nonnegative, got {list(sizes)}")
    if operand.shape[axis] != sum(sizes):
        raise ValueError(f"Sum of sizes {sum(sizes)} must be equal to dimension {axis} of the "
                         f"operand shape {list(operand.shape)}")
    return [(*operand.shape[:axis], int(s), *operand.shape[axis + 1:]) for s in sizes]


def _split(ins, outs, values, *, sizes, axis):
    parts, at = [], 0
    for s in map(int, sizes):
        parts.append(_cut(values, ins[0].shape, axis, at, at + s))
        at += s
    return parts


split_p = standard_multi("split", _split_shapes,
                         lambda x, *, sizes, axis: [x.dtype] * len(sizes), _split,
                         specs=lambda x, **params: [resized("split", x, shape)
                                                    for shape in _split_shapes(x, **params)])


def _padded(operand, padding_value, *, padding_config):
    # Sizes are what the widths are: NumPy's integers, as errors show them.
    if padding_value.ndim:
        raise ValueError("padding_value must be a scalar; got "
                         f"np.shape(padding_value)={padding_value.shape}")
    shape = operand.shape
    if len(padding_config) != len(shape):
        raise ValueError("length of padding_config must equal the number of axes of operand, got "
                         f"padding_config {padding_config} for operand shape {shape}")
    if any(i < 0 for _, _, i in padding_config):
        raise ValueError("interior padding in padding_config must be nonnegative, got "
                         f"padding_config {padding_config}")
    result = tuple(lo + hi + (0 if n == 0 else 1 + (i + 1) * (n - 1))
                   for (lo, hi, i), n in zip(padding_config, shape))
    if any(d < 0 for d in result):
        raise ValueError("Dimension size after padding is not at least 0, got result shape "
                         f"{result}, for padding_config {padding_config} and operand shape {shape}")
    return result


def _pad_shape(operand, padding_value, *, padding_config):
    return tuple(map(int, _padded(operand, padding_value, padding_config=padding_config)))


def _pad_dtype(operand, padding_value, *, padding_config):
    if operand.dtype is not padding_value.dtype:
        raise TypeError("pad operand and padding_value must be same dtype: got "
                        f"{operand.dtype} and {padding_value.dtype}.")
    return operand.dtype


def _pad(ins, out, values, fill, *, padding_config):
    result = fill * math.prod(out.shape)
    # Where each element lands, or None when negative padding cuts it off.
    landing: list = [0]
    for n, total, step, (lo, _, interior) in zip(ins[0].shape, out.shape, row_major(out.shape),
                                                 padding_config):
        places = [int(lo) + k * (int(interior) + 1) for k in range(n)]
        landing = [p + q * step if p is not None and 0 <= q < total else None
                   for p in landing for q in places]
    for at, v in zip(landing, values):
        if at is not None:
            result[at] = v
    return result


pad_p = standard("pad", _pad_shape, _pad_dtype, _pad,
                 spec=lambda x, value, **params: resized("padding", x,
                                                         _padded(x, value, **params)),
                 placing=lambda x, value: (x,))
