"""`jax.shard_map` outside of `jax.jit`: each operation is a compiled program of its own.

The parts of all devices are kept together, stacked along a new first axis that the mesh
cuts. Splitting an argument, every operation, and putting a result together are each a
jitted `shard_map` of a function made for it, which is gone when the call is over; and
what the caches hold for it goes with it. The next call compiles everything anew.

JAX source: ``jax/_src/shard_map.py: _shard_map_impl, _run_shmap, ShardMapTrace,
ShardMapTracer, _prim_applier, _unmatch_spec, _match_spec``.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from simulator import traces
from simulator.api import jit
from simulator.device_arrays.arrays import Array
from simulator.device_arrays.values import abstractify
from simulator.errors import InternalFloatingPointError, OutOfScope
from simulator.facade.jax.lax import shapes
from simulator.functions.hashable_partial import HashablePartial
from simulator.jaxprs import applying, evaluate
from simulator.jaxprs.tracer import Tracer
from simulator.manual import mapping, specs, types
from simulator.manual.primitive import Results, process
from simulator.placement import mesh as meshes
from simulator.placement.mesh_types import AbstractMesh, Mesh
from simulator.placement.partition_spec import PartitionSpec
from simulator.placement.sharding_types import NamedSharding


@contextlib.contextmanager
def _computing(**values: Any) -> Iterator[None]:
    """Inside, operations are computed, and compiled even where `jax.disable_jit` is on."""
    with traces.current_trace(traces.EVAL), applying.states(jax_disable_jit=False, **values):
        yield


@contextlib.contextmanager
def _on(mesh: Mesh) -> Iterator[None]:
    """Inside, the devices of a mesh are in context."""
    with applying.states(abstract_mesh_context_manager=mesh.abstract_mesh), \
            meshes.internal_use_concrete_mesh(mesh):
        yield


def _rem_singleton(x: Any) -> Any:
    return shapes.squeeze(x, [0])


def _add_singleton(x: Any) -> Any:
    return shapes.expand_dims(x, [0])


def _unmatch(mesh: Mesh, check_vma: bool, in_spec: PartitionSpec, manual: frozenset, x: Any) -> Any:
    stacked = (types.axes_spec(mesh, types.spec_axes(in_spec)) if check_vma
               else PartitionSpec(mesh.axis_names))
    return mapping.mapped(_add_singleton, mesh=mesh, in_specs=(in_spec,), out_specs=stacked,
                          check_vma=check_vma, axis_names=manual)(x)


def _split(mesh: Mesh, check_vma: bool, context: Any, manual: frozenset, spec: PartitionSpec,
           x: Any) -> Any:
    """The parts of an array, stacked."""
    with _computing(abstract_mesh_context_manager=context):
        return jit(HashablePartial(_unmatch, mesh, check_vma, spec, manual))(x)


def _match(mesh: Mesh, check_vma: bool, manual: frozenset, stacked: PartitionSpec,
           spec: PartitionSpec, x: Any) -> Any:
    return mapping.mapped(_rem_singleton, mesh=mesh, in_specs=stacked, out_specs=spec,
                          check_vma=check_vma, axis_names=manual)(x)


def _join(mesh: Mesh, check_vma: bool, manual: frozenset, x: Any, stacked: PartitionSpec,
          spec: PartitionSpec) -> Any:
    """The array of which these are the parts."""
    fn = HashablePartial(_match, mesh, check_vma, manual, stacked, spec)
    with _computing():
        if set(mesh.axis_names) == manual:
            return jit(fn, out_shardings=NamedSharding(mesh, spec))(x)
        return jit(fn)(x)


def _prim_applier(primitive: Any, check_vma: bool, params: tuple, mesh: Mesh, manual: frozenset,
                  in_specs: Any, out_specs: Any, *args: Any) -> Any:
    # The names of the parameters are part of what the log shows.
    def apply(*args: Any) -> Any:
        outs = primitive.bind(*map(_rem_singleton, args), **dict(params))
        return list(map(_add_singleton, outs)) if primitive.multiple_results \
            else _add_singleton(outs)

    out_specs = list(out_specs) if type(out_specs) is tuple else out_specs
    return mapping.mapped(apply, mesh=mesh, in_specs=in_specs, out_specs=out_specs,
                          check_vma=check_vma, axis_names=manual)(*args)


class ShardMapTrace(traces.Trace):
    """Computes for all devices of a mesh at once.

    Args:
      manual: the axes that the function is written for.
      check: whether types say how values vary.
    """

    def __init__(self, mesh: Mesh, manual: frozenset, check: bool):
        super().__init__()
        self.mesh, self.manual, self.check = mesh, manual, check

    def unwrap(self, value: Any) -> tuple[Any, frozenset]:
        """(parts stacked, axes over which they vary); a value that is no tracer is split."""
        if isinstance(value, ShardMapTracer):
            return value.val, value.axes
        if isinstance(value, Tracer):
            raise Exception(f"Shouldn't have any non-shard_map tracers: {value}")
        return _split(self.mesh, self.check, self.mesh.abstract_mesh, self.manual,
                      PartitionSpec(), value), frozenset()

    def process_primitive(self, primitive: Any, args: Any, params: dict) -> Any:
        if primitive.name in _RULES:
            return _RULES[primitive.name](args, params)
        pairs = [self.unwrap(a) for a in args]
        vals, axes = [v for v, _ in pairs], [a for _, a in pairs]
        in_specs: Any
        out_specs: Any
        if self.check:
            out = primitive.abstract(*map(abstractify, args), **params)
            in_specs = tuple(types.axes_spec(self.mesh, a) for a in axes)
            if primitive.multiple_results:
                found = [a.varying for a in out]
                out_specs = tuple(types.axes_spec(self.mesh, v) for v in found)
            else:
                found = [out.varying]
                out_specs = types.axes_spec(self.mesh, out.varying)
        else:
            found = []
            in_specs = out_specs = types.axes_spec(self.mesh, self.manual)
        fn = HashablePartial(_prim_applier, primitive, self.check, tuple(params.items()),
                             self.mesh, self.manual, in_specs, out_specs)
        with _computing(jax_debug_nans=False, jax_debug_infs=False), _on(self.mesh):
            outs = jit(fn)(*vals)
        flat = list(outs) if primitive.multiple_results else [outs]
        try:
            evaluate.check_special("shard_map", flat)
        except InternalFloatingPointError as error:
            raise FloatingPointError(
                f"Invalid value ({error.kind}) encountered in sharded computation.") from None
        tracers = [ShardMapTracer(self, v, a)
                   for v, a in zip(flat, found or [frozenset()] * len(flat))]
        return tracers if primitive.multiple_results else tracers[0]

    def stage_value(self, value: Any) -> Any:
        return ShardMapTracer(self, *self.unwrap(value))

    def process_custom_jvp_call(self, primitive: Any, fun: Callable, jvp: Any, args: Any,
                                symbolic_zeros: bool) -> list:
        # Nothing is differentiated outside of this trace, so the rule is not needed.
        return self._again(fun, args)

    def process_custom_vjp_call(self, primitive: Any, fun: Callable, fwd: Any, bwd: Any,
                                args: Any, out_trees: Callable, symbolic_zeros: bool) -> list:
        if symbolic_zeros:
            raise NotImplementedError(
                "custom_vjp symbolic_zeros support with shard_map is not implemented; please open "
                "an issue at https://github.com/jax-ml/jax/issues")
        return self._again(fun, args)

    def _again(self, fun: Callable, args: Any) -> list:
        outs = _run(lambda *xs: Results(fun(*xs), ()), self.mesh, self.manual, self.check,
                    [self.unwrap(a) for a in args])[0]
        return [ShardMapTracer(self, v, a) for v, a in outs]


class ShardMapTracer(Tracer):
    """One device's part of `val`, where the parts of all are stacked.

    `axes`: over which mesh axes it varies.
    """

    __slots__ = ("val", "axes")

    def __init__(self, trace: ShardMapTrace, val: Any, axes: frozenset):
        aval = abstractify(val)
        inner = types.manual_mesh(trace.mesh, trace.manual)
        spec = types.explicit_only(aval.spec[1:] if aval.mesh is not None else (), inner)
        super().__init__(trace, aval.update(
            shape=aval.shape[1:], mesh=inner, spec=spec,
            varying=axes if trace.check else frozenset()))
        self.val, self.axes = val, axes

    def to_concrete_value(self) -> Any:
        if not self._trace.check or self.axes:
            return None
        with traces.current_trace(traces.EVAL), _on(self._trace.mesh):
            return self.val[0]

    def short_repr(self) -> str:
        return f"ShardMapTracer({self.aval})"


ShardMapTracer.__module__ = "jax._src.shard_map"  # error messages show it


def _device_put(args: Any, params: dict) -> Any:
    for device in params["devices"]:
        if device is not None:
            raise ValueError("device_put with explicit device not allowed within "
                             f"shard_map-decorated functions, but got device {device}")
    return list(args)


def _ref(args: Any, params: dict) -> Any:
    raise ValueError("Eager shard_map cannot return a `jax.Ref`. Please wrap your shard_map in "
                     "`jax.jit`.")


_RULES: dict[str, Callable] = {"device_put": _device_put, "ref": _ref, "empty_ref": _ref}


def _run(fun: Callable, mesh: Mesh, manual: frozenset, check_vma: bool, args: Sequence[tuple]
         ) -> tuple[list[tuple], tuple]:
    """Run a function on (stacked parts, axes); the same of its results, and their specs."""
    trace = ShardMapTrace(mesh, manual, check_vma)
    tracers = [ShardMapTracer(trace, v, a) for v, a in args]
    with traces.current_trace(trace), types.inside(mesh, manual, check_vma):
        results = fun(*tracers)
        outs = [trace.unwrap(x) for x in results.values]
    return outs, results.specs


def _concrete(mesh: Any, args: Sequence[Any]) -> Mesh:
    """The mesh with its devices: the one in context, or that of the arguments."""
    if isinstance(mesh, AbstractMesh):
        context = meshes.get_concrete_mesh()
        mesh = mesh if context.empty else context
        for arg in args:
            placed = getattr(arg, "sharding", None) if isinstance(arg, Array) else None
            if isinstance(placed, NamedSharding) and placed.mesh.axis_names:
                if placed.mesh.shape_tuple != mesh.shape_tuple:
                    raise ValueError(
                        f"Mesh shape of the input {placed.mesh.shape_tuple} does not match the "
                        f"mesh shape passed to shard_map  {mesh.shape_tuple} for shape "
                        f"{abstractify(arg).str_short()}")
                mesh = placed.mesh
    if isinstance(mesh, AbstractMesh):
        raise ValueError("Please pass `jax.Array`s with a `NamedSharding` as input to `shard_map` "
                         "when passing `AbstractMesh` to the mesh argument.")
    return mesh


@process.register
def _eager(trace: traces.EvalTrace, fun: Callable, args: Sequence[Any], *, mesh: Any,
           in_specs: Sequence, check_vma: bool, newly_manual_axes: frozenset, debug_info: Any
           ) -> list:
    args = traces.concrete(args)
    mesh = _concrete(mesh, args)
    context = meshes.get_abstract_mesh()
    manual = newly_manual_axes
    parts = [_split(mesh, check_vma, context, manual, s, x) for s, x in zip(in_specs, args)]
    outs, out_specs = _run(fun, mesh, manual, check_vma,
                           [(x, types.spec_axes(s)) for s, x in zip(in_specs, parts)])
    avals = [a.update(shape=a.shape[1:], spec=()) for a in (abstractify(x) for x, _ in outs)]
    specs.check_results(mesh, out_specs, avals, check_vma)
    return [_join(mesh, check_vma, manual, x,
                  types.axes_spec(mesh, axes if check_vma else manual), spec)
            for (x, axes), spec in zip(outs, out_specs)]


@process.register
def _nested(trace: ShardMapTrace, fun: Callable, args: Sequence[Any], **params: Any) -> list:
    raise OutOfScope("jax.shard_map inside jax.shard_map, outside of jax.jit",
                     "call the outer one under jax.jit")


