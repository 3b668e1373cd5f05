"""Mesh, sharding and varying axes of a result, from those of the operands.

JAX source: jax/_src/lax/utils.py: call_sharding_rule; jax/_src/core.py:
check_avals_context_mesh, standard_vma_rule.
"""

from __future__ import annotations

from collections.abc import Callable

from simulator.errors import OutOfScope, ShardingTypeError
from simulator.primitives.ambient import context_mesh, state
from simulator.types.avals import ShapedArray


def has_explicit_axis(mesh) -> bool:
    """True when the mesh has an axis of type Explicit (shardings are then in the types)."""
    return any(getattr(t, "name", t) == "Explicit" for t in mesh.axis_types)


def _all_auto(mesh) -> bool:
    return all(getattr(t, "name", t) == "Auto" for t in mesh.axis_types)


def check_context_mesh(avals, name: str) -> None:
    """ValueError when an operand's mesh is not the one in context.

    JAX source: jax/_src/core.py: check_avals_context_mesh.
    """
    here = context_mesh()
    if here is None:
        return
    for a in avals:
        if a.mesh is None or a.mesh == here or (_all_auto(a.mesh) and _all_auto(here)):
            continue
        raise ValueError(f"For primitive {name}, context mesh {here} should match the aval "
                         f"mesh {a.mesh} for shape {a.str_short()}. This error occurs at "
                         "source: ")


def common_mesh(avals, name: str):
    """The mesh of the operands, else the one in context, else None."""
    mesh = None
    for a in avals:
        if a.mesh is None:
            continue
        if mesh is not None and mesh != a.mesh:
            if _all_auto(mesh) and _all_auto(a.mesh):
                # JAX gives up the mesh when two automatic ones meet.
                return context_mesh()
            raise ValueError(f"Mesh for all inputs should be equal. Got one mesh: {mesh} and "
                             f"another mesh: {a.mesh}")
        mesh = a.mesh
    return context_mesh() if mesh is None else mesh


def unsharded(*avals, **params) -> tuple:
    """Spec rule of operations that are only covered when no dimension is sharded."""
    if any(axis is not None for a in avals for axis in a.spec):
        raise OutOfScope("this operation on explicitly sharded arrays",
                         "use Auto mesh axes, or reshard the operand first")
    return ()


def sharding_fields(prim: str, spec_rule: Callable, avals, params, adopts: bool = True,
                    placing: Callable | None = None) -> dict:
    """`mesh`, `spec` and `varying` of a result.

    Args:
      adopts: whether, among explicit axes, a result of operands without a mesh
        gets the mesh in context (JAX's rules differ there from one to another).
      placing: ``(*avals) -> avals``: those that say where the result is; all by default.
    """
    check_context_mesh(avals, prim)
    mesh = common_mesh(avals, prim)
    if mesh is None:
        return {"mesh": None, "spec": None}
    if not has_explicit_axis(mesh):
        return {"mesh": mesh, "spec": (), "varying": varying_together(prim, avals)}
    given = params.get("out_sharding") or params.get("sharding")
    if given is not None:
        return {"mesh": mesh, "spec": tuple(given.spec), "varying": varying_together(prim, avals)}
    of = avals if placing is None else placing(*avals)
    if all(a.mesh is None for a in of):
        mesh = common_mesh((), prim) if adopts else None
    if mesh is None:
        return {"mesh": None, "spec": None}
    try:
        spec = tuple(spec_rule(*avals, **params))
    except OutOfScope as refusal:
        raise OutOfScope(f"{prim} on explicitly sharded arrays", refusal.advice) from None
    return {"mesh": mesh, "spec": spec, "varying": varying_together(prim, avals)}


def varying_together(prim: str, avals) -> frozenset:
    """The mesh axes over which all operands vary. ValueError when they do not agree.

    JAX source: jax/_src/core.py: standard_vma_rule.
    """
    if not avals or not state("check_vma", False):
        return frozenset()
    found = [a.varying for a in avals]
    if any(v != found[0] for v in found):
        raise ValueError(f"Primitive {prim} requires varying manual axes to match, but got {found}. "
                         "Please open an issue at https://github.com/jax-ml/jax/issues and as a "
                         "temporary workaround pass the check_vma=False argument to "
                         "`jax.shard_map`")
    return found[0]


def check_axes_once(name: str, avals, shape, dtype, fields: dict) -> None:
    """ShardingTypeError when a result would have one mesh axis on two dimensions."""
    names = [n for part in fields["spec"] or () if part
             for n in (part if isinstance(part, tuple) else (part,))]
    if len(names) == len(set(names)):
        return
    wrong = ShapedArray(shape, dtype, **fields).str_short(short_dtypes=True)
    raise ShardingTypeError(
        f"{name} operation with inputs: {', '.join(a.str_short(short_dtypes=True) for a in avals)} "
        f"produces an illegally sharded result: {wrong}")
