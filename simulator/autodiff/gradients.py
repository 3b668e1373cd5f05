"""``grad``, ``value_and_grad``, ``vjp``, ``jvp``, ``linearize`` and ``linear_transpose``.

None of them is jitted and none remembers anything: each call runs the function again.
What a second call finds cached, it finds below, in the caches of the jitted functions
and primitives that the function calls.

JAX source: ``jax/_src/api.py``.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from simulator import traces
from simulator.autodiff import backward, checks, partial_eval
from simulator.autodiff import jvp as forward
from simulator.autodiff import linearize as reverse
from simulator.autodiff.accumulate import Accumulator
from simulator.autodiff.vjp_function import VJP
from simulator.autodiff.zeros import instantiate, tangent_aval, zeros
from simulator.device_arrays.arrays import ShapeDtypeStruct
from simulator.device_arrays.values import abstractify
from simulator.errors import OutOfScope
from simulator.functions import signature
from simulator.functions.wrapping import wraps
from simulator.jaxprs import applying, pruning
from simulator.jaxprs.jaxpr import DebugInfo
from simulator.ndarrays.ndarray import NDArray
from simulator.trees import pytrees
from simulator.types.scalar_types import Generic


def argnums_of(argnums: Any) -> Any:
    """One position, or a tuple of them. TypeError for anything else."""
    found = signature.index_tuple(argnums)
    return found if isinstance(argnums, (tuple, list)) else found[0]


def partial_of(fun: Callable, argnums: Any, args: tuple, kwargs: dict) -> tuple[Callable, tuple]:
    """(`fun` of the arguments at these positions, those arguments)."""
    positions = signature.ensure_inbounds(signature.index_tuple(argnums), len(args), False)
    rest = [None if i in positions else a for i, a in enumerate(args)]

    def f_wrapped(*given: Any) -> Any:
        full = list(rest)
        for i, x in zip(positions, given):
            full[i] = x
        return fun(*full, **kwargs)
    return f_wrapped, tuple(args[i] for i in positions)


def _flat(fun: Callable, tree: Any, has_aux: bool, found: list) -> Callable:
    # The function on flat values; the structure of its result goes into `found`.
    def flat(*args: Any) -> tuple[list, Any]:
        out, aux = fun(*tree.unflatten(args)), None
        if has_aux:
            if not isinstance(out, (list, tuple)) or len(out) != 2:
                raise TypeError("expected function with aux output to return a two-element tuple, "
                                f"but got type {type(out)} with value {out!r}")
            out, aux = out
        leaves, out_tree = pytrees.tree_flatten(out)
        found.append(out_tree)
        return leaves, aux
    return flat


def _info(fun: Callable, primals: tuple) -> DebugInfo:
    return pruning.unnamed(signature.debug_info("linearize", fun, primals, {}))


def jvp(fun: Callable, primals: Sequence[Any], tangents: Sequence[Any], has_aux: bool = False
        ) -> tuple:
    """``jax.jvp``: result and tangent.

    Errors: TypeError when primals and tangents do not have the same structure and types.
    """
    signature.check_callable(fun)
    if not isinstance(primals, (tuple, list)) or not isinstance(tangents, (tuple, list)):
        raise TypeError("primal and tangent arguments to jax.jvp must be tuples or lists; found "
                        f"{type(primals).__name__} and {type(tangents).__name__}.")
    return jvp_unchecked(fun, primals, tangents, has_aux)


def jvp_unchecked(fun: Callable, primals: Sequence[Any], tangents: Sequence[Any],
                  has_aux: bool = False) -> tuple:
    """`jvp` of tuples of arguments."""
    ps, tree = pytrees.tree_flatten(tuple(primals))
    ts, _ = pytrees.tree_flatten(tuple(tangents))
    checks.tangents(primals, tangents, ps, ts)
    found: list = []
    outs, out_tangents, aux = forward.jvp(_flat(fun, tree, has_aux, found), ps, ts)
    out_tangents = list(map(instantiate, out_tangents))
    result = found[0].unflatten(outs), found[0].unflatten(out_tangents)
    return (*result, aux) if has_aux else result


def linearize(fun: Callable, *primals: Any, has_aux: bool = False, in_nzs: Any = None) -> tuple:
    """``jax.linearize``: the result, and the derivative as a function of tangents."""
    signature.check_callable(fun)
    if in_nzs is not None:
        raise OutOfScope("jax.linearize(in_nzs=…)")
    leaves, tree = pytrees.tree_flatten(primals)
    found: list = []
    outs, nonzeros, jaxpr, consts, structured, aux = reverse.linearize(
        _flat(fun, tree, has_aux, found), leaves, _info(fun, primals), is_vjp=False)
    in_avals = [abstractify(x) for x in leaves]
    out_avals = [abstractify(x) for x in outs]
    apply = functools.partial(_lift_linearized, jaxpr, (in_avals, tree), (out_avals, found[0]),
                              [not nz for nz in nonzeros])
    from simulator.facade.jax.tree_util import Partial
    result = found[0].unflatten(outs), Partial(apply, consts, structured)
    return (*result, aux) if has_aux else result


def _lift_linearized(jaxpr: Any, ins: tuple, outs: tuple, out_zeros: list[bool], consts: list,
                     structured: list, *tangents: Any) -> Any:
    given, tree = pytrees.tree_flatten(tangents)
    checks.linear_arguments(given, tree, *ins)
    rest = iter(applying.eval_jaxpr(jaxpr, [*consts, *given]))
    avals, out_tree = outs
    return out_tree.unflatten([zeros(tangent_aval(a)) if z else next(rest)
                               for a, z in zip(avals, out_zeros)])


def vjp(fun: Callable, *primals: Any, has_aux: bool = False, reduce_axes: Any = (),
        saveable_args: Any = True, in_nzs: Any = None) -> tuple:
    """``jax.vjp``: the result, and the function from its cotangent to the arguments'."""
    if reduce_axes:
        raise NotImplementedError("reduce_axes argument to vjp is deprecated")
    signature.check_callable(fun)
    if saveable_args is not True or in_nzs is not None:
        raise OutOfScope("jax.vjp(saveable_args=…, in_nzs=…)", "leave them out")
    leaves, tree = pytrees.tree_flatten(primals)
    for leaf in leaves:
        checks.is_jax_type(leaf)
    from simulator.facade.jax.lax.elementwise import handed_back
    leaves = [handed_back(x) if isinstance(x, (int, float, complex, Generic, NDArray)) else x
              for x in leaves]
    found: list = []
    outs, nonzeros, jaxpr, residuals, structured, aux = reverse.linearize(
        _flat(fun, tree, has_aux, found), leaves, _info(fun, primals), is_vjp=True)
    pullback = VJP.made(jaxpr, tree, found[0], nonzeros, [abstractify(x) for x in outs], leaves,
                        residuals, structured)
    result = found[0].unflatten(outs), pullback
    return (*result, aux) if has_aux else result


