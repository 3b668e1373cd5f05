"""Reductions over axes, argmin and argmax, and running reductions along one axis.

JAX source: jax/_src/lax/lax.py: reduce_sum_p, argmax_p ...;
jax/_src/lax/control_flow/loops.py: cumsum_p ...

Simplified: floating sums are added in double precision and rounded once; XLA
adds in the array's type, in an order of its own.
"""

from __future__ import annotations

import math

from simulator.ndarrays import real_math as rm
from simulator.ndarrays.cells import row_major
from simulator.ndarrays.ndarray_reduce import groups
from simulator.primitives.ambient import state
from simulator.primitives.explicit import running
from simulator.primitives.rules import input_dtype
from simulator.primitives.standard import never_weak, standard
from simulator.types import dtype_core as dt
from simulator.types.dtype_core import dtype
from simulator.types.rounding import normalize


def _reduce_shape(operand, *, axes, **params):
    if len(axes) != len(set(axes)):
        raise ValueError(f"duplicate value in 'axes' of reduction: {axes}")
    if not all(0 <= a < operand.ndim for a in axes):
        raise ValueError(f"reduction axes {axes} contains out-of-bounds indices for {operand}.")
    return tuple(n for i, n in enumerate(operand.shape) if i not in axes)


def _kept_spec(operand, *, axes, **params):
    return tuple(s for i, s in enumerate(operand.spec) if i not in axes)


def _number_dtype(name):
    def rule(operand, *, axes, **params):
        if operand.dtype.family not in "iufc":
            raise TypeError(f"{name} does not accept dtype {operand.dtype.name}. Accepted dtypes "
                            "are subtypes of number.")
        return operand.dtype
    return rule


def _sum_dtype(operand, *, axes, **params):
    d = _number_dtype("reduce_sum")(operand, axes=axes)
    if (d in (dt.float16, dt.bfloat16) and not state("jax_allow_f16_reductions", True)
            and not all(operand.shape[a] == 1 for a in axes)):
        raise ValueError(f"reduce_sum on operand {operand.str_short(True)} is not allowed when "
                         "jax_allow_f16_reductions=False.")
    return d


def _fold(step, start):
    """Kernel that folds each group; `start` is a value or a function of the dtype."""
    def kernel(ins, out, values, *, axes, **params):
        first = start(out.dtype) if callable(start) else start
        if len(axes) == ins[0].ndim:
            sets = [values]
        else:
            sets = [[values[i] for i in g] for g in groups(ins[0].shape, axes)[0]]
        results = []
        for xs in sets:
            acc = first
            for x in xs:
                acc = step(acc, x)
            results.append(acc)
        return normalize(results, out.dtype)
    return kernel


def _lowest(d):
    if d.family == "c":
        return complex(-math.inf, -math.inf)
    return False if d.family == "b" else -math.inf if d.family == "f" else _range(d)[0]


def _highest(d):
    if d.family == "c":
        return complex(math.inf, math.inf)
    return True if d.family == "b" else math.inf if d.family == "f" else _range(d)[1]


def _range(d):
    from simulator.types.rounding import int_range
    return int_range(d)


def _zero(d):
    return {"f": 0.0, "c": 0j}.get(d.family, 0)


def _one(d):
    return {"f": 1.0, "c": 1 + 0j}.get(d.family, 1)


def _add(x, y):
    return x + y


def _mul(x, y):
    return x * y


reduce_sum_p = standard("reduce_sum", _reduce_shape, _sum_dtype, _fold(_add, _zero),
                        spec=_kept_spec)
reduce_prod_p = standard("reduce_prod", _reduce_shape, _number_dtype("reduce_prod"),
                         _fold(_mul, _one), spec=_kept_spec)
reduce_max_p = standard("reduce_max", _reduce_shape, input_dtype, _fold(rm.maximum, _lowest),
                        spec=_kept_spec)
