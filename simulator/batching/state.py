"""Batching references and rematerialisation.

A new reference is mapped in any case, since something mapped may be written to it
later. Only whole references are read and written under a map.

JAX source: ``jax/_src/state/primitives.py: _array_ref_batched, _freeze_batched,
_get_vmap, _swap_vmap, _addupdate_vmap``; ``jax/_src/ad_checkpoint.py: remat_vmap,
name_batcher``.
"""

from __future__ import annotations

from typing import Any

from simulator.autodiff import checkpoint  # noqa: F401  (has the primitives)
from simulator.batching import axes, jaxprs
from simulator.batching.rules import always, rule, vectorized
from simulator.device_arrays.values import abstractify
from simulator.errors import OutOfScope
from simulator.jaxprs.pruning import open_consts
from simulator.primitives.core import Primitive
from simulator.references import ref_primitives  # noqa: F401  (has the primitives)

rule("name")(vectorized)


@always("remat2")
def _remat(primitive: Primitive, axis: Any, vals: list, dims: list, *, jaxpr: Any,
           **params: Any) -> tuple:
    batched, mapped = jaxprs.batch_jaxpr_axes(jaxpr, axis, dims,
                                              [jaxprs.IF_MAPPED] * len(jaxpr.outvars))
    outs = primitive.bind(*batched.consts, *vals, jaxpr=open_consts(batched), **params)
    return outs, [0 if m else None for m in mapped]


@always("new_ref")
def _new_ref(primitive: Primitive, axis: Any, vals: list, dims: list, **params: Any) -> tuple:
    (value,), (dim,) = vals, dims
    if dim is None:
        value, dim = axes.broadcast(value, axis.size, 0, axis.part), 0
    return primitive.bind(value, **params), dim


@always("freeze")
def _freeze(primitive: Primitive, axis: Any, vals: list, dims: list) -> tuple:
    return primitive.bind(*vals), dims[0]


def _whole(tree: Any) -> None:
    if tree.index is not None:
        raise OutOfScope("an indexed jax.Ref under jax.vmap", "read or write all of it: ref[...]")


@rule("get")
def _get(primitive: Primitive, axis: Any, vals: list, dims: list, *, tree: Any) -> tuple:
    _whole(tree)
    return primitive.bind(*vals, tree=tree), dims[0]


def _value_for(axis: Any, vals: list, dims: list, tree: Any, what: str) -> Any:
    (ref, value, *_), (ref_dim, dim, *_) = vals, dims
    if ref_dim is None:
        raise Exception(f"performing {what} operation with vmapped value on an unbatched array "
                        f"reference of type {abstractify(ref)}. Move the array reference to be an "
                        "argument to the vmapped function?")
    _whole(tree)
    return axes.broadcast(value, axis.size, ref_dim, axis.part) if dim is None else \
        axes.moveaxis(value, dim, ref_dim)


@always("swap")
def _swap(primitive: Primitive, axis: Any, vals: list, dims: list, *, tree: Any) -> tuple:
    value = _value_for(axis, vals, dims, tree, "a set/swap")
    return primitive.bind(vals[0], value, tree=tree), dims[0]


@always("addupdate")
def _addupdate(primitive: Primitive, axis: Any, vals: list, dims: list, *, tree: Any) -> tuple:
    value = _value_for(axis, vals, dims, tree, "an addupdate")
    return primitive.bind(vals[0], value, tree=tree), []
