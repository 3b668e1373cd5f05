"""``jax.ds``: a slice with a start that may be traced, and a size that is known.

JAX source: ``jax/_src/indexing.py: Slice, dslice``.

Simplified: the size is known, too; a slice is no argument of a jitted function.
"""

from __future__ import annotations

from typing import Any

from simulator.errors import OutOfScope
from simulator.facade.jax.lax import base
from simulator.named_tuples import NamedTuple


class Slice(NamedTuple):
    """From `start` on, `size` elements, each `stride` from the one before."""

    start: Any
    size: int
    stride: int = 1


_SIZE = object()


def ds(start: Any, size: Any = _SIZE, stride: int | None = None) -> slice | Slice:
    """``jax.ds``. OutOfScope: a traced size."""
    if start is None:
        if size is _SIZE:
            return slice(None, None, stride)
        start = 0
    stride = 1 if stride is None else stride
    if not isinstance(stride, int):
        raise ValueError("Non-static stride in `dslice`")
    if size is _SIZE:
        start, size = 0, start
    if stride < 0:
        raise ValueError("`stride` must be >= 0.")
    if not base.is_concrete(size):
        raise OutOfScope("jax.ds with a traced size", "the size of an array is known")
    return Slice(start, int(size), stride)
