"""``jax.lax.reduce_window`` with one of the known operations.

JAX source: ``jax/_src/lax/windowed_reductions.py: reduce_window,
_get_monoid_window_reducer``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from simulator.device_arrays.values import typeof
from simulator.errors import OutOfScope
from simulator.facade.jax.lax import base
from simulator.facade.jax.lax import convolution as _convolution  # noqa: F401  (the rules)
from simulator.facade.jax.lax import elementwise as el
from simulator.primitives import reductions as red
from simulator.trees import pytrees
from simulator.windows import pooling
from simulator.windows.sizes import dilated, pads_of


def reduce_window(operand: Any, init_value: Any, computation: Callable,
                  window_dimensions: Sequence[int], window_strides: Sequence[int] | None = None,
                  padding: Any = "VALID", base_dilation: Sequence[int] | None = None,
                  window_dilation: Sequence[int] | None = None) -> Any:
    """``jax.lax.reduce_window``.

    Errors: OutOfScope for a computation of one's own, and for several arrays.
    """
    ones = (1,) * len(window_dimensions)
    if isinstance(padding, str):
        window = dilated(window_dimensions, window_dilation or ones)
        padding = pads_of(base.shape(pytrees.tree_leaves(operand)[0]), window,
                          window_strides or ones, padding)
    primitive = _known(computation, init_value)
    if primitive is None:
        raise OutOfScope("jax.lax.reduce_window with a computation of its own",
                         "use jax.lax.add, max or min with its neutral element")
    return primitive.bind(
        operand, window_dimensions=tuple(window_dimensions),
        window_strides=tuple(window_strides or ones), padding=tuple((x, y) for x, y in padding),
        base_dilation=tuple(base_dilation or ones), window_dilation=tuple(window_dilation or ones))


def _known(computation: Callable, init: Any) -> Any:
    if isinstance(init, (tuple, list, dict)) or not base.is_concrete(init) or base.shape(init):
        return None
    dtype = typeof(init).dtype
    value = init.item() if hasattr(init, "item") else init
    table = ((el.add, 0, pooling.reduce_window_sum_p),
             (el.max, red._lowest(dtype), pooling.reduce_window_max_p),
             (el.min, red._highest(dtype), pooling.reduce_window_min_p))
    return next((p for known, neutral, p in table if computation is known and value == neutral),
                None)
