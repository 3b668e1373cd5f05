"""Differentiating a `scan`: forward, linear part, and backwards.

The linear part is a scan of its own. What it needs of each turn comes out of the
first scan as further rows; what does not depend on the turn is computed once, before
the loop. Backwards the linear scan runs in the other direction, and the cotangents of
its constants are carried along.

JAX source: ``jax/_src/lax/control_flow/loops.py: _scan_jvp, _scan_linearize,
_scan_known_hoisting, _scan_transpose_fancy, _transpose_scan_jaxpr_fancy``.

Simplified: there are no references to accumulate into; structured residuals hold no values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from simulator import traces
from simulator.autodiff import jvp, linearize, partial_eval
from simulator.autodiff.accumulate import Accumulator
from simulator.autodiff.backward import backward_pass
from simulator.autodiff.memo import by_jaxpr
from simulator.autodiff.zeros import (
    Zero,
    instantiate,
    is_zero,
    tangent_aval,
    zero_of,
    zeros,
)
from simulator.control_flow import bodies
from simulator.control_flow.flat_tree import FlatTree, Group, nones, shaped, zipstar
from simulator.control_flow.scan import parts, row_type, scan_p
from simulator.device_arrays.values import abstractify
from simulator.jaxprs import applying, pruning
from simulator.jaxprs.jaxpr import Jaxpr
from simulator.jaxprs.pruning import merge, split_where, substitute
from simulator.ndarrays.ndarray import NDArray
from simulator.trees import pytrees

# In the structure of a transposed scan a cotangent that is zero is an empty node.
pytrees.register_only("tracing", Zero, lambda z: ((), z.aval), lambda aval, _: Zero(aval))


def fixpoint(carry: list[bool], answer: Callable) -> Any:
    """Ask ``answer(carry) -> (found, carry afterwards)`` until the carry is as before."""
    while True:
        found, after = answer(carry)
        if after == carry:
            return carry, found
        carry = [a or b for a, b in zip(carry, after)]


def _jvp(primals: list, tangents: list, *, jaxpr: Jaxpr, ft_in: FlatTree, ft_out: FlatTree,
         **params: Any) -> tuple[list, list]:
    const_nz, init_nz, xs_nz = parts(ft_in, [not is_zero(t) for t in tangents])
    n_carry, n_ys = map(len, ft_out.unpack())

    def answer(carry: list) -> tuple:
        found, nonzeros = jvp.jvp_jaxpr(jaxpr, [*const_nz, *carry, *xs_nz],
                                        carry + [False] * n_ys)
        return (found, nonzeros), nonzeros[:n_carry]

    carry_nz, (both, out_nonzeros) = fixpoint(init_nz, answer)
    nonzeros = [*const_nz, *carry_nz, *xs_nz]
    tangents = [instantiate(t) if nz else None for t, nz in zip(tangents, nonzeros)]
    # Constants and their tangents, carries and theirs, sequences and theirs.
    args = Group(ft_in.update(primals), ft_in.update(tangents).filter(nonzeros))
    ins = zipstar(args.update(both.invars))
    outs = zipstar(Group(ft_out, ft_out.filter(out_nonzeros)).update(both.outvars))
    body = both.replace(invars=ins.vals, outvars=outs.vals)
    results = scan_p.bind(*zipstar(args), jaxpr=body, ft_in=ins.void(), ft_out=outs.void(), **params)
    given, tangents_out = zipstar(outs.update(results)).unpack()
    return given.vals, [t if nz else zero_of(x) for t, x, nz in zip(
        tangents_out.unfilter(), given, out_nonzeros)]


def hoist(jaxpr: Jaxpr, consts: Sequence[Any], num_res: int
          ) -> tuple[Jaxpr, list, list[bool], list]:
    """Compute what depends on constants alone before the loop.

    Args:
      jaxpr: of the constants, carries and rows; its last `num_res` results are residuals.

    Returns:
      The rest, with constants of its own; those; which residuals were computed, and what
      they are.
    """
    trace = partial_eval.JaxprTrace(traces.current())
    others = [trace.new_arg(v.aval) for v in jaxpr.invars[len(consts):]]
    with traces.current_trace(trace):
        outs = [trace.lift(x) for x in applying.call(jaxpr, [*consts, *others])]
    n = len(outs) - num_res
    hoisted = [x.known for x in outs[n:]]
    left = [trace.unknown(x) for x in outs[:n]] + [x for x in outs[n:] if not x.known]
    rest, new_consts = partial_eval.to_jaxpr(others, left, trace.effectful, jaxpr.debug_info)
    return rest, new_consts, hoisted, [x.value for x in outs[n:] if x.known]


def by_row(hoisted: Sequence[bool], forwards: Sequence[int | None], start: int) -> list[bool]:
    """Which residuals change with the turn.

    Args:
      hoisted: for those that are results: whether they were computed before the loop.
      forwards: per residual the input that it is, or None. start: where the rows begin.
    """
    fresh = iter(hoisted)
    return [not next(fresh) if f is None else f >= start for f in forwards]


def _linearize(is_vjp: bool, nonzeros: list[bool], primals: list, params: dict
               ) -> linearize.Linear:
    jaxpr, ft_in, ft_out = (params[k] for k in ("jaxpr", "ft_in", "ft_out"))
    rest = {k: params[k] for k in ("reverse", "length", "unroll")}
    const_nz, init_nz, xs_nz = parts(ft_in, nonzeros)
    n_consts, n_carry = len(const_nz), len(init_nz)
    n_ys = len(jaxpr.outvars) - n_carry
    const_ok, _, xs_ok = parts(ft_in, [not isinstance(p, NDArray) for p in primals])
    allow = [True] * len(jaxpr.consts) + const_ok + [False] * n_carry + xs_ok

    def answer(carry: list) -> tuple:
        found = linearize.linearize_jaxpr(jaxpr, [*const_nz, *carry, *xs_nz],
                                          carry + [False] * n_ys, allow, is_vjp)
        return found, found.nonzeros[:n_carry]

    carry_nz, found = fixpoint(init_nz, answer)
    nonzeros = [*const_nz, *carry_nz, *xs_nz]
    n_outs = len(jaxpr.outvars)
    forward, consts, hoisted, known = hoist(found.forward, primals[:n_consts], found.num_res)
    # Residuals that change with the turn come behind the tangents, as rows.
    changing = by_row(hoisted, found.forwards, len(jaxpr.consts) + n_consts + n_carry)
    n_tangents = len(found.tangent.invars) - len(changing)
    tangent = pruning.move_to_back(found.tangent, changing + [False] * n_tangents)
    # A residual that is a result already, or another residual, is not given twice.
    may = [False] * n_carry + [True] * (n_outs - n_carry)
    forward, same = pruning.dedup_outputs(forward, n_outs, may)
    outs: list = []
    if forward.outvars or forward.effects:
        _, carry_part, xs_part = ft_in.unpack()
        n_rows = sum(f is None for f in same) - n_outs
        outs = scan_p.bind(
            *consts, *primals[n_consts:], jaxpr=forward, **rest,
            ft_in=Group(nones(len(consts)), carry_part, xs_part),
            ft_out=Group(carry_part, Group(ft_out.unpack()[1], nones(n_rows))))
    outs = substitute(same, outs, outs)
    residuals = substitute(found.forwards, [*jaxpr.consts, *primals],
                           merge(hoisted, outs[n_outs:], known))
    outs = outs[:n_outs]

    def apply(residuals: list, tangents: list) -> list:
        fixed, rows = split_where(residuals, changing)
        given = [instantiate(t) for t, nz in zip(tangents, nonzeros) if nz]
        consts_part, carry_part, xs_part = ft_in.filter(nonzeros).unpack()
        made = iter(scan_p.bind(
            *fixed, *given, *rows, jaxpr=tangent, **rest,
            ft_in=Group(Group(nones(len(fixed)), consts_part), carry_part,
                        Group(xs_part, nones(len(rows)))),
            ft_out=ft_out.filter(found.nonzeros)))
        return [next(made) if nz else Zero(tangent_aval(v.aval))
                for v, nz in zip(jaxpr.outvars, found.nonzeros)]
    return linearize.Linear(outs, found.nonzeros, residuals, apply, found.structured)


def _asked(x: Any) -> bool:
    return isinstance(x, Accumulator)


def _transpose(cotangents: list, *args: Any, jaxpr: Jaxpr, ft_in: FlatTree, ft_out: FlatTree,
               reverse: bool, length: int, unroll: int) -> None:
    consts, carry, xs = parts(ft_in, args)
    const_asked, xs_asked = tuple(map(_asked, consts)), tuple(map(_asked, xs))
    fixed, const_dots = split_where(consts, const_asked)
    rows, x_dots = split_where(xs, xs_asked)
    jaxpr = _grouped(jaxpr, const_asked, len(carry), xs_asked)
    ct_carry = [instantiate(c) for c in cotangents[:len(carry)]]
    ct_ys = [Zero(row_type(c.aval)) if is_zero(c) else c for c in cotangents[len(carry):]]
    ct_consts = [zeros(x.aval) for x in const_dots]
    given_ys = [c for c in ct_ys if not is_zero(c)]
    ins = [*fixed, *ct_consts, *ct_carry, *given_ys, *rows]
    n_scalars = len(consts) + len(carry)
    avals = [abstractify(x) for x in ins]
    avals = avals[:n_scalars] + [row_type(a) for a in avals[n_scalars:]]
    counts = len(fixed), len(ct_consts), len(ct_carry), tuple(
        c.aval if is_zero(c) else None for c in ct_ys)
    transposed = _transposed(jaxpr, counts, tuple(avals), tuple(row_type(x.aval) for x in x_dots))
    outs = scan_p.bind(
        *ins, reverse=not reverse, length=length, jaxpr=transposed,
        ft_in=shaped(((fixed, []), (ct_consts, ct_carry), ([], ct_ys, rows))),
        ft_out=Group(shaped((ct_consts, ct_carry)),
                     Group(shaped([0] * len(x_dots)), nones(0))), unroll=unroll)
    for x, cotangent in zip([*const_dots, *carry, *x_dots], outs):
        if isinstance(x, Accumulator):
            x.add(cotangent)



@by_jaxpr
def _grouped(jaxpr: Jaxpr, const_asked: tuple, n_carry: int, xs_asked: tuple) -> Jaxpr:
    # Constants that are given before those asked for; sequences the other way round.
    n = len(const_asked)
    fixed, dots = split_where(jaxpr.invars[:n], const_asked)
    rows, x_dots = split_where(jaxpr.invars[n + n_carry:], xs_asked)
    return jaxpr.replace(
        invars=[*fixed, *dots, *jaxpr.invars[n:n + n_carry], *x_dots, *rows])


@by_jaxpr
def _transposed(jaxpr: Jaxpr, counts: tuple, avals: tuple, x_avals: tuple) -> Jaxpr:
    n_fixed, n_consts, n_carry, zero_ys = counts

    def transposed(*args: Any) -> list:
        rest = iter(args)
        fixed = [next(rest) for _ in range(n_fixed)]
        const_dots = [Accumulator(abstractify(c), c)
                      for c in (next(rest) for _ in range(n_consts))]
        ct_carry = [next(rest) for _ in range(n_carry)]
        ct_ys = [next(rest) if z is None else Zero(z) for z in zero_ys]
        carry_dots = [Accumulator(abstractify(c)) for c in ct_carry]
        x_dots = [Accumulator(a) for a in x_avals]
        dots = [*const_dots, *carry_dots, *x_dots]
        backward_pass(jaxpr, [*fixed, *dots, *rest], [*ct_carry, *ct_ys])
        return [instantiate(x.value) for x in dots]

    return bodies.trace_flat(transposed, avals, pruning.unnamed(jaxpr.debug_info))


scan_p.jvp = _jvp
scan_p.linearize = _linearize
scan_p.accumulate = _transpose
