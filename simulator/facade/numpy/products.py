"""Products of arrays in other shapes than matrices, and functions applied piece by piece.

Follows numpy/_core/numeric.py: tensordot, cross, convolve; numpy/lib/_shape_base_impl.py:
kron, apply_along_axis; numpy/lib/_function_base_impl.py: vectorize, piecewise.
"""

from __future__ import annotations

import functools
import math

from simulator.errors import OutOfScope
from simulator.facade.numpy import creation, joining, shaping
from simulator.facade.numpy.dispatching import dispatched
from simulator.ndarrays import ndarray_make as make
from simulator.ndarrays import ndarray_products as products
from simulator.ndarrays import ndarray_reduce as reduce
from simulator.ndarrays.beyond import only
from simulator.ndarrays.ndarray import NDArray
from simulator.ndarrays.ndarray_index import axis_of
from simulator.ndarrays.ufuncs import UFUNCS
from simulator.types.scalar_types import make as scalar


def tensordot(a, b, axes=2):
    """Products summed over pairs of axes."""
    a, b = make.asarray(a), make.asarray(b)
    if isinstance(axes, int):
        one, two = list(range(a.ndim - axes, a.ndim)), list(range(axes))
    else:
        one, two = ([i] if isinstance(i, int) else list(i) for i in axes)
    one, two = [i % a.ndim for i in one], [i % b.ndim for i in two]
    if [a.shape[i] for i in one] != [b.shape[i] for i in two]:
        raise ValueError("shape-mismatch for sum")
    left = [i for i in range(a.ndim) if i not in one]
    right = [i for i in range(b.ndim) if i not in two]
    n = math.prod(a.shape[i] for i in one)
    out = products.dot(a.transpose(left + one).reshape(-1, n), b.transpose(two + right).reshape(n, -1))
    return out.reshape([a.shape[i] for i in left] + [b.shape[i] for i in right])


def einsum(subscripts, *operands, out=None, dtype=None, optimize=False):
    """Products summed over letters. OutOfScope: an ellipsis, operands as lists."""
    only("einsum", out=out, dtype=dtype)
    if not isinstance(subscripts, str) or "..." in subscripts:
        raise OutOfScope("numpy.einsum with an ellipsis or lists", "use letters")
    inputs, arrow, result = subscripts.replace(" ", "").partition("->")
    terms = inputs.split(",")
    arrays = [make.asarray(x) for x in operands]
    if len(terms) != len(arrays):
        raise ValueError("more operands provided to einstein sum function than specified in the "
                         "subscripts string" if len(arrays) > len(terms) else
                         "fewer operands provided to einstein sum function than specified in the "
                         "subscripts string")
    if not arrow:
        letters = "".join(terms)
        result = "".join(sorted(c for c in set(letters) if letters.count(c) == 1))
    order = result + "".join(dict.fromkeys(c for t in terms for c in t if c not in result))
    factors = [_spread(a, t, order) for a, t in zip(arrays, terms)]
    product = functools.reduce(UFUNCS["multiply"], factors)
    summed = tuple(range(len(result), len(order)))
    return reduce.sum(product, summed, dtype=product.dtype) if summed else product


def _spread(a: NDArray, term: str, order: str) -> NDArray:
    # The array with one axis for each letter of `order`; a letter twice is a diagonal.
    while len(set(term)) < len(term):
        c = next(c for c in term if term.count(c) > 1)
        i, j = term.index(c), term.index(c, term.index(c) + 1)
        a, term = products.diagonal(a, 0, i, j), term.replace(c, "") + c * (term.count(c) - 1)
    a = a.transpose([term.index(c) for c in order if c in term])
    sizes = iter(a.shape)
    return a.reshape([next(sizes) if c in term else 1 for c in order])


def kron(a, b):
    """Each element of `a` times all of `b`."""
    a, b = make.asarray(a), make.asarray(b)
    n = max(a.ndim, b.ndim)
    a, b = (x.reshape((1,) * (n - x.ndim) + x.shape) for x in (a, b))
    one = a.reshape([k for s in a.shape for k in (s, 1)])
    two = b.reshape([k for s in b.shape for k in (1, s)])
    return (one * two).reshape([s * t for s, t in zip(a.shape, b.shape)])


