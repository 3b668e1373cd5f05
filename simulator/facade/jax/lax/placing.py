"""Results placed by hand: ``with_sharding_constraint`` and ``out_sharding=``.

JAX source: ``jax/_src/pjit.py: with_sharding_constraint,
sharding_constraint_p``; ``jax/_src/sharding_impls.py: canonicalize_sharding``.
"""

from __future__ import annotations

from typing import Any

from simulator import dispatch
from simulator.api import jit
from simulator.device_arrays.arrays import Array
from simulator.device_arrays.values import abstractify
from simulator.ndarrays.ndarray import NDArray
from simulator.placement import mesh as meshes
from simulator.placement import sharding_args
from simulator.placement.mesh_types import AbstractMesh, AxisType, Mesh
from simulator.placement.partition_spec import UNCONSTRAINED, PartitionSpec
from simulator.placement.sharding_types import NamedSharding, Sharding
from simulator.placement.shardings import aval_with_sharding
from simulator.primitives.ambient import context_mesh
from simulator.primitives.core import Primitive
from simulator.running import source
from simulator.trees import pytrees
from simulator.trees.tree_errors import flatten_axes
from simulator.types.avals import ShapedArray


def canonical_out_sharding(sharding: Any, name: str,
                           check_mesh: bool = True) -> NamedSharding | None:
    """An ``out_sharding`` argument over the abstract mesh; None when it says nothing.

    Errors: TypeError for other things, ValueError for a spec without a mesh, for
    another mesh than the one in context, or for axes that are not Explicit.
    """
    if sharding is None or (isinstance(sharding, NamedSharding) and sharding.mesh.empty):
        return None
    if not isinstance(sharding, (NamedSharding, PartitionSpec)):
        raise TypeError(f"`out_sharding` argument of {name} only supports instances of "
                        f"`NamedSharding` or `PartitionSpec`. Got {sharding} of type: "
                        f"{type(sharding)}")
    here = meshes.get_abstract_mesh()
    if isinstance(sharding, PartitionSpec):
        if here.empty:
            raise ValueError("Using PartitionSpec when you are not under a mesh context is not "
                             "allowed. Please pass a NamedSharding instance or enter into a mesh "
                             f"context via `jax.set_mesh`. Got {sharding}")
        sharding = NamedSharding(here, sharding)
    abstract = sharding.mesh if isinstance(sharding.mesh, AbstractMesh) \
        else sharding.mesh.abstract_mesh
    auto = abstract._are_all_axes_auto_or_manual and here._are_all_axes_auto_or_manual
    if check_mesh and not here.empty and not auto and abstract != here:
        raise ValueError(f"Context mesh {here} should match the mesh of sharding {abstract} passed "
                         f"to {name}. This error occurs at source:  {source.callsite()}")
    sharding = NamedSharding(abstract, sharding.spec)
    kinds = dict(zip(abstract.axis_names, abstract.axis_types))
    for part in sharding.spec.partitions:
        for axis in part if isinstance(part, tuple) else (part,):
            if axis is not None and kinds.get(axis) in (AxisType.Auto, AxisType.Manual):
                raise ValueError(
                    f"PartitionSpec passed to {name} cannot contain axis names that are of type "
                    f"Auto or Manual. Got PartitionSpec: {sharding.spec} with axis name: {axis} "
                    f"of type: {kinds[axis]}. This error occurs at source:  {source.callsite()}")
    return sharding


def filled(shard: Array, shape: tuple, sharding: Sharding) -> Array:
    """An array of one repeated value, made shard by shard at its place."""
    aval = aval_with_sharding(ShapedArray(shape, shard.dtype), sharding)
    numbers = shard.storage()
    return Array(aval, NDArray.lazy(
        shape, shard.dtype, lambda v: [v[0]] * aval.size if aval.size else [], [numbers]),
        sharding, True)


def with_sharding_constraint(x: Any, shardings: Any) -> Any:
    """``jax.lax.with_sharding_constraint``: where intermediate results are to be.

    Args:
      x: a pytree of arrays. shardings: a sharding, a `PartitionSpec` (over the
        mesh in context), or a prefix tree of them.
    """
    leaves, tree = pytrees.tree_flatten(x)
    avals = [abstractify(leaf) for leaf in leaves]
    context = meshes.get_abstract_mesh()
    if context.empty:
        context = meshes.legacy_mesh()
    wanted = [_sharding(s, context) for s in _flat(shardings, tree)]
    for s, aval in zip(wanted, avals):
        sharding_args.check_aval(s, aval.shape, "One of with_sharding_constraint arguments",
                                 uneven=True)
    outs = []
    explicit = not (mesh := meshes.get_abstract_mesh()).empty and mesh.are_all_axes_explicit
    for leaf, aval, s in zip(leaves, avals, wanted):
        if explicit and isinstance(s, NamedSharding):
            _assert_equal(aval, s)
            outs.append(leaf)
            continue
        _check_auto(s)
        unconstrained = frozenset(
            i for i, p in enumerate(s.spec.partitions) if p is UNCONSTRAINED) \
            if isinstance(s, NamedSharding) else frozenset()
        outs.append(sharding_constraint_p.bind(leaf, sharding=s, layout=None,
                                               context_mesh=context,
                                               unconstrained_dims=unconstrained))
    return tree.unflatten(outs)


