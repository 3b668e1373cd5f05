"""Which dimensions of an operation go together when XLA spreads shardings.

A factor is a list of (value, dimension): all of them are cut by the same mesh
axes. Dimensions in no factor stop a sharding.

JAX source: none; the rules are Shardy's (openxla/shardy: op_sharding_rule_registry).
"""

from __future__ import annotations

from typing import Any

from simulator.jaxprs.jaxpr import Eqn

Factor = list[tuple[Any, int]]

_ELEMENTWISE = set("""abs acos acosh add add_any and asin asinh atan atan2 atanh cbrt ceil clamp
conj convert_element_type copy copy_p cos cosh digamma div eq erf erf_inv erfc exp exp2 expm1
floor ge gt imag integer_pow is_finite le lgamma log log1p logistic lt max min mul ne neg nextafter
not or pow population_count real reduce_precision rem round rsqrt select_n shift_left
shift_right_arithmetic shift_right_logical sign sin sinh sqrt square stop_gradient sub tan tanh xor
sharding_constraint reshard optimization_barrier cumsum cumprod cummax cummin
cumlogsumexp""".split())
_REDUCTIONS = {"reduce_sum", "reduce_max", "reduce_min", "reduce_prod", "reduce_and", "reduce_or",
               "reduce_xor", "argmax", "argmin"}
# Every dimension keeps its place, also one that changes its size.
_SAME_RANK = {"slice", "dynamic_slice", "pad", "rev", "concatenate", "split", "sort"}
_SCATTERS = {"scatter", "scatter-add", "scatter_add", "scatter-sub", "scatter_sub", "scatter-mul",
             "scatter_mul", "scatter-min", "scatter_min", "scatter-max", "scatter_max"}


def factors(eqn: Eqn) -> list[Factor] | None:
    """The factors of an equation, or None when the operation is not covered."""
    name, p, outs = eqn.primitive.name, eqn.params, eqn.outvars
    shape = outs[0].aval.shape if outs else ()
    if name in _ELEMENTWISE:
        members = [a for a in (*eqn.invars, *outs) if len(a.aval.shape) == len(shape)]
        return [[(a, i) for a in members if a.aval.shape[i] == n] for i, n in enumerate(shape)]
    if not outs or not eqn.invars:
        return []
    operand, inner = eqn.invars[0], eqn.invars[0].aval.shape
    if name in _SAME_RANK:
        return [[(a, i) for a in (*eqn.invars, *outs) if len(a.aval.shape) == len(inner)]
                for i in range(len(inner)) if not (name == "sort" and _in_one_piece(inner, i, p))]
    if name == "broadcast_in_dim":
        return [[(operand, i), (outs[0], o)] for i, o in enumerate(p["broadcast_dimensions"])
                if inner[i] == shape[o]]
    if name == "transpose":
        return [[(operand, i), (outs[0], o)] for o, i in enumerate(p["permutation"])]
    if name in _REDUCTIONS:
        return _kept(eqn, p["axes"])
    if name in ("squeeze", "expand_dims"):
        left, right = ([i for i, n in enumerate(s) if n != 1] for s in (inner, shape))
        return [[(operand, i), (outs[0], o)] for i, o in zip(left, right)]
    if name == "top_k":
        return [[(a, i) for a in (operand, *outs)] for i in range(len(inner)) if i != p["axis"]]
    if name == "unstack":
        return _kept(eqn, (p["axis"],))
    if name == "stack":
        places = [o for o in range(len(shape)) if o != p["axis"]]
        return [[*((a, i) for a in eqn.invars), (outs[0], o)] for i, o in enumerate(places)]
    if name == "dynamic_update_slice":
        return [[(a, i) for a in (operand, eqn.invars[1], outs[0]) if a.aval.shape[i] == n]
                for i, n in enumerate(inner)]
    if name == "dot_general":
        return _product(eqn)
    if name == "gather":
        return _gather(eqn)
    return _scatter(eqn) if name in _SCATTERS else None


def _in_one_piece(shape: tuple, i: int, params: dict) -> bool:
    # Sorted along a dimension that is cut, the cut moves to another one, if there is one.
    return i == params["dimension"] and all(n == 1 for k, n in enumerate(shape) if k != i)