def value_and_grad(fun: Callable, argnums: Any = 0, has_aux: bool = False,
                   holomorphic: bool = False, allow_int: bool = False, reduce_axes: Any = ()
                   ) -> Callable:
    """``jax.value_and_grad``."""
    if reduce_axes:
        raise NotImplementedError("reduce_axes argument to grad is deprecated")
    signature.check_callable(fun)
    argnums = argnums_of(argnums)

    @wraps(fun, "Value and gradient of {fun} with respect to positional argument(s) {argnums}. "
           "Takes the same arguments as {fun} but returns a two-element tuple where the first "
           "element is the value of {fun} and the second element is the gradient, which has the "
           "same shape as the arguments at positions {argnums}.", argnums)
    def value_and_grad_f(*args: Any, **kwargs: Any) -> Any:
        largest = argnums if isinstance(argnums, int) else max(argnums)
        if largest >= len(args):
            raise TypeError(f"differentiating with respect to {argnums=} requires at least "
                            f"{largest + 1} positional arguments to be passed by the caller, but "
                            f"got only {len(args)} positional arguments.")
        f_partial, dynamic = partial_of(fun, argnums, args, kwargs)
        for leaf in pytrees.tree_leaves(dynamic):
            checks.reverse_input("grad", holomorphic, allow_int, leaf)
        ans, pullback, *aux = vjp(f_partial, *dynamic, has_aux=has_aux)
        checks.scalar(ans)
        checks.reverse_output("grad", holomorphic, ans)
        gradient = pullback(_one(ans))
        if isinstance(argnums, int):
            gradient = gradient[0]
        return ((ans, *aux) if has_aux else ans), gradient
    return value_and_grad_f


