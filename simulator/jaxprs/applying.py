"""A jaxpr applied: its primitives bound again, one after the other.

JAX source: ``jax/_src/core.py: eval_jaxpr, jaxpr_as_fun``.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

from simulator import process
from simulator.jaxprs.eqn_context import as_traced
from simulator.jaxprs.jaxpr import Jaxpr, Literal


@contextlib.contextmanager
def states(**values: Any) -> Iterator[None]:
    """Inside, config states have these values on this thread."""
    config = process.current().config
    before = {name: config.swap_local(name, value) for name, value in values.items()}
    try:
        yield
    finally:
        for name, value in before.items():
            config.set_local(name, value)


def eval_jaxpr(jaxpr: Jaxpr, args: Sequence[Any]) -> list:
    """Apply the primitives of `jaxpr` one after the other under the current trace."""
    env: dict[Any, Any] = dict(zip(jaxpr.constvars, jaxpr.consts))
    env.update(zip(jaxpr.invars, args))

    def read(atom: Any) -> Any:
        return atom.val if isinstance(atom, Literal) else env[atom]

    for eqn in jaxpr.eqns:
        with as_traced(eqn.context):
            outs = eqn.primitive.bind(*map(read, eqn.invars),
                                      **eqn.primitive.bind_params(eqn.params))
        env.update(zip(eqn.outvars, outs if eqn.primitive.multiple_results else [outs]))
    return [read(a) for a in jaxpr.outvars]


def call(jaxpr: Jaxpr, args: Sequence[Any]) -> list:
    """`eval_jaxpr` as part of a rule: the NaN check is off meanwhile."""
    with states(jax_debug_nans=False):
        return eval_jaxpr(jaxpr, args)
