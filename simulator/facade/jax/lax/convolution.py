"""``jax.lax`` convolutions.

JAX source: ``jax/_src/lax/convolution.py: conv_general_dilated, conv, conv_transpose,
conv_with_general_padding, conv_dimension_numbers, conv_general_permutations``.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

from simulator.errors import OutOfScope
from simulator.facade.jax.lax import base
from simulator.facade.jax.lax.products import precision_pair
from simulator.windows.convolution import ConvDimensionNumbers, conv_general_dilated_p
from simulator.windows.sizes import dilated, pads_of


def conv_general_dilated(lhs: Any, rhs: Any, window_strides: Sequence[int], padding: Any,
                         lhs_dilation: Sequence[int] | None = None,
                         rhs_dilation: Sequence[int] | None = None, dimension_numbers: Any = None,
                         feature_group_count: int = 1, batch_group_count: int = 1,
                         precision: Any = None, preferred_element_type: Any = None,
                         out_sharding: Any = None) -> Any:
    """``jax.lax.conv_general_dilated``.

    Errors: TypeError and ValueError for parameters that do not fit the shapes.
    """
    numbers = conv_dimension_numbers(lhs.shape, rhs.shape, dimension_numbers)
    if lhs_dilation is None:
        lhs_dilation = (1,) * (lhs.ndim - 2)
    elif isinstance(padding, str) and any(d != 1 for d in lhs_dilation):
        raise ValueError("String padding is not implemented for transposed convolution using this "
                         "op. Please either exactly specify the required padding or use "
                         "conv_transpose.")
    if rhs_dilation is None:
        rhs_dilation = (1,) * (rhs.ndim - 2)
    if isinstance(padding, str):
        left, right, _ = numbers
        window = dilated([rhs.shape[i] for i in right[2:]], rhs_dilation)
        padding = pads_of([lhs.shape[i] for i in left[2:]], window, window_strides, padding)
    else:
        try:
            padding = tuple((operator.index(lo), operator.index(hi)) for lo, hi in padding)
        except (ValueError, TypeError) as error:
            raise ValueError("padding argument to conv_general_dilated should be a string or a "
                             f"sequence of (low, high) pairs, got {padding}") from error
    if preferred_element_type is not None:
        preferred_element_type = base.user_dtype(preferred_element_type, "conv_general_dilated")
    return conv_general_dilated_p.bind(
        lhs, rhs, window_strides=tuple(window_strides), padding=tuple(padding),
        lhs_dilation=tuple(lhs_dilation), rhs_dilation=tuple(rhs_dilation),
        dimension_numbers=numbers, feature_group_count=feature_group_count,
        batch_group_count=batch_group_count, precision=precision_pair(precision),
        preferred_element_type=preferred_element_type, out_sharding=out_sharding)


def conv(lhs: Any, rhs: Any, window_strides: Sequence[int], padding: str, precision: Any = None,
         preferred_element_type: Any = None) -> Any:
    """``jax.lax.conv``."""
    return conv_general_dilated(lhs, rhs, window_strides, padding, precision=precision,
                                preferred_element_type=preferred_element_type)


def conv_with_general_padding(lhs: Any, rhs: Any, window_strides: Sequence[int], padding: Any,
                              lhs_dilation: Any, rhs_dilation: Any, precision: Any = None,
                              preferred_element_type: Any = None) -> Any:
    """``jax.lax.conv_with_general_padding``."""
    return conv_general_dilated(lhs, rhs, window_strides, padding, lhs_dilation=lhs_dilation,
                                rhs_dilation=rhs_dilation, precision=precision,
                                preferred_element_type=preferred_element_type)


_LAYOUTS = {2: ("NC", "IO", "NC"), 3: ("NHC", "HIO", "NHC"), 4: ("NHWC", "HWIO", "NHWC"),
            5: ("NHWDC", "HWDIO", "NHWDC")}


def conv_transpose(lhs: Any, rhs: Any, strides: Sequence[int], padding: Any,
                   rhs_dilation: Sequence[int] | None = None, dimension_numbers: Any = None,
                   transpose_kernel: bool = False, precision: Any = None,
                   preferred_element_type: Any = None, use_consistent_padding: bool = False
                   ) -> Any:
    """``jax.lax.conv_transpose``: the input is stretched by the strides.

    Errors: ValueError for too many dimensions without a layout, and for unknown padding.
    """
    if transpose_kernel:
        raise OutOfScope("jax.lax.conv_transpose(transpose_kernel=True)",
                         "turn the kernel round before")
    if dimension_numbers is None:
        if lhs.ndim not in _LAYOUTS:
            raise ValueError("No 4+ dimensional dimension_number defaults.")
        dimension_numbers = _LAYOUTS[lhs.ndim]
    numbers = conv_dimension_numbers(lhs.shape, rhs.shape, dimension_numbers)
    if rhs_dilation is None:
        rhs_dilation = (1,) * (rhs.ndim - 2)
    if use_consistent_padding or padding in ("SAME", "VALID"):
        window = dilated([rhs.shape[i] for i in numbers.rhs_spec[2:]], rhs_dilation)
        each = [padding] * len(strides) if isinstance(padding, str) else padding
        padding = tuple(map(_transpose_pads, window, strides, each))
    return conv_general_dilated(lhs, rhs, (1,) * (lhs.ndim - 2), padding, strides, rhs_dilation,
                                numbers, precision=precision,
                                preferred_element_type=preferred_element_type)


def _transpose_pads(size: int, stride: int, padding: Any) -> tuple[int, int]:
    if padding == "SAME":
        whole = size + stride - 2
        before = size - 1 if stride > size - 1 else -(-whole // 2)
    elif padding == "VALID":
        whole, before = size + stride - 2 + max(size - stride, 0), size - 1
    elif isinstance(padding, tuple):
        pads = [size - p - 1 for p in padding]
        whole, before = sum(pads), pads[0]
    else:
        raise ValueError(f"Invalid padding mode: {padding}")
    return before, whole - before


def conv_dimension_numbers(lhs_shape: Sequence[int], rhs_shape: Sequence[int], numbers: Any
                           ) -> ConvDimensionNumbers:
    """``jax.lax.conv_dimension_numbers``: from three strings, or the plain order.

    Errors: TypeError for what is neither.
    """
    if isinstance(numbers, ConvDimensionNumbers):
        return numbers
    if len(lhs_shape) != len(rhs_shape):
        raise TypeError("convolution requires lhs and rhs ndim to be equal, got "
                        f"{len(lhs_shape)} and {len(rhs_shape)}.")
    if numbers is None:
        plain = tuple(range(len(lhs_shape)))
        return ConvDimensionNumbers(plain, plain, plain)
    if not isinstance(numbers, (list, tuple)):
        raise TypeError("convolution dimension_numbers must be tuple/list or None, got "
                        f"{type(numbers)}.")
    if len(numbers) != 3:
        raise TypeError("convolution dimension_numbers list/tuple must be length 3, got "
                        f"{len(numbers)}.")
    if not all(isinstance(n, str) for n in numbers):
        raise TypeError("convolution dimension_numbers elements must be strings, got "
                        f"{tuple(map(type, numbers))}.")
    for i, n in enumerate(numbers):
        if len(n) != len(lhs_shape):
            raise TypeError(f"convolution dimension_numbers[{i}] must have len equal to the ndim of "
                            f"lhs and rhs, got {n} for lhs and rhs shapes {lhs_shape} and "
                            f"{rhs_shape}.")
    return ConvDimensionNumbers(*_permutations(numbers))


def _permutations(numbers: Sequence[str]) -> list[tuple[int, ...]]:
    pairs = ("NC", "OI", "NC")
    for i, (spec, (a, b)) in enumerate(zip(numbers, pairs)):
        if not spec.count(a) == spec.count(b) == 1:
            raise TypeError(f"convolution dimension_numbers[{i}] must contain the characters '{a}' "
                            f"and '{b}' exactly once, got {spec}.")
        if len(spec) != len(set(spec)):
            raise TypeError(f"convolution dimension_numbers[{i}] cannot have duplicate characters, "
                            f"got {spec}.")
    if len({frozenset(spec) - set(pair) for spec, pair in zip(numbers, pairs)}) != 1:
        raise TypeError("convolution dimension_numbers elements must each have the same set of "
                        f"spatial characters, got {numbers}.")
    space = [c for c in numbers[1] if c not in "OI"]
    return [(spec.index(a), spec.index(b), *map(spec.index, space))
            for spec, (a, b) in zip(numbers, pairs)]


from simulator.windows import rules as _rules  # noqa: E402, F401  (derivatives and batching)
