"""``jax.lax`` loops: scan, while_loop, fori_loop, map.

Nothing is traced by a cache of its own: bodies go through the tracing cache, so
the same function object is traced once per types, and a new one every time.

JAX source: ``jax/_src/lax/control_flow/loops.py: scan, while_loop, fori_loop,
map``.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import Any

from simulator import errors, process
from simulator.autodiff.memo import by_jaxpr
from simulator.control_flow import agreement, bodies
from simulator.control_flow import discharging as _discharging  # noqa: F401  (its rules)
from simulator.control_flow.agreement import Types
from simulator.control_flow.flat_tree import Group, nones
from simulator.control_flow.scan import row_type, scan_p
from simulator.control_flow.while_loop import while_p
from simulator.device_arrays.device_put import from_host
from simulator.device_arrays.values import typeof
from simulator.facade.jax.lax import base, reducing, shapes, slicing
from simulator.facade.jax.lax import convert as conv
from simulator.facade.jax.lax import elementwise as el
from simulator.functions import signature
from simulator.jaxprs import pruning
from simulator.jaxprs.jaxpr import DebugInfo, Jaxpr
from simulator.ndarrays.ndarray import NDArray
from simulator.trees import pytrees


def _flatten(tree: Any) -> tuple[list, Any]:
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
    carry, carry_tree = _flatten(init)
    columns, xs_tree = _flatten(xs)
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
            raise errors.ConcretizationTypeError(
                "Abstract tracer value encountered where concrete value is expected: "
                f"traced array with shape {length.aval.str_short()}\n"
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
    carry_leaves, carry_tree = _flatten(init)
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


def while_loop(cond_fun: Callable, body_fun: Callable, init_val: Any) -> Any:
    """``jax.lax.while_loop``.

    Errors: TypeError when the condition is no boolean scalar, or the body returns
    another carry than it was given.
    """
    if not (callable(body_fun) and callable(cond_fun)):
        raise TypeError("lax.while_loop: body_fun and cond_fun arguments should be callable.")
    if process.current().config.value("jax_disable_jit"):
        try:
            value = pytrees.tree_map(conv.asarray, init_val)
            while cond_fun(value):
                value = pytrees.tree_map(conv.asarray, body_fun(value))
            return value
        except errors.ConcretizationTypeError:
            pass  # traced: it stays a loop
    cond_info = signature.debug_info("while_cond", cond_fun, (init_val,), {})
    body_info = signature.debug_info("while_body", body_fun, (init_val,), {})
    carry, tree = _flatten(init_val)
    avals = [typeof(x) for x in carry]

    def traced(avals: list) -> tuple[Jaxpr, Jaxpr, Types]:
        cond_jaxpr, cond_tree = bodies.trace(cond_fun, (tree,), avals, cond_info)
        body_jaxpr, body_tree = bodies.trace(body_fun, (tree,), avals, body_info)
        _check_condition(cond_jaxpr, cond_tree)
        return cond_jaxpr, body_jaxpr, Types(body_tree, tuple(body_jaxpr.out_avals))

    cond_jaxpr, body_jaxpr, after = traced(avals)
    if len(after.avals) != len(avals):
        agreement.check_carry("while_loop body", body_fun, Types(tree, tuple(avals)), after)
    carry, changed = agreement.promote(carry, avals, after.avals)
    if changed:
        avals = [typeof(x) for x in carry]
        cond_jaxpr, body_jaxpr, after = traced(avals)
    cond_jaxpr, cond_consts = bodies.separate_consts(cond_jaxpr)
    body_jaxpr, body_consts = bodies.separate_consts(body_jaxpr)
    agreement.check_carry("while_loop body", body_fun, Types(tree, tuple(avals)), after)
    return after.tree.unflatten(
        _bind_while(cond_jaxpr, cond_consts, body_jaxpr, body_consts, carry))


def _check_condition(jaxpr: Jaxpr, tree: Any) -> None:
    if not pytrees.treedef_is_leaf(tree) or len(jaxpr.outvars) != 1:
        raise TypeError(f"cond_fun must return a boolean scalar, but got pytree {tree}.")
    aval = jaxpr.out_avals[0]
    if aval.shape != () or aval.dtype.family != "b":
        raise TypeError("cond_fun must return a boolean scalar, but got output type(s) "
                        f"{jaxpr.out_avals}.")


def _bind_while(cond_jaxpr: Jaxpr, cond_consts: list, body_jaxpr: Jaxpr, body_consts: list,
                carry: list) -> list:
    # A carry that the body hands on untouched, and that the condition does not look at, is
    # a constant of the body.
    moving = [len(body_consts) + i != f for i, f in enumerate(pruning.forwarding(body_jaxpr))]
    pruned, kept = pruning.dce(cond_jaxpr, [True], [True] * len(cond_consts) + moving)
    fixed = [not k for k in kept[len(cond_consts):]]
    untouched: list = []
    if any(fixed):
        cond_jaxpr = pruned
        body_jaxpr = pruning.prune_outputs(body_jaxpr, [not m for m in fixed])
        body_jaxpr = pruning.move_to_back(
            body_jaxpr, [True] * len(body_consts) + [not m for m in fixed])
        carry, untouched = pruning.split_where(carry, fixed)
        body_consts = [*untouched, *body_consts]
    outs = while_p.bind(*cond_consts, *body_consts, *carry, cond_nconsts=len(cond_consts),
                        cond_jaxpr=cond_jaxpr, body_nconsts=len(body_consts),
                        body_jaxpr=body_jaxpr)
    return pruning.merge(fixed, outs, untouched) if any(fixed) else outs


def _fori_cond_fun(loop_carry: tuple) -> Any:
    i, upper, _ = loop_carry
    return el.lt(i, upper)


@by_jaxpr
def _fori_body_fun(body_fun: Callable, info: DebugInfo) -> Callable:
    # Holds the program's function weakly: the entry goes when the function does.
    ref = weakref.ref(body_fun)

    def while_body_fun(loop_carry: tuple) -> tuple:
        i, upper, x = loop_carry
        return el.add(i, base.const(i, 1)), upper, ref()(i, x)  # type: ignore[misc]
    names = info.arg_names
    names = None if names is None else (names[0], "", *names[1:])
    while_body_fun.__fun_debug_info__ = info._replace(arg_names=names)  # type: ignore[attr-defined]
    return while_body_fun


@by_jaxpr
def _fori_scan_body_fun(body_fun: Callable, info: DebugInfo) -> Callable:
    ref = weakref.ref(body_fun)

    def scanned_fun(loop_carry: tuple, _: None) -> tuple:
        i, x = loop_carry
        return (i + 1, ref()(i, x)), None  # type: ignore[misc]
    scanned_fun.__fun_debug_info__ = info  # type: ignore[attr-defined]
    return scanned_fun


def fori_loop(lower: Any, upper: Any, body_fun: Callable, init_val: Any, *,
              unroll: int | bool | None = None) -> Any:
    """``jax.lax.fori_loop``: a `scan` when the bounds are known, else a `while_loop`.

    Errors: TypeError for bounds of different types; ValueError for `unroll` when the
    bounds are traced.
    """
    if not callable(body_fun):
        raise TypeError("lax.fori_loop: body_fun argument should be callable.")
    low, high = base.dtype(lower), base.dtype(upper)
    dtype = low
    if low is not high:
        weak = base.is_weak(lower), base.is_weak(upper)
        if low.family != "i" or high.family != "i" or weak[0] == weak[1]:
            raise TypeError("lower and upper arguments to fori_loop must have equal types, got "
                            f"{low.name} and {high.name}")
        dtype = high if weak[0] else low
    bounds = None
    if base.is_concrete(lower) and base.is_concrete(upper):
        try:
            bounds = int(lower), int(upper)
        except TypeError:
            pass
    info = signature.debug_info("fori_loop", body_fun, (0, init_val), {})
    if bounds is not None:
        length = max(bounds[1] - bounds[0], 0)
        if process.current().config.value("jax_disable_jit") and length == 0:
            return init_val
        (_, result), _ = scan(_fori_scan_body_fun(body_fun, info), (bounds[0], init_val), None,
                              length=length, unroll=False if unroll is None else unroll)
        return result
    if unroll is not None and unroll is not False and unroll != 1:
        raise ValueError("Can only use `unroll` in `fori_loop` if the loop bounds are statically "
                         "known.")
    if low is not dtype:
        lower = conv.convert_element_type(lower, dtype)
    if high is not dtype:
        upper = conv.convert_element_type(upper, dtype)
    return while_loop(_fori_cond_fun, _fori_body_fun(body_fun, info), (lower, upper, init_val))[2]


def map(f: Callable, xs: Any, *, batch_size: int | None = None) -> Any:  # noqa: A001
    """``jax.lax.map``: a `scan` without a carry. Its body is new in every call.

    With `batch_size` the body is a `vmap` of `f`, and what does not fill a batch is
    mapped by itself; 0 means everything at once.
    """
    if batch_size is None:
        return scan(lambda _, x: ((), f(x)), (), xs)[1]
    from simulator.batching.vmapping import vmap
    leaves, tree = pytrees.tree_flatten(xs)
    if not leaves:
        return scan(lambda _, x: ((), vmap(f)(x)), (), xs)[1]
    batches, rest = divmod(leaves[0].shape[0], batch_size) if batch_size else (0, 1)
    full = batches * batch_size

    def cut(x: Any) -> Any:
        return x[:full].reshape(batches, batch_size, *x.shape[1:])

    def left_over(x: Any) -> Any:
        return x[full:]

    if not batches:
        return vmap(f)(tree.unflatten([left_over(x) for x in leaves]))
    pairs = [(cut(x), left_over(x) if rest else None) for x in leaves]
    ys = scan(lambda _, x: ((), vmap(f)(x)), (), tree.unflatten([a for a, _ in pairs]))[1]

    def flatten(x: Any) -> Any:
        return x.reshape(-1, *x.shape[2:])

    if not rest:
        return pytrees.tree_map(flatten, ys)
    more = vmap(f)(tree.unflatten([b for _, b in pairs]))
    return pytrees.tree_map(lambda x, y: reducing.concatenate([flatten(x), y], dimension=0), ys, more)
