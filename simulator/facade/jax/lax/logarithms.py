"""Sums of exponentials, taken in logarithms.

JAX source: ``jax/_src/lax/other.py: logaddexp, logaddexp2``. They are no public
names of ``jax.lax``; ``jax.numpy`` builds its own on them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from simulator.autodiff.custom_jvp import custom_jvp
from simulator.facade.jax.lax import base, shapes
from simulator.facade.jax.lax import elementwise as el
from simulator.facade.jax.lax.convert import asarray


def _wrapped(x: Any, bound: float) -> Any:
    """`x` brought into -bound … bound by whole turns."""
    half, turn, zero = base.const(x, bound), base.const(x, 2 * bound), base.const(x, 0)
    rest = el.rem(el.add(x, half), turn)
    return el.sub(el.select(el.lt(rest, zero), el.add(rest, turn), rest), half)


def _finite(x: Any) -> Any:
    """`x` with 0 where it is infinite: its derivative there is 0 times infinity else."""
    part = el.real(x) if x.dtype.family == "c" else x
    return el.select(el.eq(part, base.const(part, math.inf)), shapes.zeros_like(x), x)


def _adding(name: str, grown: Callable, rest: Callable, wrap: float) -> Any:
    """One of the two functions.

    Args:
      grown: what is added to the larger operand, from the (negative) difference.
      rest: ``(tangent, operand, result)``: that operand's part of the derivative.
      wrap: half a turn of a complex result's angle.
    """
    def fun(x1, x2, /):
        x1, x2 = asarray(x1), asarray(x2)
        largest = el.max(x1, x2)
        if x1.dtype.family == "f":
            delta = el.sub(x1, x2)
            return el.select(el.ne(delta, delta), el.add(x1, x2),
                             el.add(largest, grown(el.neg(el.abs(delta)))))
        if x1.dtype.family == "c":
            delta = el.sub(el.add(x1, x2), el.mul(largest, base.const(largest, 2)))
            out = el.add(largest, grown(delta))
            return el.complex(el.real(out), _wrapped(el.imag(out), wrap))
        raise ValueError(f"{name} requires floating-point or complex inputs; got {x1.dtype}")

    def rule(primals, tangents):
        out = adds(*primals)
        parts = [rest(t, _finite(x), _finite(out)) for t, x in zip(tangents, primals)]
        return out, el.add(*parts)

    fun.__name__ = fun.__qualname__ = name
    rule.__name__ = rule.__qualname__ = f"_{name}_jvp"
    adds = custom_jvp(fun)
    adds.defjvp(rule)
    return adds


logaddexp = _adding("logaddexp", lambda d: el.log1p(el.exp(d)),
                    lambda t, x, out: el.mul(t, el.exp(el.sub(x, out))), math.pi)
logaddexp2 = _adding(
    "logaddexp2", lambda d: el.mul(base.const(d, 1 / math.log(2)), el.log1p(el.exp2(d))),
    lambda t, x, out: el.mul(t, el.exp2(el.sub(x, out))), math.pi / math.log(2))
