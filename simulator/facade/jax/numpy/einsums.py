"""``jax.numpy.einsum``: sums of products named by letters, two arrays at a time.

JAX source: ``jax/_src/numpy/einsum.py: einsum, _einsum``; ``jax/_src/lax/lax.py: _delta``.
"""

from __future__ import annotations

import functools
import operator
from typing import Any

from simulator.api import jit
from simulator.device_arrays.literals import constant
from simulator.facade.jax.lax import base, products, reducing, shapes
from simulator.facade.jax.lax import elementwise as el
from simulator.facade.jax.lax.convert import convert, convert_element_type
from simulator.facade.jax.lax.placing import canonical_out_sharding
from simulator.facade.jax.numpy.util import ensure_arrays, result_type
from simulator.linalg import contraction_path
from simulator.types import dtypes


def einsum(subscripts, /, *operands, out=None, optimize="auto", precision=None,
           preferred_element_type=None, _dot_general=products.dot_general, out_sharding=None):
    """``jax.numpy.einsum``.

    Errors: ValueError for subscripts that do not fit; OutOfScope for a result placed by
    hand that is no product of two arrays.
    """
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.einsum is not supported.")
    if not isinstance(subscripts, str):
        subscripts, operands = contraction_path.interleaved((subscripts, *operands))
    given = [base.shape(x) for x in operands]
    terms, result = contraction_path.parse(subscripts, given)
    contractions = contraction_path.steps(terms, result, given, optimize)
    if out_sharding is not None:
        if len(operands) != 2:
            base.no_out_sharding(out_sharding, "jax.numpy.einsum of one array, or of more than two")
        out_sharding = canonical_out_sharding(out_sharding, "einsum")
    jitted = jit(_einsum, static_argnums=(1, 2, 3, 4, 5), inline=True)
    return jitted(list(ensure_arrays("einsum", *operands)), contractions, precision,
                  preferred_element_type, _dot_general, out_sharding)


def _einsum(operands, contractions, precision, preferred_element_type,
            _dot_general=products.dot_general, out_sharding=None):
    if preferred_element_type is None:
        dtype, weak = result_type(*operands)
    else:
        dtype, weak = base.user_dtype(preferred_element_type, "einsum"), False
    for places, removed, text in contractions:
        inputs, wanted = text.split("->")
        names = inputs.split(",")
        summed = sorted(removed)
        xs = [operands.pop(i) for i in places]
        if len(xs) == 1:
            out, left = _alone(xs[0], names[0], "", summed, wanted, dtype)
        elif len(xs) == 2:
            for one, other in ((0, 1), (1, 0)):
                xs[one], names[one] = _without_ones(xs[one], names[one], xs[other], names[other])
            (a, b), (an, bn) = xs, names
            a, an_left = _alone(a, an, bn, summed, wanted + bn, dtype, defer=True)
            b, bn_left = _alone(b, bn, an, summed, wanted + an, dtype, defer=True)
            a, an = _merge(a, an_left, wanted + bn_left, dtype)
            b, bn = _merge(b, bn_left, wanted + an, dtype)
            out, left = _pair([a, b], [an, bn], summed, wanted, precision, dtype, _dot_general,
                              out_sharding)
        else:
            raise NotImplementedError(
                "jax.numpy.einsum does not support simultaneous contraction of 3 or more operands. "
                "Typically this means you've passed an unsupported path to the einsum optimize "
                "parameter.")
        if left != wanted:
            out = shapes.transpose(out, tuple(left.index(n) for n in wanted))
        operands.append(out)
    return convert(operands[0], dtype, weak)


def _without_ones(x: Any, names: str, other: Any, other_names: str) -> tuple:
    # Size 1 against a larger size is broadcasting: the dimension goes.
    drop = [i for i, n in enumerate(names) if x.shape[i] == 1 and n in other_names
            and other.shape[other_names.index(n)] != 1]
    return shapes.squeeze(x, drop), "".join(n for i, n in enumerate(names) if i not in drop)


def _alone(x: Any, names: str, other: str, summed: list, keep: str, dtype: Any,
           defer: bool = False) -> tuple:
    # Letters that only this array has, and only once, are summed over at once.
    alone = [n for n in summed if names.count(n) == 1 and n not in other]
    if alone:
        x = _sum(x, [names.index(n) for n in alone], dtype)
        names = "".join(n for n in names if n not in alone)
    return (x, names) if defer else _merge(x, names, keep, dtype)


def _merge(x: Any, names: str, keep: str, dtype: Any) -> tuple:
    # A letter that an array has twice: its diagonal, as a sum of what a mask leaves.
    for name in dict.fromkeys(names):
        axes = [i for i, n in enumerate(names) if n == name]
        if len(axes) > 1:
            x = el.select(_diagonal(x.shape, axes), x, shapes.full_like(x, 0))
            kept = name in keep
            x = _sum(x, axes[:-1] if kept else axes, dtype)
            names = names.replace(name, "", len(axes) - kept)
    return x, names


def _diagonal(shape: tuple, axes: list) -> Any:
    own = tuple(shape[i] for i in axes)
    places = [shapes.broadcasted_iota("uint32", own, i) for i in range(len(own))]
    equal = functools.reduce(operator.and_, [el.eq(a, b) for a, b in zip(places, places[1:])])
    return shapes.broadcast_in_dim(convert_element_type(equal, dtypes.bool_), shape, axes)


def _sum(x: Any, axes: list, dtype: Any) -> Any:
    if result_type(x, dtype)[0] is not x.dtype:
        x = x.astype(dtype)
    boolean = x.dtype.family == "b"
    return reducing.reduce(x, constant(False if boolean else 0, x.dtype),
                           el.bitwise_or if boolean else el.add, axes)


def _pair(xs: list, names: list, summed: list, result: str, precision: Any, dtype: Any,
          dot_general: Any, out_sharding: Any) -> tuple:
    (a, b), (an, bn) = xs, names
    summed = [n for n in summed if n in an or n in bn]
    batch = [n for n in result if n in an and n in bn]
    gone = "".join(batch) + "".join(summed)
    a_rest, b_rest = ("".join(n for n in m if n not in gone) for m in (an, bn))
    a_dims = tuple(map(an.index, summed)), tuple(map(an.index, batch))
    b_dims = tuple(map(bn.index, summed)), tuple(map(bn.index, batch))
    placed = {} if out_sharding is None else {"out_sharding": out_sharding}
    if "".join(batch) + b_rest + a_rest == result:
        return dot_general(b, a, ((b_dims[0], a_dims[0]), (b_dims[1], a_dims[1])), precision,
                           preferred_element_type=dtype, **placed), result
    left = "".join(batch) + a_rest + b_rest
    if placed and left != result:
        parts = [*out_sharding.spec, *[None] * (len(result) - len(out_sharding.spec))]
        placed = {"out_sharding": out_sharding.update(spec=[parts[result.index(n)] for n in left])}
    out = dot_general(a, b, ((a_dims[0], b_dims[0]), (a_dims[1], b_dims[1])), precision,
                      preferred_element_type=dtype, **placed)
    return out, left
