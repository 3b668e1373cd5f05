"""The `scan` primitive: a loop of known length with a carry, sequences in and out.

Lowering writes it as a `while` that cuts a row from each sequence, calls the body
and puts its rows into the results; that loop is traced anew for every module, and
asks the caches for everything in it.

JAX source: ``jax/_src/lax/control_flow/loops.py: scan_p, _scan_impl,
_scan_abstract_eval, _scan_dce_rule``.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from simulator.control_flow import running
from simulator.control_flow.call import eval_jaxpr_p
from simulator.control_flow.flat_tree import FlatTree
from simulator.facade.jax import lax
from simulator.facade.jax.lax import base
from simulator.jaxprs import lower_fun, pruning
from simulator.jaxprs.jaxpr import Eqn, Jaxpr
from simulator.manual.varying import pvary
from simulator.ndarrays.ndarray import NDArray
from simulator.placement import mesh, mesh_types
from simulator.primitives.core import Primitive
from simulator.primitives.creation import DEVICE_MEMORY, empty2_p
from simulator.references.ref_types import of_bodies
from simulator.types.avals import ShapedArray


def stacked(aval: ShapedArray, length: int) -> ShapedArray:
    """The type of `length` values of one type, along a new first axis."""
    return aval.update(shape=(length, *aval.shape), spec=(None, *aval.spec))


def row_type(aval: ShapedArray) -> ShapedArray:
    """The type of one row of a sequence."""
    return aval.update(shape=aval.shape[1:], spec=aval.spec[1:])


def parts(tree: FlatTree, items: Sequence[Any]) -> list[list]:
    """`items` cut as the groups of a tree are."""
    return [list(part) for part in tree.update(items).unpack()]


def _abstract(*avals: ShapedArray, jaxpr: Jaxpr, length: int, ft_out: FlatTree, **params: Any
              ) -> list[ShapedArray]:
    carry, ys = parts(ft_out, jaxpr.out_avals)
    return [*carry, *[stacked(a, length) for a in ys]]


def _impl(*values: NDArray, jaxpr: Jaxpr, length: int, reverse: bool, ft_in: FlatTree,
          ft_out: FlatTree, unroll: int) -> list[NDArray]:
    n_carry = len(ft_out.unpack()[0])

    def compute(*given: NDArray) -> list[list]:
        consts, carry, xs = parts(ft_in, given)
        budget = running.Budget("jax.lax.scan", length, jaxpr)
        rows: list[list] = []
        order = range(length - 1, -1, -1) if reverse else range(length)
        for i in order:
            outs = running.step(jaxpr, [*consts, *carry, *[running.row(x, i) for x in xs]], budget)
            carry = outs[:n_carry]
            rows.append([o.cell.force() for o in outs[n_carry:]])
        if reverse:
            rows.reverse()
        ys = [[v for r in column for v in r] for column in zip(*rows)] if rows else [
            [] for _ in jaxpr.outvars[n_carry:]]
        return [*[c.cell.force() for c in carry], *ys]

    return running.results(_abstract(jaxpr=jaxpr, length=length, ft_out=ft_out), compute, values,
                           [jaxpr])


def _dce(eqn: Eqn, used: list[bool]) -> Eqn | None:
    if not any(used) and not eqn.effects:
        return None
    p = eqn.params
    used_carry, used_ys = parts(p["ft_out"], used)
    consts, _, xs = p["ft_in"].unpack()
    while True:
        # A carry is needed when another one that is needed is made from it.
        keep = [False] * len(consts) + used_carry + [False] * len(xs)
        jaxpr, used_ins = pruning.dce(p["jaxpr"], [*used_carry, *used_ys], keep)
        needed = parts(p["ft_in"], used_ins)[1]
        if needed == used_carry:
            break
        used_carry = [a or b for a, b in zip(needed, used_carry)]
    used = [*used_carry, *used_ys]
    params = dict(p, jaxpr=jaxpr, ft_in=p["ft_in"].filter(used_ins),
                  ft_out=p["ft_out"].filter(used))
    ins = [v for v, u in zip(eqn.invars, used_ins) if u]
    return Eqn(ins, [v for v, u in zip(eqn.outvars, used) if u], eqn.primitive, params,
               of_bodies(params, ins), eqn.context)


def _lowered(params: dict) -> tuple[str, dict]:
    # The module has the loop, not how its operands were grouped; the whole loop
    # unrolled is the same program however that was asked for.
    length, unroll = params["length"], params["unroll"]
    if unroll == 0 or (unroll == length != 1):
        unroll = "all"
    counts = [len(p) for p in (*params["ft_in"].unpack(), *params["ft_out"].unpack())]
    return "scan", {"counts": tuple(counts), "jaxpr": params["jaxpr"], "length": length,
                    "reverse": params["reverse"], "unroll": unroll}


scan_p = Primitive("scan", abstract=_abstract, impl=_impl, multiple_results=True,
                   effects=lambda params: params["jaxpr"].effects)
scan_p.dce_rule = _dce
scan_p.lowered = _lowered


def empty_like(aval: ShapedArray) -> Any:
    """Room for a value of a type."""
    scalar = pvary(empty2_p.bind(dtype=aval.dtype, memory_space=DEVICE_MEMORY), aval.varying)
    with mesh.use_abstract_mesh(aval.mesh or mesh_types.empty_abstract_mesh):
        return lax.broadcast(scalar, aval.shape, out_sharding=base.sharding_of(aval))


# --- lowering ----------------------------------------------------------------

def _on_the_mesh_of(value: Any) -> Any:
    return mesh.use_abstract_mesh(base.typeof(value).mesh or mesh_types.empty_abstract_mesh)


def _room(aval: ShapedArray, sizes: tuple[int, ...]) -> Any:
    # Where the rows of a result will be written.
    return empty_like(aval.update(shape=(*sizes, *aval.shape),
                                  mesh=aval.mesh or mesh.get_abstract_mesh(),
                                  spec=(None,) * len(sizes) + aval.spec))


def _joined(rows: Sequence[Any]) -> Any:
    return lax.concatenate([lax.expand_dims(r, (0,)) for r in rows], dimension=0)


def _scan_impl(*args: Any, reverse: bool, length: int, ft_in: FlatTree, ft_out: FlatTree,
               jaxpr: Jaxpr, unroll: int) -> list:
    from simulator.facade.jax.lax.loops import while_loop
    consts, carry, xs = parts(ft_in, args)
    _, y_avals = parts(ft_out, jaxpr.out_avals)
    trips, rest = divmod(length, unroll) if unroll else (0, length)
    if unroll != 1 and (trips, rest) == (1, 0):
        trips, rest = 0, length
    left_over: list = []
    if unroll == 1:
        columns, ys = xs, [_room(a, (length,)) for a in y_avals]
    else:
        cut = rest if reverse else trips * unroll
        if rest:
            halves = [(lax.slice_in_dim(x, 0, cut), lax.slice_in_dim(x, cut, x.shape[0]))
                      for x in xs]
            heads, tails = [h for h, _ in halves], [t for _, t in halves]
            left_over, xs = (heads, tails) if reverse else (tails, heads)
        sizes = (trips, unroll) if trips else (0,)
        columns = [lax.reshape(x, (trips, unroll, *x.shape[1:])) for x in xs] if trips else []
        ys = [_room(a, sizes) for a in y_avals]

    def turn(carry: list, row: list) -> tuple[list, list]:
        outs = eval_jaxpr_p.bind(*consts, *carry, *row, call_jaxpr=jaxpr)
        return outs[:len(carry)], outs[len(carry):]

    def turns(n: int, carry: list, rows: list) -> tuple[list, list]:
        if unroll == 1:
            return turn(carry, rows)
        found = []
        for k in (range(n - 1, -1, -1) if reverse else range(n)):
            carry, y = turn(carry, [lax.index_in_dim(x, k, keepdims=False) for x in rows])
            found.append(y)
        if reverse:
            found.reverse()
        return carry, [_joined(column) for column in zip(*found)]

    def body_fun(while_carry: tuple) -> tuple:
        i_, carry, ys = while_carry
        with _on_the_mesh_of(i_):
            i = trips - i_ - 1 if reverse else i_
        rows = []
        for x in columns:
            with _on_the_mesh_of(x):
                rows.append(lax.dynamic_index_in_dim(x, i, keepdims=False,
                                                     allow_negative_indices=False))
        carry, made = turns(unroll, carry, rows)
        written = []
        for y, update in zip(ys, made):
            with _on_the_mesh_of(y):
                written.append(lax.dynamic_update_index_in_dim(
                    y, update, i, 0, allow_negative_indices=False))
        return i_ + 1, carry, written

    def cond_fun(while_carry: tuple) -> Any:
        return while_carry[0] < trips

    if trips:
        _, carry, ys = while_loop(cond_fun, body_fun, (base.const(trips, 0), carry, ys))
    if unroll != 1 and trips:
        ys = [lax.reshape(y, (trips * unroll, *y.shape[2:])) for y in ys]
    if rest:
        carry, more = turns(rest, carry, left_over)
        ys = [lax.concatenate([b, a] if reverse else [a, b], 0) for a, b in zip(ys, more)]
    return [*carry, *ys]


@lower_fun.rule("scan")
def _lower(eqn: Eqn) -> list[Jaxpr]:
    lowered: Callable = functools.partial(_scan_impl, **eqn.params)
    return [lower_fun.trace(lowered, *[a.aval for a in eqn.invars], described=_scan_impl)]
