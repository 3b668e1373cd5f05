"""How explicit shardings go from operands to results.

A rule takes the operands' types and the parameters and gives one mesh axis (or
tuple of axes, or None) per dimension of the result. Where JAX refuses, it raises
ShardingTypeError with JAX's words.

JAX source: jax/_src/lax/lax.py and jax/_src/lax/slicing.py, the functions called
_…_sharding_rule; jax/_src/lax/control_flow/loops.py: _cumred_sharding_rule.
"""

from __future__ import annotations

import math

from simulator.errors import ShardingTypeError


def parts(aval) -> tuple:
    """One entry per dimension, also for a type without a mesh."""
    return tuple(aval.spec) or (None,) * len(aval.shape)


def names(part) -> tuple:
    """The mesh axes of one dimension."""
    return () if part is None else part if isinstance(part, tuple) else (part,)


def pieces(mesh, part) -> int:
    """Into how many pieces a dimension is cut."""
    return math.prod(mesh.shape[n] for n in names(part))


def sharding_text(aval) -> str:
    """A type's sharding as error messages show it."""
    from simulator.placement.mesh_types import empty_abstract_mesh
    from simulator.placement.shardings import NamedSharding, PartitionSpec
    return str(NamedSharding(aval.mesh or empty_abstract_mesh, PartitionSpec(*parts(aval))))


def first_of_equals(message):
    """Rule: the operands that have a mesh agree. message: texts of shardings -> text."""
    def rule(*operands, **params):
        known = [o for o in operands if o.mesh is not None]
        if any((o.mesh, parts(o)) != (known[0].mesh, parts(known[0])) for o in known):
            raise ShardingTypeError(message(list(map(sharding_text, operands))))
        return parts(known[0]) if known else ()
    return rule


equal_specs = first_of_equals(
    lambda texts: f"All operands should have the same sharding. Got shardings {', '.join(texts)}")


def stacked(*operands, axis):
    """Rule of stack: the new dimension is not cut."""
    spec = equal_specs(*operands)
    return (*spec[:axis], None, *spec[axis:])


def unstacked(operand, *, axis):
    """Rules of unstack, one per result."""
    spec = parts(operand)
    if spec[axis] is not None:
        raise ShardingTypeError(
            f"unstack operand cannot be sharded on the unstacking axis {axis}. "
            f"Got operand type={operand.str_short(True)}")
    return [spec[:axis] + spec[axis + 1:]] * operand.shape[axis]


def resized(what: str, operand, out_shape) -> tuple:
    """Rule of operations that keep dimensions but change their sizes."""
    if all(n == 1 for n in out_shape):
        return ()
    for old, new, part in zip(operand.shape, out_shape, parts(operand)):
        if old != new and part is not None and new % pieces(operand.mesh, part):
            raise ShardingTypeError(
                f"{what} on sharded dims where out dim ({new}) is not divisible by mesh axes "
                f"({pieces(operand.mesh, part)}) with spec ({part}) is not implemented. Got input "
                f"type={operand.str_short(True)} and output shape={tuple(out_shape)}")
    return parts(operand)


def updated(operand, update, *start_indices):
    """Rule of dynamic_update_slice."""
    if (operand.mesh, parts(operand)) != (update.mesh, parts(update)):
        raise ShardingTypeError(
            "dynamic_update_slice operand sharding must be equal to update sharding, got operand "
            f"sharding {operand.str_short(mesh_axis_types=True)} and update sharding "
            f"{update.str_short(mesh_axis_types=True)}.")
    return parts(operand)


def running(x, *, axis, reverse):
    """Rule of cumsum and its kin."""
    if parts(x)[axis] is not None:
        raise ShardingTypeError("Input should be unsharded over the axis being reduced. Got input "
                                f"type={x} and axis={axis}")
    return parts(x)