def _flat(shardings: Any, tree: Any) -> list:
    if shardings is None or isinstance(shardings, (Sharding, PartitionSpec)):
        return [shardings] * tree.num_leaves
    return flatten_axes(pytrees.current(), "with_sharding_constraint shardings", tree, shardings)


def _sharding(s: Any, context: Any) -> Sharding:
    if isinstance(s, Sharding):
        return s
    if s is None:
        raise ValueError("One of with_sharding_constraint arguments got sharding None which is "
                         "not allowed. Please only pass `jax.sharding.Sharding` instances.")
    if context.empty:
        raise RuntimeError(
            "with_sharding_constraint requires a non-empty mesh in context if you are passing "
            "`PartitionSpec`s to shardings. You can define a context mesh via "
            "`jax.set_mesh(mesh)`. Alternatively, provide `Sharding`s to shardings and then the "
            "mesh context manager is not required.")
    return NamedSharding(context, s)


def _assert_equal(aval: ShapedArray, sharding: NamedSharding) -> None:
    # Over Explicit axes a constraint only states what the type says already.
    wanted = sharding.spec.partitions + (None,) * (aval.ndim - len(sharding.spec))
    for have, part in zip(aval.spec or (None,) * aval.ndim, wanted):
        if part is not UNCONSTRAINED and have != part:
            raise AssertionError(
                "`with_sharding_constraint` acts as an assert when all axes of mesh are of type "
                f"`Explicit`. The array sharding: {PartitionSpec(*aval.spec)} did not match the "
                f"sharding provided: {PartitionSpec(*wanted)}. Please use `jax.sharding.reshard` "
                "to shard your input to the sharding you want.")


def _check_auto(sharding: Sharding) -> None:
    if not isinstance(sharding, NamedSharding):
        return
    m = sharding.mesh
    mesh = m.abstract_mesh if isinstance(m, Mesh) else m
    names = [name for part in sharding.spec.partitions if part not in (None, UNCONSTRAINED)
             for name in (part if isinstance(part, tuple) else (part,))]
    if any(mesh._name_to_type[name] is not AxisType.Auto for name in names):
        raise ValueError(
            "The spec of NamedSharding passed to with_sharding_constraint can only refer to Auto "
            f"axes of the mesh. Got spec={sharding.spec} and mesh={mesh}. You probably meant to "
            "use `reshard` API?")


def _abstract(x: ShapedArray, *, sharding: Any, **params: Any) -> ShapedArray:
    if not isinstance(sharding, NamedSharding):
        return x.update(mesh=context_mesh(), spec=None)
    m = sharding.mesh
    mesh = m.abstract_mesh if isinstance(m, Mesh) else m
    if mesh._are_all_axes_auto_or_manual:
        return x.update(mesh=mesh, spec=None)
    return x.update(mesh=mesh, spec=x.spec or None)


def _identity_fn(x: Any) -> Any:
    return x


def _eager(x: Any, *, sharding: Any, layout: Any, context_mesh: Any,
           unconstrained_dims: frozenset) -> Any:
    if isinstance(sharding, NamedSharding) and isinstance(sharding.mesh, AbstractMesh):
        concrete = meshes.get_concrete_mesh()
        if isinstance(x, Array) and isinstance(x.sharding, NamedSharding):
            concrete = x.sharding.mesh
        elif isinstance(x, Array) or concrete.empty:
            raise TypeError(
                "The sharding on the input must be a `NamedSharding` since the target sharding "
                f"has an `AbstractMesh` in it. Got sharding type {type(x.sharding)} for shape "
                f"{abstractify(x).str_short()}")
        sharding = NamedSharding(concrete, sharding.spec)
    if isinstance(sharding, NamedSharding) and UNCONSTRAINED in sharding.spec.partitions:
        return dispatch.apply_primitive(sharding_constraint_p, (x,), dict(
            sharding=sharding, layout=layout, context_mesh=context_mesh,
            unconstrained_dims=unconstrained_dims))
    return jit(_identity_fn, out_shardings=sharding)(x)


sharding_constraint_p = Primitive("sharding_constraint", abstract=_abstract,
                                  impl=lambda x, **params: x)
sharding_constraint_p.eager = _eager


def optimization_barrier(operand: Any) -> Any:
    """``jax.lax.optimization_barrier`` over a pytree."""
    from simulator.primitives.convert import optimization_barrier_p
    leaves, tree = pytrees.tree_flatten(operand)
    return tree.unflatten(optimization_barrier_p.bind(*leaves))
