"""Functions inside a checked program: jitted ones, branches, loops, own derivatives.

Each is rewritten to take and return an `Error` beside its values. Branches and loops
need the same kinds of errors on every way, so their bodies are rewritten twice: once to
see which there are, once with room for all of them.

JAX source: ``jax/_src/checkify.py: pjit_error_check, cond_error_check,
scan_error_check, while_loop_error_check, remat_error_check, custom_jvp_call_rule,
custom_vjp_call_rule``.
"""

from __future__ import annotations

from typing import Any

from simulator import tracing
from simulator.autodiff.custom_vjp import custom_vjp_call_p
from simulator.autodiff.memo import by_jaxpr
from simulator.checking import rules as _rules  # noqa: F401  (the other rules)
from simulator.checking.error_types import Error
from simulator.checking.functionalize import apply, checked, rule
from simulator.control_flow.flat_tree import Group, nones
from simulator.control_flow.scan import parts, row_type
from simulator.device_arrays.values import typeof
from simulator.functions import signature
from simulator.jaxprs import applying, pruning
from simulator.jaxprs.jaxpr import Jaxpr
from simulator.placement.shardings import UNSPECIFIED
from simulator.primitives.sinks import dce_sink
from simulator.trees import pytrees


def _types(*values: Any) -> list:
    return [typeof(v) for v in values]


@rule("jit")
def _jit(primitive: Any, error: Error, enabled: frozenset, *values: Any, jaxpr: Jaxpr,
         **params: Any) -> tuple:
    errs, tree = pytrees.tree_flatten(error)
    new, out_tree, _ = checked(jaxpr, enabled, tree, *_types(*errs, *values))
    more_in = len(errs)
    more_out = out_tree.num_leaves - len(params["out_shardings"])
    params.update(
        in_shardings=(*[UNSPECIFIED] * more_in, *params["in_shardings"]),
        out_shardings=(*[UNSPECIFIED] * more_out, *params["out_shardings"]),
        in_layouts=(*[None] * more_in, *params["in_layouts"]),
        out_layouts=(*[None] * more_out, *params["out_layouts"]),
        donated_invars=(*[False] * more_in, *params["donated_invars"]))
    return out_tree.unflatten(primitive.bind(*errs, *values, jaxpr=new, **params))


@rule("eval_jaxpr")
def _eval_jaxpr(primitive: Any, error: Error, enabled: frozenset, *values: Any, call_jaxpr: Jaxpr
                ) -> tuple:
    return apply(call_jaxpr, enabled, error, values)


@rule("remat2")
def _remat(primitive: Any, error: Error, enabled: frozenset, *values: Any, jaxpr: Jaxpr,
           **params: Any) -> tuple:
    errs, tree = pytrees.tree_flatten(error)
    new, out_tree, _ = checked(jaxpr, enabled, tree, *_types(*errs, *values))
    return out_tree.unflatten(primitive.bind(*errs, *values, jaxpr=new, **params))


# --- branches and loops --------------------------------------------------------

@rule("cond")
def _cond(primitive: Any, error: Error, enabled: frozenset, index: Any, *values: Any,
          branches: tuple, **params: Any) -> tuple:
    errs, tree = pytrees.tree_flatten(error)
    avals = _types(*errs, *values)
    kinds = [checked(b, enabled, tree, *avals)[2] for b in branches]
    error = error.with_room_for(set().union(*kinds))
    errs, tree = pytrees.tree_flatten(error)
    avals = _types(*errs, *values)
    new = [checked(b, enabled, tree, *avals) for b in branches]
    outs = primitive.bind(index, *errs, *values, branches=tuple(b for b, _, _ in new), **params)
    error, results = new[0][1].unflatten(outs)
    metadata = error._metadata
    for _, out_tree, _ in new[1:]:
        metadata = {**metadata, **out_tree.unflatten(outs)[0]._metadata}
    return Error(error._pred, error._code, metadata, error._payload), results


@rule("scan")
def _scan(primitive: Any, error: Error, enabled: frozenset, *values: Any, jaxpr: Jaxpr,
          ft_in: Any, ft_out: Any, **params: Any) -> tuple:
    consts, carry, xs = parts(ft_in, values)
    inner = [*_types(*consts, *carry), *map(row_type, _types(*xs))]
    errs, tree = pytrees.tree_flatten(error)
    kinds = checked(jaxpr, enabled, tree, *_types(*errs), *inner)[2]
    errs, tree = pytrees.tree_flatten(error.with_room_for(kinds))
    body, out_tree, _ = checked(jaxpr, enabled, tree, *_types(*errs), *inner)
    behind = [True] * len(errs) + [False] * len(consts) + [True] * (len(carry) + len(xs))
    body = pruning.move_to_back(body, behind)
    errs_g = nones(len(errs))
    consts_g, carry_g, xs_g = ft_in.unpack()
    outs = primitive.bind(
        *consts, *errs, *carry, *xs, jaxpr=body, ft_in=Group(consts_g, Group(errs_g, carry_g), xs_g),
        ft_out=Group(Group(errs_g, carry_g), ft_out.unpack()[1]), **params)
    return out_tree.unflatten(outs)


