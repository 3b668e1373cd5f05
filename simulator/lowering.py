"""Cache 4, lowering: from a jaxpr to a module for the compiler. Two drawers.

`lower` holds the finished `MeshComputation` and compares shardings with ``==``.
Behind it `hlo` holds the module and compares shardings by what they mean, so a
new device, or another spelling of the same sharding, finds the module again.

JAX source: ``jax/_src/pjit.py: _resolve_in_shardings, _pjit_lower``,
``jax/_src/interpreters/pxla.py: lower_sharding_computation,
_cached_lowering_to_hlo, _dce_jaxpr``.

Simplified: there are no layouts other than the default, no memory kinds, and
constants stay inside the module.
"""

from __future__ import annotations

from typing import Any

from simulator import explain, key_text, keys, process
from simulator.caches import WeakrefLRUCache
from simulator.device_arrays.arrays import Array, ShapeDtypeStruct
from simulator.device_arrays.donation import Donation, plan_donation
from simulator.device_arrays.values import abstractify
from simulator.errors import OutOfScope
from simulator.executable import MeshComputation
from simulator.jaxprs import lower_fun
from simulator.jaxprs.jaxpr import Jaxpr, dce
from simulator.jaxprs.module import Module
from simulator.jaxprs.tracer import Tracer
from simulator.named_tuples import NamedTuple
from simulator.placement import shardings
from simulator.placement.shardings import UNSPECIFIED, SemanticallyEqualShardings
from simulator.references.ref_types import NOTHING, has_refs, is_ref
from simulator.side_effects import effects


def lower(args: list, params: dict, platforms: tuple | None = None,
          for_export: bool = False) -> MeshComputation:
    """Look up, or make, the computation of a jit call.

    Args:
      args: the flat arguments (arrays, scalars, `ShapeDtypeStruct`s).
      params: the parameters of the ``jit`` primitive.
      platforms: what it is lowered for; None for the machine's own.
      for_export: the one of JAX's `LoweringParameters` that can differ here.

    Errors: ValueError when arguments live on different devices or contradict
    ``in_shardings``.
    """
    p = params
    in_shardings = resolve_in_shardings(args, p["in_shardings"])
    return process.current().lower(
        p["jaxpr"], in_shardings, p["out_shardings"], p["donated_invars"], p["ctx_mesh"],
        p["name"], p["keep_unused"], p["inline"], p["compiler_options_kvs"], platforms,
        for_export)


def resolve_in_shardings(args: list, wanted: tuple) -> tuple:
    """Where each argument is, as the key sees it.

    An argument that the user did not commit, or that is no `jax.Array`, counts as
    "unspecified": it may be moved. A committed one brings its sharding along. With ``device``
    or ``backend`` of `jax.jit` it does not matter where anything is.
    """
    if any([shardings.moves_arguments(s) for s in wanted]):
        return wanted
    resolved = []
    for arg, asked in zip(args, wanted):
        if is_ref(getattr(arg, "aval", None)) and not isinstance(arg, Tracer):
            placed, committed = arg.sharding, True
        elif isinstance(arg, (Array, ShapeDtypeStruct)) and arg.sharding is not None:
            placed = arg.sharding
            committed = arg._committed if isinstance(arg, Array) else True
        else:
            placed, committed = UNSPECIFIED, False
        if asked is UNSPECIFIED:
            resolved.append(shardings.finalize_arg_sharding(placed, committed))
            continue
        if placed is not UNSPECIFIED and committed:
            shardings.check_same_hlo_sharding(asked, placed, arg)
        resolved.append(asked)
    return tuple(resolved)


def mismatch_error(fun_name: str, mismatch: Any, args: list, params: Any) -> ValueError:
    """The error for arguments, results or contexts on different devices."""
    names = ("",) * len(params.consts) + tuple(params.arg_names)
    placed = [(n, getattr(getattr(a, "sharding", None), "devices", None),
               abstractify(a)) for n, a in zip(names, args)]
    return shardings.mismatch_error(fun_name, mismatch, placed)


