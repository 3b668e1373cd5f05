"""The generators behind `jax.random`, as the jitted functions they are in JAX.

A key primitive (``random_split`` …) is one equation of a jaxpr. Evaluated eagerly
it calls the generator's functions, which are jitted; lowered, it traces them
(`simulator.randomness.prng_lowering`). Either way they ask the caches, under the names below.

JAX source: ``jax/_src/random/prng.py``, ``jax/_src/random/threefry2x32.py``,
``jax/_src/random/rbg.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simulator import process
from simulator.api import jit
from simulator.batching.vmapping import vmap
from simulator.device_arrays.arrays import Array
from simulator.errors import OutOfScope
from simulator.facade.jax import lax
from simulator.facade.jax import numpy as jnp
from simulator.facade.jax.lax import base
from simulator.jaxprs.tracer import Tracer
from simulator.primitives import random as prims
from simulator.primitives.random import PRNGImpl
from simulator.randomness import key_arrays
from simulator.types.dtypes import uint8, uint16, uint32, uint64

UINTS = {8: uint8, 16: uint16, 32: uint32, 64: uint64}


def _partitionable() -> bool:
    return bool(process.current().config.value("jax_threefry_partitionable"))


# --- Threefry ------------------------------------------------------------------

@jit(inline=True)
def _threefry_seed(seed):
    if seed.shape:
        raise TypeError(f"PRNG key seed must be a scalar; got {seed!r}.")
    if seed.dtype.family not in "iu":
        raise TypeError(f"PRNG key seed must be an integer; got {seed!r}")

    def convert(k):
        return lax.expand_dims(lax.convert_element_type(k, uint32), [0])

    k1 = convert(lax.shift_right_logical(seed, base.const(seed, 32)))
    config = process.current().config
    promotion = config.swap_local("jax_numpy_dtype_promotion", "standard")
    try:
        k2 = convert(jnp.bitwise_and(seed, uint32.type(0xFFFFFFFF)))
    finally:
        config.set_local("jax_numpy_dtype_promotion", promotion)
    return lax.concatenate([k1, k2], 0)


@jit(inline=True)
def threefry_2x32(keypair, count):
    """The cipher on a list of counts: its first half against its second."""
    key1, key2 = keypair
    flat_count = count.ravel()
    odd = flat_count.shape[0] % 2
    if odd:
        x = list(jnp.split(jnp.concatenate([flat_count, jnp.uint32([0])]), 2))
    else:
        x = list(jnp.split(flat_count, 2))
    out = jnp.concatenate(prims.threefry2x32_p.bind(key1, key2, x[0], x[1]))
    return lax.reshape(out[:-1] if odd else out, count.shape)


@jit(static_argnums=(1,))
def _threefry_split(key, shape):
    if _partitionable():
        return _threefry_split_foldlike(key, shape)
    return _threefry_split_original(key, shape)


@jit(static_argnums=(1,), inline=True)
def _threefry_split_original(key, shape):
    count = 1
    for n in shape:
        count *= n
    return lax.reshape(threefry_2x32(key, lax.iota(uint32, count * 2)), (*shape, 2))


@jit(static_argnums=(1,), inline=True)
def _threefry_split_foldlike(key, shape):
    k1, k2 = key
    high, low = _counts(shape)
    bits1, bits2 = prims.threefry2x32_p.bind(k1, k2, high, low)
    return jnp.stack([bits1, bits2], axis=bits1.ndim)


@jit
def _threefry_fold_in(key, data):
    return threefry_2x32(key, _threefry_seed(data))


def _counts(shape: tuple) -> Any:
    if not shape:
        return (jnp.zeros((), uint32),) * 2
    return prims.iota_2x32_shape_p.bind(shape=shape)


def _threefry_random_bits(key: Any, bit_width: int, shape: tuple) -> Any:
    if not _partitionable():
        return _threefry_random_bits_original(key, bit_width, shape)
    k1, k2 = key
    high, low = _counts(shape)
    bits1, bits2 = prims.threefry2x32_p.bind(k1, k2, high, low)
    dtype = UINTS[bit_width]
    if bit_width == 64:
        hi, lo = lax.convert_element_type(bits1, dtype), lax.convert_element_type(bits2, dtype)
        return lax.shift_left(hi, jnp.asarray(32, dtype=dtype)) | lo
    if bit_width == 32:
        return bits1 ^ bits2
    return lax.convert_element_type(bits1 ^ bits2, dtype)


@jit(static_argnums=(1, 2), inline=True)
def _threefry_random_bits_original(key, bit_width, shape):
    size = 1
    for n in shape:
        size *= n
    count = -(-bit_width * size // 32)
    bits = threefry_2x32(key, lax.iota(uint32, count))
    dtype = UINTS[bit_width]
    if bit_width == 64:
        hi, lo = (lax.convert_element_type(x, dtype) for x in jnp.split(bits, 2))
        bits = lax.shift_left(hi, jnp.asarray(32, dtype=dtype)) | lo
    elif bit_width in (8, 16):
        bits = lax.bitwise_and(
            jnp.asarray((1 << bit_width) - 1, dtype=uint32),
            lax.shift_right_logical(
                lax.broadcast(bits, (1,)),
                lax.mul(uint32.type(bit_width),
                        lax.broadcasted_iota(uint32, (32 // bit_width, 1), 0))))
        bits = lax.reshape(bits, (count * 32 // bit_width,), (1, 0))
        bits = lax.convert_element_type(bits, dtype)[:size]
    return lax.reshape(bits, shape)


# --- the generators ----------------------------------------------------------------

def _rbg_seed(seed: Any) -> Any:
    half = _threefry_seed(seed)
    return jnp.concatenate([half, half])


def _unknown(what: str) -> Callable:
    def function(*args: Any) -> Any:
        raise OutOfScope(f"{what} with the rbg generators", "use the default generator")
    return function


class _Functions:
    def __init__(self, seed: Callable, split: Callable, fold_in: Callable, bits: Callable):
        self.seed, self.split, self.fold_in, self.bits = seed, split, fold_in, bits


_RBG = _Functions(_rbg_seed, _unknown("jax.random.split"), _unknown("jax.random.fold_in"),
                  _unknown("jax.random.bits"))
FUNCTIONS = {
    "threefry2x32": _Functions(
        _threefry_seed, _threefry_split,
        lambda key, data: _threefry_fold_in(key, jnp.asarray(data, dtype="uint32")),
        _threefry_random_bits),
    "rbg": _RBG, "unsafe_rbg": _RBG}


def mapped(count: int, function: Callable) -> Callable:
    """`function` of one key, for keys with `count` axes."""
    for _ in range(count):
        function = vmap(function)
    return function


def mapped_together(shape1: tuple, shape2: tuple, function: Callable) -> Callable:
    """`function` of a key and a number, for arrays of them that broadcast.

    JAX source: ``jax/_src/random/prng.py: iterated_vmap_binary_bcast, squeeze_vmap``.
    """
    if not shape1:
        return lambda x, y: mapped(len(shape2), lambda y: function(x, y))(y)
    if not shape2:
        return lambda x, y: mapped(len(shape1), lambda x: function(x, y))(x)
    for n1, n2 in reversed(list(zip(shape1, shape2))):
        function = vmap(function) if n1 == n2 else _spread(function, n1 == 1)
    return function


def _spread(function: Callable, left: bool) -> Callable:
    def spread(x: Any, y: Any) -> Any:
        if left:
            return vmap(function, in_axes=(None, 0))(jnp.squeeze(x, axis=0), y)
        return vmap(function, in_axes=(0, None))(x, jnp.squeeze(y, axis=0))
    return spread


# --- evaluated eagerly ---------------------------------------------------------------

def _seed_eagerly(seeds: Any, *, impl: PRNGImpl) -> Any:
    seed = mapped(base.ndim(seeds), FUNCTIONS[impl.name].seed)
    return key_arrays.PRNGKeyArray(impl, seed(seeds))


def _split_eagerly(keys: Any, *, shape: tuple) -> Any:
    split = FUNCTIONS[keys._impl.name].split
    return key_arrays.PRNGKeyArray(
        keys._impl, mapped(keys.ndim, lambda k: split(k, shape))(keys._base_array))


def _fold_in_eagerly(keys: Any, msgs: Any) -> Any:
    fold_in = mapped_together(keys.shape, base.shape(msgs), FUNCTIONS[keys._impl.name].fold_in)
    return key_arrays.PRNGKeyArray(keys._impl, fold_in(keys._base_array, msgs))


def _bits_eagerly(keys: Any, *, bit_width: int, shape: tuple) -> Any:
    bits = FUNCTIONS[keys._impl.name].bits
    return mapped(keys.ndim, lambda k: bits(k, bit_width, shape))(keys._base_array)


def _wrap_eagerly(base_arr: Any, *, impl: PRNGImpl) -> Any:
    if not isinstance(base_arr, Array):
        from simulator.device_arrays.device_put import from_host
        base_arr = from_host(base_arr)
    return key_arrays.PRNGKeyArray(impl, base_arr)


prims.random_seed_p.eager = _seed_eagerly
prims.random_split_p.eager = _split_eagerly
prims.random_fold_in_p.eager = _fold_in_eagerly
prims.random_bits_p.eager = _bits_eagerly
prims.random_wrap_p.eager = _wrap_eagerly
prims.random_unwrap_p.eager = lambda keys: keys._base_array


# --- what jax.random asks ----------------------------------------------------------------

def is_key(x: Any) -> bool:
    """Whether `x` is a typed key array, traced or not."""
    return isinstance(x, (Array, Tracer)) and x.dtype.family == "k"