def _while_body(cond_jaxpr: Jaxpr, body_jaxpr: Jaxpr, enabled: frozenset, error: Error,
                n_cond: int) -> tuple:
    # The body also asks the next condition, whose checks would otherwise be lost.
    def new_body_f(*vals: Any) -> list:
        outs = applying.call(body_jaxpr, vals[n_cond:])
        dce_sink(applying.call(cond_jaxpr, [*vals[:n_cond], *outs]))
        return outs

    avals = [*cond_jaxpr.in_avals[:n_cond], *body_jaxpr.in_avals]
    call = signature.flatten_call((0,) * len(avals), {}).with_leaves(avals)
    jaxpr = tracing.trace_to_jaxpr(new_body_f, call, pruning.unnamed(body_jaxpr.debug_info)).jaxpr
    errs, tree = pytrees.tree_flatten(error)
    return checked(jaxpr, enabled, tree, *_types(*errs), *avals)


@by_jaxpr
def _without_error(jaxpr: Jaxpr, count: int) -> Jaxpr:
    return jaxpr.replace(outvars=jaxpr.outvars[count:])


@rule("while")
def _while(primitive: Any, error: Error, enabled: frozenset, *values: Any, cond_nconsts: int,
           cond_jaxpr: Jaxpr, body_nconsts: int, body_jaxpr: Jaxpr) -> tuple:
    if cond_jaxpr.out_avals[0].shape:
        raise ValueError("Checkify does not support batched while-loops (checkify-of-vmap-of-"
                         "while). \nHint: if possible, move the vmap to the outer level to get "
                         "vmap-of-checkify-of-while.")
    c_consts = values[:cond_nconsts]
    b_consts = values[cond_nconsts:cond_nconsts + body_nconsts]
    carry = values[cond_nconsts + body_nconsts:]
    error, _ = apply(cond_jaxpr, enabled, error, [*c_consts, *carry])
    kinds = _while_body(cond_jaxpr, body_jaxpr, enabled, error, cond_nconsts)[2]
    error = error.with_room_for(kinds)
    errs, tree = pytrees.tree_flatten(error)
    body, out_tree, _ = _while_body(cond_jaxpr, body_jaxpr, enabled, error, cond_nconsts)
    first = [True] * len(errs)
    body = pruning.move_to_back(
        body, [*first, *[False] * (cond_nconsts + body_nconsts), *[True] * len(carry)])
    cond = _without_error(checked(cond_jaxpr, enabled, tree, *_types(*errs, *c_consts, *carry))[0],
                          len(errs))
    cond = pruning.move_to_back(cond, [*first, *[False] * cond_nconsts, *[True] * len(carry)])
    outs = primitive.bind(*c_consts, *c_consts, *b_consts, *errs, *carry,
                          cond_nconsts=cond_nconsts, cond_jaxpr=cond,
                          body_nconsts=cond_nconsts + body_nconsts, body_jaxpr=body)
    return out_tree.unflatten(outs)


# --- derivatives of their own --------------------------------------------------

class _CheckedFun:
    """The function of an equation with its checks; flat values in and out."""

    def __init__(self, jaxpr: Jaxpr, enabled: frozenset, tree: Any, named: bool):
        self.jaxpr, self.enabled, self.tree, self.out_tree = jaxpr, enabled, tree, None
        info = jaxpr.debug_info
        if named and info.arg_names is not None:
            info = info._replace(arg_names=("",) * tree.num_leaves + tuple(info.arg_names))
        self.info = info

    def __call__(self, *args: Any) -> list:
        n = self.tree.num_leaves
        result = apply(self.jaxpr, self.enabled, self.tree.unflatten(args[:n]), args[n:])
        outs, self.out_tree = pytrees.tree_flatten(result)
        return outs


@rule("custom_jvp_call")
def _custom_jvp(primitive: Any, error: Error, enabled: frozenset, *values: Any, **params: Any
                ) -> tuple:
    errs, tree = pytrees.tree_flatten(error)
    n_errs, inner = len(errs), primitive.bind_params(params)["jvp"]
    fun = _CheckedFun(params["call_jaxpr"], enabled, tree, True)

    def jvp(*xs: Any) -> list:
        # The rule itself has no checks: errors pass by.
        n = len(xs) // 2
        outs = inner(*xs[n_errs:n], *xs[n + n_errs:])
        half = len(outs) // 2
        return [*xs[:n_errs], *outs[:half], *xs[n:n + n_errs], *outs[half:]]
    jvp.__name__ = inner.__name__

    outs = primitive.bind(*errs, *values, fun=fun, jvp=jvp,
                          symbolic_zeros=params["symbolic_zeros"])
    if fun.out_tree is not None:
        return fun.out_tree.unflatten(outs)
    return tree.unflatten(outs[:n_errs]), outs[n_errs:]


@rule("custom_vjp_call")
def _custom_vjp(primitive: Any, error: Error, enabled: frozenset, *values: Any, **params: Any
                ) -> tuple:
    errs, tree = pytrees.tree_flatten(error)
    n_errs, inner = len(errs), primitive.bind_params(params)
    fun = _CheckedFun(params["call_jaxpr"], enabled, tree, False)

    def fwd(*args: Any) -> list:
        return inner["fwd"](*args[2 * n_errs:])

    def bwd(*args: Any) -> list:
        return [*(None,) * n_errs, *inner["bwd"](*args)]
    fwd.__name__, bwd.__name__ = inner["fwd"].__name__, inner["bwd"].__name__

    outs = custom_vjp_call_p.bind(*errs, *values, fun=fun, fwd=fwd, bwd=bwd,
                                  out_trees=inner["out_trees"],
                                  symbolic_zeros=params["symbolic_zeros"])
    if fun.out_tree is not None:
        return fun.out_tree.unflatten(outs)
    return error, outs
