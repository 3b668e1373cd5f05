"""The Primitive class, and the rule that most primitives share.

A primitive has a name, an *abstract rule* (types in, types out, with JAX's
errors) and an *implementation* on numbers.  `standard` builds both from smaller
rules: shape, dtype, weak type, sharding type, and a kernel on flat lists.

JAX source: jax/_src/core.py: Primitive; jax/_src/lax/utils.py:
standard_primitive, standard_abstract_eval, call_sharding_rule.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any, NamedTuple

from simulator.errors import OutOfScope, ShardingTypeError
from simulator.ndarrays.ndarray import NDArray
from simulator.primitives.ambient import context_mesh, state
from simulator.types.avals import ShapedArray
from simulator.types.dtype_core import DType

# Every primitive by its name; names are unique here.
BY_NAME: dict[str, Primitive] = {}


class Primitive:
    """One operation.

    Args:
      name: as printed in a jaxpr.
      abstract: ``(*avals, **params) -> ShapedArray`` (or a list of them).
      impl: ``(*NDArrays, **params) -> NDArray`` (or a list); lazy.
      multiple_results: whether both return lists.
      effects: ``params -> frozenset`` of effect names, or None.
      print_params: ``params -> dict`` of those a jaxpr shows, or None for all.

    Other attributes, None unless set: `eager` (``(*args, **params)``, replaces
    the cached jit of an eager call), `staging_rule` (``(trace, tracers, params)``,
    replaces the plain equation), `dce_rule` (``(eqn, used) -> eqn or None``),
    `shown_params` (``(eqn, names) -> [(name, value)]`` as a jaxpr shows them),
    `shown_eqn` (``(eqn, results, atom) -> document``, the whole equation),
    `lowered` (``params -> (operation, params)`` as the module has them);
    `requires_devices`: whether lowering it needs to know the devices; `pure`: whether
    nobody can tell when `impl` computes; `as_traced`: whether it computes one thing or the
    other by ``jax_threefry_partitionable`` as it was when it was traced; `scope`: ``params -> context manager`` around
    what is lowered inside it.

    The rules of the transformations: `jvp`, `linearize`, `transpose`, `accumulate`,
    `partial_eval` and `split`, explained and set in `simulator.autodiff`; `batch`, in
    `simulator.batching`. A primitive without the rule that is needed is refused.
    """

    __module__ = "jax._src.core"  # messages show it

    def __init__(self, name: str, *, abstract: Callable, impl: Callable,
                 multiple_results: bool = False, effects: Callable | None = None,
                 print_params: Callable | None = None):
        self.name, self.abstract, self.impl = name, abstract, impl
        self.multiple_results, self.effects = multiple_results, effects
        self.print_params = print_params
        self.eager = self.staging_rule = self.dce_rule = self.shown_params = None
        self.shown_eqn: Callable | None = None
        self.lowered: Callable | None = None
        self.requires_devices = False
        self.pure = False
        self.as_traced = False
        self.scope: Callable = lambda params: contextlib.nullcontext()
        self.jvp: Callable | None = None
        self.linearize: Callable | None = None
        self.transpose: Callable | None = None
        self.accumulate: Callable | None = None
        self.partial_eval: Callable | None = None
        self.split: Callable | None = None
        self.batch: Callable | None = None
        if print_params is not None:
            self.shown_params = lambda eqn, names: sorted(print_params(eqn.params).items())
        BY_NAME[name] = self

    def bind(self, *args: Any, **params: Any) -> Any:
        """Apply the primitive: hand it to the current trace (`dispatch.bind`)."""
        from simulator.dispatch import bind
        return bind(self, args, params)

    def bind_with(self, trace: Any, args: Any, params: dict) -> Any:
        """Hand the primitive to `trace`, arguments checked before."""
        return trace.process_primitive(self, args, params)

    def bind_params(self, params: dict) -> dict:
        """The parameters to bind with, given those of an equation."""
        return params

    def __str__(self) -> str:
        return self.name

    __repr__ = __str__


class Spec(NamedTuple):
    """Shape and dtype of an operand or a result, for kernels."""

    shape: tuple[int, ...]
    dtype: DType

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)


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


def all_weak(*avals, **params) -> bool:
    """Weak only if every operand is."""
    return all(a.weak_type for a in avals)


def never_weak(*avals, **params) -> bool:
    """The rule of results that are never weakly typed."""
    return False


def first_weak(operand, *avals, **params) -> bool:
    """The rule of results as weakly typed as the first operand."""
    return operand.weak_type


def standard(name: str, shape: Callable, dtype: Callable, kernel: Callable, *,
             weak: Callable = all_weak, spec: Callable = unsharded, adopts: bool = False,
             placing: Callable | None = None, print_params: Callable | None = None) -> Primitive:
    """A primitive with one result, from its rules.

    Args:
      shape, dtype: ``(*operands, **params)``; they see avals or arrays and only
        use `shape`, `dtype`, `ndim`. Errors as JAX's.
      kernel: ``(ins, out, *lists, **params) -> list``: operands as `Spec`s, the
        result as a `Spec`, then the operands' flat lists.
      weak, spec: ``(*avals, **params)``: weak type, and one mesh axis or None per
        dimension (only asked for meshes with an explicit axis).
      adopts, placing: see `sharding_fields`.
    """
    def abstract(*avals, **params):
        out_shape = shape(*avals, **params)
        out_dtype = dtype(*avals, **params)
        fields = sharding_fields(name, spec, avals, params, adopts, placing)
        check_axes_once(name, avals, out_shape, out_dtype, fields)
        return ShapedArray(out_shape, out_dtype, weak(*avals, **params), **fields)

    def impl(*values, **params):
        ins = [Spec(v.shape, v.dtype) for v in values]
        out = Spec(tuple(shape(*values, **params)), dtype(*values, **params))
        return NDArray.lazy(out.shape, out.dtype,
                            lambda *lists: kernel(ins, out, *lists, **params), values)

    made = Primitive(name, abstract=abstract, impl=impl, print_params=print_params)
    made.pure = True
    return made


def standard_multi(name: str, shapes: Callable, dtypes: Callable, kernel: Callable, *,
                   weaks: Callable | None = None, specs: Callable | None = None,
                   print_params: Callable | None = None) -> Primitive:
    """A primitive with several results; rules return one entry per result.

    The kernel returns a list of flat lists; it runs once for all results.
    """
    def spec(i):
        return unsharded if specs is None else lambda *avals, **p: specs(*avals, **p)[i]

    def abstract(*avals, **params):
        out_shapes = list(shapes(*avals, **params))
        out_dtypes = list(dtypes(*avals, **params))
        weak = weaks(*avals, **params) if weaks else [all_weak(*avals)] * len(out_shapes)
        return [ShapedArray(s, d, w, **sharding_fields(name, spec(i), avals, params, adopts=False))
                for i, (s, d, w) in enumerate(zip(out_shapes, out_dtypes, weak))]

    def impl(*values, **params):
        ins = [Spec(v.shape, v.dtype) for v in values]
        outs = [Spec(tuple(s), d) for s, d in zip(shapes(*values, **params),
                                                  dtypes(*values, **params))]
        return shared_results(outs, lambda *lists: kernel(ins, outs, *lists, **params), values)

    made = Primitive(name, abstract=abstract, impl=impl, multiple_results=True,
                     print_params=print_params)
    made.pure = True
    return made


def shared_results(outs: list[Spec], compute: Callable, deps) -> list[NDArray]:
    """Lazy results of one computation: `compute(*lists) -> list of lists` runs once."""
    from simulator.ndarrays.cells import Cell
    # The bundle is a cell of one element per result.
    bundle = Cell(len(outs), fn=compute, deps=[d.cell for d in deps])
    return [NDArray(o.shape, o.dtype, Cell(_size(o.shape), fn=_picker(i), deps=[bundle]))
            for i, o in enumerate(outs)]


def _picker(i: int) -> Callable:
    return lambda results: results[i]


def _size(shape) -> int:
    n = 1
    for d in shape:
        n *= d
    return n