def _one(x: Any) -> Any:
    from simulator.facade.jax.lax import base, shapes
    return shapes.full_like(x, 1, shape=(), sharding=base.sharding_of(abstractify(x))
                            or shapes.NO_MESH)


def grad(fun: Callable, argnums: Any = 0, has_aux: bool = False, holomorphic: bool = False,
         allow_int: bool = False, reduce_axes: Any = ()) -> Callable:
    """``jax.grad``."""
    if reduce_axes:
        raise NotImplementedError("reduce_axes argument to grad is deprecated")
    both = value_and_grad(fun, argnums, has_aux=has_aux, holomorphic=holomorphic,
                          allow_int=allow_int)
    doc = ("Gradient of {fun} with respect to positional argument(s) {argnums}. Takes the same "
           "arguments as {fun} but returns the gradient, which has the same shape as the "
           "arguments at positions {argnums}.")

    @wraps(fun, doc, argnums)
    def grad_f(*args: Any, **kwargs: Any) -> Any:
        return both(*args, **kwargs)[1]

    @wraps(fun, doc, argnums)
    def grad_f_aux(*args: Any, **kwargs: Any) -> Any:
        (_, aux), gradient = both(*args, **kwargs)
        return gradient, aux

    return grad_f_aux if has_aux else grad_f


def linear_transpose(fun: Callable, *primals: Any, reduce_axes: Any = ()) -> Callable:
    """``jax.linear_transpose`` of a function that is promised to be linear."""
    if reduce_axes:
        raise NotImplementedError("reduce_axes argument to transpose is deprecated")
    leaves, tree = pytrees.tree_flatten(
        primals, is_leaf=lambda x: isinstance(x, ShapeDtypeStruct))
    avals = [abstractify(x) for x in leaves]
    trace = partial_eval.JaxprTrace(traces.current())
    ins = [trace.new_arg(a) for a in avals]
    with traces.current_trace(trace):
        outs, out_tree = pytrees.tree_flatten(fun(*tree.unflatten(ins)))
    lifted = [trace.unknown(o) for o in outs]
    info = signature.debug_info("linear_transpose", fun, primals, {})
    jaxpr, consts = partial_eval.to_jaxpr(ins, lifted, trace.effectful, pruning.unnamed(info))
    jaxpr, _ = pruning.dce(jaxpr, True, True)
    out_avals = [o.aval for o in lifted]
    checks.linear_dtypes([a.dtype for a in avals], [a.dtype for a in out_avals])

    def transposed_fun(consts: list, cotangent: Any) -> Any:
        given, given_tree = pytrees.tree_flatten(cotangent)
        if out_tree != given_tree:
            raise TypeError("cotangent tree does not match function output, expected "
                            f"{out_tree} but got {given_tree}")
        if any(not checks.match(abstractify(c), a) for c, a in zip(given, out_avals)):
            raise TypeError("cotangent type does not match function output, expected "
                            f"{out_avals} but got {given}")
        accumulators = [Accumulator(a) for a in avals]
        backward.backward_pass(jaxpr, [*consts, *accumulators], given)
        return tree.unflatten([instantiate(x.value) for x in accumulators])

    from simulator.facade.jax.tree_util import Partial
    return Partial(transposed_fun, consts)