def input_error(error: Exception, args: list, params: Any) -> TypeError:
    """The error for an argument that has a type, but no numbers to compute with."""
    if params.params["jaxpr"].consts:
        return TypeError(str(error))
    for a, name, aval in zip(args, params.arg_names, params.in_avals):
        if isinstance(a, (ShapeDtypeStruct, Tracer)):
            return TypeError(f"Argument '{name}' of shape {aval.str_short()} of type {type(a)} "
                             "is not a valid JAX type.")
    return TypeError(str(error))


def check_placement(args: list, executable: Any, names: tuple) -> None:
    """ValueError when committed arguments are not where an executable wants them.

    Only ahead-of-time calls need this: a jit call would have compiled anew.
    """
    kept = [(a, n) for i, (a, n) in enumerate(zip(args, names)) if i in executable.kept]
    wrong = [f"Argument {n} with shape {a.aval.str_short()}:\n  Passed sharding: {a.sharding}\n"
             f"  Required sharding: {s}"
             for (a, n), s in zip(kept, executable.in_shardings)
             if isinstance(a, Array) and a.committed and s is not UNSPECIFIED
             and not shardings.moves_arguments(s) and not a.sharding.is_equivalent_to(s, a.ndim)]
    if wrong:
        raise ValueError("Computation was compiled for input shardings that disagree with the "
                         "shardings of arguments passed to it. Here are the "
                         f"{len(wrong)} mismatches:\n" + "\n".join(wrong[:5]))


class _Dce(NamedTuple):
    jaxpr: Jaxpr
    donated: tuple
    kept: frozenset


def _dce_nocache(jaxpr: Jaxpr, keep_unused: bool, donated: tuple) -> _Dce:
    if keep_unused or any(map(lower_fun.has_symbols, jaxpr.in_avals)):
        return _Dce(jaxpr, donated, frozenset(range(len(jaxpr.invars))))
    # Always a new jaxpr object, also when nothing is dropped.
    new, used = dce(jaxpr, [True] * len(jaxpr.outvars))
    kept = frozenset([i for i, u in enumerate(used) if u])
    new.invars = [v for v, u in zip(jaxpr.invars, used) if u]
    return _Dce(new, tuple([d for d, u in zip(donated, used) if u]), kept)


def _lower_nocache(jaxpr: Jaxpr, in_shardings: tuple, out_shardings: tuple, donated: tuple,
                   ctx_mesh: Any, name: str, keep_unused: bool, inline: Any,
                   compiler_options: tuple, platforms: tuple | None,
                   for_export: bool) -> MeshComputation:
    here = process.current()
    pruned, donated, kept = here.dce(jaxpr, keep_unused, donated)
    in_shardings = tuple([s for i, s in enumerate(in_shardings) if i in kept])
    mutation = NOTHING
    if has_refs(pruned):
        from simulator.references.discharge import discharge
        pruned, in_shardings, out_shardings, donated, mutation = discharge(
            pruned, in_shardings, out_shardings, donated)
    inner = shardings.shardings_inside(pruned)
    try:
        devices = shardings.device_assignment(
            in_shardings, out_shardings, inner, ctx_mesh,
            here.config.value("jax_default_device"), here.devices, platforms)
    except shardings.DeviceMismatch as mismatch:
        raise mismatch.located(pruned) from None
    if len(devices) > 1:
        replicated = shardings.GSPMDSharding.replicated(devices)
        in_shardings = tuple([replicated if s is UNSPECIFIED and not a.shape else s
                             for s, a in zip(in_shardings, pruned.in_avals)])
    shardings.check_result_meshes(pruned.out_avals, devices)
    committed = (not ctx_mesh.empty or len(devices) > 1
                 or any([s is not UNSPECIFIED for s in (*in_shardings, *out_shardings, *inner)]))
    in_avals = tuple([shardings.aval_with_sharding(a, s)
                     for a, s in zip(pruned.in_avals, in_shardings)])
    out_shardings = shardings.concretize_out_shardings(out_shardings, pruned.out_avals, devices)
    out_avals = tuple([shardings.aval_with_sharding(a, s)
                      for a, s in zip(pruned.out_avals, out_shardings)])
    needs_devices = requires_devices(pruned)
    if needs_devices and not ctx_mesh.empty and len(devices) > 1:
        raise OutOfScope("pure_callback and io_callback on several devices under jax.set_mesh",
                         "call them without a mesh in context")
    module = here.hlo(
        pruned, f"jit({name})", in_avals, out_avals,
        SemanticallyEqualShardings(in_shardings, in_avals),
        SemanticallyEqualShardings(out_shardings, out_avals),
        len(devices), devices if needs_devices else None, donated, for_export)
    return MeshComputation(name, module, in_shardings, out_shardings, kept, devices,
                           committed, compiler_options, ctx_mesh, inner, mutation)


