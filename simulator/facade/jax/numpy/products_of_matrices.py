"""``jax.numpy.linalg``: products, transposes, traces, and solving for tensors.

JAX source: ``jax/_src/numpy/linalg.py``.
"""

from __future__ import annotations

import math
import operator
from typing import Any

from simulator.facade.jax.lax import shapes
from simulator.facade.jax.numpy import contractions, diagonals, further
from simulator.facade.jax.numpy.factoring import inv, solve
from simulator.facade.jax.numpy.reshaping import moveaxis
from simulator.facade.jax.numpy.util import ensure_array, ensure_arrays


def cross(x1, x2, /, *, axis=-1):
    """``jax.numpy.linalg.cross``."""
    x1, x2 = ensure_arrays("jnp.linalg.outer", x1, x2)
    if x1.shape[axis] != 3 or x2.shape[axis] != 3:
        raise ValueError("Both input arrays must be (arrays of) 3-dimensional vectors, but they "
                         f"have {x1.shape[axis]=} and {x2.shape[axis]=}")
    return further.cross(x1, x2, axis=axis)


def outer(x1, x2, /):
    """``jax.numpy.linalg.outer``."""
    x1, x2 = ensure_arrays("jnp.linalg.outer", x1, x2)
    if x1.ndim != 1 or x2.ndim != 1:
        raise ValueError(f"Input arrays must be one-dimensional, but they are {x1.ndim=} {x2.ndim=}")
    return x1[:, None] * x2[None, :]


def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    """``jax.numpy.linalg.matrix_norm``."""
    x = ensure_array("jnp.linalg.matrix_norm", x)
    return diagonals.norm(x, ord=ord, keepdims=keepdims, axis=(-2, -1))


def matrix_transpose(x, /):
    """``jax.numpy.linalg.matrix_transpose``."""
    x = ensure_array("jnp.linalg.matrix_transpose", x)
    ndim = x.ndim
    if ndim < 2:
        raise ValueError(f"matrix_transpose requires at least 2 dimensions; got {ndim=}")
    return shapes.transpose(x, (*range(ndim - 2), ndim - 1, ndim - 2))


def matmul(x1, x2, /, *, precision=None, preferred_element_type=None):
    """``jax.numpy.linalg.matmul``."""
    x1, x2 = ensure_arrays("jnp.linalg.matmul", x1, x2)
    return contractions.matmul(x1, x2, precision=precision,
                               preferred_element_type=preferred_element_type)


def tensordot(x1, x2, /, *, axes=2, precision=None, preferred_element_type=None,
              out_sharding=None):
    """``jax.numpy.linalg.tensordot``."""
    x1, x2 = ensure_arrays("jnp.linalg.tensordot", x1, x2)
    return contractions.tensordot(x1, x2, axes=axes, precision=precision,
                                  preferred_element_type=preferred_element_type,
                                  out_sharding=out_sharding)


def diagonal(x, /, *, offset=0):
    """``jax.numpy.linalg.diagonal``."""
    x = ensure_array("jnp.linalg.diagonal", x)
    return diagonals.diagonal(x, offset=offset, axis1=-2, axis2=-1)


def trace(x, /, *, offset=0, dtype=None):
    """``jax.numpy.linalg.trace``."""
    x = ensure_array("jnp.linalg.trace", x)
    return diagonals.trace(x, offset=offset, axis1=-2, axis2=-1, dtype=dtype)


def tensorinv(a, ind=2):
    """``jax.numpy.linalg.tensorinv``."""
    arr, ind = ensure_array("tensorinv", a), operator.index(ind)
    if ind <= 0:
        raise ValueError(f"ind must be a positive integer; got {ind=}")
    front, back = arr.shape[:ind], arr.shape[ind:]
    if math.prod(front) != math.prod(back):
        raise ValueError("tensorinv is only possible when the product of the first `ind` dimensions "
                         f"equals that of the remaining dimensions. got {arr.shape=} with {ind=}.")
    return inv(arr.reshape((math.prod(front), math.prod(back)))).reshape(*back, *front)


def tensorsolve(a, b, axes=None):
    """``jax.numpy.linalg.tensorsolve``."""
    a_arr, b_arr = ensure_arrays("tensorsolve", a, b)
    if axes is not None:
        a_arr = moveaxis(a_arr, axes, len(axes) * (a_arr.ndim - 1,))
    out_shape = a_arr.shape[b_arr.ndim:]
    if a_arr.shape[:b_arr.ndim] != b_arr.shape:
        raise ValueError("After moving axes to end, leading shape of a must match shape of b. got "
                         f"a.shape={a_arr.shape}, b.shape={b_arr.shape}")
    if b_arr.size != math.prod(out_shape):
        raise ValueError("Input arrays must have prod(a.shape[:b.ndim]) == prod(a.shape[b.ndim:]); "
                         f"got a.shape={a_arr.shape}, b.ndim={b_arr.ndim}.")
    a_arr = a_arr.reshape(b_arr.size, math.prod(out_shape))
    return solve(a_arr, b_arr.ravel()).reshape(out_shape)


def vecdot(x1: Any, x2: Any, /, *, axis: int = -1, precision: Any = None,
           preferred_element_type: Any = None) -> Any:
    """``jax.numpy.linalg.vecdot``."""
    from simulator.facade.jax.numpy import editing
    x1, x2 = ensure_arrays("jnp.linalg.vecdot", x1, x2)
    return editing.vecdot(x1, x2, axis=axis, precision=precision,
                          preferred_element_type=preferred_element_type)


def multi_dot(arrays: Any, *, precision: Any = None) -> Any:
    """``jax.numpy.linalg.multi_dot``. ValueError for shapes that do not fit."""
    from simulator.facade.jax.numpy.einsums import einsum
    if len(arrays) == 1:      # JAX takes the one array apart
        xs = list(ensure_array("jnp.linalg.multi_dot", *arrays))
    else:
        xs = list(ensure_arrays("jnp.linalg.multi_dot", *arrays))
    if len(xs) < 2:
        raise ValueError(f"multi_dot requires at least two arrays; got len(arrays)={len(xs)}")
    shapes_ = [x.shape for x in xs]
    if not (xs[0].ndim in (1, 2) and xs[-1].ndim in (1, 2)
            and all(x.ndim == 2 for x in xs[1:-1])):
        raise ValueError("multi_dot: input arrays must all be two-dimensional, except for the first "
                         "and last array which may be 1 or 2 dimensional. Got array shapes "
                         f"{shapes_}")
    if any(a[-1] != b[0] for a, b in zip(shapes_, shapes_[1:])):
        raise ValueError("multi_dot: last dimension of each array must match first dimension of "
                         f"following array. Got array shapes {shapes_}")
    names: list = [(i, i + 1) for i in range(len(xs))]
    if xs[0].ndim == 1:
        names[0] = names[0][1:]
    if xs[-1].ndim == 1:
        names[-1] = names[-1][:1]
    return einsum(*(part for pair in zip(xs, names) for part in pair), optimize="auto",
                  precision=precision)
