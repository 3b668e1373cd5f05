"""Derivatives of running reductions: of the parallel scan that computes the same.

JAX source: ``jax/_src/lax/control_flow/loops.py: _cumsum_transpose_rule,
_cumulative_jvp_rule``.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from simulator.autodiff import gradients
from simulator.autodiff.rules.common import linear, primitive
from simulator.facade.jax import lax
from simulator.facade.jax.lax import logarithms


def _cumsum(t: Any, x: Any, *, axis: int, reverse: bool) -> list:
    return [lax.cumsum(t, axis=axis, reverse=not reverse)]


def _running(combine: Callable) -> Callable:
    def rule(primals: list, tangents: list, *, axis: int, reverse: bool) -> tuple:
        scan = functools.partial(lax.associative_scan, combine, axis=axis, reverse=reverse)
        return gradients.jvp(scan, primals, tangents)
    return rule


linear("cumsum", _cumsum)
for _name, _combine in (("cumprod", lax.mul), ("cummax", lax.max), ("cummin", lax.min),
                        ("cumlogsumexp", logarithms.logaddexp)):
    primitive(_name).jvp = _running(_combine)
