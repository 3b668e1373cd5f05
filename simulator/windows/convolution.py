"""``conv_general_dilated``: a window of weights moves over an array.

JAX source: ``jax/_src/lax/convolution.py: conv_general_dilated_p``, its shape and
dtype rules.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

from simulator.errors import OutOfScope
from simulator.named_tuples import NamedTuple
from simulator.ndarrays.cells import row_major
from simulator.primitives.standard import standard
from simulator.types.rounding import cast
from simulator.windows.sizes import dilated, moved, windows

MOST = 4_000_000
"""Multiplications that the model still does."""


class ConvDimensionNumbers(NamedTuple):
    """Which axes are batch and features (the first two) and space, for both operands and
    the result."""

    lhs_spec: Sequence[int]
    rhs_spec: Sequence[int]
    out_spec: Sequence[int]


def _take(shape: Sequence[int], spec: Sequence[int]) -> list[int]:
    return [shape[i] for i in spec]


def _check(lhs: Any, rhs: Any, numbers: ConvDimensionNumbers, strides: tuple, features: int,
           batches: int) -> None:
    name = "conv_general_dilated"
    if lhs.ndim != rhs.ndim:
        raise ValueError(f"{name} lhs and rhs must have the same number of dimensions, but got "
                         f"{lhs.shape} and {rhs.shape}.")
    for what, count in (("feature", features), ("batch", batches)):
        if count <= 0:
            raise ValueError(f"{name} {what}_group_count must be a positive integer, got {count}.")
    ins, outs = lhs.shape[numbers.lhs_spec[1]], rhs.shape[numbers.rhs_spec[0]]
    if ins % features:
        raise ValueError(f"{name} feature_group_count must divide lhs feature dimension size, but "
                         f"{features} does not divide {ins}.")
    if ins // features != rhs.shape[numbers.rhs_spec[1]]:
        raise ValueError(f"{name} lhs feature dimension size divided by feature_group_count must "
                         f"equal the rhs input feature dimension size, but {ins} // {features} != "
                         f"{rhs.shape[numbers.rhs_spec[1]]}.")
    for what, count in (("feature", features), ("batch", batches)):
        if outs % count:
            raise ValueError(f"{name} rhs output feature dimension size must be a multiple of "
                             f"{what}_group_count, but {outs} is not a multiple of {count}.")
    if lhs.shape[numbers.lhs_spec[0]] % batches:
        raise ValueError(f"{name} batch_group_count must divide lhs batch dimension size, but "
                         f"{batches} does not divide {lhs.shape[numbers.lhs_spec[0]]}.")
    if batches > 1 and features > 1:
        raise ValueError("At most one of batch_group_count and feature_group_count may be > 1, got "
                         f"batch_group_count={batches} and feature_group_count={features}")
    if len(strides) != len(numbers.rhs_spec) - 2:
        raise ValueError(f"{name} window and window_strides must have the same number of "
                         f"dimensions, but got {len(numbers.rhs_spec) - 2} and {len(strides)}")


def _shape(lhs: Any, rhs: Any, *, window_strides: tuple, padding: tuple, lhs_dilation: tuple,
           rhs_dilation: tuple, dimension_numbers: ConvDimensionNumbers, feature_group_count: int,
           batch_group_count: int, **params: Any) -> tuple[int, ...]:
    _check(lhs, rhs, dimension_numbers, window_strides, feature_group_count, batch_group_count)
    left = dilated(_take(lhs.shape, dimension_numbers.lhs_spec), lhs_dilation)
    right = dilated(_take(rhs.shape, dimension_numbers.rhs_spec), rhs_dilation)
    if len(padding) != len(left) - 2:
        raise TypeError("Wrong number of explicit pads for convolution: expected "
                        f"{len(left) - 2}, got {len(padding)}.")
    padded = [n + lo + hi for n, (lo, hi) in zip(left[2:], padding)]
    if any(n < 0 for n in padded):
        raise ValueError("Negative padding is larger than the size of the corresponding dimension: "
                         f"got padding={padding} for lhs_shape[2:]={left[2:]}")
    found = [left[0] // batch_group_count, right[0],
             *map(moved, padded, right[2:], window_strides)]
    out = [0] * len(found)
    for size, axis in zip(found, dimension_numbers.out_spec):
        out[axis] = size
    return tuple(out)


def _dtype(lhs: Any, rhs: Any, *, preferred_element_type: Any, **params: Any) -> Any:
    if lhs.dtype is not rhs.dtype:
        raise TypeError("lax.conv_general_dilated requires arguments to have the same dtypes, got "
                        f"{lhs.dtype.name}, {rhs.dtype.name}.")
    return preferred_element_type or lhs.dtype


def _kernel(ins: list, out: Any, left: list, right: list, *, window_strides: tuple,
            padding: tuple, lhs_dilation: tuple, rhs_dilation: tuple,
            dimension_numbers: ConvDimensionNumbers, feature_group_count: int,
            batch_group_count: int, **params: Any) -> list:
    lhs, rhs = ins
    lhs_spec, rhs_spec, out_spec = dimension_numbers
    n, c_in, *space = _take(lhs.shape, lhs_spec)
    c_out, group_in, *window = _take(rhs.shape, rhs_spec)
    if math.prod(out.shape) * group_in * math.prod(window) > MOST:
        raise OutOfScope("the numbers of a convolution of this size", "use a smaller one")
    strides = [_take(row_major(s.shape), spec) for s, spec in zip(
        (lhs, rhs, out), (lhs_spec, rhs_spec, out_spec))]
    (ln, lc, *ls), (ro, ri, *rs), (on, oc, *os_) = strides
    result = [0] * math.prod(out.shape)
    images = n // batch_group_count
    outs_per_group = c_out // (feature_group_count * batch_group_count)
    places = windows(space, window, window_strides, padding, lhs_dilation, rhs_dilation)
    sizes = _take(out.shape, out_spec)[2:]
    for where, place in zip(itertools.product(*map(range, sizes)), places):
        taps = [(sum(i * s for i, s in zip(at, ls)), sum(k * s for k, s in zip(tap, rs)))
                for tap, at in zip(itertools.product(*map(range, window)),
                                   itertools.product(*place)) if None not in at]
        target = sum(i * s for i, s in zip(where, os_))
        for o in range(c_out):
            group = o // outs_per_group
            image, first = ((group * images, 0) if batch_group_count > 1
                            else (0, group * group_in))
            for b in range(images):
                total: Any = 0
                for i in range(group_in):
                    x0, w0 = (image + b) * ln + (first + i) * lc, o * ro + i * ri
                    for x, w in taps:
                        total += left[x0 + x] * right[w0 + w]
                result[b * on + o * oc + target] = total
    return cast(result, lhs.dtype, out.dtype)


conv_general_dilated_p = standard(
    "conv_general_dilated", _shape, _dtype, _kernel,
    print_params=lambda params: params)
