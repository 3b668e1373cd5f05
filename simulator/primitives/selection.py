"""select_n and clamp.

JAX source: jax/_src/lax/lax.py: select_n_p, clamp_p.
"""

from __future__ import annotations

from simulator.ndarrays.cells import broadcast_list
from simulator.primitives.explicit import parts, selected
from simulator.primitives.rules import ANY, check_same_dtypes, nary_dtype
from simulator.primitives.standard import standard


def _select_shape(which, *cases):
    if not cases:
        raise TypeError("select must have at least one case")
    if any(c.shape != cases[0].shape for c in cases[1:]):
        raise TypeError("select cases must have the same shapes, got "
                        f"[{', '.join(str(c.shape) for c in cases)}].")
    if which.shape and which.shape != cases[0].shape:
        raise TypeError("select `which` must be scalar or have the same shape as cases, got "
                        f"`which` shape {which.shape} but case shape {cases[0].shape}.")
    return cases[0].shape


def _select_dtype(which, *cases):
    check_same_dtypes("select", *cases)
    if which.dtype.family not in "biu":
        raise TypeError(f"select `which` must be boolean or integer type, got {which.dtype}.")
    if which.dtype.family == "b" and len(cases) > 2:
        raise TypeError("select with boolean `which` cannot have > 2 cases.")
    return cases[0].dtype


def _select(ins, out, which, *cases):
    last = len(cases) - 1
    which = broadcast_list(which, ins[0].shape, out.shape)
    # Integer selectors outside the cases pick the nearest one.
    return [cases[min(max(int(w), 0), last)][i] for i, w in enumerate(which)]


select_n_p = standard("select_n", _select_shape, _select_dtype, _select,
                      weak=lambda which, *cases: all(c.weak_type for c in cases),
                      spec=selected, adopts=True, placing=lambda which, *cases: cases)


def _clamp_shape(low, operand, high):
    if low.shape and low.shape != operand.shape:
        raise TypeError("clamp requires min.shape == operand.shape or min.shape == (), got "
                        f"min.shape={low.shape}, operand.shape={operand.shape}.")
    if high.shape and high.shape != operand.shape:
        raise TypeError("clamp requires max.shape == operand.shape or max.shape == (), got "
                        f"max.shape={high.shape}, operand.shape={operand.shape}.")
    return operand.shape


def _clamp_one(low, x, high):
    if x != x:
        return x
    if low != low or high != high:
        return low if low != low else high
    return min(max(x, low), high)


clamp_p = standard(
    "clamp", _clamp_shape,
    nary_dtype(lambda low, x, high: low.dtype, [ANY, ANY, ANY], "clamp"),
    lambda ins, out, *lists: list(map(_clamp_one, *[
        broadcast_list(v, i.shape, out.shape) for v, i in zip(lists, ins)])),
    spec=lambda low, x, high: parts(x), placing=lambda low, x, high: (x,))