reduce_min_p = standard("reduce_min", _reduce_shape, input_dtype, _fold(rm.minimum, _highest),
                        spec=_kept_spec)


def _logical_shape(operand, *, axes):
    if operand.dtype.family not in "biu":
        raise TypeError("logical reduction requires operand dtype bool or int, got "
                        f"{operand.dtype}.")
    for a in axes:
        if not -operand.ndim <= a < operand.ndim:
            raise IndexError(f"index {a} is out of bounds for axis 0 with size {operand.ndim}")
    return tuple(n for i, n in enumerate(operand.shape) if i not in axes)


def _logical(name, step, start):
    return standard(name, _logical_shape, input_dtype, _fold(step, start), weak=never_weak,
                    spec=_kept_spec)


reduce_or_p = _logical("reduce_or", lambda x, y: x | y, lambda d: d.family != "b" and 0)
reduce_and_p = _logical("reduce_and", lambda x, y: x & y, lambda d: d.family == "b" or -1)
reduce_xor_p = _logical("reduce_xor", lambda x, y: x ^ y, lambda d: d.family != "b" and 0)


def _arg_shape(operand, *, axes, index_dtype):
    axis, = axes
    shape = operand.shape
    if not 0 <= axis < len(shape):
        raise ValueError(f"Invalid axis {axis} for operand shape {shape}")
    if shape[axis] < 1:
        raise ValueError("argmin and argmax require non-empty reduced dimension. "
                         f"operand.shape={shape} axis={axis!r}")
    return shape[:axis] + shape[axis + 1:]


def _arg_dtype(operand, *, axes, index_dtype):
    index = dtype(index_dtype)
    if index.family not in "iu":
        raise TypeError(f"index_dtype must be an integer type, but got {index.name}")
    return index


def _arg(better):
    def kernel(ins, out, values, *, axes, index_dtype):
        results = []
        for g in groups(ins[0].shape, axes)[0]:
            at = 0
            for i, p in enumerate(g):
                if values[p] != values[p]:
                    at = i
                    break
                if better(values[p], values[g[at]]):
                    at = i
            results.append(at)
        return results
    return kernel


argmax_p = standard("argmax", _arg_shape, _arg_dtype, _arg(lambda x, y: x > y), weak=never_weak,
                    spec=_kept_spec)
argmin_p = standard("argmin", _arg_shape, _arg_dtype, _arg(lambda x, y: x < y), weak=never_weak,
                    spec=_kept_spec)


def _running_shape(x, *, axis, reverse):
    if axis < 0:
        raise ValueError("XLA operations do not allow negative axes")
    if axis >= x.ndim:
        raise ValueError(f"axis {axis} is out of bounds for array of shape {x.shape}")
    return x.shape


def _running_dtype(name):
    def rule(operand, **params):
        if operand.dtype.family not in "iufc":
            raise TypeError(f"{name} does not accept dtype {operand.dtype.name}. Accepted dtypes "
                            "are subtypes of number.")
        return operand.dtype
    return rule


def _logaddexp(x, y):
    if x != x or y != y:
        return math.nan
    big, small = (x, y) if x > y else (y, x)
    return big if math.isinf(big) else big + math.log1p(math.exp(small - big))


def _running(name, step):
    def kernel(ins, out, values, *, axis, reverse):
        shape = ins[0].shape
        result = [None] * len(values)
        step_ = row_major(shape)[axis]
        for g in groups(shape, (axis,))[0] if step_ and values else ():
            acc = None
            for p in reversed(g) if reverse else g:
                acc = values[p] if acc is None else step(acc, values[p])
                result[p] = acc
        return normalize(result, out.dtype)
    return standard(name, _running_shape, _running_dtype(name), kernel, spec=running)


cumsum_p = _running("cumsum", _add)
cumprod_p = _running("cumprod", _mul)
cummax_p = _running("cummax", rm.maximum)
cummin_p = _running("cummin", rm.minimum)
cumlogsumexp_p = _running("cumlogsumexp", _logaddexp)
