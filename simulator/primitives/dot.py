"""dot_general: batched products of arrays.

JAX source: jax/_src/lax/lax.py: dot_general_p, _dot_general_shape_rule,
_dot_general_dtype_rule, _dot_general_pp_rule.

Simplified: products are added in double precision and rounded once; the
`precision` parameter does not change values, nor does it on CPU.
"""

from __future__ import annotations

import enum
import math
import operator

from simulator.errors import OutOfScope
from simulator.ndarrays.cells import row_major, strided
from simulator.primitives.explicit import multiplied
from simulator.primitives.standard import standard
from simulator.types.dtype_core import dtype, real_part
from simulator.types.limits import finfo
from simulator.types.rounding import cast, normalize


class Precision(enum.Enum):
    """How exact a product has to be on hardware with a choice."""

    DEFAULT = 0
    HIGH = 1
    HIGHEST = 2

    def __repr__(self):
        return f"Precision.{self.name}"

    def __str__(self):
        return self.name


# Above this many multiplications pure Python takes too long to wait for.
MAX_PRODUCTS = 20_000_000


def _require(ok: bool, text: str) -> None:
    if not ok:
        raise TypeError("dot_general requires " + text)


def _shape(lhs, rhs, *, dimension_numbers, precision=None, preferred_element_type=None,
           out_sharding=None):
    (lc, rc), (lb, rb) = dimension_numbers
    for side, x, contract, batch in (("lhs", lhs, lc, lb), ("rhs", rhs, rc, rb)):
        _require(all(0 <= d < x.ndim for d in (*contract, *batch)),
                 f"{side} dimension numbers to be nonnegative and less than the number of axes of "
                 f"the {side} value, got {side}_batch of {batch} and {side}_contracting of "
                 f"{contract} for {side} of rank {x.ndim}")
    _require(len(lb) == len(rb), "equal numbers of lhs_batch and rhs_batch dimensions, got "
                                 f"lhs_batch {lb} and rhs_batch {rb}.")
    for kind, which in (("batch", (lb, rb)), ("contracting", (lc, rc))):
        for side, dims in zip(("lhs", "rhs"), which):
            _require(len(set(dims)) == len(dims),
                     f"{side} {kind} dimensions to be distinct, got {side}_{kind} {dims}.")
    for side, contract, batch in (("lhs", lc, lb), ("rhs", rc, rb)):
        _require(not set(contract) & set(batch),
                 f"{side} batch dimensions to be disjoint from contracting dimensions, got "
                 f"{side}_batch {batch} and {side}_contracting {contract}.")
    left, right = (tuple(x.shape[i] for i in d) for x, d in ((lhs, lb), (rhs, rb)))
    _require(left == right, "lhs batch dimensions and rhs batch dimensions to have the same "
                            f"shape, got {left} and {right}.")
    left_c, right_c = (tuple(x.shape[i] for i in d) for x, d in ((lhs, lc), (rhs, rc)))
    _require(left_c == right_c, "contracting dimensions to have the same shape, got "
                                f"{left_c} and {right_c}.")
    return left + _rest(lhs.shape, lc, lb) + _rest(rhs.shape, rc, rb)


def _rest(shape, contract, batch):
    return tuple(n for i, n in enumerate(shape) if i not in (*contract, *batch))


def _rank(d):
    """Orders types as XLA does to find the wider of two."""
    c = real_part(d)
    exact = c.family != "f"
    bits = 1 if c.family == "b" else c.bits
    return (d.family == "c", -1 if exact else finfo(c).maxexp, -1 if exact else finfo(c).nmant,
            bits, c.family != "u")


def _dtype(lhs, rhs, *, dimension_numbers, precision=None, preferred_element_type=None,
           out_sharding=None):
    left, right = _rank(lhs.dtype), _rank(rhs.dtype)
    if left == right and lhs.dtype is not rhs.dtype:
        raise TypeError(f"lax.dot_general argument type error: {lhs.dtype}, {rhs.dtype}")
    result = lhs.dtype if left >= right else rhs.dtype
    if preferred_element_type is None:
        return result
    wanted = dtype(preferred_element_type)
    if wanted is result:
        return result
    if result.family != "f" and _bits(wanted) < _bits(result):
        raise TypeError("`preferred_element_type` must not be narrower than the original type, "
                        f"got preferred_element_type of {preferred_element_type} for result type "
                        f"of {result}.")
    return wanted


def _bits(d):
    return 1 if d.family == "b" else real_part(d).bits


def _rows(values, shape, batch, contract, free):
    """The operand as a list of vectors over the contracted axes, batch by batch."""
    steps = row_major(shape)
    order = [*batch, *free]
    inner = strided([shape[i] for i in contract], [steps[i] for i in contract])
    outer = strided([shape[i] for i in order], [steps[i] for i in order])
    return [[values[o + i] for i in inner] for o in outer]


def _dot(ins, out, left, right, *, dimension_numbers, **params):
    (lc, rc), (lb, rb) = dimension_numbers
    ls, rs = ins[0].shape, ins[1].shape
    batches = math.prod(ls[i] for i in lb)
    depth = math.prod(ls[i] for i in lc)
    if math.prod(out.shape) == 0:
        return []
    left = cast(left, ins[0].dtype, out.dtype)
    right = cast(right, ins[1].dtype, out.dtype)
    if depth and left.count(left[0]) == len(left) and right.count(right[0]) == len(right):
        # All products are the same number (ones, zeros): no need to form them.
        return normalize([left[0] * right[0] * depth], out.dtype) * math.prod(out.shape)
    if math.prod(out.shape) * depth > MAX_PRODUCTS:
        raise OutOfScope(f"the values of a product of {ls} with {rs}",
                         "look at its shape only, or use smaller arrays")
    xs = _rows(left, ls, lb, lc, [i for i in range(len(ls)) if i not in (*lc, *lb)])
    ys = _rows(right, rs, rb, rc, [i for i in range(len(rs)) if i not in (*rc, *rb)])
    n, m = len(xs) // batches, len(ys) // batches
    # One product is no sum: it may be -0.0.
    add = operator.itemgetter(0) if depth == 1 else sum
    result = [add([*map(operator.mul, x, y)])
              for b in range(batches)
              for x in xs[b * n:(b + 1) * n] for y in ys[b * m:(b + 1) * m]]
    if out.dtype.family == "f":
        result = [float(v) for v in result]
    return normalize(result, out.dtype)


def _show(params):
    shown = {k: v for k, v in params.items() if v is not None and k != "out_sharding"}
    (lc, rc), (lb, rb) = params["dimension_numbers"]
    shown["dimension_numbers"] = (list(lc), list(rc)), (list(lb), list(rb))
    return shown


def _lowered(params):
    # The type of the result says which was preferred; no precision is the default one.
    precision = params["precision"]
    if precision is None:
        precision = Precision.DEFAULT, Precision.DEFAULT
    kept = {k: v for k, v in params.items() if k != "preferred_element_type"}
    return "dot_general", dict(kept, precision=precision)


dot_general_p = standard("dot_general", _shape, _dtype, _dot, spec=multiplied, print_params=_show)
dot_general_p.lowered = _lowered
