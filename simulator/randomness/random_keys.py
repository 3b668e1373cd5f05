"""Making and splitting random keys, as `jax.random` offers it.

JAX source: ``jax/_src/random/core.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from simulator import explain, process
from simulator.device_arrays.arrays import Array
from simulator.facade.jax import numpy as jnp
from simulator.facade.jax.lax import base
from simulator.jaxprs.tracer import Tracer
from simulator.ndarrays.ndarray import NDArray
from simulator.primitives import random as _prims
from simulator.primitives.core import Primitive
from simulator.primitives.random import IMPLS, PRNGImpl, impl_of
from simulator.randomness import prng as _prng
from simulator.randomness import prng_lowering as _lowering  # noqa: F401  (registers its rules)
from simulator.types import dtypes
from simulator.types.dtype_core import DType
from simulator.types.scalar_types import Generic

random_clone_p = Primitive("random_clone", abstract=lambda keys: keys, impl=lambda keys: keys)


def _default() -> PRNGImpl:
    return IMPLS[process.current().config.value("jax_default_prng_impl")]


def _impl(spec: Any) -> PRNGImpl:
    if spec is None:
        return _default()
    if isinstance(spec, PRNGImpl):
        return spec
    if isinstance(spec, DType) and spec.family == "k":
        return impl_of(spec)
    if isinstance(spec, str):
        if spec in IMPLS:
            return IMPLS[spec]
        known = ", ".join(f'"{name}"' for name in (
            "philox2x32", "philox4x32", "threefry2x32", "rbg", "unsafe_rbg", "threefry4x32"))
        raise ValueError(f'unrecognized PRNG implementation "{spec}". Did you mean one of: '
                         f"{known}?")
    raise TypeError(f"unrecognized type {type(spec)} for specifying PRNG implementation.")


def key_dtype(impl: Any = None) -> DType:
    """``jax.random.key_dtype``: the dtype of a generator's keys."""
    return _impl(impl).dtype


def check_key(name: str, key: Any, *, allow_batched: bool = False) -> tuple[Any, bool]:
    """(typed key, whether it was a raw one). TypeError / ValueError for anything else."""
    if _prng.is_key(key):
        typed, wrapped = key, False
    elif isinstance(key, (Array, Tracer, NDArray, Generic, bool, int, float, complex, str)):
        typed, wrapped = _wrap(key, _default()), True
        _legacy()
    else:
        raise TypeError(f"unexpected PRNG key type {type(key)}")
    if not allow_batched and typed.ndim:
        raise ValueError(f"{name} accepts a single key, but was given a key array of shape "
                         f"{base.shape(key)} != (). Use jax.vmap for batching.")
    return typed, wrapped


def _legacy() -> None:
    config = process.current().config
    text = ("Legacy uint32 key array passed as key to jax.random function. Please create keys "
            "using jax.random.key(). If use of a raw key array was intended, set "
            'jax_legacy_prng_key="allow".')
    mode = getattr(config.value("jax_legacy_prng_key"), "value",
                   config.value("jax_legacy_prng_key"))
    if mode == "error":
        raise ValueError(text)
    if mode == "warn":
        explain.python_warning("UserWarning", text)
    elif config.value("jax_enable_custom_prng"):
        explain.python_warning("FutureWarning", "Raw arrays as random keys to jax.random "
                               "functions are deprecated. Assuming valid threefry2x32 key for "
                               "now.")


def _wrap(words: Any, impl: PRNGImpl) -> Any:
    if not all(hasattr(words, name) for name in ("ndim", "shape", "dtype")):
        raise TypeError("JAX encountered invalid PRNG key data: expected key_data to have ndim, "
                        f"shape, and dtype attributes. Got {words}")
    _prims._check_key_data(impl, words)
    return _prims.random_wrap_p.bind(words, impl=impl)


def _returned(wrapped: bool, keys: Any) -> Any:
    if wrapped and not process.current().config.value("jax_enable_custom_prng"):
        return _prims.random_unwrap_p.bind(keys)
    return keys


def _new_key(name: str, seed: Any, spec: Any) -> Any:
    impl = _impl(spec)
    if _prng.is_key(seed):
        raise TypeError(f"{name} accepts a scalar seed, but was given a PRNG key.")
    if base.ndim(seed):
        raise TypeError(f"{name} accepts a scalar seed, but was given an array of shape "
                        f"{base.shape(seed)} != (). Use jax.vmap for batching")
    # An int goes through int64, so that a large one is cut instead of refused.
    seeds = jnp.asarray(dtypes.int64.type(seed) if isinstance(seed, int) else seed)
    offset = process.current().config.value("jax_random_seed_offset")
    if offset:
        seeds += offset
    return _prims.random_seed_p.bind(seeds, impl=impl)


def key(seed: Any, *, impl: Any = None, dtype: Any = None) -> Any:
    """``jax.random.key``: a typed key, ``key<fry>[]``."""
    if dtype is not None:
        if impl is not None:
            raise ValueError("Cannot specify both `impl` and `dtype` arguments to jax.random.key")
        impl = dtype
    return _new_key("key", seed, impl)


def PRNGKey(seed: Any, *, impl: Any = None) -> Any:  # noqa: N802
    """``jax.random.PRNGKey``: a raw key, ``uint32[2]``."""
    return _returned(True, _new_key("PRNGKey", seed, impl))


def split(key: Any, num: int | Sequence[int] = 2) -> Any:
    """``jax.random.split``: `num` new keys."""
    typed, wrapped = check_key("split", key)
    return _returned(wrapped, split_typed(typed, num))


def split_typed(key: Any, num: Any = 2) -> Any:
    """`split` for a typed key, inside samplers."""
    shape = tuple(num) if isinstance(num, Sequence) else (num,)
    return _prims.random_split_p.bind(key, shape=shape)


def fold_in(key: Any, data: Any) -> Any:
    """``jax.random.fold_in``: a new key from a key and an int."""
    typed, wrapped = check_key("fold_in", key)
    if base.ndim(data):
        raise TypeError("fold_in accepts a scalar, but was given an array ofshape "
                        f"{base.shape(data)} != (). Use jax.vmap for batching.")
    msgs = jnp.asarray(jnp.asarray(data, dtype="uint32"))
    return _returned(wrapped, _prims.random_fold_in_p.bind(typed, msgs))


def key_impl(keys: Any) -> str:
    """``jax.random.key_impl``: the name of a key's generator."""
    typed, _ = check_key("key_impl", keys, allow_batched=True)
    return impl_of(typed.dtype).name


def key_data(keys: Any) -> Any:
    """``jax.random.key_data``: the ``uint32`` words of a key."""
    typed, _ = check_key("key_data", keys, allow_batched=True)
    return _prims.random_unwrap_p.bind(typed)


def wrap_key_data(key_bits_array: Any, *, impl: Any = None, dtype: Any = None) -> Any:
    """``jax.random.wrap_key_data``: a typed key from words."""
    if dtype is not None:
        if impl is not None:
            raise ValueError("Cannot specify both `impl` and `dtype` arguments to "
                             "jax.random.wrap_key_data")
        impl = dtype
    return _wrap(key_bits_array, _impl(impl))


def clone(key: Any) -> Any:
    """``jax.random.clone``: the same key, usable once more under key reuse checks."""
    return random_clone_p.bind(key)
