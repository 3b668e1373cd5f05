"""How shardings pass through loops and branches.

Around a loop a carry is one value: before it, in its body, after it. A row of a
sequence is cut like the sequence without its first dimension. A result of a branch
is a result of all of them.

JAX source: none; the partitioner is Shardy (data-flow edges of while and case).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simulator.jaxprs.jaxpr import Eqn, Jaxpr
from simulator.named_tuples import NamedTuple

Tie = list[tuple[Any, int]]
"""Values that are cut alike: (value, the dimension where they begin to be alike)."""


class Inside(NamedTuple):
    """What an equation holds.

    Args:
      jaxprs: its bodies, with names of their own.
      alias: parameter of a body -> the operand that it is.
      ties: what else goes together.
    """

    jaxprs: list[Jaxpr]
    alias: dict[Any, Any]
    ties: list[Tie]


def opened(eqn: Eqn, renamed: Callable[[Jaxpr], Jaxpr]) -> Inside | None:
    """The inside of a loop or a branch; None for other equations."""
    rule = {"scan": _scan, "while": _while, "cond": _cond}.get(eqn.primitive.name)
    return rule(eqn, renamed) if rule else None


def _whole(*values: Any) -> Tie:
    return [(v, 0) for v in values]


def _scan(eqn: Eqn, renamed: Callable) -> Inside:
    body = renamed(eqn.params["jaxpr"])
    consts, carry, _ = map(len, eqn.params["ft_in"].unpack())
    start = consts + carry
    ties = [_whole(*around) for around in zip(eqn.invars[consts:start], body.invars[consts:start],
                                              body.outvars, eqn.outvars)]
    ties += [[(row, 0), (sequence, 1)] for row, sequence in (
        *zip(body.invars[start:], eqn.invars[start:]),
        *zip(body.outvars[carry:], eqn.outvars[carry:]))]
    return Inside([body], dict(zip(body.invars[:consts], eqn.invars)), ties)


def _while(eqn: Eqn, renamed: Callable) -> Inside:
    p = eqn.params
    cond, body = renamed(p["cond_jaxpr"]), renamed(p["body_jaxpr"])
    n_cond, n_body = p["cond_nconsts"], p["body_nconsts"]
    alias = dict(zip(cond.invars[:n_cond], eqn.invars))
    alias.update(zip(body.invars[:n_body], eqn.invars[n_cond:]))
    ties = [_whole(*around) for around in zip(eqn.invars[n_cond + n_body:], cond.invars[n_cond:],
                                              body.invars[n_body:], body.outvars, eqn.outvars)]
    return Inside([cond, body], alias, ties)


def _cond(eqn: Eqn, renamed: Callable) -> Inside:
    branches = [renamed(b) for b in eqn.params["branches"]]
    alias = {inner: outer for b in branches for inner, outer in zip(b.invars, eqn.invars[1:])}
    ties = [_whole(*around) for around in zip(eqn.outvars, *[b.outvars for b in branches])]
    return Inside(branches, alias, ties)
