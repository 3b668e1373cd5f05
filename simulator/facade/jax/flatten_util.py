"""``jax.flatten_util``: the leaves of a tree in one row, and back.

JAX source: ``jax/_src/flatten_util.py``.
"""

from __future__ import annotations

from typing import Any

from simulator.facade.jax.lax import base, convert, reducing, shapes
from simulator.facade.jax.numpy import util
from simulator.facade.public import missing as _missing
from simulator.functions.hashable_partial import HashablePartial
from simulator.trees import pytrees

__all__ = ["ravel_pytree"]

__getattr__ = _missing("jax.flatten_util")


def ravel_pytree(pytree: Any) -> tuple:
    """``jax.flatten_util.ravel_pytree``: one row of all numbers, and the function that
    makes the tree of it. Two such functions are equal when their trees and types are."""
    leaves, treedef = pytrees.tree_flatten(pytree)
    flat, unravel = _ravel_list(leaves)
    return flat, HashablePartial(_unravel_pytree, treedef, unravel)


def _unravel_pytree(treedef, unravel, flat):
    return treedef.unflatten(unravel(flat))


def _ravel_list(leaves):
    if not leaves:
        return shapes.full([0], 0, "float32"), lambda _: []
    types = tuple(map(base.dtype, leaves))
    joint = util.result_type(*types)[0]
    sizes = tuple(map(util.size, leaves))
    forms = tuple(map(util.shape, leaves))
    if all(t == joint for t in types):
        # No conversions: the way back takes a row of any type.
        row = [shapes.reshape(x, (util.size(x),)) for x in leaves]
        return reducing.concatenate(row, 0), HashablePartial(_unravel_one_type, sizes, forms)
    row = [convert.convert_element_type(x, joint).ravel() for x in leaves]
    return (reducing.concatenate(row, 0),
            HashablePartial(_unravel_many_types, sizes, forms, types, joint))


def _unravel_one_type(sizes, forms, flat):
    return [part.reshape(form) for part, form in zip(reducing.split(flat, sizes), forms)]


def _unravel_many_types(sizes, forms, types, joint, flat):
    given = base.dtype(flat)
    if given != joint:
        raise TypeError(f"unravel function given array of dtype {given}, but expected dtype "
                        f"{joint}")
    return [convert.convert(part.reshape(form), kind)
            for part, form, kind in zip(reducing.split(flat, sizes), forms, types)]
