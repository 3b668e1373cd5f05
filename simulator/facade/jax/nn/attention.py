"""``jax.nn.dot_product_attention``, as XLA computes it; it is no jitted function itself.

JAX source: ``jax/_src/nn/functions.py: dot_product_attention, _dot_product_attention_xla,
_dot_product_attention_core, _apply_masks``.

Simplified: not the implementation of cuDNN; float32 and wider, for the half types choose
an algorithm of products that the model does not know.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from simulator.batching.vmapping import vmap
from simulator.errors import OutOfScope
from simulator.facade import numpy as np
from simulator.facade.jax import lax
from simulator.facade.jax import numpy as jnp
from simulator.facade.jax.nn.functions import softmax
from simulator.facade.jax.numpy.exponentials import logsumexp
from simulator.types import dtypes
from simulator.types.limits import finfo


def dot_product_attention(query: Any, key: Any, value: Any, bias: Any = None, mask: Any = None, *,
                          scale: Any = None, is_causal: bool = False,
                          query_seq_lengths: Any = None, key_value_seq_lengths: Any = None,
                          local_window_size: Any = None, implementation: str | None = None,
                          return_residual: bool = False) -> Any:
    """``jax.nn.dot_product_attention`` of (batch, time, heads, size), or without the batch.

    Errors: ValueError for shapes that do not fit.
    """
    out_shape = jnp.asarray(query).shape
    query, key, value = map(_four_axes, (query, key, value))
    bias = None if bias is None else _four_axes(bias)
    mask = None if mask is None else _four_axes(mask)
    lengths = [None if n is None else jnp.asarray(n)
               for n in (query_seq_lengths, key_value_seq_lengths)]
    if isinstance(local_window_size, int):
        local_window_size = (local_window_size, local_window_size)
    b, s, k, h = key.shape
    for given, shape, dtype, name in (
            (value, [b, s, k, h], key.dtype, "value"), (query, [b, -1, -1, h], key.dtype, "query"),
            (mask, [-1] * 4, dtypes.bool_, "mask"), (bias, [-1] * 4, None, "bias"),
            (lengths[0], [b], dtypes.int32, "query_seq_lengths"),
            (lengths[1], [b], dtypes.int32, "key_value_seq_lengths")):
        _check(given, shape, dtype, name)
    if query.shape[-2] % k != 0:
        raise ValueError("The number of query heads must be a multiple of key/value heads, but got "
                         f"{query.shape[-2]} vs {k}")
    if implementation == "cudnn":
        raise OutOfScope("jax.nn.dot_product_attention(implementation='cudnn')",
                         "use implementation='xla'")
    if implementation not in ("xla", None):
        raise ValueError(f"Unsupported implementation option: {implementation}")
    if scale is None:
        scale = 1.0 / np.sqrt(h)
    out = _by_groups(query, key, value, bias, mask, is_causal, scale, *lengths,
                     local_window_size, return_residual)
    if return_residual:
        return jnp.reshape(out[0], out_shape), jnp.reshape(out[1], out_shape[:-1])
    return jnp.reshape(out, out_shape)


def _four_axes(x: Any) -> Any:
    x = jnp.asarray(x)
    return jnp.expand_dims(x, axis=tuple(range(4 - x.ndim))) if x.ndim < 4 else x


def _check(x: Any, shape: Sequence[int], dtype: Any, name: str) -> None:
    if x is None:
        return
    if x.ndim != len(shape):
        raise ValueError(f"{name} ndim should be {len(shape)}, but got {x.ndim}")
    if dtype is not None and x.dtype != dtype:
        raise ValueError(f"{name} dtype should be {dtype}, but got {x.dtype}")
    if any(n not in (-1, own) for n, own in zip(shape, x.shape)):
        raise ValueError(f"{name} shape should be {list(shape)}: but got {x.shape}")


def _by_groups(query: Any, key: Any, value: Any, bias: Any, mask: Any, *rest: Any) -> Any:
    # Heads that share a key and a value are a mapped axis.
    b, t, n, h = query.shape
    heads = key.shape[2]
    groups = n // heads
    query = jnp.reshape(query, (b, t, heads, groups, h))

    def grouped(x: Any) -> Any:
        if x is None:
            return None
        x_batch, x_heads, x_t, x_s = x.shape
        if x_heads == 1:
            return jnp.broadcast_to(x[:, :, None, :, :], (x_batch, x_heads, groups, x_t, x_s))
        assert x_heads == n
        return jnp.reshape(x, (x_batch, heads, groups, x_t, x_s))
    mapped = vmap(_attend, in_axes=(3, None, None, 2, 2, *[None] * 6), out_axes=3)
    out = mapped(query, key, value, grouped(bias), grouped(mask), *rest)
    if rest[-1]:
        return jnp.reshape(out[0], (b, t, n, h)), jnp.reshape(out[1], (b, t, n))
    return jnp.reshape(out, (b, t, n, h))


def _attend(query: Any, key: Any, value: Any, bias: Any, mask: Any, is_causal: bool, scale: Any,
            q_lengths: Any, kv_lengths: Any, window: Any, with_residual: bool) -> Any:
    if query.dtype in (dtypes.bfloat16, dtypes.float16):
        raise OutOfScope(f"jax.nn.dot_product_attention of {query.dtype.name}", "use float32")
    work = jnp.promote_types(query.dtype, np.float32)
    logits = jnp.einsum("BTNH,BSNH->BNTS", query, key, precision=None, preferred_element_type=work)
    logits *= jnp.array(scale, dtype=logits.dtype)
    if bias is not None:
        logits = (logits + bias).astype(logits.dtype)
    masks = _masks(logits.shape[2], logits.shape[3], mask, is_causal, q_lengths, kv_lengths, window)
    if masks:
        allowed = jnp.ones_like(logits, dtype=bool)
        for make in masks:
            allowed = jnp.logical_and(allowed, make())
        lowest = -0.7 * min(finfo(logits.dtype).max, finfo(dtypes.float32).max)
        logits = jnp.where(allowed, logits, jnp.asarray(lowest, dtype=logits.dtype))
    logits = logits.astype(np.float32)
    weights = softmax(logits, axis=-1).astype(key.dtype)
    out = jnp.einsum("BNTS,BSNH->BTNH", weights, value)
    if q_lengths is not None:
        inside = jnp.arange(0, out.shape[1])[None, :] < q_lengths[:, None]
        out *= inside[:, :, None, None].astype(out.dtype)
    if not with_residual:
        return out
    residual = logsumexp(logits, axis=-1).astype(key.dtype)
    return out, lax.stop_gradient(jnp.transpose(residual, (0, 2, 1)))


def _masks(t: int, s: int, mask: Any, is_causal: bool, q_lengths: Any, kv_lengths: Any,
           window: Any) -> list:
    # One function for each mask, called in this order.
    def causal() -> Any:
        return jnp.tril(jnp.ones((t, s), dtype=bool))[None, None, :, :]

    def near() -> Any:
        at, other = jnp.array(range(t)), jnp.array(range(s))
        left = at[..., None] <= other[..., None, :] + window[0]
        right = at[..., None] >= other[..., None, :] - window[1]
        return jnp.logical_and(right, left)[None, None, :, :]

    def padding() -> Any:
        rows: Any = True
        columns: Any = True
        if q_lengths is not None:
            rows = jnp.arange(0, t)[None, :, None] < q_lengths[:, None, None]
        if kv_lengths is not None:
            columns = jnp.arange(0, s)[None, None, :] < kv_lengths[:, None, None]
        return jnp.logical_and(rows, columns)[:, None, :, :]
    asked = ((mask is not None, lambda: mask), (is_causal, causal), (window is not None, near),
             (q_lengths is not None or kv_lengths is not None, padding))
    return [make for wanted, make in asked if wanted]