def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    """The cross product of vectors of three numbers. OutOfScope: other axes."""
    a, b = make.asarray(a), make.asarray(b)
    if axis is not None or (axisa, axisb, axisc) != (-1, -1, -1):
        raise OutOfScope("numpy.cross along other axes", "move the axes to the end")
    if a.shape[-1] != 3 or b.shape[-1] != 3:
        raise ValueError("Both input arrays must be (arrays of) 3-dimensional vectors, but they "
                         f"are {a.shape[-1]} and {b.shape[-1]} dimensional instead.")
    parts = [a[..., i] * b[..., j] - a[..., j] * b[..., i] for i, j in ((1, 2), (2, 0), (0, 1))]
    return joining.stack([make.asarray(p) for p in parts], axis=-1)


def convolve(a, v, mode="full"):
    """Each element of one row multiplied into the other, added up."""
    a, v = make.asarray(a), make.asarray(v)
    if a.size < v.size:
        a, v = v, a
    n, k = a.size, v.size
    if not k:
        raise ValueError("v cannot be empty")
    to = make.promote(a.dtype, v.dtype)
    zeros = creation.full((k - 1,), 0, to)
    padded = joining.concatenate([zeros, a, zeros])
    full = make.asarray([products.dot(padded[i:i + k], v[::-1]) for i in range(n + k - 1)], to)
    lost = {"full": 0, "same": k - 1, "valid": 2 * (k - 1)}[mode]
    return full[lost // 2:n + k - 1 - (lost - lost // 2)]


def correlate(a, v, mode="valid"):
    """`convolve` with the second row turned around."""
    return convolve(a, make.asarray(v)[::-1].conj(), mode)


def vander(x, N=None, increasing=False):
    """The powers of a row as columns."""
    x = make.asarray(x)
    n = x.size if N is None else N
    out = joining.stack([x ** i for i in range(n)], axis=1) if n else x.reshape(-1, 1)[:, :0]
    return out if increasing else out[:, ::-1]


def polyval(p, x):
    """A polynomial at some points, the highest coefficient first."""
    x, total = make.asarray(x), 0
    for c in make.asarray(p):
        total = total * x + c
    return total


def apply_along_axis(func1d, axis, arr, *args, **kwargs):
    """A function of each row along an axis."""
    a = make.asarray(arr)
    axis = axis_of(axis, a.ndim)
    rows = shaping.moveaxis(a, axis, -1)
    found = [make.asarray(func1d(row, *args, **kwargs))
             for row in rows.reshape(-1, a.shape[axis])]
    out = joining.stack(found).reshape(rows.shape[:-1] + found[0].shape)
    inner = list(range(a.ndim - 1, out.ndim))
    return shaping.moveaxis(out, inner, [axis + i for i in range(len(inner))])


def fromfunction(function, shape, *, dtype=float, like=None, **kwargs):
    """A function of the places of all elements."""
    from simulator.facade.numpy.places import indices
    only("fromfunction", like=like)
    return function(*indices(shape, dtype=dtype), **kwargs)


def piecewise(x, condlist, funclist, *args, **kw):
    """For each element the function whose condition holds last."""
    x = make.asarray(x)
    conditions = [make.asarray(c) for c in condlist]
    if len(funclist) == len(conditions) + 1:
        conditions.append(~functools.reduce(UFUNCS["logical_or"], conditions))
    out = creation.full(x.shape, 0, x.dtype)
    for condition, function in zip(conditions, funclist):
        if condition.any():
            out[condition] = function(x[condition], *args, **kw) if callable(function) else function
    return out


class vectorize:
    """A function of numbers as one of arrays. OutOfScope: signatures and other options."""

    def __init__(self, pyfunc, otypes=None, **options):
        if any(v not in (None, False) for v in options.values()):
            raise OutOfScope("numpy.vectorize with options", "leave them out")
        self.pyfunc, self.otypes = pyfunc, otypes
        functools.update_wrapper(self, pyfunc)

    def __call__(self, *args):
        arrays = shaping.broadcast_arrays(*map(make.asarray, args))
        rows = zip(*[[scalar(a.dtype, v) for v in a.values()] for a in arrays])
        found = [self.pyfunc(*row) for row in rows]
        kind = None if self.otypes is None else make.asarray([], self.otypes[0]).dtype
        return make.asarray(found, kind).reshape(arrays[0].shape)


globals().update(dispatched(globals()))
