"""The linear part of a function with a VJP rule of its own.

Its tangent is not computed: it stands in the linear jaxpr as one equation,
``custom_lin``, whose only use is to be transposed: then the user's backward rule runs.

JAX source: ``jax/_src/interpreters/ad.py: custom_lin_p, _custom_lin_transpose_fancy,
JVPTrace.process_custom_vjp_call``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simulator.autodiff.accumulate import Accumulator
from simulator.autodiff.zeros import (
    from_symbolic,
    instantiate,
    is_zero,
    tangent_aval,
    to_symbolic,
)
from simulator.device_arrays.values import abstractify
from simulator.jaxprs import lower_fun
from simulator.primitives.core import Primitive


def forward(fwd: Callable, primals: list, tangents: list, out_trees: Callable
            ) -> tuple[list, list]:
    """Run a forward rule; return (residuals, results).

    A residual that is an argument was not returned once more: `out_trees` says which.
    """
    flat = [x for p, t in zip(primals, tangents) for x in (p, not is_zero(t))]
    outs = fwd(*flat)
    _, _, forwards = out_trees()
    n = sum(f is None for f in forwards)
    fresh = iter(outs[:n])
    return [next(fresh) if f is None else primals[f] for f in forwards], list(outs[n:])


def bind(residuals: list, outs: list, tangents: list, bwd: Callable, symbolic_zeros: bool
         ) -> list:
    """The tangents of the results, as one equation."""
    in_zeros = [is_zero(t) for t in tangents]
    return custom_lin_p.bind(
        *residuals, *[t for t, z in zip(tangents, in_zeros) if not z],
        num_res=len(residuals), bwd=bwd, out_avals=[tangent_aval(abstractify(x)) for x in outs],
        symbolic_zeros=symbolic_zeros, in_zeros=in_zeros)


def _forward_mode(*args: Any, **params: Any) -> Any:
    raise TypeError("can't apply forward-mode autodiff (jvp) to a custom_vjp function.")


def _transpose(cotangents: list, *args: Any, num_res: int, bwd: Callable, in_zeros: list,
               symbolic_zeros: bool, out_avals: list) -> None:
    residuals, accumulators = args[:num_res], args[num_res:]
    given = [to_symbolic(c) if symbolic_zeros else instantiate(c) for c in cotangents]
    results = [from_symbolic(c) for c in bwd(*residuals, *given)]
    wanted = [c for c, z in zip(results, in_zeros) if not z]
    for accumulator, cotangent in zip(accumulators, wanted):
        if isinstance(accumulator, Accumulator):
            accumulator.add(cotangent)


custom_lin_p = Primitive("custom_lin", multiple_results=True, impl=_forward_mode,
                         abstract=lambda *avals, out_avals, **params: out_avals)
custom_lin_p.eager = custom_lin_p.batch = _forward_mode
lower_fun.RULES["custom_lin"] = _forward_mode
custom_lin_p.accumulate = _transpose
custom_lin_p.shown_params = lambda eqn, names: sorted(
    (k, getattr(v, "__name__", v) if k == "bwd" else v)
    for k, v in eqn.params.items() if k != "out_avals")
