"""``dce_sink``: takes a value and does nothing, so that it counts as used.

JAX source: ``jax/_src/lax/lax.py: dce_sink, dce_sink_p``.
"""

from __future__ import annotations

from typing import Any

from simulator.errors import OutOfScope
from simulator.primitives.core import Primitive
from simulator.trees import pytrees


class _NoDce:
    # The effect that keeps the equation.

    def __str__(self) -> str:
        return "NoDce"


_KEEP = frozenset({_NoDce()})

dce_sink_p = Primitive("dce_sink", abstract=lambda aval, *, prevent_mlir_dce: [],
                       impl=lambda value, *, prevent_mlir_dce: [], multiple_results=True,
                       effects=lambda params: _KEEP)
dce_sink_p.eager = lambda x, *, prevent_mlir_dce: []


def _batch(axis: Any, vals: list, dims: list, **params: Any) -> tuple:
    dce_sink_p.bind(*vals, **params)
    return [], []


def _jvp(primals: list, tangents: list, **params: Any) -> tuple:
    # Linear, for JAX: a tangent goes the same way.
    from simulator.autodiff.zeros import is_zero
    dce_sink_p.bind(*primals, **params)
    if not is_zero(tangents[0]):
        dce_sink_p.bind(*tangents, **params)
    return [], []


dce_sink_p.batch = _batch
dce_sink_p.jvp = _jvp
dce_sink_p.transpose = lambda cotangents, *args, **params: []


def dce_sink(val: Any, *, prevent_mlir_dce: bool = False) -> None:
    """``jax.lax.dce_sink``: every array in `val` counts as used."""
    if prevent_mlir_dce:
        raise OutOfScope("jax.lax.dce_sink(prevent_mlir_dce=True)", "leave the option out")
    for leaf in pytrees.tree_leaves(val):
        dce_sink_p.bind(leaf, prevent_mlir_dce=False)
