"""The trace of ``jax.vmap``: every operation goes on to the trace around it, batched.

A tracer here stands for one element; behind it is the whole array, and the number
of the axis along which the elements lie. A primitive's `batch` rule says how to do
the operation for all elements at once.

JAX source: ``jax/_src/interpreters/batching.py: BatchTrace, BatchTracer, AxisData``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from simulator import process, traces
from simulator.batching import axes
from simulator.device_arrays.values import abstractify
from simulator.jaxprs.tracer import Tracer
from simulator.named_tuples import NamedTuple
from simulator.placement import mesh as meshes
from simulator.placement.mesh_types import AxisType
from simulator.running import source


class AxisData(NamedTuple):
    """The axis that is mapped: part of the keys of batched jaxprs, compared by value.

    name: what collectives call it, or None. size: how many elements.
    mesh_axes: the Explicit mesh axes along which the elements are distributed, or None.
    spmd_names: the mesh axes that sharding constraints give the mapped axis, or None.
    """

    name: Any
    size: int
    mesh_axes: tuple | None = None
    spmd_names: tuple | None = None

    @property
    def names(self) -> tuple | None:
        """The mesh axes, unless the mesh in context has them as another type."""
        here = meshes.get_abstract_mesh()
        if self.mesh_axes is None or here.empty:
            return self.mesh_axes
        kind = here._name_to_type[self.mesh_axes[0]]
        return self.mesh_axes if kind is AxisType.Explicit else None

    @property
    def part(self) -> Any:
        """The same as an entry of a `PartitionSpec`."""
        names = self.names
        return names[0] if names is not None and len(names) == 1 else names


class BatchTracer(Tracer):
    """One element of `val`, along its axis `dim`."""

    __slots__ = ("val", "dim", "place")

    def __init__(self, trace: BatchTrace, val: Any, dim: int):
        super().__init__(trace, axes.mapped(abstractify(val), dim))
        self.val, self.dim, self.place = val, dim, source.here(beyond=1)

    def origin(self) -> str:
        """The line that made it. JAX source:
        ``jax/_src/interpreters/batching.py: BatchTracer._origin_msg``."""
        return (f"\nThis BatchTracer with object id {id(self)} was created on line:"
                f"\n  {source.frames(self.place)}")

    def short_repr(self) -> str:
        """The type of an element and of the whole. JAX source:
        ``jax/_src/interpreters/batching.py: BatchTracer._short_repr``."""
        return f"VmapTracer(aval={self.aval}, batched={abstractify(self.val)})"


BatchTracer.__module__ = "jax._src.interpreters.batching"  # error messages show it


class BatchTrace(traces.Trace):
    """Batches what it is handed.

    Args:
      parent: the trace around. tag: tells which tracers are its own; a rule that is
        batched later gets a new trace with the same tag.
      axis: the mapped axis.
    """

    def __init__(self, parent: traces.Trace, tag: object, axis: AxisData):
        from simulator.batching import all  # noqa: F401  (sets the rules, the first time)
        super().__init__(parent)
        self.tag, self.axis = tag, axis

    def unwrap(self, value: Any) -> tuple[Any, int | None]:
        """(array, mapped axis) behind a value; the axis is None for what is not mapped."""
        if isinstance(value, BatchTracer) and value._trace.tag is self.tag:
            return value.val, value.dim
        return value, None

    def wrap(self, value: Any, dim: int | None) -> Any:
        """A tracer for `value`, mapped along axis `dim`; `value` itself when `dim` is None."""
        return value if dim is None else BatchTracer(self, value, dim)

    def process_primitive(self, primitive: Any, args: tuple, params: dict) -> Any:
        """Apply the primitive's batching rule. NotImplementedError when it has none."""
        vals, dims = self.unwrap_all(args)
        with traces.current_trace(self.parent), self.outside_mesh_axes():
            if primitive.batch is None:
                if any(d is not None for d in dims):
                    raise NotImplementedError(
                        f"Batching rule for '{primitive.name}' not implemented")
                return primitive.bind_with(self.parent, vals, params)
            out, dim = primitive.batch(self.axis, vals, dims, **params)
        if primitive.multiple_results:
            return [self.wrap(x, d) for x, d in zip(out, dim)]
        return self.wrap(out, dim)

    def stage_value(self, value: Any) -> Any:
        own = isinstance(value, BatchTracer) and value._trace.tag is self.tag
        return value if own else self.parent.stage_value(value)

    def process_custom_jvp_call(self, primitive: Any, fun: Callable, jvp: Any, args: Any,
                                symbolic_zeros: bool) -> list:
        from simulator.batching import custom
        return custom.jvp_call(self, primitive, fun, jvp, args, symbolic_zeros)

    def process_custom_vjp_call(self, primitive: Any, fun: Callable, fwd: Any, bwd: Any,
                                args: Any, out_trees: Callable, symbolic_zeros: bool) -> list:
        from simulator.batching import custom
        return custom.vjp_call(self, primitive, fun, fwd, bwd, args, out_trees, symbolic_zeros)

    def outside_mesh_axes(self) -> Any:
        """Around what is handed on: there the mesh axes of the mapped one are free again."""
        names = self.axis.names
        return (nullcontext() if names is None else
                _axis_env(lambda env: env.without_explicit_names(names)))

    def unwrap_all(self, values: Any) -> tuple[list, list]:
        """The whole arrays behind `values`, and the mapped axis of each (None: not mapped)."""
        pairs = [self.unwrap(v) for v in values]
        return [v for v, _ in pairs], [d for _, d in pairs]


@contextmanager
def _axis_env(change: Callable) -> Iterator[None]:
    config = process.current().config
    before = config.swap_local("axis_env_state", change(config.value("axis_env_state")))
    try:
        yield
    finally:
        config.set_local("axis_env_state", before)


@contextmanager
def inside(trace: BatchTrace) -> Iterator[None]:
    """`trace` is current and its axis is in scope.

    The axis environment is part of every key; an axis without a name adds nothing.
    """
    axis = trace.axis
    with traces.current_trace(trace), _axis_env(
            lambda env: env.extend([(axis.name, axis.size)]).with_explicit_names(
                axis.names or ()).with_spmd_names(axis.spmd_names or ())):
        yield


def batch(fun: Callable, axis: AxisData, in_dims: list, out_dims: Callable,
          sum_match: bool = False) -> Callable:
    """`fun` on whole arrays.

    Args:
      fun: flat, on single elements. in_dims: the mapped axis per argument, or None.
      out_dims: called when `fun` has returned, gives the axis wanted per result.

    Errors: SpecMatchError with the number of the result, see `axes.match`.
    """
    def batched(*vals: Any) -> list:
        trace = BatchTrace(traces.current(), object(), axis)
        tracers = [trace.wrap(v, d if d is None else d % len(abstractify(v).shape))
                   for v, d in zip(vals, in_dims)]
        with inside(trace):
            outs = fun(*tracers)
            return [_finish(trace, i, out, dst, sum_match)
                    for i, (out, dst) in enumerate(zip(outs, out_dims(), strict=True))]
    return batched


def _finish(trace: BatchTrace, number: int, out: Any, dst: int | None, sum_match: bool) -> Any:
    value, src = trace.unwrap(out)
    try:
        return axes.match(trace.axis, src, dst, value, sum_match)
    except axes.SpecMatchError:
        raise axes.SpecMatchError(number, src, dst) from None
