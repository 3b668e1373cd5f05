"""scatter and its combining forms: writing windows at indexed places.

JAX source: jax/_src/lax/slicing.py: scatter_p, scatter_add_p, _scatter_shape_rule.
"""

from __future__ import annotations

import operator

from simulator.named_tuples import NamedTuple
from simulator.ndarrays import real_math as rm
from simulator.ndarrays.cells import row_major, strided
from simulator.primitives.binary import add_p, max_p, min_p, mul_p, sub_p
from simulator.primitives.core import Primitive
from simulator.primitives.explicit_gather import scattered
from simulator.primitives.gather import GatherScatterMode, check_dims, check_disjoint, window_starts
from simulator.primitives.rules import check_same_dtypes
from simulator.primitives.standard import first_weak, standard
from simulator.types.rounding import normalize


class ScatterDimensionNumbers(NamedTuple):
    """Which axes of operand, indices and updates belong together (as in XLA)."""

    update_window_dims: tuple[int, ...]
    inserted_window_dims: tuple[int, ...]
    scatter_dims_to_operand_dims: tuple[int, ...]
    operand_batching_dims: tuple[int, ...] = ()
    scatter_indices_batching_dims: tuple[int, ...] = ()


def _shape(x, indices, updates, *, dimension_numbers, **params):
    n = dimension_numbers
    if indices.ndim == 0:
        raise TypeError("Scatter index leaf dimension must be within [0, rank(indices) + 1). "
                        f"rank(indices) is {indices.ndim} and scatter index leaf dimension is -1.")
    want = indices.ndim - 1 + len(n.update_window_dims)
    if updates.ndim != want:
        raise TypeError(f"Updates tensor must be of rank {want}; got {updates.ndim}.")
    check_dims("scatter", "update_window_dims", n.update_window_dims, updates.ndim)
    check_dims("scatter", "inserted_window_dims", n.inserted_window_dims, x.ndim)
    check_dims("scatter", "operand_batching_dims", n.operand_batching_dims, x.ndim)
    check_disjoint("scatter", n.inserted_window_dims, n.operand_batching_dims,
                   "inserted_window_dims", "operand_batching_dims")
    check_disjoint("scatter", n.scatter_dims_to_operand_dims, n.operand_batching_dims,
                   "scatter_dims_to_operand_dims", "operand_batching_dims")
    window = (len(n.update_window_dims) + len(n.inserted_window_dims)
              + len(n.operand_batching_dims))
    if x.ndim != window:
        raise TypeError(f"Scatter op has window of size {window}; doesn't match operand of rank "
                        f"{x.ndim}.")
    if len(n.scatter_dims_to_operand_dims) != indices.shape[-1]:
        raise TypeError(
            f"Scatter op has {len(n.scatter_dims_to_operand_dims)} elements in "
            "scatter_dims_to_operand_dims and the bound of dimension "
            f"index_vector_dim={indices.ndim - 1} of indices is {indices.shape[-1]}. These two "
            "numbers must be equal")
    for i, d in enumerate(n.scatter_dims_to_operand_dims):
        if not 0 <= d < x.ndim:
            raise TypeError("Invalid scatter_dims_to_operand_dims mapping; domain is "
                            f"[0, {x.ndim}), got: {i}->{d}.")
    check_dims("scatter", "scatter_dims_to_operand_dims", n.scatter_dims_to_operand_dims,
               ordered=False)
    _check_update_sizes(x, indices, updates, n)
    return x.shape


