"""``jax.pure_callback`` and ``io_callback``: Python functions as operations.

JAX source: ``jax/_src/callback.py: pure_callback, io_callback``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simulator.device_arrays.values import x64
from simulator.side_effects import effects
from simulator.trees import pytrees
from simulator.types import dtypes
from simulator.types.avals import ShapedArray

_VMAP_METHODS = ["sequential", "sequential_unrolled", "expand_dims", "broadcast_all",
                 "legacy_vectorized", None]


def _result_types(shape_dtypes: Any) -> tuple[tuple, Any]:
    # ValueError for types that the process does not have.
    leaves, tree = pytrees.tree_flatten(shape_dtypes)
    wanted = [(leaf.shape, dtypes.dtype(leaf.dtype)) for leaf in leaves]
    if any(dtypes.canonicalize(dtype, x64()) is not dtype for _, dtype in wanted):
        raise ValueError("result_shape_dtypes cannot specify 64-bit types when `jax_enable_x64` "
                         "is disabled")
    return tuple(ShapedArray(shape, dtype) for shape, dtype in wanted), tree


def pure_callback(callback: Callable, result_shape_dtypes: Any, *args: Any, sharding: Any = None,
                  vmap_method: str | None = None, **kwargs: Any) -> Any:
    """``jax.pure_callback``: no effect, so C++ may answer and unused ones are dropped.

    Args:
      callback: gets committed arrays, returns a tree like `result_shape_dtypes`.
      result_shape_dtypes: tree of objects with `shape` and `dtype`.

    Errors: ValueError for 64-bit results with x64 off; JaxRuntimeError (from the
    Python path) or ValueError (from C++) when the callback raises.
    """
    if vmap_method not in _VMAP_METHODS:
        raise ValueError(f"vmap_method must be on of the allowed methods {_VMAP_METHODS}, but "
                         f"got: {vmap_method}")
    flat, in_tree = pytrees.tree_flatten((args, kwargs))
    result_avals, out_tree = _result_types(result_shape_dtypes)
    outs = effects.pure_callback_p.bind(
        *flat, callback=effects.FlatCallback(callback, in_tree), result_avals=result_avals,
        sharding=sharding, vmap_method=vmap_method)
    return out_tree.unflatten(outs)


def io_callback(callback: Callable, result_shape_dtypes: Any, *args: Any, sharding: Any = None,
                ordered: bool = False, **kwargs: Any) -> Any:
    """``jax.experimental.io_callback``: has an effect; otherwise as `pure_callback`."""
    flat, in_tree = pytrees.tree_flatten((args, kwargs))
    result_avals, out_tree = _result_types(result_shape_dtypes)
    outs = effects.io_callback_p.bind(
        *flat, callback=effects.FlatCallback(callback, in_tree), result_avals=result_avals,
        sharding=sharding, ordered=ordered)
    return out_tree.unflatten(outs)


def effects_barrier() -> None:
    """``jax.effects_barrier``: nothing is ever pending here."""
