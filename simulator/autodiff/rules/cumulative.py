"""Derivatives of running sums. Of the other running reductions JAX differentiates its
parallel scan, which the model does not have.

JAX source: ``jax/_src/lax/control_flow/loops.py: _cumsum_transpose_rule,
_cumulative_jvp_rule``.
"""

from __future__ import annotations

from typing import Any

from simulator.autodiff.rules.common import linear
from simulator.facade.jax import lax


def _cumsum(t: Any, x: Any, *, axis: int, reverse: bool) -> list:
    return [lax.cumsum(t, axis=axis, reverse=not reverse)]


linear("cumsum", _cumsum)
