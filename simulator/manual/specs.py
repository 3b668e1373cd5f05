"""What may be said in ``in_specs`` and ``out_specs``, and JAX's errors for the rest.

JAX source: ``jax/_src/shard_map.py: _shmap_checks, _check_specs,
_check_specs_vs_args, _spec_rank_error, _spec_divisibility_error, _inout_vma_error,
_manual_spec``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from simulator import process
from simulator.functions import signature
from simulator.manual import types
from simulator.placement import mesh as meshes
from simulator.placement.mesh_types import AbstractMesh, AxisType, Mesh
from simulator.placement.partition_spec import PartitionSpec
from simulator.primitives.collectives import axis_env
from simulator.trees import pytrees, tree_errors
from simulator.trees.keypaths import keystr
from simulator.types.avals import ShapedArray


class _Infer:
    def __repr__(self) -> str:
        return "jax.sharding.Infer"


Infer = _Infer()
"""The default of ``in_specs``: what the types of the arguments say."""


class SpecError(Exception):
    """Results with fewer dimensions than their spec says; one type or None per result."""


class VaryingError(Exception):
    """Results that vary over an axis that their spec leaves out; the axes or None per result."""


def checked(mesh: Any, axis_names: Any, in_specs: Any, out_specs: Any, smap: bool
            ) -> tuple[Any, frozenset]:
    """The mesh, from the context when none is given, and the axes the function is manual over.

    Errors: ValueError and TypeError as JAX's.
    """
    context = meshes.get_abstract_mesh()
    if mesh is None:
        mesh = context
        if mesh.empty:
            raise ValueError("The context mesh cannot be empty. Use `jax.set_mesh(mesh)` to enter "
                             "into a mesh context")
    elif not context.empty and mesh.abstract_mesh != context:
        raise ValueError(f"The context mesh {context} should match the mesh passed to shard_map "
                         f"{mesh}")
    if not isinstance(mesh, (Mesh, AbstractMesh)):
        raise TypeError("shard_map requires a `jax.sharding.Mesh` or a "
                        "`jax.sharding.AbstractMesh` instance for its second argument, but got "
                        f"{mesh} of type {type(mesh)}.")
    if mesh.empty:
        raise ValueError(f"shard_map requires a non-empty mesh. Got {mesh}")
    free = free_axes(mesh)
    if not isinstance(axis_names, (frozenset, set)):
        raise TypeError("`axis_names` argument of shard_map should be of type `frozenset` or "
                        f"`set`. Got type: {type(axis_names)}")
    axis_names = frozenset(axis_names) or free
    if not axis_names <= free:
        raise ValueError(f"jax.shard_map requires axis_names={axis_names} to be a subset of "
                         f"mesh.axis_names={free}")
    if in_specs is Infer and not explicit(mesh, axis_names):
        kinds = ", ".join(str(mesh._name_to_type[a]) for a in axis_names)
        raise TypeError(
            f"in_axes was not specified when axis_name={axis_names} was of type {kinds}" if smap
            else "shard_map in_specs argument must be a pytree of `jax.sharding.PartitionSpec` "
                 f"instances, but it was `None` when {axis_names=} are of type {kinds}")
    if in_specs is not Infer and in_specs is not None:
        _check("in", in_specs, axis_names)
    _check("out", out_specs, axis_names)
    return mesh, axis_names


def free_axes(mesh: Any) -> frozenset:
    """The axes of a mesh that no `jax.vmap` around has taken."""
    return frozenset(mesh.axis_names) - axis_env().explicit_mesh_axis_names


def explicit(mesh: Any, names: Iterable) -> bool:
    """Whether all these axes are of the kind Explicit."""
    return all(mesh._name_to_type[a] is AxisType.Explicit for a in names)


def _unknown(spec: PartitionSpec, manual: frozenset) -> list:
    return [n for n in spec.names() if n not in manual]


def _check(side: str, specs: Any, manual: frozenset) -> None:
    pairs = pytrees.tree_flatten_with_path(specs)[0]
    if all(isinstance(s, PartitionSpec) and not _unknown(s, manual) for _, s in pairs):
        return
    lines = [f"  {side}_specs{keystr(path)} is {s} of type {type(s).__name__}, "
             for path, s in pairs if not isinstance(s, PartitionSpec)]
    if lines:
        kind, what = TypeError, ("be a pytree of `jax.sharding.PartitionSpec` instances")
    else:
        lines = [f"  {side}_specs{keystr(path)} refers to {n!r}"
                 for path, s in pairs for n in _unknown(s, manual)]
        kind, what = ValueError, f"refer to an axis marked as manual ({manual})"
    raise kind(f"shard_map {side}_specs argument must {what}, but:\n\n" + "\n\n".join(lines)
               + f"\n\nCheck the {side}_specs values passed to shard_map.")


def broadcast(side: str, specs: Any, tree: Any, **options: Any) -> list:
    """One spec per leaf. ValueError when the specs are no prefix of the tree."""
    registry = process.current().registries.default
    try:
        return tree_errors.broadcast_prefix(registry, specs, tree, **options)
    except ValueError:
        error = next(tree_errors.prefix_errors(registry, specs, tree))
        raise error(f"shard_map {side}_specs") from None


def of_type(axis_names: frozenset, aval: ShapedArray) -> PartitionSpec:
    """What the type of an argument says, for the axes that become manual."""
    out = []
    for part in aval.spec or (None,) * len(aval.shape):
        names = part if isinstance(part, tuple) else (part,)
        kept = [n if n in axis_names else None for n in names]
        while kept and kept[-1] is None:
            kept.pop()
        if None in kept:
            raise ValueError(f"Invalid spec: {PartitionSpec(*aval.spec)}")
        out.append(tuple(kept) if isinstance(part, tuple) and kept else kept[0] if kept else None)
    return PartitionSpec(*out)


def check_arguments(fun: Callable, mesh: Any, args: tuple, flat: Sequence,
                    avals: Sequence[ShapedArray]) -> None:
    """ValueError for a spec that is too long for its argument, or does not divide it."""
    long = [a if isinstance(s, PartitionSpec) and len(s) > a.ndim else None
            for s, a in zip(flat, avals)]
    if any(a is not None for a in long):
        raise ValueError(rank_error("in", fun, args, flat, long))
    uneven = [a if isinstance(s, PartitionSpec) and any(
        a.shape[d] % _size(mesh, ns) for d, ns in types.spec_names(s).items()) else None
        for s, a in zip(flat, avals)]
    if any(a is not None for a in uneven):
        raise ValueError(_divisibility_error(fun, mesh, args, flat, uneven))


def check_inferred(flat: Sequence, avals: Sequence[ShapedArray]) -> None:
    """ValueError where a spec says something else than an explicit type."""
    for spec, aval in zip(flat, avals):
        said = PartitionSpec(*spec, *(None,) * (aval.ndim - len(spec)))
        have = PartitionSpec(*(aval.spec or (None,) * aval.ndim))
        if said != have:
            raise ValueError(
                f"in_specs passed to shard_map: {said} does not match the specs of the input: "
                f"{have} for arg: {aval}. `in_specs` is an optional argument so you can omit "
                "specifying it and shard_map will infer the in_specs from the arguments. If you "
                "want to reshard your inputs, you can use `jax.reshard` on the arguments and then "
                "pass those args to shard_map.")


def _size(mesh: Any, names: tuple) -> int:
    return math.prod(mesh.shape[n] for n in names)


def _failures(tree: Any, flat: Sequence, fails: Sequence) -> list[tuple]:
    """[(path of the value, its spec, failure)] where something failed."""
    paths = [keystr(p) for p, _ in pytrees.tree_flatten_with_path(tree)[0]]
    return [(path, spec, fail) for path, spec, fail in zip(paths, flat, fails)
            if fail is not None]


def rank_error(side: str, fun: Callable, tree: Any, flat: Sequence, fails: Sequence) -> str:
    """The text for specs that are too long. `tree`: the arguments, or the results."""
    name = signature.fun_name(fun)
    lines = [f"value{path} is {aval.str_short()}: {aval.ndim} dimensions, but {spec} has "
             f"{len(spec)} entries" for path, spec, aval in _failures(tree, flat, fails)]
    return (f"shard_map applied to the function '{name}' was given an {side}_specs entry which is "
            f"too long to be compatible with the corresponding {side}put value from the function:\n"
            + "\n".join(lines))


def _divisibility_error(fun: Callable, mesh: Any, args: tuple, flat: Sequence, fails: Sequence
                        ) -> str:
    name = getattr(fun, "__name__", str(fun))
    lines = [f"args{path} is {aval.str_short()}: cut as {spec} on a mesh of {dict(mesh.shape)}, "
             "some dimension leaves a rest" for path, spec, aval in _failures(args, flat, fails)]
    return (f"shard_map applied to the function '{name}' was given argument arrays with axis sizes "
            "that are not evenly divisible by the corresponding mesh axis sizes:\n"
            + "\n".join(lines))


def varying_error(fun: Callable, mesh: Any, tree: Any, flat: Sequence, fails: Sequence) -> str:
    """The text for results that vary over axes which their spec leaves out."""
    name = getattr(fun, "__name__", str(fun))
    lines = [f"value{path} may vary over {types.in_order(mesh, varying)}, but {spec} promises that "
             f"it does not vary over {types.in_order(mesh, varying - types.spec_axes(spec))}"
             for path, spec, varying in _failures(tree, flat, fails)]
    return (f"shard_map applied to the function '{name}' was given out_specs which require "
            "replication which can't be statically inferred given the mesh:\n" + "\n".join(lines))


def check_results(mesh: Any, specs: Sequence, avals: Sequence[ShapedArray], check_vma: bool
                  ) -> None:
    """SpecError or VaryingError, see there."""
    long = [a if spec and len(spec) > a.ndim else None for spec, a in zip(specs, avals)]
    if any(a is not None for a in long):
        raise SpecError(long)
    if not check_vma:
        return
    before = set(mesh.manual_axes)
    loose = [a.varying if a.varying - types.spec_axes(s) - before else None
             for s, a in zip(specs, avals)]
    if any(v is not None for v in loose):
        raise VaryingError(loose)