def _check_update_sizes(x, indices, updates, n) -> None:
    gone = (*n.inserted_window_dims, *n.operand_batching_dims)
    limits = [s for i, s in enumerate(x.shape) if i not in gone]
    for d, limit in zip(n.update_window_dims, limits):
        if updates.shape[d] > limit:
            raise TypeError(
                "Bounds of the window dimensions of updates must not exceed the bounds of the "
                f"corresponding dimensions of operand. For dimension {d}, updates bound is "
                f"{updates.shape[d]}, operand bound is {limit}.")
    rest = [d for d in range(updates.ndim) if d not in n.update_window_dims]
    for d, bound in zip(rest, indices.shape[:-1]):
        if updates.shape[d] != bound:
            raise TypeError(
                "Bounds of the scatter dimensions of updates must be the same as the bounds of "
                f"the corresponding dimensions of scatter indices. For scatter dimension {d}, "
                f"updates bound is {updates.shape[d]}, indices bound is {bound}.")


def _dtype(x, indices, updates, **params):
    if indices.dtype.family not in "iu":
        raise ValueError("indices must have an integer type")
    check_same_dtypes("scatter", x, updates)
    return x.dtype


def _scatter(step):
    def kernel(ins, out, values, indices, updates, *, dimension_numbers, mode, **params):
        n, shape, update_shape = dimension_numbers, ins[0].shape, ins[2].shape
        steps = row_major(shape)
        gone = (*n.inserted_window_dims, *n.operand_batching_dims)
        kept = [i for i in range(len(shape)) if i not in gone]
        sizes = [1] * len(shape)
        for i, d in zip(kept, n.update_window_dims):
            sizes[i] = update_shape[d]
        window = strided([sizes[i] for i in kept], [steps[i] for i in kept])
        # Updates, reordered so that each window is contiguous.
        own = row_major(update_shape)
        order = [d for d in range(len(update_shape)) if d not in n.update_window_dims]
        order += n.update_window_dims
        source = strided([update_shape[d] for d in order], [own[d] for d in order])
        limits = [d - s for d, s in zip(shape, sizes)]
        clip = GatherScatterMode.from_any(mode) is GatherScatterMode.CLIP
        result = list(values)
        starts = window_starts(ins, indices, n.scatter_dims_to_operand_dims,
                               n.operand_batching_dims, n.scatter_indices_batching_dims)
        for k, start in enumerate(starts):
            if clip:
                start = [max(0, min(s, m)) for s, m in zip(start, limits)]
            elif any(not 0 <= s <= m for s, m in zip(start, limits)):
                continue
            at = sum(s * t for s, t in zip(start, steps))
            for j, w in enumerate(window):
                new = updates[source[k * len(window) + j]]
                result[at + w] = new if step is None else \
                    normalize([step(result[at + w], new)], out.dtype)[0]
        return result
    return kernel


def _make(name: str, step) -> Primitive:
    return standard(name, _shape, _dtype, _scatter(step), weak=first_weak, spec=scattered,
                    adopts=True)


scatter_p = _make("scatter", None)
scatter_add_p = _make("scatter-add", operator.add)
scatter_sub_p = _make("scatter-sub", operator.sub)
scatter_mul_p = _make("scatter-mul", operator.mul)
scatter_min_p = _make("scatter-min", rm.minimum)
scatter_max_p = _make("scatter-max", rm.maximum)

_COMBINERS = {"scatter-add": (add_p, {}), "scatter-sub": (sub_p, {}),
              "scatter-mul": (mul_p, {"out_dtype": None}), "scatter-min": (min_p, {}),
              "scatter-max": (max_p, {})}


def update_jaxpr(scatter: Primitive, dtype, weak_type: bool = False):
    """The `update_jaxpr` parameter of a combining scatter, None for plain `scatter`.

    A jaxpr of one equation on scalars, as `lax._reduction_jaxpr` traces it.
    """
    if scatter.name not in _COMBINERS:
        return None
    from simulator.jaxprs.jaxpr import Eqn, Jaxpr, Var
    from simulator.types.avals import ShapedArray
    primitive, params = _COMBINERS[scatter.name]
    aval = ShapedArray((), dtype, weak_type)
    x, y, out = Var(aval), Var(aval), Var(aval)
    return Jaxpr([], [], [x, y], [out], [Eqn([x, y], [out], primitive, dict(params))],
                 frozenset())