def _hlo_nocache(jaxpr: Jaxpr, module_name: str, in_avals: tuple, out_avals: tuple,
                 semantic_in: SemanticallyEqualShardings,
                 semantic_out: SemanticallyEqualShardings, num_devices: int,
                 device_assignment: Any, donated: tuple, for_export: bool) -> Module:
    here = process.current()
    explain.compiling(module_name, in_avals, semantic_in.shardings)
    effects.check_devices(jaxpr.effects, num_devices)
    here.recorder.work("lower", _plain(module_name))
    with explain.finished_lowering(module_name):
        donation: Donation = plan_donation(in_avals, out_avals, donated,
                                           semantic_out.shardings, num_devices)
        callbacks = lower_fun.lower(jaxpr)
        return Module(jaxpr, module_name, semantic_in.shardings, semantic_out.shardings,
                      in_avals, out_avals, num_devices, donation, callbacks,
                      abstractify(0).dtype)


def requires_devices(jaxpr: Jaxpr) -> bool:
    """Whether a primitive in it, however deep, is lowered differently for each device."""
    return any([primitive.requires_devices for primitive in jaxpr.primitives])


def _plain(module_name: str) -> str:
    return module_name.removeprefix("jit(").removesuffix(")")


def _report_with(table: keys.KeyTable, title: Any) -> Any:
    def report(outcome: str, jaxpr: Any, key: tuple, entry: Any) -> None:
        here = process.current()
        context, *rest = key
        parts = dict(zip(table.names[1:], rest))
        name = title(parts)

        def fields() -> list:
            return [("jaxpr", key_text.label(jaxpr, f"jaxpr of {name}")),
                    *here.config.trace_context_fields(context),
                    *key_text.fields(**_shown(parts))]

        here.recorder.lookup(table.station, name, outcome, fields)
    return report


def _shown(parts: dict) -> dict:
    # With the fields of JAX that are always the same here, in JAX's order.
    ins, outs = (getattr(parts[f"{side}_shardings"], "shardings", parts[f"{side}_shardings"])
                 for side in ("in", "out"))
    layouts = {"layouts": ((None,) * len(ins), (None,) * len(outs))}
    # Whether it is for an export is not in the words of a key.
    kept = {k: v for k, v in parts.items()
            if k not in ("in_shardings", "out_shardings", "for_export")}
    placed = {"in_shardings": ins, "out_shardings": outs, **layouts}
    if "module_name" not in kept:
        kept["compiler_options"] = dict(kept["compiler_options"])
        return {**placed, **kept}
    first = {k: kept.pop(k) for k in ("module_name", "in_avals", "out_avals", "num_devices")}
    num_devices, donated = {"num_devices": first.pop("num_devices")}, {"donated": kept.pop("donated")}
    return {**first, **placed, **num_devices, **donated, **kept, "abstract_mesh": None}


def new_lower_cache(context: Any) -> WeakrefLRUCache:
    """``_pjit_lower``: 2048 entries, the jaxpr held weakly, by identity."""
    return WeakrefLRUCache(_lower_nocache, context, 2048,
                           _report_with(keys.LOWER, lambda p: p["name"]), table=keys.LOWER)


def new_hlo_cache(context: Any) -> WeakrefLRUCache:
    """``_cached_lowering_to_hlo``: 2048 entries, the pruned jaxpr held weakly."""
    return WeakrefLRUCache(_hlo_nocache, context, 2048,
                           _report_with(keys.HLO, lambda p: _plain(p["module_name"])),
                           table=keys.HLO)


def new_dce_cache(context: Any) -> WeakrefLRUCache:
    """``_dce_jaxpr``: gives the same pruned jaxpr object for the same jaxpr."""
    return WeakrefLRUCache(_dce_nocache, context, 2048)
