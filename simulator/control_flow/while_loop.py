"""The `while` primitive: a condition, a body, and a carry of fixed type.

JAX source: ``jax/_src/lax/control_flow/loops.py: while_p,
_while_loop_abstract_eval, _while_lowering``.
"""

from __future__ import annotations

from typing import Any

from simulator.control_flow import running
from simulator.jaxprs import lower_fun
from simulator.jaxprs.jaxpr import Eqn, Jaxpr
from simulator.ndarrays.ndarray import NDArray
from simulator.primitives.core import Primitive


def _impl(*values: NDArray, cond_jaxpr: Jaxpr, body_jaxpr: Jaxpr, cond_nconsts: int,
          body_nconsts: int) -> list[NDArray]:
    both = cond_nconsts + body_nconsts

    def compute(*given: NDArray) -> list[list]:
        cond_consts, body_consts = given[:cond_nconsts], given[cond_nconsts:both]
        carry = list(given[both:])
        budget = running.Budget("jax.lax.while_loop")
        while True:
            go = running.step(cond_jaxpr, [*cond_consts, *carry], budget)[0].cell.force()
            if not any(go):
                return [c.cell.force() for c in carry]
            new = running.step(body_jaxpr, [*body_consts, *carry], budget)
            # Under vmap the loop runs until nobody wants to go on; who is done keeps its carry.
            carry = new if all(go) else [_chosen(go, a, b) for a, b in zip(new, carry)]

    return running.results(body_jaxpr.out_avals, compute, values, [cond_jaxpr, body_jaxpr])


def _chosen(go: list, new: NDArray, old: NDArray) -> NDArray:
    each = new.size // len(go)
    data = [v for k, on in enumerate(go)
            for v in (new if on else old).cell.force()[k * each:(k + 1) * each]]
    return NDArray(new.shape, new.dtype, data)


while_p = Primitive(
    "while", abstract=lambda *avals, body_jaxpr, **params: body_jaxpr.out_avals, impl=_impl,
    multiple_results=True,
    effects=lambda params: params["cond_jaxpr"].effects | params["body_jaxpr"].effects)


def _ordered(jaxpr: Jaxpr) -> bool:
    return any(getattr(e, "ordered", False) for e in jaxpr.effects)


@lower_fun.rule("while")
def _lower(eqn: Eqn) -> list[Jaxpr]:
    from simulator.facade.jax.lax.loops import while_loop
    from simulator.jaxprs.applying import eval_jaxpr
    p = eqn.params
    cond_jaxpr, body_jaxpr = p["cond_jaxpr"], p["body_jaxpr"]
    if not _ordered(cond_jaxpr):
        # One condition per element: the body asks again, to keep what has ended.
        again = [cond_jaxpr] if cond_jaxpr.out_avals[0].shape else []
        return [cond_jaxpr, body_jaxpr, *again]
    # An ordered effect in the condition: its token cannot leave a condition, so the
    # condition is evaluated before the loop and at the end of its body.
    n_cond, n_body = p["cond_nconsts"], p["body_nconsts"]

    def fun(*args: Any) -> list:
        cond_consts, body_consts = args[:n_cond], args[n_cond:n_cond + n_body]
        carry = list(args[n_cond + n_body:])

        def new_cond(pred_args: tuple) -> Any:
            return pred_args[0]

        def new_body(pred_args: tuple) -> tuple:
            _, cond_consts, body_consts, carry = pred_args
            carry = eval_jaxpr(body_jaxpr, (*body_consts, *carry))
            go = eval_jaxpr(cond_jaxpr, (*cond_consts, *carry))[0]
            return go, cond_consts, body_consts, carry

        go = eval_jaxpr(cond_jaxpr, (*cond_consts, *carry))[0]
        return while_loop(new_cond, new_body, (go, list(cond_consts), list(body_consts), carry))[3]

    return [lower_fun.trace(fun, *[a.aval for a in eqn.invars])]
