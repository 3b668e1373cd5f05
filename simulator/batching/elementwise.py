"""Which operations work on every element alike.

JAX source: ``jax/_src/lax/lax.py: unop, naryop``, and the ``batching.def…`` calls of
``jax/_src/lax/lax.py``, ``jax/_src/random/prng.py``.
"""

from __future__ import annotations

from typing import Any

from simulator.batching import axes
from simulator.batching.rules import always, broadcasting, reducing, rule, unmapped, vectorized
from simulator.facade.jax.lax import elementwise as el
from simulator.primitives.core import Primitive
from simulator.randomness import random_keys  # noqa: F401  (has a primitive)

UNARY = """abs acos acosh asin asinh atan atanh bessel_i0e bessel_i1e bitcast_convert_type cbrt
ceil clz conj copy cos cosh digamma erf erf_inv erfc exp exp2 expm1 floor imag integer_pow
is_finite lgamma log log1p logistic neg not population_count random_bits random_clone random_seed
random_split random_unwrap real reduce_precision round rsqrt sign sin sinh sqrt square stage tan
tanh tie""".split()

NARY = """add and atan2 complex div eq eq_to ge gt le le_to lt lt_to max min mul ne nextafter or
pow random_fold_in rem shift_left shift_right_arithmetic shift_right_logical sub threefry2x32
xor""".split()

REDUCERS = """argmax argmin reduce_and reduce_max reduce_min reduce_or reduce_prod reduce_sum
reduce_xor""".split()

rule(*UNARY)(vectorized)
rule(*NARY)(broadcasting)
rule(*REDUCERS)(reducing)


@rule("convert_element_type")
def _convert(primitive: Primitive, axis: Any, vals: list, dims: list, *, sharding: Any,
             **params: Any) -> tuple:
    return primitive.bind(vals[0], **params,
                          sharding=with_axis(axis, sharding, dims[0])), dims[0]


def with_axis(axis: Any, sharding: Any, dim: int) -> Any:
    """A sharding parameter for the mapped axis besides; None stays None.

    JAX source: ``jax/_src/interpreters/batching.py: get_sharding_for_vmap``.
    """
    if sharding is None:
        return None
    from simulator.placement.shardings import NamedSharding, PartitionSpec
    spec = list(sharding.spec.partitions)
    spec += [None] * (dim - len(spec))
    spec.insert(dim, axis.part)
    return NamedSharding(sharding.mesh, PartitionSpec(*spec))


@rule("stop_gradient")
def _stop_gradient(primitive: Primitive, axis: Any, vals: list, dims: list) -> tuple:
    return el.stop_gradient(vals[0]), dims[0]


@always("add_any")
def _add_any(primitive: Primitive, axis: Any, vals: list, dims: list) -> tuple:
    (x, y), (dx, dy) = vals, dims
    if dx is None and dy is None:
        return unmapped(primitive, vals, {})
    if dx is None:
        x, dx = axes.broadcast(x, y.shape[dy], dy, axis.part), dy
    elif dy is None:
        y, dy = axes.broadcast(y, x.shape[dx], dx, axis.part), dx
    return primitive.bind(axes.moveaxis(x, dx, dy), y), dy


@rule("optimization_barrier")
def _barrier(primitive: Primitive, axis: Any, vals: list, dims: list) -> tuple:
    return primitive.bind(*vals), dims


@rule("random_wrap")
def _wrap(primitive: Primitive, axis: Any, vals: list, dims: list, *, impl: Any) -> tuple:
    return primitive.bind(axes.at_front(vals[0], dims[0], 1), impl=impl), 0
