"""Sizes of windows, padding and results.

JAX source: ``jax/_src/lax/lax.py: padtype_to_pads, _dilate_shape``;
``jax/_src/core.py: stride_dim, dilate_dim``; ``jax/_src/lax/convolution.py:
_conv_general_vjp_lhs_padding, _conv_general_vjp_rhs_padding``.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

Pads = Sequence[tuple[int, int]]


def dilated(shape: Sequence[int], dilation: Sequence[int]) -> tuple[int, ...]:
    """Sizes with holes between the elements; leading axes have none.

    Errors: TypeError for dilations that are not positive.
    """
    if any(d <= 0 for d in dilation):
        raise TypeError(f"All dilations must be positive, got {dilation}.")
    dilation = (1,) * (len(shape) - len(dilation)) + tuple(dilation)
    return tuple(0 if n == 0 else 1 + d * (n - 1) for n, d in zip(shape, dilation))


def moved(size: int, window: int, stride: int) -> int:
    """In how many places a window fits."""
    return max(0, (size - window) // stride + 1)


def pads_of(shape: Sequence[int], window: Sequence[int], strides: Sequence[int], padding: str
            ) -> list[tuple[int, int]]:
    """Padding by name. RuntimeError for an unknown one."""
    name = padding.upper()
    if name == "VALID":
        return [(0, 0)] * len(shape)
    if name not in ("SAME", "SAME_LOWER"):
        raise RuntimeError("Unrecognized padding type: expected 'VALID', 'SAME', or 'SAME_LOWER', "
                           f"got {padding}.")
    found = []
    for size, width, stride in zip(shape, window, strides):
        whole = max((-(-size // stride) - 1) * stride + width - size, 0)
        small, large = whole // 2, whole - whole // 2
        found.append((small, large) if name == "SAME" else (large, small))
    return found


def back_to_left(shape: Sequence[int], window: Sequence[int], strides: Sequence[int],
                 out: Sequence[int], pads: Pads, left: Sequence[int], right: Sequence[int]
                 ) -> list[tuple[int, int]]:
    """The padding of the convolution that goes back to the left operand."""
    whole, wide, stretched = dilated(shape, left), dilated(window, right), dilated(out, strides)
    before = [w - lo - 1 for w, (lo, _) in zip(wide, pads)]
    return [(b, n + w - 1 - o - b) for n, w, o, b in zip(whole, wide, stretched, before)]


def back_to_right(shape: Sequence[int], window: Sequence[int], strides: Sequence[int],
                  out: Sequence[int], pads: Pads, left: Sequence[int], right: Sequence[int]
                  ) -> list[tuple[int, int]]:
    """The same for the right operand."""
    whole, wide, stretched = dilated(shape, left), dilated(window, right), dilated(out, strides)
    return [(lo, o - n + w - lo - 1)
            for n, w, o, (lo, _) in zip(whole, wide, stretched, pads)]


def windows(shape: Sequence[int], window: Sequence[int], strides: Sequence[int], pads: Pads,
            base: Sequence[int], dilation: Sequence[int]) -> Iterator[list[list[int | None]]]:
    """Per place of the window and axis, the positions in the array; None in the padding.

    The places come in row-major order.
    """
    axes = []
    for n, w, s, (lo, hi), b, d in zip(shape, window, strides, pads, base, dilation):
        size = (0 if n == 0 else 1 + b * (n - 1)) + lo + hi
        places = []
        for start in range(moved(size, 0 if w == 0 else 1 + d * (w - 1), s)):
            at = [start * s + k * d - lo for k in range(w)]
            places.append([i // b if i % b == 0 and 0 <= i // b < n else None for i in at])
        axes.append(places)
    for place in itertools.product(*axes):
        yield list(place)
