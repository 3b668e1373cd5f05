"""``jax.checkpoint`` (``jax.remat``): compute again instead of saving.

A checkpointed function is one ``remat2`` equation. Differentiated, its known part is
computed, only what the policy allows is saved, and the rest stands in the linear jaxpr
as a ``remat2`` equation that computes it again when it is transposed.

JAX source: ``jax/_src/ad_checkpoint.py``.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from simulator import process, tracing
from simulator.autodiff import jvp, partial_eval, splitting
from simulator.autodiff.accumulate import Accumulator
from simulator.autodiff.backward import backward_pass
from simulator.autodiff.memo import by_jaxpr
from simulator.autodiff.policies import nothing_saveable
from simulator.autodiff.zeros import Zero, is_zero, tangent_aval, zero_of
from simulator.device_arrays.values import abstractify
from simulator.functions import signature
from simulator.functions.wrapping import wraps
from simulator.jaxprs import applying, evaluate, pruning
from simulator.jaxprs.jaxpr import Eqn, Jaxpr, Var
from simulator.jaxprs.pruning import merge, split_where, where
from simulator.primitives.all import reduce_precision_p
from simulator.primitives.core import Primitive
from simulator.trees import pytrees
from simulator.types.limits import finfo


def checkpoint(fun: Callable, *, prevent_cse: bool | Sequence[bool] = True,
               policy: Callable | None = None, static_argnums: Any = (),
               static_argnames: Any = ()) -> Callable:
    """``jax.checkpoint``.

    Errors: TypeError for options of another type, ValueError for positions that the call
    does not have.
    """
    from simulator.errors import OutOfScope
    process.current().config.check_limits("jax.checkpoint", "jax_remat3",
                                          "jax_log_checkpoint_residuals")
    if static_argnames:
        raise OutOfScope("jax.checkpoint(static_argnames=…)", "use static_argnums")
    if isinstance(static_argnums, int):
        static_argnums = (static_argnums,)
    if isinstance(prevent_cse, Sequence):
        prevent_cse = tuple(prevent_cse)
    if not isinstance(prevent_cse, (tuple, bool)):
        raise TypeError("prevent_cse must be a bool or tuple of bools, got "
                        f"{type(prevent_cse)=}")

    @wraps(fun)
    def fun_remat(*args: Any, **kwargs: Any) -> Any:
        info = signature.debug_info("checkpoint / remat", fun, args, kwargs,
                                    static_argnums=static_argnums)
        called, args = _without_static(fun, static_argnums, args)
        call = signature.flatten_call(args, kwargs)._replace(listed=isinstance(args, list))
        avals = tuple(abstractify(x) for x in call.leaves)
        jaxpr, consts, out_tree = _traced(called, call.with_leaves(avals), info)
        cse: Any = prevent_cse
        if isinstance(cse, tuple):
            given = (tuple(args), kwargs) if kwargs else tuple(args)
            cse = (False,) * len(consts) + tuple(pytrees.broadcast_prefix(cse, given))
        return out_tree.unflatten(remat_p.bind(
            *consts, *call.leaves, jaxpr=jaxpr, prevent_cse=cse, differentiated=False,
            policy=policy))
    return fun_remat


def remat(fun: Callable, *, prevent_cse: bool = True, policy: Callable | None = None,
          static_argnums: Any = ()) -> Callable:
    """``jax.remat``, another name of `checkpoint`."""
    return checkpoint(fun, prevent_cse=prevent_cse, policy=policy, static_argnums=static_argnums)


def _without_static(fun: Callable, static: tuple, args: tuple) -> tuple[Callable, tuple | list]:
    if type(static) is not tuple or not all(type(d) is int for d in static):
        raise TypeError("the `static_argnums` argument to `jax.checkpoint` / `jax.remat` must be "
                        f"an int, tuple of ints or, bool, but got value {static}")
    if not all(-len(args) <= d < len(args) for d in static):
        raise ValueError("the `static_argnums` argument to `jax.checkpoint` / `jax.remat` can only "
                         "take integer values greater than or equal to `-len(args)` and less than "
                         f"`len(args)`, but got {static}, while `len(args)` = {len(args)}")
    if not static:
        return fun, args
    positions = frozenset(d % len(args) for d in static)
    values = tuple(_Hashable(x) for i, x in enumerate(args) if i in positions)
    dynamic = [x for i, x in enumerate(args) if i not in positions]    # a list, in the key too
    return _bound(fun, positions, values, len(args)), dynamic


class _Hashable:
    # A static value as part of a key: without a hash of its own it counts as itself.

    def __init__(self, value: Any):
        self.value = value
        try:
            self.hash, self.hashable = hash(value), True
        except TypeError:
            self.hash, self.hashable = id(value), False

    def __hash__(self) -> int:
        return self.hash

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Hashable):
            return False
        if self.hashable and other.hashable:
            return bool(self.value == other.value)
        return self.value is other.value


@by_jaxpr
def _bound(fun: Callable, positions: frozenset, values: tuple, count: int) -> Callable:
    def new_fun(*args: Any, **kwargs: Any) -> Any:
        static, dynamic = iter(values), iter(args)
        return fun(*[next(static).value if i in positions else next(dynamic)
                     for i in range(count)], **kwargs)
    new_fun.__name__ = getattr(fun, "__name__", "<unnamed function>")
    return new_fun


@by_jaxpr
def _traced(fun: Callable, call: Any, info: Any) -> tuple[Jaxpr, list, Any]:
    traced = tracing.trace_to_jaxpr(fun, call, info)
    return pruning.open_consts(traced.jaxpr), traced.jaxpr.consts, traced.out_tree


def _eager(*args: Any, jaxpr: Jaxpr, **params: Any) -> list:
    return applying.eval_jaxpr(jaxpr, args)


def _jvp(primals: list, tangents: list, *, jaxpr: Jaxpr, prevent_cse: Any, **params: Any
         ) -> tuple[list, list]:
    nonzeros = [not is_zero(t) for t in tangents]
    made, out_nonzeros = jvp.jvp_jaxpr(jaxpr, nonzeros)
    given = where(tangents, nonzeros)
    if isinstance(prevent_cse, tuple):
        prevent_cse += (True,) * len(given)
    outs = remat_p.bind(*made.consts, *primals, *given, jaxpr=pruning.open_consts(made),
                        prevent_cse=prevent_cse, **params)
    n = len(jaxpr.outvars)
    rest = iter(outs[n:])
    return outs[:n], [next(rest) if nz else zero_of(x) for x, nz in zip(outs, out_nonzeros)]


def _partial_eval(trace: partial_eval.JaxprTrace, tracers: Sequence[Any], params: dict) -> list:
    unknown = [not t.known for t in tracers]
    policy = params["policy"] or nothing_saveable
    parts = splitting.split(params["jaxpr"], unknown, [True] * len(unknown), policy)
    # Only what the unknown results need is computed again.
    wanted = where(parts.unknown, parts.available)
    staged, used = pruning.dce(parts.staged, wanted)
    used_res, used_ins = used[:parts.num_res], used[parts.num_res:]
    n = parts.unknown.count(False)
    known, used_known = pruning.dce(parts.known, [True] * n + used_res)
    known = _rounded(known, sum(used_res))
    given = [t.value for t in tracers if t.known]
    outs = applying.eval_jaxpr(known, where(given, used_known))
    residuals = [trace.constant(r) for r in outs[n:]]
    ins = [*residuals, *[trace.unknown(t) for t in where(tracers, used_ins)]]
    cse = params["prevent_cse"]
    if isinstance(cse, tuple):
        cse = (True,) * len(residuals) + where(cse, used_ins)
    later = trace.emit(remat_p, ins, staged.out_avals, dict(
        params, jaxpr=staged, differentiated=True, prevent_cse=cse), staged.effects)
    return merge(parts.unknown, outs[:n], later)


@by_jaxpr
def _rounded(jaxpr: Jaxpr, num_res: int) -> Jaxpr:
    # Residuals that are used in the known part, too, are rounded explicitly, so that XLA
    # does not compute with more digits here than it saves.
    used = {id(a) for e in jaxpr.eqns for a in e.invars}
    invars, eqns = list(jaxpr.invars), list(jaxpr.eqns)
    for v in jaxpr.outvars[len(jaxpr.outvars) - num_res:]:
        if v.aval.dtype.family not in "fc" or id(v) not in used:
            continue
        limits = finfo(v.aval.dtype)
        params = {"exponent_bits": limits.nexp, "mantissa_bits": limits.nmant}
        new = Var(v.aval)
        place = next((i for i, x in enumerate(invars) if x is v), None)
        if place is not None:
            invars[place] = new
            eqns.insert(0, Eqn([new], [v], reduce_precision_p, params))
            continue
        at, eqn = next((i, e) for i, e in enumerate(eqns) if any(o is v for o in e.outvars))
        if eqn.primitive is reduce_precision_p and eqn.params == params:
            continue
        eqns[at] = Eqn(eqn.invars, [new if o is v else o for o in eqn.outvars], eqn.primitive,
                       eqn.params, eqn.effects, eqn.context)
        eqns.insert(at + 1, Eqn([new], [v], reduce_precision_p, params, frozenset(), eqn.context))
    return jaxpr.replace(invars=invars, eqns=eqns)


def _transpose(cotangents: list, *args: Any, jaxpr: Jaxpr, prevent_cse: Any, **params: Any
               ) -> None:
    asked = tuple(isinstance(x, Accumulator) for x in args)
    zeros = tuple(is_zero(c) for c in cotangents)
    made, in_zeros = _transposed(jaxpr, asked, zeros)
    given = [*split_where(args, asked)[0], *split_where(cotangents, zeros)[0]]
    if isinstance(prevent_cse, tuple):
        prevent_cse = (*split_where(prevent_cse, asked)[0], *[True] * zeros.count(False))
    outs = iter(remat_p.bind(*made.consts, *given, jaxpr=pruning.open_consts(made),
                             prevent_cse=prevent_cse, **params))
    for x, z in zip(where(args, asked), in_zeros):
        if not z:
            x.add(next(outs))


@by_jaxpr
def _transposed(jaxpr: Jaxpr, asked: tuple, zeros: tuple) -> tuple[Jaxpr, list[bool]]:
    fixed = [v.aval for v, a in zip(jaxpr.invars, asked) if not a]
    avals = fixed + [tangent_aval(v.aval) for v, z in zip(jaxpr.outvars, zeros) if not z]
    in_zeros: list[bool] = []

    def transposed(*given: Any) -> list:
        n = len(fixed)
        with applying.states(jax_mutable_array_checks=False):
            parts = partial_eval.unzip(jaxpr, asked, (), False)
        residuals = applying.call(parts.known, given[:n])
        cotangents = iter(given[n:])
        outs = [Zero(tangent_aval(v.aval)) if z else next(cotangents)
                for v, z in zip(jaxpr.outvars, zeros)]
        linear = [Accumulator(v.aval) for v in parts.unknown.invars[len(residuals):]]
        backward_pass(parts.unknown, [*residuals, *linear], outs)
        in_zeros.extend(is_zero(x.value) for x in linear)
        return [x.value for x in linear if not is_zero(x.value)]

    call = signature.flatten_call((0,) * len(avals), {}).with_leaves(avals)
    traced = tracing.trace_to_jaxpr(transposed, call, pruning.unnamed(jaxpr.debug_info))
    return traced.jaxpr, in_zeros


def _split(eqn: Eqn, unknown: list[bool], available: list[bool], policy: Callable) -> Any:
    cse = eqn.params["prevent_cse"]
    known: dict = {}
    staged: dict = {"differentiated": True}
    if isinstance(cse, tuple):
        known["prevent_cse"] = tuple(split_where(cse, unknown)[0])
        staged["prevent_cse"] = where(cse, available)
    return splitting.split_call(eqn, unknown, available, policy, known, staged)


def _dce(eqn: Eqn, used: list[bool]) -> Eqn | None:
    if not any(used) and not eqn.effects:
        return None
    jaxpr, used_ins = pruning.dce(eqn.params["jaxpr"], used)
    cse = eqn.params["prevent_cse"]
    if isinstance(cse, tuple):
        cse = where(cse, used_ins)
    return Eqn(list(where(eqn.invars, used_ins)), list(where(eqn.outvars, used)), remat_p,
               dict(eqn.params, jaxpr=jaxpr, prevent_cse=cse), jaxpr.effects, eqn.context)


remat_p = Primitive("remat2", multiple_results=True,
                    abstract=lambda *avals, jaxpr, **params: jaxpr.out_avals,
                    impl=lambda *values, jaxpr, **params: evaluate.run(jaxpr, values),
                    effects=lambda params: params["jaxpr"].effects)
remat_p.eager = _eager
remat_p.jvp, remat_p.partial_eval, remat_p.accumulate = _jvp, _partial_eval, _transpose
remat_p.split, remat_p.dce_rule = _split, _dce


def checkpoint_name(x: Any, name: str) -> Any:
    """``jax.ad_checkpoint.checkpoint_name``: name a value for policies."""
    process.current().config.check_limits("jax.ad_checkpoint.checkpoint_name", "jax_remat3")
    return pytrees.tree_map(functools.partial(name_p.bind, name=name), x)


def _name_jvp(primals: list, tangents: list, *, name: str) -> tuple:
    return name_p.bind(*primals, name=name), tangents[0]


name_p = Primitive("name", abstract=lambda aval, *, name: aval, impl=lambda value, *, name: value)
name_p.eager = lambda x, *, name: x
name_p.jvp = _name_jvp

