"""Batching loops and branches.

A carry is mapped when it starts mapped or when the body makes it so; that is found by
batching the body again until nothing changes. A mapped condition makes the loop run
until no element wants to go on. A mapped index makes a `cond` compute all its
branches and choose.

JAX source: ``jax/_src/lax/control_flow/loops.py: _scan_batching_rule,
_while_loop_batching_rule``;
``jax/_src/lax/control_flow/conditionals.py: _cond_batching_rule``;
``jax/_src/lax/eval_jaxpr.py: _eval_jaxpr_batch``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simulator.batching import axes, jaxprs
from simulator.batching.rules import always
from simulator.control_flow import call, cond, scan, while_loop  # noqa: F401  (the primitives)
from simulator.facade.jax.lax import base, shapes
from simulator.facade.jax.lax import elementwise as el
from simulator.jaxprs.applying import eval_jaxpr
from simulator.primitives.core import Primitive
from simulator.side_effects.effects import IO, ORDERED_IO


def _fixpoint(carry: list[bool], batched: Callable) -> Any:
    """Ask `batched(carry)`, which ends with whether each carry comes out mapped, until
    that is how they went in."""
    while True:
        answer = batched(carry)
        if answer[-1] == carry:
            return (carry, *answer)
        carry = [a or b for a, b in zip(carry, answer[-1])]


@always("scan")
def _scan(primitive: Primitive, axis: Any, vals: list, dims: list, *, jaxpr: Any, ft_in: Any,
          ft_out: Any, reverse: bool, length: int, **params: Any) -> tuple:
    const_dims, init_dims, xs_dims = scan.parts(ft_in, dims)
    consts, init, xs = scan.parts(ft_in, vals)
    n_carry, n_ys = map(len, ft_out.unpack())

    def batched(carry: list) -> tuple:
        mapped = [*[d is not None for d in const_dims], *carry, *[d is not None for d in xs_dims]]
        body, outs = jaxprs.batch_jaxpr_front(jaxpr, axis, mapped, carry + [False] * n_ys)
        return body, outs[n_carry:], outs[:n_carry]

    carry, body, ys, _ = _fixpoint([d is not None for d in init_dims], batched)
    consts = [x if d is None else axes.moveaxis(x, d, 0) for x, d in zip(consts, const_dims)]
    init = [axes.at_front(x, d, axis.size, axis.part) if m else x for x, d, m in zip(init, init_dims, carry)]
    # The sequences keep the loop's axis in front.
    xs = [x if d is None else axes.moveaxis(x, d, 1) for x, d in zip(xs, xs_dims)]
    outs = primitive.bind(*consts, *init, *xs, reverse=reverse, length=length, jaxpr=body, ft_in=ft_in,
                          ft_out=ft_out, **params)
    return outs, [0 if m else None for m in carry] + [1 if m else None for m in ys]


@always("while")
def _while(primitive: Primitive, axis: Any, vals: list, dims: list, *, cond_nconsts: int,
           cond_jaxpr: Any, body_nconsts: int, body_jaxpr: Any) -> tuple:
    both = cond_nconsts + body_nconsts
    cond_dims, body_dims, init_dims = dims[:cond_nconsts], dims[cond_nconsts:both], dims[both:]
    effects = cond_jaxpr.effects | body_jaxpr.effects
    if ORDERED_IO in effects:
        raise Exception("Ordered IO effects not supported in vmap.")

    def batched(carry: list) -> tuple:
        mapped = [d is not None for d in body_dims] + carry
        return (jaxprs.batch_jaxpr_front(body_jaxpr, axis, mapped, carry)[1],)

    carry, _ = _fixpoint([d is not None for d in init_dims], batched)
    mapped = [d is not None for d in cond_dims] + carry
    _, (chooses,) = jaxprs.batch_jaxpr_front(cond_jaxpr, axis, mapped, False)
    if chooses:
        if IO in effects:
            raise Exception("Unordered IO effects not supported in while_loop with batched "
                            "predicate")
        carry_dims: list = [0] * len(carry)
    else:
        # Behind the axes of a condition that another vmap has mapped.
        rank = len(cond_jaxpr.out_avals[0].shape)
        carry_dims = [rank if m else None for m in carry]
    body, _ = jaxprs.batch_jaxpr_axes(body_jaxpr, axis, body_dims + carry_dims, carry_dims)
    condition, _ = jaxprs.batch_jaxpr_axes(cond_jaxpr, axis, cond_dims + carry_dims,
                                           [0 if chooses else None])
    init = [_placed(x, old, new, axis) for x, old, new in zip(vals[both:], init_dims, carry_dims)]
    outs = primitive.bind(*vals[:both], *init, cond_nconsts=cond_nconsts, cond_jaxpr=condition,
                          body_nconsts=body_nconsts, body_jaxpr=body)
    return outs, carry_dims


def _placed(x: Any, old: int | None, new: int | None, axis: Any) -> Any:
    if new is None:
        return x
    return (axes.broadcast(x, axis.size, new, axis.part) if old is None
            else axes.moveaxis(x, old, new))


@always("cond")
def _cond(primitive: Primitive, axis: Any, vals: list, dims: list, *, branches: tuple,
          **params: Any) -> tuple:
    if any(e in b.effects for b in branches for e in (IO, ORDERED_IO)):
        raise NotImplementedError("IO effect not supported in vmap-of-cond.")
    if dims[0] is not None:
        return _all_branches(axis, vals, dims, branches)
    mapped = [d is not None for d in dims[1:]]
    operands = [x if d is None else axes.moveaxis(x, d, 0) for x, d in zip(vals[1:], dims[1:])]
    found = [jaxprs.batch_jaxpr_front(b, axis, mapped, False)[1] for b in branches]
    outs_mapped = [any(column) for column in zip(*found)]
    batched = tuple(jaxprs.batch_jaxpr_front(b, axis, mapped, outs_mapped)[0] for b in branches)
    outs = primitive.bind(vals[0], *operands, branches=batched, **params)
    return outs, [0 if m else None for m in outs_mapped]


def _all_branches(axis: Any, vals: list, dims: list, branches: tuple) -> tuple:
    index, *operands = [axes.at_front(x, d, axis.size, axis.part)
                        for x, d in zip(vals, dims)]
    n_outs = len(branches[0].outvars)
    batched = [jaxprs.batch_jaxpr_front(b, axis, [True] * len(operands), [True] * n_outs)[0]
               for b in branches]
    results = []
    for i, branch in enumerate(batched):
        chosen = el.eq(index, base.const(index, i))
        results.append(eval_jaxpr(branch, [_guarded(chosen, x) for x in operands]))
    outs = [el.select_n(_wide(index, column[0]), *column) for column in zip(*results)]
    return outs, [0] * n_outs


def _guarded(chosen: Any, x: Any) -> Any:
    # What a branch computes for elements that did not choose it must not spoil a gradient.
    stopped = el.stop_gradient(x)
    return el.select(_wide(chosen, x), x, stopped)


def _wide(which: Any, like: Any) -> Any:
    rank = base.ndim(which)
    if rank == base.ndim(like):
        return which
    return shapes.broadcast_in_dim(which, base.shape(like), list(range(rank)))


@always("eval_jaxpr")
def _eval_jaxpr(primitive: Primitive, axis: Any, vals: list, dims: list, *, call_jaxpr: Any
                ) -> tuple:
    batched, out_dims = jaxprs.batch_jaxpr(call_jaxpr, axis, dims)
    return primitive.bind(*vals, call_jaxpr=batched), out_dims
