"""PRNG primitives on typed keys (``key<fry>``) and the raw Threefry ones.

A key array holds one tuple of words per element.  Only Threefry computes
numbers; the other generators have types (lowering and caching work) but no
values.

JAX source: jax/_src/random/prng.py: random_seed_p, random_split_p,
random_fold_in_p, random_bits_p, random_wrap_p, random_unwrap_p;
jax/_src/random/threefry2x32.py: threefry2x32_p.
"""

from __future__ import annotations

import math

from simulator.errors import OutOfScope
from simulator.named_tuples import NamedTuple
from simulator.ndarrays.cells import broadcast_list
from simulator.ndarrays.ndarray import NDArray
from simulator.primitives import threefry
from simulator.primitives.ambient import state
from simulator.primitives.core import Primitive
from simulator.primitives.result_sharding import sharding_fields, unsharded
from simulator.primitives.rules import broadcast_shape
from simulator.primitives.standard import Spec, shared_results
from simulator.types import dtype_core as dt
from simulator.types.avals import ShapedArray


class PRNGImpl(NamedTuple):
    """A generator, as the `impl` parameter of primitives; prints as its tag."""

    key_shape: tuple[int, ...]
    name: str
    tag: str

    def __str__(self):
        return self.tag

    def __hash__(self):
        return hash(self.tag)

    def __repr__(self):
        # In JAX the functions are part of it; they show in an error message.
        prefix = {"fry": "threefry", "rbg": "_rbg", "urbg": "_unsafe_rbg"}[self.tag]
        functions = ", ".join(f"{name}=<function {prefix}_{name} at {id(self):#x}>"
                              for name in ("seed", "split", "random_bits", "fold_in"))
        return (f"PRNGImpl(key_shape={self.key_shape}, {functions}, name={self.name!r}, "
                f"tag={self.tag!r})")

    @property
    def dtype(self) -> dt.DType:
        """The dtype of its keys."""
        return dt.key_dtype(self.name)


IMPLS = {impl.name: impl for impl in (
    PRNGImpl((2,), "threefry2x32", "fry"), PRNGImpl((4,), "rbg", "rbg"),
    PRNGImpl((4,), "unsafe_rbg", "urbg"))}


def impl_of(key_dtype: dt.DType) -> PRNGImpl:
    """The generator of a key dtype."""
    return IMPLS[key_dtype.impl]


def _threefry_only(impl_name: str) -> None:
    if impl_name != "threefry2x32":
        raise OutOfScope(f"random numbers of the {impl_name} generator",
                         "use the default generator threefry2x32")


def _partitionable() -> bool:
    return bool(state("jax_threefry_partitionable", True))


# Their result is where the operand is, whatever mesh is in context.
_WHERE_IT_COMES_FROM = frozenset({"random_seed", "random_unwrap", "random_wrap"})


def _aval(name, shape, dtype, avals, spec=()) -> ShapedArray:
    if name in _WHERE_IT_COMES_FROM and avals[0].mesh is None:
        return ShapedArray(shape, dtype)
    fields = sharding_fields(name, lambda *a, **p: (*unsharded(*a), *spec), avals, {})
    return ShapedArray(shape, dtype, False, **fields)


def _check_key_data(impl: PRNGImpl, data) -> None:
    if data.ndim < 1:
        raise TypeError("JAX encountered invalid PRNG key data: expected key_data.ndim >= 1; got "
                        f"ndim={data.ndim}")
    if data.shape[-1:] != impl.key_shape:
        raise TypeError("JAX encountered invalid PRNG key data: expected key_data.shape to end "
                        f"with {impl.key_shape}; got shape={data.shape} for impl={impl!r}")
    if data.dtype is not dt.uint32:
        raise TypeError("JAX encountered invalid PRNG key data: expected key_data.dtype = uint32; "
                        f"got dtype={data.dtype}")


def _seed(seeds: NDArray, *, impl: PRNGImpl) -> NDArray:
    bits = seeds.dtype.bits

    def run(values):
        _threefry_only(impl.name)
        return [threefry.seed(v, bits) for v in values]
    return NDArray.lazy(seeds.shape, impl.dtype, run, [seeds])


random_seed_p = Primitive(
    "random_seed", abstract=lambda seeds, *, impl: _aval(
        "random_seed", seeds.shape, impl.dtype, [seeds]), impl=_seed)


def _split(keys: NDArray, *, shape) -> NDArray:
    mode = _partitionable()

    def run(values):
        _threefry_only(keys.dtype.impl)
        return [k for v in values for k in threefry.split(v, shape, mode)]
    return NDArray.lazy((*keys.shape, *shape), keys.dtype, run, [keys])