def check_sort(avals, dimension) -> None:
    """The checks of sort; its results have the operands' types."""
    known = [a for a in avals
             if a.mesh is not None and any(t.name == "Explicit" for t in a.mesh.axis_types)]
    for a in known:
        if parts(a)[dimension] is not None:
            raise ShardingTypeError(
                "Arguments to sort must be unsharded over the sorting dimension. Got arg "
                f"sharding={sharding_text(a)} and sorting dimension={dimension}")
        if (a.mesh, parts(a)) != (known[0].mesh, parts(known[0])):
            raise ShardingTypeError("Arguments to sort must have equal shardings, got: "
                                    + " ".join(map(sharding_text, known)))


def check_tile(x, reps) -> None:
    """The check of tile; its result has the operand's spec."""
    for i, (r, part) in enumerate(zip(reps, parts(x))):
        if r != 1 and part is not None:
            raise ShardingTypeError(f"Operand cannot be sharded on dimension {i} when the tiling is "
                                    f"non-trivial. Got input type: {x} with reps: {reps}")


def multiplied(lhs, rhs, *, dimension_numbers, out_sharding=None, **params):
    """Rule of dot_general: batch, then what is left of both operands."""
    (lhs_contract, rhs_contract), (lhs_batch, rhs_batch) = dimension_numbers
    left, right = parts(lhs), parts(rhs)
    lhs_contracting_spec = tuple(left[i] for i in lhs_contract)
    rhs_contracting_spec = tuple(right[i] for i in rhs_contract)
    batch, other = tuple(left[i] for i in lhs_batch), tuple(right[i] for i in rhs_batch)
    if batch != other:
        raise ShardingTypeError("dot_general requires lhs batch dimensions and rhs batch dimensions "
                                f"to have the same sharding, got {batch} and {other}.")
    if any(a is not None and b is not None
           for a, b in zip(lhs_contracting_spec, rhs_contracting_spec)):
        raise ShardingTypeError(
            "Contracting dimensions are sharded and it is ambiguous how the output should be "
            "sharded. Please specify the output sharding via the `out_sharding` parameter. Got "
            f"{lhs_contracting_spec=} and {rhs_contracting_spec=}")
    return (*batch,
            *(p for i, p in enumerate(left) if i not in (*lhs_contract, *lhs_batch)),
            *(p for i, p in enumerate(right) if i not in (*rhs_contract, *rhs_batch)))


def broadcasting(name: str):
    """Rule of elementwise operations."""
    def rule(*avals, **params):
        ranked = [a for a in avals if a.shape]
        if not ranked:
            return ()
        out = []
        for axes, sizes in zip(zip(*map(parts, ranked)), zip(*(a.shape for a in ranked))):
            real = [x for x, n in zip(axes, sizes) if not (n == 1 and x is None)]
            named = [x for x in axes if x is not None]
            if all(x == axes[0] for x in axes):
                out.append(axes[0])
            elif all(x == real[0] for x in real):
                out.append(real[0])
            elif any(x != named[0] for x in named):
                raise ShardingTypeError(
                    f"{name} got incompatible shardings for broadcasting: "
                    f"{', '.join(str(parts(a)) for a in ranked)}.")
            else:
                out.append(named[0])
        return tuple(out)
    return rule


def selected(which, *cases):
    """Rule of select_n."""
    known = [c for c in cases if c.mesh is not None]
    if not known:
        return ()
    if any((c.mesh, parts(c)) != (known[0].mesh, parts(known[0])) for c in known):
        raise ShardingTypeError("select cases must have the same shardings, got "
                                f"[{', '.join(map(sharding_text, cases))}].")
    if which.shape and which.mesh is not None and \
            (which.mesh, parts(which)) != (known[0].mesh, parts(known[0])):
        raise ShardingTypeError(
            "select `which` must be scalar or have the same sharding as cases, got `which` "
            f"sharding {sharding_text(which)} but case sharding {sharding_text(cases[0])}.")
    return parts(known[0])
