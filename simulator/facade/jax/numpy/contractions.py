"""``jax.numpy`` products: dot, matmul, vdot, inner, outer, tensordot.

JAX source: ``jax/_src/numpy/tensor_contractions.py``.
"""

from __future__ import annotations

from typing import Any

from simulator.api import jit
from simulator.facade.jax.lax import base, products, shapes
from simulator.facade.jax.lax.convert import convert
from simulator.facade.jax.numpy.math_functions import conj
from simulator.facade.jax.numpy.util import ensure_arrays, promote_dtypes, result_type


def _result(name: str, a: Any, b: Any, preferred: Any) -> tuple:
    """(dtype, weak) of a product."""
    if preferred is None:
        return result_type(a, b)
    return base.user_dtype(preferred, name), False


@jit(static_argnames=("precision", "preferred_element_type", "out_sharding"), inline=True)
def dot(a, b, *, precision=None, preferred_element_type=None, out_sharding=None):
    """``jax.numpy.dot``."""
    a, b = ensure_arrays("dot", a, b)
    dtype, weak = _result("dot", a, b, preferred_element_type)
    if a.ndim == 0 or b.ndim == 0:
        contract: tuple = ((), ())
    elif b.ndim == 1:
        contract = ((a.ndim - 1,), (0,))
    else:
        contract = ((a.ndim - 1,), (b.ndim - 2,))
    out = products.dot_general(a, b, dimension_numbers=(contract, ((), ())), precision=precision,
                               preferred_element_type=dtype, out_sharding=out_sharding)
    return convert(out, dtype, weak)


@jit(static_argnames=("precision", "preferred_element_type", "out_sharding"), inline=True)
def matmul(a, b, *, precision=None, preferred_element_type=None, out_sharding=None):
    """``jax.numpy.matmul``. ValueError for scalars and for shapes that do not fit."""
    a, b = ensure_arrays("matmul", a, b)
    for i, x in enumerate((a, b)):
        if x.ndim < 1:
            raise ValueError(f"matmul input operand {i} must have ndim at least 1, but it has ndim "
                             f"{x.ndim}")
    dtype, weak = _result("matmul", a, b, preferred_element_type)
    a_matrix, b_matrix = a.ndim > 1, b.ndim > 1
    batches = [x.shape[:-2] if x.ndim > 1 else () for x in (a, b)]
    count = max(map(len, batches))
    left, right = [(None,) * (count - len(s)) + s for s in batches]
    # Dimensions of size 1 are squeezed away rather than broadcast.
    a_squeeze: list[int] = []
    b_squeeze: list[int] = []
    both: list[int] = []
    a_batch: list[int] = []
    b_batch: list[int] = []
    shared: list[int] = []
    a_only: list[int] = []
    b_only: list[int] = []
    for i, (x, y) in enumerate(zip(left, right)):
        a_at = len(shared) + len(a_only) + len(a_squeeze)
        b_at = len(shared) + len(b_only) + len(b_squeeze)
        if x is None:
            b_only.append(i)
        elif y is None:
            a_only.append(i)
        elif x == 1 and y == 1:
            a_squeeze.append(a_at)
            b_squeeze.append(b_at)
            both.append(i)
        elif x == 1:
            b_only.append(i)
            a_squeeze.append(a_at)
        elif y == 1:
            a_only.append(i)
            b_squeeze.append(b_at)
        elif x == y:
            a_batch.append(len(shared) + len(a_only))
            b_batch.append(len(shared) + len(b_only))
            shared.append(i)
        else:
            raise ValueError("Incompatible types for matmul arguments: "
                             f"{base.typeof(a)} and {base.typeof(b)}")
    if a_matrix:
        a_only.append(count)
    if b_matrix:
        b_only.append(count + a_matrix)
    order = shared + a_only + b_only
    a, b = shapes.squeeze(a, tuple(a_squeeze)), shapes.squeeze(b, tuple(b_squeeze))
    out = products.dot_general(a, b, (((a.ndim - 1,), (b.ndim - 1 - b_matrix,)),
                                      (a_batch, b_batch)),
                               precision=precision, preferred_element_type=dtype,
                               out_sharding=out_sharding)
    result = shapes.transpose(out, sorted(range(len(order)), key=order.__getitem__))
    if both:
        result = shapes.expand_dims(result, tuple(both))
    return convert(result, dtype, weak)


@jit(static_argnames=("precision", "preferred_element_type"), inline=True)
def vdot(a, b, *, precision=None, preferred_element_type=None):
    """``jax.numpy.vdot``."""
    a, b = ensure_arrays("vdot", a, b)
    if a.dtype.family == "c":
        a = conj(a)
    return dot(a.ravel(), b.ravel(), precision=precision,
               preferred_element_type=preferred_element_type)


def tensordot(a, b, axes=2, *, precision=None, preferred_element_type=None, out_sharding=None):
    """``jax.numpy.tensordot``. TypeError for axes that do not fit."""
    a, b = ensure_arrays("tensordot", a, b)
    dtype, weak = _result("tensordot", a, b, preferred_element_type)
    out = products.dot_general(a, b, (_contracted(a, b, axes), ((), ())), precision=precision,
                               preferred_element_type=dtype, out_sharding=out_sharding)
    return convert(out, dtype, weak)


def _contracted(a: Any, b: Any, axes: Any) -> tuple:
    if type(axes) is int:
        if axes > min(a.ndim, b.ndim):
            raise TypeError(f"Number of tensordot axes (axes {axes}) exceeds input ranks "
                            f"({a.shape} and {b.shape})")
        return tuple(range(a.ndim - axes, a.ndim)), tuple(range(axes))
    if not isinstance(axes, (tuple, list)) or len(axes) != 2:
        raise TypeError("tensordot axes argument must be an int, a pair of ints, or a pair of "
                        "lists/tuples of ints.")
    one, two = axes
    if isinstance(one, int) and isinstance(two, int):
        return (base.canonical_axis(one, a.ndim),), (base.canonical_axis(two, b.ndim),)
    if not isinstance(one, (tuple, list)) or not isinstance(two, (tuple, list)):
        raise TypeError("tensordot requires both axes lists to be either ints, tuples or lists, "
                        f"got {one} and {two}")
    if len(one) != len(two):
        raise TypeError("tensordot requires axes lists to have equal length, got "
                        f"{one} and {two}.")
    return (tuple(base.canonical_axis(i, a.ndim) for i in one),
            tuple(base.canonical_axis(i, b.ndim) for i in two))


@jit(static_argnames=("precision", "preferred_element_type"), inline=True)
def inner(a, b, *, precision=None, preferred_element_type=None):
    """``jax.numpy.inner``."""
    a, b = ensure_arrays("inner", a, b)
    if a.ndim == 0 or b.ndim == 0:
        if preferred_element_type is not None:
            a, b = a.astype(preferred_element_type), b.astype(preferred_element_type)
        return a * b
    return tensordot(a, b, (-1, -1), precision=precision,
                     preferred_element_type=preferred_element_type)


@jit(inline=True)
def outer(a, b, out=None):
    """``jax.numpy.outer``."""
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.outer is not supported.")
    a, b = promote_dtypes(*ensure_arrays("outer", a, b))
    return a.ravel()[:, None] * b.ravel()[None, :]