random_split_p = Primitive(
    "random_split", abstract=lambda keys, *, shape: _aval(
        "random_split", (*keys.shape, *shape), keys.dtype, [keys]), impl=_split)
random_split_p.as_traced = True


def _fold_in_aval(keys, msgs) -> ShapedArray:
    return _aval("random_fold_in", broadcast_shape("random_fold_in", keys, msgs), keys.dtype,
                 [keys, msgs])


def _fold_in(keys: NDArray, msgs: NDArray) -> NDArray:
    shape = broadcast_shape("random_fold_in", keys, msgs)

    def run(ks, ms):
        _threefry_only(keys.dtype.impl)
        return [threefry.fold_in(k, m) for k, m in zip(
            broadcast_list(ks, keys.shape, shape), broadcast_list(ms, msgs.shape, shape))]
    return NDArray.lazy(shape, keys.dtype, run, [keys, msgs])


random_fold_in_p = Primitive("random_fold_in", abstract=_fold_in_aval, impl=_fold_in)

_UINTS = {8: dt.uint8, 16: dt.uint16, 32: dt.uint32, 64: dt.uint64}


def _bits(keys: NDArray, *, bit_width, shape) -> NDArray:
    mode = _partitionable()

    def run(values):
        _threefry_only(keys.dtype.impl)
        return [b for v in values for b in threefry.random_bits(v, bit_width, shape, mode)]
    return NDArray.lazy((*keys.shape, *shape), _UINTS[bit_width], run, [keys])


random_bits_p = Primitive(
    "random_bits", abstract=lambda keys, *, bit_width, shape: _aval(
        "random_bits", (*keys.shape, *shape), _UINTS[bit_width], [keys]), impl=_bits)
random_bits_p.as_traced = True


def _wrap_aval(data, *, impl: PRNGImpl) -> ShapedArray:
    _check_key_data(impl, data)
    return _aval("random_wrap", data.shape[:-1], impl.dtype, [data])


def _wrap(data: NDArray, *, impl: PRNGImpl) -> NDArray:
    n = impl.key_shape[0]
    return NDArray.lazy(data.shape[:-1], impl.dtype,
                        lambda v: list(zip(*[v[i::n] for i in range(n)])), [data])


random_wrap_p = Primitive("random_wrap", abstract=_wrap_aval, impl=_wrap)

random_unwrap_p = Primitive(
    "random_unwrap", abstract=lambda keys: _aval(
        "random_unwrap", (*keys.shape, *impl_of(keys.dtype).key_shape), dt.uint32, [keys]),
    impl=lambda keys: NDArray.lazy((*keys.shape, *impl_of(keys.dtype).key_shape), dt.uint32,
                                   lambda v: [w for k in v for w in k], [keys]))


def _iota_2x32(*, shape) -> list[NDArray]:
    n = math.prod(shape)
    return [NDArray(shape, dt.uint32, lambda: [i >> 32 for i in range(n)]),
            NDArray(shape, dt.uint32, lambda: [i & 0xFFFFFFFF for i in range(n)])]


iota_2x32_shape_p = Primitive(
    "iota_2x32_shape", abstract=lambda *, shape: [ShapedArray(shape, dt.uint32)] * 2,
    impl=_iota_2x32, multiple_results=True)


def _threefry_aval(*args) -> list[ShapedArray]:
    if any(a.dtype is not dt.uint32 for a in args):
        raise TypeError(f"Arguments to threefry2x32 must have uint32 type, got {args}")
    # JAX's rule forgets over which mesh axes the words vary.
    args = [a.update(varying=frozenset()) for a in args]
    return [_aval("threefry2x32", broadcast_shape("threefry2x32", *args), dt.uint32, args)] * 2


def _threefry_impl(*args: NDArray) -> list[NDArray]:
    shape = broadcast_shape("threefry2x32", *args)

    def run(*lists):
        rows = zip(*[broadcast_list(v, a.shape, shape) for v, a in zip(lists, args)])
        pairs = [threefry.block((k1, k2), x1, x2) for k1, k2, x1, x2 in rows]
        return [[a for a, _ in pairs], [b for _, b in pairs]]
    return shared_results([Spec(shape, dt.uint32)] * 2, run, args)


threefry2x32_p = Primitive("threefry2x32", abstract=_threefry_aval, impl=_threefry_impl,
                           multiple_results=True)