def _kept(eqn: Eqn, gone: Any) -> list[Factor]:
    operand = eqn.invars[0]
    kept = [i for i in range(len(operand.aval.shape)) if i not in gone]
    return [[(operand, i), *((out, o) for out in eqn.outvars)] for o, i in enumerate(kept)]


def _product(eqn: Eqn) -> list[Factor]:
    (contract_l, contract_r), (batch_l, batch_r) = eqn.params["dimension_numbers"]
    left, right = eqn.invars
    out = eqn.outvars[0]
    found = [[(left, a), (right, b)] for a, b in zip(contract_l, contract_r)]
    position = 0
    for a, b in zip(batch_l, batch_r):
        found.append([(left, a), (right, b), (out, position)])
        position += 1
    for atom, used in ((left, (*contract_l, *batch_l)), (right, (*contract_r, *batch_r))):
        for i in range(len(atom.aval.shape)):
            if i not in used:
                found.append([(atom, i), (out, position)])
                position += 1
    return found


def _windows(indices: Any, window_dims: Any, where: Any) -> list[Factor]:
    # Result (or update) dimensions that are no window are those of the indices.
    places = [o for o in range(len(where.aval.shape)) if o not in window_dims]
    return [[(indices, i), (where, o)] for i, o in enumerate(places)]


def _gather(eqn: Eqn) -> list[Factor]:
    operand, indices = eqn.invars
    n, sizes, out = eqn.params["dimension_numbers"], eqn.params["slice_sizes"], eqn.outvars[0]
    places = _windows(indices, n.offset_dims, out)
    kept = [i for i in range(len(sizes))
            if i not in (*n.collapsed_slice_dims, *n.operand_batching_dims)]
    found = [[(operand, i), (out, o)] for i, o in zip(kept, n.offset_dims)
             if sizes[i] == operand.aval.shape[i]]
    for i, batch in zip(n.operand_batching_dims, n.start_indices_batching_dims):
        places[batch].append((operand, i))
    return [*found, *places]


def _scatter(eqn: Eqn) -> list[Factor]:
    operand, indices, updates = eqn.invars[:3]
    n, out = eqn.params["dimension_numbers"], eqn.outvars[0]
    found = _windows(indices, n.update_window_dims, updates)
    whole: list[Factor] = [[(operand, i), (out, i)] for i in range(len(operand.aval.shape))]
    kept = [i for i in range(len(whole))
            if i not in (*n.inserted_window_dims, *n.operand_batching_dims)]
    for i, u in zip(kept, n.update_window_dims):
        if updates.aval.shape[u] == operand.aval.shape[i]:
            whole[i].append((updates, u))
    for i, batch in zip(n.operand_batching_dims, n.scatter_indices_batching_dims):
        whole[i] += found[batch]
    return [*whole, *found]


def pieces(eqn: Eqn) -> tuple[list, list, list] | None:
    """For operations that join and split dimensions: the pieces of both sides.

    Returns (pieces of each dimension of the operand, the same of the result, size of
    each piece), major first; None when the operation is no such one.
    """
    name, p = eqn.primitive.name, eqn.params
    shape = eqn.invars[0].aval.shape if eqn.invars else ()
    if name == "tile":
        rank = len(shape)
        return ([[i] for i in range(rank)],
                [[i] if r == 1 else [rank + i, i] for i, r in enumerate(p["reps"])],
                [*shape, *p["reps"]])
    if name == "reshape" and p["dimensions"] is None:
        return nested(shape, eqn.outvars[0].aval.shape)
    return None


def nested(inner: tuple, outer: tuple) -> tuple[list, list, list] | None:
    """The common refinement of two shapes of as many elements, as `pieces` gives it."""
    left: list[list[int]] = [[] for _ in inner]
    right: list[list[int]] = [[] for _ in outer]
    sizes: list[int] = []
    a, b = [[i, n] for i, n in enumerate(inner) if n > 1], [
        [o, n] for o, n in enumerate(outer) if n > 1]
    # From the minor end: what one dimension takes of the other is the piece.
    while a and b:
        small = min(a[-1][1], b[-1][1])
        if a[-1][1] % small or b[-1][1] % small:
            return None
        left[a[-1][0]].insert(0, len(sizes))
        right[b[-1][0]].insert(0, len(sizes))
        sizes.append(small)
        for side in (a, b):
            side[-1][1] //= small
            if side[-1][1] == 1:
                side.pop()
    return left, right, sizes
