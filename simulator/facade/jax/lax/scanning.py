"""``jax.lax.scan``: one body over the rows of arrays.

Nothing is traced by a cache of its own: the body goes through the tracing cache, so
the same function object is traced once per types, and a new one every time.

JAX source: ``jax/_src/lax/control_flow/loops.py: scan``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from simulator import errors, process
from simulator.control_flow import agreement, bodies
from simulator.control_flow import discharging as _discharging  # noqa: F401  (its rules)
from simulator.control_flow.agreement import Types
from simulator.control_flow.flat_tree import Group, nones
from simulator.control_flow.scan import row_type, scan_p
from simulator.device_arrays.device_put import from_host
from simulator.device_arrays.values import typeof
from simulator.facade.jax.lax import base, reducing, shapes, slicing
from simulator.functions import signature
from simulator.jaxprs import pruning
from simulator.jaxprs.jaxpr import Jaxpr
from simulator.ndarrays.ndarray import NDArray
from simulator.trees import pytrees


def leaves_of(tree: Any) -> tuple[list, Any]:
    """The leaves of a carry, and its structure, as the tracing registry sees them."""
    return process.current().registries.tracing.flatten(tree)


def scan(f: Callable, init: Any, xs: Any = None, length: int | None = None,
         reverse: bool = False, unroll: int | bool = 1, _split_transpose: bool = False) -> Any:
    """``jax.lax.scan``: ``f(carry, x) -> (carry, y)`` along the first axis of `xs`.

    Errors: TypeError when the body does not return a pair, or another carry than it
    was given; ValueError for lengths that disagree.
    """
    process.current().config.check_limits("jax.lax.scan", "jax_scan3")
    if not callable(f):
        raise TypeError("lax.scan: f argument should be a callable.")
    debug_info = signature.debug_info("scan", f, (init, xs), {})
    carry, carry_tree = leaves_of(init)
    columns, xs_tree = leaves_of(xs)
    init_avals = [typeof(x) for x in carry]
    xs_avals = [typeof(x) for x in columns]
    length = _scan_length(columns, xs_avals, length)
    if process.current().config.value("jax_disable_jit"):
        return _scan_in_python(f, init, columns, xs_tree, length, reverse)

    def traced(avals: Sequence[Any]) -> tuple[Jaxpr, Any, list, Types, Types]:
        jaxpr, out_tree = bodies.trace(f, (carry_tree, xs_tree),
                                       [*avals, *[row_type(a) for a in xs_avals]], debug_info)
        jaxpr, consts = bodies.separate_consts(jaxpr)
        if not _is_pair(out_tree):
            raise TypeError("scan body output must be a pair, got "
                            f"{out_tree.unflatten(jaxpr.out_avals)}.")
        first, second = out_tree.children()
        outs = tuple(jaxpr.out_avals)
        return (jaxpr, out_tree, consts, Types(first, outs[:first.num_leaves]),
                Types(second, outs[first.num_leaves:]))

    jaxpr, out_tree, consts, carry_out, ys_out = traced(init_avals)
    if len(carry_out.avals) != len(init_avals):
        agreement.check_carry("scan body", f, Types(carry_tree, tuple(init_avals)), carry_out)
    carry, changed = agreement.promote(carry, init_avals, carry_out.avals)
    if changed:
        init_avals = [typeof(x) for x in carry]
        jaxpr, out_tree, consts, carry_out, ys_out = traced(init_avals)
    agreement.check_carry("scan body", f, Types(carry_tree, tuple(init_avals)), carry_out)
    unroll = _unroll(unroll, length)
    outs = _bind_scan(jaxpr, consts, carry, columns, length, reverse, unroll)
    return out_tree.unflatten(outs)


def _is_pair(tree: Any) -> bool:
    # A pair by its structure: a tuple or a list, nothing that behaves like one.
    data = tree.node_data()
    return bool(data) and data[0] in (tuple, list) and len(tree.children()) == 2


def _unroll(unroll: Any, length: int) -> int:
    unroll = base.concrete(None, unroll, "The `unroll` argument to `scan` expects a concrete `int` "
                                         "or `bool` value.")
    if isinstance(unroll, bool):
        unroll = max(length, 1) if unroll else 1
    if unroll < 0:
        raise ValueError("`unroll` must be a `bool` or a non-negative `int`.")
    return unroll


def _bind_scan(jaxpr: Jaxpr, consts: list, carry: list, columns: list, length: int,
               reverse: bool, unroll: int) -> list:
    args = [*carry, *columns]
    n_consts, n_carry, n_xs = len(consts), len(carry), len(columns)
    n_ys = len(jaxpr.outvars) - n_carry
    source = pruning.forwarding(jaxpr)
    # A carry that the body hands on untouched is a constant of the loop.
    fixed = [n_consts + i == f for i, f in enumerate(source[:n_carry])]
    untouched: list = []
    if any(fixed):
        jaxpr = pruning.prune_outputs(jaxpr, [not m for m in fixed] + [True] * n_ys)
        jaxpr = pruning.move_to_back(
            jaxpr, [True] * n_consts + [not m for m in fixed] + [True] * n_xs)
        args, untouched = pruning.split_where(args, fixed + [False] * n_xs)
        consts = [*untouched, *consts]
        n_carry -= len(untouched)
    # A row that the body hands on untouched makes a result that is its sequence. The
    # places of sequences count constants and carry together, whichever they are now.
    start = len(consts)
    handed_on = [f - start if f is not None and f >= n_carry + start else None
                 for f in source[len(fixed):]]
    kept = [f is None for f in handed_on]
    jaxpr = pruning.prune_outputs(jaxpr, [True] * n_carry + kept)
    ys_group = nones(n_ys).filter(kept)
    outs = scan_p.bind(*consts, *args, reverse=reverse, length=length, jaxpr=jaxpr,
                       ft_in=Group(nones(len(consts)), nones(n_carry), nones(n_xs)),
                       ft_out=Group(nones(n_carry), ys_group), unroll=unroll)
    rest = iter(outs[n_carry:])
    ys = [next(rest) if f is None else _array(args[f]) for f in handed_on]
    outs = [*outs[:n_carry], *ys]
    if any(fixed):
        outs = pruning.merge(fixed + [False] * n_ys, outs, untouched)
    return outs


def _array(x: Any) -> Any:
    return from_host(x) if isinstance(x, NDArray) else x


def _scan_length(columns: list, avals: list, length: Any) -> int:
    try:
        lengths = [x.shape[0] for x in columns]
    except AttributeError:
        wrong = ", ".join(str(x) for x in columns if not hasattr(x, "shape"))
        raise ValueError(f"scan got value with no leading axis to scan over: {wrong}.") from None
    if any(a.spec and a.spec[0] is not None for a in avals):
        raise ValueError("0th dimension of all xs should be replicated. Got "
                         f"{', '.join(str(a.sharding.spec) for a in avals)}")
    if length is not None:
        try:
            length = int(length)
        except errors.ConcretizationTypeError:
            raise length.unknown(
                "The `length` argument to `scan` expects a concrete `int` value. For scan-like "
                "iteration with a dynamic length, use `while_loop` or `fori_loop`.") from None
        if any(n != length for n in lengths):
            raise ValueError(f"scan got `length` argument of {length} which disagrees with "
                             f"leading axis sizes {lengths}.")
        return length
    if len(set(lengths)) > 1:
        raise ValueError("scan got values with different leading axis sizes: "
                         f"{', '.join(str(n) for n in lengths)}.")
    if not lengths:
        raise ValueError("scan got no values to scan over and `length` not provided.")
    return lengths[0]


def _scan_in_python(f: Callable, init: Any, columns: list, xs_tree: Any, length: int,
                    reverse: bool) -> Any:
    if length == 0:
        raise ValueError("zero-length scan is not supported in disable_jit() mode because the "
                         "output type is unknown.")
    carry_leaves, carry_tree = leaves_of(init)
    carry, ys = carry_tree.unflatten(carry_leaves), []
    for i in (range(length - 1, -1, -1) if reverse else range(length)):
        row = [slicing.index_in_dim(x, i, keepdims=False) for x in columns]
        carry, y = f(carry, xs_tree.unflatten(row))
        ys.append(y)
    if reverse:
        ys.reverse()

    def stack(*rows: Any) -> Any:
        return reducing.concatenate([shapes.expand_dims(r, (0,)) for r in rows], dimension=0)
    return carry, pytrees.tree_map(stack, *ys)
