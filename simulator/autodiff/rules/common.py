"""Small pieces that many rules share.

JAX source: ``jax/_src/lax/lax.py: _unbroadcast, _maybe_broadcast, _one, _replace_zero,
_balanced_eq``; ``jax/_src/interpreters/ad.py: linear_transpose2, fancy_bilinear_transpose``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from simulator.autodiff import jvp
from simulator.autodiff.accumulate import Unknown, is_unknown
from simulator.autodiff.zeros import Zero, is_zero
from simulator.batching.axes import numpy_ints as numpy_ints
from simulator.device_arrays.values import abstractify
from simulator.facade.jax import lax
from simulator.facade.jax.lax import base, shapes
from simulator.primitives import all as _all  # noqa: F401  (all are in BY_NAME)
from simulator.primitives.core import BY_NAME, Primitive
from simulator.types.avals import ShapedArray


def primitive(name: str) -> Primitive:
    """The primitive of this name. KeyError when there is none."""
    return BY_NAME[name]


def linear(name: str, transpose: Callable) -> None:
    """Rules of a linear primitive.

    Args:
      transpose: ``(cotangent, *args, **params) -> cotangents``, not asked for zeros.
    """
    p = primitive(name)
    p.jvp = jvp.linear(p)
    p.transpose = nonzero(transpose)


def nonzero(transpose: Callable) -> Callable:
    """A transpose rule that gives zeros for a zero cotangent."""
    def rule(cotangent: Any, *args: Any, **params: Any) -> Any:
        if is_zero(cotangent):
            return [Zero(x.aval) if is_unknown(x) else None for x in args]
        return transpose(cotangent, *args, **params)
    return rule


def bilinear(name: str, left: Callable, right: Callable) -> None:
    """Transpose rule of a product; `left` and `right` give one cotangent each."""
    def rule(cotangent: Any, x: Any, y: Any, **params: Any) -> Any:
        if is_unknown(x):
            return left(cotangent, x, y, **params), None
        return None, right(cotangent, x, y, **params)
    primitive(name).transpose = nonzero(rule)


def one(x: Any) -> Any:
    """The scalar 1, with the dtype of `x`."""
    return filled_scalar(x, 1)


def zero(x: Any) -> Any:
    """The scalar 0, with the dtype of `x`."""
    return filled_scalar(x, 0)


def filled_scalar(x: Any, value: Any) -> Any:
    """A scalar of the type of `x`."""
    return lax.full_like(x, value, shape=(), sharding=scalar_sharding(abstractify(x)))


def scalar_sharding(aval: ShapedArray) -> Any:
    """The sharding of a scalar on the mesh of a type."""
    return base.sharding_of(aval.update(shape=(), spec=())) or shapes.NO_MESH


def ones(x: Any) -> Any:
    """Ones, with the shape and dtype of `x`."""
    return lax.full_like(x, 1)


def zeros(x: Any) -> Any:
    """Zeros, with the shape and dtype of `x`."""
    return lax.full_like(x, 0)


def replace_zero(x: Any) -> Any:
    """`x` with 1 in the place of every 0: a safe divisor."""
    return lax.select(lax.eq(x, base.const(x, 0)), ones(x), x)


def eq_meet(a: Any, b: Any) -> Any:
    """``==`` in the lower of two dtypes."""
    from simulator.types.promotion import promote_types
    a_dtype, b_dtype = base.dtype(a), base.dtype(b)
    if a_dtype is not b_dtype:
        if promote_types(a_dtype, b_dtype) is a_dtype:
            a = lax.convert_element_type(a, b_dtype)
        else:
            b = lax.convert_element_type(b, a_dtype)
    return lax.eq(a, b)


def balanced_eq(x: Any, z: Any, y: Any) -> Any:
    """1 where `x` was chosen, 1/2 where `y` was equally good, else 0."""
    return lax.div(lax.select(eq_meet(x, z), ones(z), zeros(z)),
                   lax.select(eq_meet(y, z), lax.full_like(z, 2), ones(z)))


def unbroadcast(aval: ShapedArray, x: Any) -> Any:
    """A cotangent summed back to the shape of an operand that was broadcast."""
    found = abstractify(x)
    if aval.shape == found.shape and base.sharding_of(aval) == base.sharding_of(found):
        return x
    if not aval.shape:
        return lax.reduce_sum(x, list(range(len(found.shape))))
    dims = [i for i, (a, b) in enumerate(zip(found.shape, aval.shape)) if a != b]
    x = lax.reduce_sum(x, dims) if dims else x
    return lax.reshape(x, aval.shape, out_sharding=base.sharding_of(aval))


def maybe_broadcast(like: Any, x: Any) -> Any:
    """A tangent broadcast to the shape of the result `like`."""
    return broadcast_to(abstractify(like), x)


def broadcast_to(wanted: ShapedArray, x: Any) -> Any:
    """A value broadcast to a type's shape, size 1 to any size."""
    found = abstractify(x)
    sharding = base.sharding_of(wanted)
    if found.shape == wanted.shape and base.sharding_of(found) == sharding:
        return x
    if not found.shape:
        return lax.broadcast_in_dim(x, wanted.shape, (), out_sharding=sharding)
    dims = [i for i, (a, b) in enumerate(zip(found.shape, wanted.shape)) if a == b]
    return lax.broadcast_in_dim(lax.reshape(x, [found.shape[i] for i in dims]), wanted.shape, dims,
                                out_sharding=sharding)


def aval_of(x: Any) -> ShapedArray:
    """The type of a value or of one that is asked for."""
    return x.aval if isinstance(x, (Unknown, Zero)) else abstractify(x)


def argsort(values: Sequence[int]) -> tuple[int, ...]:
    """The indices that sort `values`; of a permutation, its inverse."""
    return tuple(sorted(range(len(values)), key=values.__getitem__))
