"""Cache 2, params: from call arguments to everything the rest of the path needs.

The key asks "is this the same wrapper, called with the same structure and the
same types?". It knows nothing of where arrays live, which is why a NumPy array
that the fast path does not recognise is answered here.

JAX source: ``jax/_src/pjit.py: _infer_params_cached, _infer_params,
_trace_for_jit, PjitInfo``.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from simulator import explain, key_text, keys, process, traces, tracing
from simulator.caches import WeakrefLRUCache
from simulator.device_arrays.values import abstractify, shaped_abstractify
from simulator.functions import signature
from simulator.jaxprs.jaxpr import Jaxpr, separate_consts
from simulator.jaxprs.tracer import Tracer
from simulator.named_tuples import NamedTuple
from simulator.placement import mesh, sharding_args, shardings
from simulator.placement.shardings import UNSPECIFIED
from simulator.references.ref_types import is_ref
from simulator.types.avals import ShapedArray


class PjitInfo:
    """The options of one ``jax.jit(...)`` call, and where the function came from and what
    its parameters were at that time. Compared by identity in keys.

    Every ``jax.jit(f)`` makes a new one, so two wrappers of the same function do
    not share params entries.
    """

    fun_sourceinfo: str
    fun_signature: Any
    user_specified_in_shardings: bool
    in_shardings: Any
    out_shardings: Any
    static_argnums: tuple
    static_argnames: tuple
    donate_argnums: tuple
    donate_argnames: tuple
    device: Any
    backend: str | None
    keep_unused: bool
    inline: Any
    compiler_options_kvs: tuple

    def __init__(self, **fields: Any):
        self.__dict__.update(fields)


class JitParams(NamedTuple):
    """What a params entry holds (JAX's ``PjitParams``).

    consts: tracers of outer traces, passed as leading arguments.
    params: the parameters of the ``jit`` primitive, among them the jaxpr.
    """

    consts: list
    params: dict
    in_avals: tuple
    in_tree: Any
    out_tree: Any
    arg_names: tuple


class _Cell:
    """The cached value: empty until tracing succeeded."""

    __slots__ = ("params",)

    def __init__(self) -> None:
        self.params: JitParams | None = None


def infer_params(fun: Callable, info: PjitInfo, args: tuple, kwargs: dict
                 ) -> tuple[JitParams, list]:
    """Look up (or make) the params of a call; return them with the flat arguments.

    Errors: TypeError / OverflowError for an argument that is no JAX value, and
    whatever the function raises while it is traced. An error leaves an empty
    entry behind, which later counts as a hit and traces again.
    """
    here = process.current()
    ctx_mesh = mesh.context_mesh()
    sig, leaves = signature.parse_arguments(
        args, kwargs, info.static_argnums, info.static_argnames, here.registries.tracing)
    avals = _input_types(fun, info, leaves, args, kwargs)
    cell = here.params(fun, info, *sig, avals, ctx_mesh)
    if cell.params is None:
        cell.params = _trace(fun, info, ctx_mesh, avals, args, kwargs)
    return cell.params, cell.params.consts + leaves


def debug_info(fun: Callable, info: PjitInfo, args: tuple, kwargs: dict) -> Any:
    """`DebugInfo` of a call: source position and one name per argument leaf."""
    return signature.debug_info("jit", fun, args, kwargs, static_argnums=info.static_argnums,
                                static_argnames=info.static_argnames,
                                sourceinfo=info.fun_sourceinfo, signature=info.fun_signature)


def _input_types(fun: Callable, info: PjitInfo, leaves: list, args: tuple, kwargs: dict
                 ) -> tuple[ShapedArray, ...]:
    avals: list[ShapedArray] = []
    try:
        for leaf in leaves:
            avals.append(shaped_abstractify(leaf))
    except OverflowError:
        name = _name_of(len(avals), fun, info, args, kwargs)
        raise OverflowError(
            "An overflow was encountered while parsing an argument to a jitted computation, "
            f"whose argument path is {name}. Got {type(leaf)} with value {leaf}") from None
    except TypeError as error:
        name = _name_of(len(avals), fun, info, args, kwargs)
        raise TypeError(
            f"Error interpreting argument to {fun} as an abstract array. The problematic "
            f"value is of type {type(leaf)} and was passed to the function at path {name}.\n"
            "This typically means that a jit-wrapped function was called with a non-array "
            "argument, and this argument was not marked as static using the static_argnums or "
            "static_argnames parameters of jax.jit.") from error
    if any(map(is_ref, avals)) and _checks_refs():
        _check_aliases(fun, info, leaves, avals, args, kwargs)
    return tuple(avals)


def _name_of(leaf: int, fun: Callable, info: PjitInfo, args: tuple, kwargs: dict) -> str:
    names = debug_info(fun, info, args, kwargs).arg_names
    return names[leaf] if names else "unknown"


def _checks_refs() -> bool:
    # Whether a reference may arrive twice.
    return bool(process.current().config.value("jax_mutable_array_checks"))


def _referent(leaf: Any) -> int:
    return id(getattr(leaf, "atom", leaf) if isinstance(leaf, Tracer) else leaf)


def _check_aliases(fun: Callable, info: PjitInfo, leaves: list, avals: list, args: tuple,
                   kwargs: dict) -> None:
    seen: dict[int, int] = {}
    for i, (leaf, aval) in enumerate(zip(leaves, avals)):
        first = seen.setdefault(_referent(leaf), i) if is_ref(aval) else i
        if first != i:
            dbg = debug_info(fun, info, args, kwargs)
            names = dbg.arg_names or ("unknown",) * len(leaves)
            raise ValueError(
                "only one reference to a mutable array may be passed as an argument to a "
                f"function, but when tracing {dbg.func_src_info} for {dbg.traced_for} the mutable "
                f"array reference of type {aval.str_short()} appeared at both {names[first]} and "
                f"{names[i]}.")


def _check_captured(dbg: Any, captured: list, leaves: Any) -> None:
    held = {_referent(c) for c in captured if is_ref(abstractify(c))}
    for i, leaf in enumerate(leaves if held else ()):
        if _referent(leaf) in held:
            raise ValueError(
                f"when tracing {dbg.func_src_info} for {dbg.traced_for}, a mutable array "
                f"reference of type {abstractify(leaf).str_short()} was both closed over and "
                f"passed as the argument {dbg.arg_names[i]}")


def _trace(fun: Callable, info: PjitInfo, ctx_mesh: Any, avals: tuple, args: tuple, kwargs: dict
           ) -> JitParams:
    here = process.current()
    if kwargs and info.user_specified_in_shardings:
        raise ValueError("pjit does not support kwargs when in_shardings is specified.")
    specs = info.in_shardings, info.out_shardings
    if info.backend or info.device:
        specs = sharding_args.of_device(info.device, info.backend, ctx_mesh, here.devices_of)
    flat = signature.flatten_call(args, kwargs, info.static_argnums, info.static_argnames)
    # Donation is decided here and cached: debug_nans at this moment turns it off
    # for as long as the entry lives.
    donating = (info.donate_argnums or info.donate_argnames) and not here.config.value(
        "jax_debug_nans")
    donated = (signature.donation_vector(info.donate_argnums, info.donate_argnames,
                                         flat.tree_with_statics)
               if donating else (False,) * len(avals))
    dbg, tree = debug_info(fun, info, args, kwargs), flat.tree
    in_shardings = shardings.flatten_in_shardings(
        specs[0], tree, avals, ctx_mesh, bool(kwargs), dbg.arg_names)
    name = signature.fun_name(fun)
    timed = explain.finished_tracing(name) if traces.is_clean() else nullcontext()
    with timed:
        traced = tracing.trace_to_jaxpr(fun, flat.with_leaves(avals), dbg)
    jaxpr: Jaxpr = traced.jaxpr
    if here.config.value("jax_debug_key_reuse"):
        from simulator.randomness import key_reuse
        key_reuse.signature_of(jaxpr)
    # The names of the results end up in the module, and so in the persistent cache's key.
    paths = _result_paths(traced.out_tree, jaxpr.out_avals)
    jaxpr.debug_info = jaxpr.debug_info._replace(result_paths=paths)
    consts: list = []
    if any([isinstance(c, Tracer) for c in jaxpr.consts]):
        jaxpr, consts = separate_consts(jaxpr)
    if _checks_refs():
        _check_captured(dbg, [*jaxpr.consts, *consts], flat.leaves)
    out_shardings = shardings.flatten_out_shardings(
        specs[1], traced.out_tree, tuple(jaxpr.out_avals), ctx_mesh, paths)
    extra = len(consts)
    params = dict(
        jaxpr=jaxpr,
        in_shardings=(UNSPECIFIED,) * extra + in_shardings,
        out_shardings=out_shardings,
        in_layouts=(None,) * (extra + len(avals)),
        out_layouts=(None,) * len(out_shardings),
        donated_invars=(False,) * extra + donated,
        ctx_mesh=ctx_mesh,
        name=name,
        keep_unused=info.keep_unused,
        inline=info.inline,
        compiler_options_kvs=info.compiler_options_kvs,
    )
    return JitParams(consts, params, avals, tree, traced.out_tree,
                     dbg.arg_names or ("unknown",) * len(avals))


def _result_paths(tree: Any, avals: list) -> tuple[str, ...]:
    # A container of the program that cannot be made of types gives names without paths.
    try:
        paths = signature.result_paths(tree.unflatten(avals))
    except Exception:
        paths = ()
    return paths if len(paths) == len(avals) else ("result",) * len(avals)


def _report(outcome: str, fun: Any, key: tuple, entry: Any) -> None:
    name = signature.fun_name(fun)
    process.current().recorder.lookup("params", name, outcome, _fields, name, fun, key)


def _fields(name: str, fun: Any, key: tuple) -> list:
    context, info, *sig, avals, ctx_mesh = key
    label, text = key_text.label, key_text.text
    given = signature.ArgumentSignature(*sig)
    return [("function", label(fun, name)),
            *process.current().config.trace_context_fields(context),
            ("PjitInfo", label(info, f"jit({name})")),
            ("signature", text(list(given.treedefs))),
            ("static args", key_text.statics(s.value for s in given.static_args)),
            ("static names", text(list(given.static_names))),
            ("names", text(list(given.names))), ("avals", text(list(avals))),
            ("ctx mesh", text(ctx_mesh))]


def new_cache(context: Any) -> WeakrefLRUCache:
    """The params cache: 2048 entries, the function held weakly and compared by ``==``."""
    return WeakrefLRUCache(lambda *key: _Cell(), context, 2048, _report, table=keys.PARAMS)
