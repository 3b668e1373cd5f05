"""Typed key arrays: what ``jax.random.key`` returns.

A key array is a ``uint32`` array underneath, with one more axis. The fast path
opens it like a container and sees the array below (the `dispatch` registry);
tracing sees one leaf of dtype ``key<fry>``.

JAX source: ``jax/_src/random/prng.py: PRNGKeyArray, prngkeyarray_flatten``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from simulator.device_arrays.arrays import Array
from simulator.ndarrays.ndarray import NDArray
from simulator.placement import shardings
from simulator.primitives.random import PRNGImpl, impl_of, random_unwrap_p, random_wrap_p
from simulator.trees import pytrees
from simulator.types.avals import ShapedArray


class PRNGKeyArray(Array):
    """An array of keys.

    Args:
      impl: the generator the keys are for.
      base: their words, a ``uint32`` array whose last axis is one key.
    """

    __module__ = "jax._src.random.prng"  # messages show it

    __slots__ = ("_impl", "_base_array", "_consumed")

    def __init__(self, impl: PRNGImpl, base: Array):
        self._impl = impl
        self._base_array = base
        self._consumed: Any = None  # a mask of `simulator.randomness.key_reuse`

    @property
    def aval(self) -> ShapedArray:  # type: ignore[override]
        """The type of the keys. JAX source: jax/_src/random/prng.py: PRNGKeyArray.aval."""
        plain = ShapedArray(self._base_array.shape[:-1], self._impl.dtype)
        return shardings.aval_with_sharding(plain, self.sharding)

    program_aval = aval

    @property
    def sharding(self) -> Any:
        placed = self._base_array.sharding
        if isinstance(placed, shardings.NamedSharding):
            keep = self._base_array.ndim - 1
            return shardings.NamedSharding(placed.mesh, shardings.PartitionSpec(
                *tuple(placed.spec)[:keep]))
        return placed

    @property
    def _sharding(self) -> Any:  # type: ignore[override]
        return self.sharding

    @property
    def _committed(self) -> bool:  # type: ignore[override]
        return self._base_array._committed

    @property
    def was_donated(self) -> bool:  # type: ignore[override]
        """Whether a call took its buffer."""
        return self._base_array.was_donated

    def is_deleted(self) -> bool:
        return self._base_array.is_deleted()

    def delete(self) -> None:
        self._base_array.delete()

    def donate(self) -> None:
        self._base_array.donate()

    def storage(self) -> NDArray:
        return random_wrap_p.impl(self._base_array.storage(), impl=self._impl)

    def copy(self) -> PRNGKeyArray:
        """The same keys in a buffer of their own."""
        return PRNGKeyArray(self._impl, self._base_array.copy())

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        raise TypeError("JAX array with PRNGKey dtype cannot be converted to a NumPy array. Use "
                        "jax.random.key_data(arr) if you wish to extract the underlying integer "
                        "array.")

    numpy = __array__

    def __iter__(self) -> Iterator[PRNGKeyArray]:
        if not self.ndim:
            raise TypeError("iteration over a 0-d key array")
        return (PRNGKeyArray(self._impl, k) for k in iter(self._base_array))

    def __bool__(self) -> bool:
        raise TypeError("key array cannot be converted to boolean.")

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Array({self.shape}, dtype={self.dtype.name}) overlaying:\n{self._base_array}"

    __str__ = __repr__


pytrees.register_only(
    "dispatch", PRNGKeyArray, lambda keys: ((keys._base_array,), keys._impl),
    lambda impl, children: PRNGKeyArray(impl, *children))


def new_keys(aval: ShapedArray, value: NDArray, sharding: Any, committed: bool) -> PRNGKeyArray:
    """An array of keys with its ``uint32`` array underneath."""
    impl = impl_of(aval.dtype)
    words = random_unwrap_p.impl(value)
    if isinstance(sharding, shardings.NamedSharding):
        spec = (*tuple(sharding.spec), *[None] * (words.ndim - len(tuple(sharding.spec))))
        sharding = shardings.NamedSharding(sharding.mesh, shardings.PartitionSpec(*spec))
    base = shardings.aval_with_sharding(ShapedArray(words.shape, words.dtype), sharding)
    return PRNGKeyArray(impl, Array(base, words, sharding, committed))


def words_of(value: NDArray, aval: ShapedArray) -> NDArray:
    """Numbers in the type that a program wants: words become keys."""
    if aval.dtype.family == "k" and value.dtype.family != "k":
        return random_wrap_p.impl(value, impl=impl_of(aval.dtype))
    return value
