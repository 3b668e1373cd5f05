"""Cache 5, executable: from a module to a program that runs. Two drawers.

`memo` is an attribute of the lowered computation: compiled once, kept there. No
key at all, so no change of configuration can invalidate it. Behind it `compile`
is keyed on the module object and the devices. Only the rare call that has an
old module and no computation reaches it.

JAX source: ``jax/_src/interpreters/pxla.py: MeshComputation.compile,
_cached_compilation, UnloadedMeshExecutable.from_hlo, ExecuteReplicated``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from simulator import errors, explain, key_text, keys, process
from simulator.caches import WeakrefLRUCache
from simulator.device_arrays import transfers
from simulator.device_arrays.arrays import Array, any_array
from simulator.device_arrays.literals import float0_array
from simulator.device_arrays.values import storage
from simulator.jaxprs import evaluate
from simulator.jaxprs.jaxpr import Jaxpr
from simulator.jaxprs.module import Module
from simulator.ndarrays.ndarray import NDArray
from simulator.placement import resharding, shardings
from simulator.placement.shardings import UNSPECIFIED
from simulator.references.ref_types import NOTHING, Mutation
from simulator.types.dtypes import float0


class XlaExecutable:
    """The compiled program, as the compiler returned it.

    Args:
      module: what it was compiled from.
      origin: ``"compiled"`` or ``"loaded"`` (from the persistent cache).

    Errors: JaxRuntimeError for a `shard_map` of several devices compiled for one.
    """

    def __init__(self, module: Module, origin: str):
        if module.num_devices == 1 and _has_parts(module.jaxpr):
            raise errors.JaxRuntimeError(
                "NOT_FOUND: No registered implementation for untyped custom call to "
                "xla.sdy.GlobalToLocalShape for Host")
        self.program = module.jaxpr
        self.donation = module.donation
        self.origin = origin
        self.callbacks = module.callbacks


class Executable:
    """A program ready to be called (JAX's ``MeshExecutable``).

    Args:
      xla: the compiled program. name: ``f``.
      in_shardings, out_shardings: where arguments go and results are.
      in_avals, out_avals: types of kept arguments and of results.
      kept: indices of the arguments that are used.
      committed: whether results count as placed by the user.
      mutation: which references are written.
    """

    def __init__(self, xla: XlaExecutable, name: str, in_shardings: Sequence[Any],
                 out_shardings: Sequence[Any], in_avals: Sequence[Any], out_avals: Sequence[Any],
                 kept: frozenset, committed: bool, mutation: Mutation):
        self.xla = xla
        self.name = name
        self.in_shardings = in_shardings
        self.out_shardings = out_shardings
        self.in_avals = in_avals
        self.out_avals = out_avals
        self.kept = kept
        self.committed = committed
        self.mutation = mutation
        self._run = evaluate.runner(xla.program)
        self._taken = xla.donation.taken if any(xla.donation.taken) else ()
        self._places = [(shardings.aval_with_sharding(aval, sharding), sharding)
                        for aval, sharding in zip(out_avals, out_shardings)]
        self._says_otherwise = any([place[0] is not aval
                                   for place, aval in zip(self._places, out_avals)])
        self._may_cut = any([s is not UNSPECIFIED and not isinstance(
            s, shardings.SingleDeviceSharding) for s in in_shardings])

    @property
    def has_effects(self) -> bool:
        """Whether running it does something besides its results."""
        return bool(self.xla.program.effects)

    def used(self, args: Sequence[Any]) -> Sequence[Any]:
        """What the program is given of the flat arguments of a call: those it uses, and
        after them the references that the function captured."""
        if len(self.kept) == len(args) and not self.mutation.captured:
            return args
        return [*(a for i, a in enumerate(args) if i in self.kept), *self.mutation.captured]

    def prepare(self, kept: Sequence[Any]) -> list[NDArray]:
        """The numbers of the arguments that are used, in the dtypes of the program.

        Errors: RuntimeError for an array that is gone, OverflowError for an int that
        does not fit, JaxRuntimeError when a guard does not let values leave the host.
        """
        transfers.check_hosts(kept, self.in_shardings)
        return [storage(a, aval) for a, aval in zip(kept, self.in_avals)]

    def refusal(self, kept: Sequence[Any]) -> ValueError | None:
        """What the runtime says when C++ hands it a buffer that was donated earlier.

        The Python path looks at its arrays first and raises in `prepare`; C++ does not.
        """
        for position, arg in enumerate(kept):
            if isinstance(arg, Array) and arg.was_donated:
                return ValueError(
                    "INVALID_ARGUMENT: Invalid buffer passed to Execute() as argument "
                    f"{position} to replica 0: INVALID_ARGUMENT: Buffer has been deleted or "
                    "donated.")
        return None

    def _check_sharing(self, kept: Sequence[Any]) -> None:
        # The runtime refuses a buffer that it is given twice, once to keep.
        first: dict[int, tuple[int, bool]] = {}
        for position, (arg, taken) in enumerate(zip(kept, self._taken)):
            if not isinstance(arg, Array):
                continue
            at, taken_there = first.setdefault(id(arg), (position, taken))
            if at == position or not (taken or taken_there):
                continue
            what, like = (
                ("use a buffer that was previously donated in the same call to", "donate(a), a")
                if not taken else
                ("donate the same buffer twice in", "donate(a), donate(a)") if taken_there else
                ("donate a buffer which is also used by the same call to", "a, donate(a)"))
            raise errors.JaxRuntimeError(
                f"INVALID_ARGUMENT: Attempt to {what} Execute() (flattened argument {position}, "
                f"replica 0, partition 0, first use: {at}). Toy example for this bug: `f({like})`.")

    def reshard(self, kept: Sequence[Any], in_cpp: bool = True) -> None:
        """Cut the arrays that live on one device for a program of several.

        JaxRuntimeError when a guard does not let them move."""
        if self._may_cut:
            resharding.cut(kept, self.in_shardings)
        transfers.check_devices(kept, self.in_shardings, in_cpp)

    def run(self, args: Sequence[Any]) -> list[Array]:
        """What the Python path does with the flat arguments of a call: `reshard` and
        `prepare` kind by kind, the kind of the first argument first, then `execute`."""
        kept = self.used(args)
        if kept and not isinstance(kept[0], Array):
            values = self.prepare(kept)
            self.reshard(kept, in_cpp=False)
        else:
            self.reshard(kept, in_cpp=False)
            values = self.prepare(kept)
        return self.execute(kept, values)

    def execute(self, kept: Sequence[Any], values: list[NDArray]) -> list[Array]:
        """Run the program.

        Args:
          kept: the arguments that are used; donated ones lose their buffer.
          values: what `prepare` returned.

        Errors: JaxRuntimeError when one array is given twice and donated.
        """
        if self._taken:
            self._check_sharing(kept)
        outs = self._run(self.xla.program, values)
        for arg, taken in zip(kept, self._taken):
            if taken and isinstance(arg, Array):
                arg.donate()
        results = [float0_array(aval.shape) if aval.dtype is float0
                   else any_array(aval, value, sharding, self.committed)
                   for value, (aval, sharding) in zip(outs, self._places)]
        if self._says_otherwise:
            for result, aval in zip(results, self.out_avals):
                if type(result) is Array:  # an array of keys says where it is
                    result.program_aval = aval
        if self.mutation is NOTHING:
            return results
        for result, position in zip(results, self.mutation.results):
            if position is not None:
                kept[position].buffer = result
        return [r for r, p in zip(results, self.mutation.results) if p is None]


class MeshComputation:
    """A lowered jit call and, once compiled, its executable."""

    def __init__(self, name: str, module: Module, in_shardings: tuple, out_shardings: tuple,
                 kept: frozenset, devices: tuple, committed: bool, compiler_options: tuple,
                 ctx_mesh: Any, inner_shardings: tuple, mutation: Mutation):
        self.name = name
        self.mutation = mutation
        self.module = module
        self.in_shardings = in_shardings
        self.out_shardings = out_shardings
        self.kept = kept
        self.devices = devices
        self.committed = committed
        self.compiler_options = compiler_options
        self.ctx_mesh = ctx_mesh
        self.inner_shardings = inner_shardings
        self._executable: Executable | None = None

    def _memo_applies(self, compiler_options: dict | None) -> bool:
        # An empty dict of options is not "no options": it goes past the memo.
        return compiler_options is None

    def compile(self, compiler_options: dict | None = None) -> Executable:
        """The executable: the memo, unless options are given, or the executable cache."""
        here = process.current()
        use_memo = self._memo_applies(compiler_options)
        found = use_memo and self._executable is not None
        here.recorder.lookup("memo", self.name, "hit" if found else "miss", list)
        if found:
            assert self._executable is not None
            return self._executable
        options = self.compiler_options + tuple((compiler_options or {}).items())
        # The tokens of ordered effects come first; XLA must leave them where they are.
        tokens = (False,) * sum([getattr(e, "ordered", False) for e in self.module.jaxpr.effects])
        xla = here.compile(
            self.module, self.module.name,
            tokens + tuple([s is UNSPECIFIED for s in self.in_shardings]),
            tokens + tuple([s is UNSPECIFIED for s in self.out_shardings]),
            self.module.callbacks, self.devices, options)
        ins, outs = shardings.shardings_of_executable(
            self.in_shardings, self.out_shardings, self.module.in_avals, self.module.out_avals,
            self.devices, self.inner_shardings, self.ctx_mesh, self.module.jaxpr)
        executable = Executable(xla, self.name, ins, outs, self.module.in_avals,
                                self.module.out_avals, self.kept, self.committed,
                                self.mutation)
        if use_memo:
            self._executable = executable
        return executable


def _has_parts(jaxpr: Jaxpr) -> bool:
    """Whether a `shard_map` in it wants several devices. On one device nothing cuts its
    arguments: XLA's partitioner does not run then."""
    if all([primitive.name != "shard_map" for primitive in jaxpr.primitives]):
        return False
    return any((e.primitive.name == "shard_map" and any(
        e.params["mesh"].shape[a] > 1 for a in e.params["newly_manual_axes"]))
        or any(map(_has_parts, e.bodies)) for e in jaxpr.eqns)


def _compile_nocache(module: Module, name: str, prop_in: tuple, prop_out: tuple,
                     callbacks: tuple, devices: tuple, options: tuple) -> XlaExecutable:
    here = process.current()
    with explain.finished_compilation(name):
        return here.disk.compile_or_get_cached(module, devices, options)


def _report(outcome: str, module: Any, key: tuple, entry: Any) -> None:
    here = process.current()
    context, *rest = key
    name = module.name.removeprefix("jit(").removesuffix(")")

    def fields() -> list:
        parts = dict(zip(keys.COMPILE.names[1:], rest))
        parts["host_callbacks"] = len(module.callbacks) or ()
        parts["devices"] = tuple(d.id for d in parts["devices"])
        parts["compiler_options"] = dict(parts["compiler_options"])
        return [("module", key_text.label(module, f"module {name}")),
                *here.config.trace_context_fields(context), *key_text.fields(**parts)]

    here.recorder.lookup("compile", name, outcome, fields)


def new_cache(context: Any) -> WeakrefLRUCache:
    """``_cached_compilation``: 2048 entries, the module held weakly, by identity."""
    return WeakrefLRUCache(_compile_nocache, context, 2048, _report, table=keys.COMPILE)
