"""``jacfwd``, ``jacrev``, ``hessian``: one derivative per row of the identity, batched.

JAX source: ``jax/_src/api.py: jacfwd, jacrev, hessian, _std_basis,
_unravel_array_into_pytree``.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from simulator.autodiff import checks, gradients
from simulator.batching.vmapping import vmap
from simulator.device_arrays.values import abstractify
from simulator.facade.jax import numpy as jnp
from simulator.facade.jax.lax import base, convert
from simulator.functions import signature
from simulator.functions.wrapping import wraps
from simulator.placement.mesh_types import empty_abstract_mesh
from simulator.placement.shardings import NamedSharding, PartitionSpec
from simulator.trees import pytrees

_DOC = ("Jacobian of {fun} with respect to positional argument(s) {argnums}. Takes the same "
        "arguments as {fun} but returns the jacobian of the output with respect to the arguments "
        "at positions {argnums}.")


def jacfwd(fun: Callable, argnums: Any = 0, has_aux: bool = False, holomorphic: bool = False
           ) -> Callable:
    """``jax.jacfwd``: column by column, in forward mode."""
    signature.check_callable(fun)
    argnums = gradients.argnums_of(argnums)

    @wraps(fun, _DOC, argnums)
    def jacfun(*args: Any, **kwargs: Any) -> Any:
        f_partial, dynamic = gradients.partial_of(fun, argnums, args, kwargs)
        for leaf in pytrees.tree_leaves(dynamic):
            checks.forward_input(holomorphic, leaf)

        def pushforward(tangents: Any) -> tuple:
            return gradients.jvp_unchecked(f_partial, dynamic, tangents, has_aux)

        axes = (None, -1, None) if has_aux else (None, -1)
        y, jac, *aux = vmap(pushforward, out_axes=axes)(_basis(dynamic))
        for leaf in pytrees.tree_leaves(y):
            checks.forward_output(holomorphic, leaf)
        example = dynamic[0] if isinstance(argnums, int) else dynamic

        def unravel(out: Any, arr: Any) -> Any:
            return _unravel(example, -1 % len(base.shape(arr)), out, arr)
        tree = pytrees.tree_map(unravel, y, jac)
        return (tree, *aux) if has_aux else tree
    return jacfun


def jacrev(fun: Callable, argnums: Any = 0, has_aux: bool = False, holomorphic: bool = False,
           allow_int: bool = False) -> Callable:
    """``jax.jacrev``: row by row, in reverse mode."""
    signature.check_callable(fun)

    @wraps(fun, _DOC, argnums)
    def jacfun(*args: Any, **kwargs: Any) -> Any:
        f_partial, dynamic = gradients.partial_of(fun, argnums, args, kwargs)
        for leaf in pytrees.tree_leaves(dynamic):
            checks.reverse_input("jacrev", holomorphic, allow_int, leaf)
        y, pullback, *aux = gradients.vjp(f_partial, *dynamic, has_aux=has_aux)
        for leaf in pytrees.tree_leaves(y):
            checks.reverse_output("jacrev", holomorphic, leaf)
        jac = vmap(pullback)(_basis(y))
        single = isinstance(argnums, int)
        example = dynamic[0] if single else dynamic

        def unravel(leaf: Any, arr: Any) -> Any:
            return _unravel(y, 0, leaf, arr)
        tree = pytrees.tree_map(unravel, example, jac[0] if single else jac)
        tree = pytrees.tree_transpose(pytrees.tree_structure(example),
                                      pytrees.tree_structure(y), tree)
        return (tree, *aux) if has_aux else tree
    return jacfun


def jacobian(fun: Callable, argnums: Any = 0, has_aux: bool = False, holomorphic: bool = False,
             allow_int: bool = False) -> Callable:
    """``jax.jacobian``, another name of `jacrev`."""
    return jacrev(fun, argnums=argnums, has_aux=has_aux, holomorphic=holomorphic,
                  allow_int=allow_int)


def hessian(fun: Callable, argnums: Any = 0, has_aux: bool = False, holomorphic: bool = False
            ) -> Callable:
    """``jax.hessian``: forward over reverse."""
    return jacfwd(jacrev(fun, argnums, has_aux=has_aux, holomorphic=holomorphic), argnums,
                  has_aux=has_aux, holomorphic=holomorphic)


def _basis(tree: Any) -> Any:
    leaves = pytrees.tree_leaves(tree)
    flat = jnp.eye(sum(map(base.size, leaves)), dtype=jnp.result_type(*leaves))
    return _unravel(tree, 1, None, flat)


def _unravel(tree: Any, axis: int, example: Any, arr: Any) -> Any:
    """Cut an axis of `arr` into the leaves of `tree`.

    Args:
      example: gives the dtype of every part; None for the one of its leaf.
    """
    leaves, treedef = pytrees.tree_flatten(tree)
    ends = list(itertools.accumulate(map(base.size, leaves[:-1])))
    parts = jnp.split(arr, ends, axis)
    shape = base.shape(arr)
    return treedef.unflatten([
        _cast(part.reshape((*shape[:axis], *base.shape(leaf), *shape[axis + 1:])),
              leaf if example is None else example)
        for part, leaf in zip(parts, leaves)])


def _cast(x: Any, example: Any) -> Any:
    dtype = base.dtype(example)
    if base.dtype(x).family == "c" and dtype.family != "c":
        x = x.real
    aval = abstractify(x)
    # Without a mesh this is still a sharding, and part of the key of the conversion.
    mesh = abstractify(example).mesh
    spec = aval.spec if mesh is not None and mesh == aval.mesh else (None,) * len(aval.shape)
    sharding = NamedSharding(mesh or empty_abstract_mesh, PartitionSpec(*spec))
    return convert.convert(x, dtype, base.is_weak(example), sharding=sharding)

