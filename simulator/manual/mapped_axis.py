"""`jax.vmap` of a `shard_map`: the mapped axis becomes one more axis of each part.

JAX source: ``jax/_src/shard_map.py: _shard_map_batch, _batch_out_specs``;
``jax/_src/interpreters/pxla.py: batch_spec``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from simulator import traces
from simulator.batching import trace as batching
from simulator.manual import types
from simulator.manual.primitive import Results, process, shard_map_p
from simulator.manual.specs import SpecError, VaryingError
from simulator.placement.partition_spec import PartitionSpec


def _with_axis(spec: PartitionSpec, dim: int | None, names: tuple | None) -> PartitionSpec:
    """The spec with an entry for the mapped axis."""
    if dim is None:
        return spec
    parts = [*spec, *[None] * (dim - len(spec))]
    parts.insert(dim, names)
    return PartitionSpec(*parts)


def _check(names: tuple | None, what: str, side: str, specs: Iterable) -> None:
    if names and set(names) & {n for s in specs for n in types.spec_axes(s)}:
        raise ValueError(f"{what} cannot appear in shard_map {side}_specs")


@process.register
def _batch(trace: batching.BatchTrace, fun: Callable, args: Sequence[Any], *, mesh: Any,
           in_specs: Sequence, **params: Any) -> list:
    vals, dims = trace.unwrap_all(args)
    axis, spmd, explicit = trace.axis, trace.axis.spmd_names, trace.axis.names
    taken = ("vmap spmd_axis_name" if spmd else "vmapped away explicit mesh axis")
    _check(spmd or explicit, taken, "in", in_specs)
    if spmd:
        axis = axis._replace(size=axis.size // math.prod(mesh.shape[n] for n in spmd))
    found: list = []

    def fun_batched(*inner: Any) -> Results:
        within = batching.BatchTrace(traces.current(), trace.tag, axis)
        with traces.current_trace(within):
            results = fun(*[within.wrap(x, d) for x, d in zip(inner, dims)])
        outs, out_dims = within.unwrap_all(results.values)
        found[:] = out_dims
        _check(spmd or explicit, taken, "out", results.specs)
        return Results(outs, tuple(_with_axis(s, d, spmd)
                                   for s, d in zip(results.specs, out_dims)))

    with traces.current_trace(trace.parent), trace.outside_mesh_axes():
        try:
            outs = shard_map_p.bind(*vals, fun=fun_batched, mesh=mesh, in_specs=tuple(
                _with_axis(s, d, spmd) for s, d in zip(in_specs, dims)), **params)
        except (SpecError, VaryingError):
            # JAX's message wants the results in a tree that has one leaf more, and fails.
            raise ValueError(f"Too few leaves for PyTreeDef; expected {len(found) + 1}, got "
                             f"{len(found)}") from None
    return [trace.wrap(x, d) for x, d in zip(outs, found)]
