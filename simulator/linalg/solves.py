"""``jax.lax.custom_linear_solve``: solve A x = b, given A as a function and a solver.

The four functions (A, its transpose, a solver for each) are traced once and are
parameters of the equation, so that the derivative is another solve.

JAX source: ``jax/_src/lax/control_flow/solves.py``.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from simulator import tracing
from simulator.autodiff import jvp
from simulator.autodiff.accumulate import is_unknown
from simulator.autodiff.gradients import linear_transpose
from simulator.autodiff.zeros import add, instantiate, is_zero, zero_of
from simulator.batching import axes, jaxprs
from simulator.device_arrays.values import typeof
from simulator.errors import OutOfScope
from simulator.functions import signature
from simulator.jaxprs import applying, evaluate, lower_fun, pruning
from simulator.jaxprs.jaxpr import Eqn, Jaxpr
from simulator.named_tuples import NamedTuple
from simulator.primitives.core import Primitive
from simulator.trees import pytrees


class _LinearSolveTuple(NamedTuple):
    # A thing for each of the four functions.
    matvec: Any
    vecmat: Any
    solve: Any
    transpose_solve: Any

    def transpose(self) -> _LinearSolveTuple:
        return type(self)(self.vecmat, self.matvec, self.transpose_solve, self.solve)


def _parts(args: Sequence, lengths: Sequence[int]) -> tuple[_LinearSolveTuple, list]:
    found, start = [], 0
    for n in lengths:
        found.append(list(args[start:start + n]))
        start += n
    return _LinearSolveTuple(*found), list(args[start:])


def _flat(params: Sequence[list]) -> list:
    return [x for part in params for x in part]


def custom_linear_solve(matvec: Callable, b: Any, solve: Callable,
                        transpose_solve: Callable | None = None, symmetric: bool = False,
                        has_aux: bool = False) -> Any:
    """``jax.lax.custom_linear_solve``.

    Errors: TypeError for functions that do not return what has the structure of `b`.
    """
    if has_aux:
        raise OutOfScope("jax.lax.custom_linear_solve(has_aux=True)", "leave the option out")
    if transpose_solve is None and symmetric:
        transpose_solve = solve
    leaves, tree = pytrees.tree_flatten(b)
    avals = [typeof(x) for x in leaves]
    call = signature.flatten_call((b,), {}).with_leaves(avals)

    def traced(fun: Callable, name: str, info: Any) -> tuple[Jaxpr, list]:
        def f(x: Any) -> Any:
            y = fun(x)
            shapes = [getattr(v, "shape", ()) for v in pytrees.tree_leaves(y)]
            if shapes != [a.shape for a in avals]:
                raise ValueError(f"{name}() output shapes must match b, got {shapes} and "
                                 f"{[a.shape for a in avals]}")
            return y
        found = tracing.trace_to_jaxpr(f if name else fun, call, info)
        if found.out_tree != tree:
            raise TypeError(f"{name}() output pytree structure must match b, got "
                            f"{found.out_tree} and {tree}.")
        return pruning.open_consts(found.jaxpr), list(found.jaxpr.consts)

    all_traced = [traced(matvec, "matvec", signature.debug_info(
        "custom_linear_solve", matvec, (b,), {}))]
    solved = traced(functools.partial(solve, matvec), "solve", signature.debug_info(
        "custom_linear_solve solve", solve, (matvec, b), {}, static_argnums=(0,)))
    if transpose_solve is None:
        all_traced += [(None, []), solved, (None, [])]
    else:
        info = signature.debug_info("custom_linear_solve transpose_solve", transpose_solve,
                                    (matvec, b), {}, static_argnums=(0,))
        vecmat = matvec
        if symmetric:
            all_traced.append(all_traced[0])
        else:
            from simulator.autodiff import rules as _rules  # noqa: F401  (of what is transposed)
            transposed = linear_transpose(matvec, b)

            def transposed_fun(x: Any) -> Any:
                (y,) = transposed(x)
                return y
            vecmat = transposed_fun
            all_traced.append(traced(vecmat, "", info))
        all_traced += [solved, traced(functools.partial(transpose_solve, vecmat),
                                      "transpose_solve", info)]
    lengths = _LinearSolveTuple(*[len(consts) for _, consts in all_traced])
    outs = linear_solve_p.bind(*_flat([c for _, c in all_traced]), *leaves, const_lengths=lengths,
                               jaxprs=_LinearSolveTuple(*[j for j, _ in all_traced]))
    return tree.unflatten(outs)


# --- the primitive -------------------------------------------------------------

_SOLVE = 2  # a copied module holds the functions in a plain tuple


def _impl(*values: Any, const_lengths: tuple, jaxprs: tuple) -> list:
    params, b = _parts(values, const_lengths)
    return evaluate.run(jaxprs[_SOLVE], [*params.solve, *b])


linear_solve_p = Primitive(
    "custom_linear_solve", multiple_results=True, impl=_impl,
    abstract=lambda *avals, const_lengths, jaxprs: list(avals[sum(const_lengths):]),
    effects=lambda params: params["jaxprs"][_SOLVE].effects,
    # JAX prints the four functions as it prints any tuple: each by itself.
    print_params=lambda params: {k: str(v) for k, v in params.items()})


@lower_fun.rule("custom_linear_solve")
def _lower(eqn: Eqn) -> list:
    solve, lengths = eqn.params["jaxprs"][_SOLVE], eqn.params["const_lengths"]

    def implementation(*args: Any) -> list:
        params, b = _parts(args, lengths)
        return applying.call(solve, [*params.solve, *b])
    return [lower_fun.trace(implementation, *[a.aval for a in eqn.invars],
                            name="_custom_linear_solve_impl",
                            said="_custom_linear_solve_impl(*args)")]


def _jvp(primals: list, tangents: list, *, const_lengths: Any, jaxprs: Any) -> tuple:
    kept = {"const_lengths": const_lengths, "jaxprs": jaxprs}
    x = linear_solve_p.bind(*primals, **kept)
    params, _ = _parts(primals, const_lengths)
    params_dot, rhs = _parts(tangents, const_lengths)
    if not all(map(is_zero, params_dot.matvec)):
        def matvec(*args: Any) -> tuple:
            return applying.call(jaxprs.matvec, args), None
        zeros = [zero_of(v) for v in x]
        _, dots, _ = jvp.jvp(matvec, [*params.matvec, *x], [*params_dot.matvec, *zeros])
        rhs = [add(r, d if is_zero(d) else -d) for r, d in zip(rhs, dots)]
    x_dot = linear_solve_p.bind(*_flat(params), *map(instantiate, rhs), **kept)
    return x, x_dot


def _transpose(cotangents: list, *primals: Any, const_lengths: Any, jaxprs: Any) -> list:
    if jaxprs.transpose_solve is None:
        raise TypeError("transpose_solve required for backwards mode automatic differentiation of "
                        "custom_linear_solve")
    params, b = _parts(primals, const_lengths)
    if any(is_unknown(x) for part in params for x in part):
        raise NotImplementedError("open an issue at https://github.com/google/jax !!")
    found = linear_solve_p.bind(*_flat(params.transpose()), *map(instantiate, cotangents),
                                const_lengths=const_lengths.transpose(), jaxprs=jaxprs.transpose())
    return [*[None] * sum(const_lengths), *found]


def _batch(axis: Any, vals: list, dims: list, *, const_lengths: Any, jaxprs: Any) -> tuple:
    params, b = _parts(vals, const_lengths)
    params_dims, b_dims = _parts(dims, const_lengths)
    params_bat = [[d is not None for d in part] for part in params_dims]
    orig = b_bat = [d is not None for d in b_dims]
    x_bat = [False] * len(b)
    while True:
        batched, x_out, b_out = _batched(axis, jaxprs, params_bat, b_bat, x_bat)
        b_out = [one or other for one, other in zip(b_out, orig)]
        if (x_out, b_out) == (x_bat, b_bat):
            break
        x_bat, b_bat = x_out, b_out
    moved = [axes.moveaxis(x, d, 0) if d else x
             for x, d in zip(_flat(params), _flat(params_dims))]
    new_b = [axes.broadcast(x, axis.size, 0, axis.part) if now and d is None
             else axes.moveaxis(x, d, 0) if now and d else x
             for x, d, now in zip(b, b_dims, b_bat)]
    outs = linear_solve_p.bind(*moved, *new_b, const_lengths=const_lengths, jaxprs=batched)
    return outs, [0 if bat else None for bat in x_bat]


def _batched(axis: Any, functions: Any, params_bat: list, b_bat: list, x_bat: list) -> tuple:
    matvec, vecmat, solve, solve_t = functions
    bats = _LinearSolveTuple(*params_bat)
    new_solve, x_out = jaxprs.batch_jaxpr_front(solve, axis, [*bats.solve, *b_bat], x_bat)
    new_vecmat = new_solve_t = None
    if vecmat is not None:
        new_vecmat, found = jaxprs.batch_jaxpr_front(vecmat, axis, [*bats.vecmat, *b_bat], b_bat)
        x_out = [one or other for one, other in zip(found, x_out)]
    new_matvec, b_out = jaxprs.batch_jaxpr_front(matvec, axis, [*bats.matvec, *x_out], b_bat)
    if solve_t is not None:
        new_solve_t, found = jaxprs.batch_jaxpr_front(
            solve_t, axis, [*bats.transpose_solve, *x_out], x_out)
        b_out = [one or other for one, other in zip(found, b_out)]
    return _LinearSolveTuple(new_matvec, new_vecmat, new_solve, new_solve_t), x_out, b_out


linear_solve_p.jvp = _jvp
linear_solve_p.transpose = _transpose
linear_solve_p.batch = _batch
