"""``jax.lax`` loops: while_loop, and what is made of it and of scan: fori_loop, map.

JAX source: ``jax/_src/lax/control_flow/loops.py: while_loop, fori_loop, map``.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from simulator import errors, process
from simulator.autodiff.memo import by_jaxpr
from simulator.control_flow import agreement, bodies
from simulator.control_flow.agreement import Types
from simulator.control_flow.while_loop import while_p
from simulator.device_arrays.values import typeof
from simulator.facade.jax.lax import base, reducing
from simulator.facade.jax.lax import convert as conv
from simulator.facade.jax.lax import elementwise as el
from simulator.facade.jax.lax.scanning import leaves_of, scan
from simulator.functions import signature
from simulator.jaxprs import pruning
from simulator.jaxprs.jaxpr import DebugInfo, Jaxpr
from simulator.trees import pytrees


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
    carry, tree = leaves_of(init_val)
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
