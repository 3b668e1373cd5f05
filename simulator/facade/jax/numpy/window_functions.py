"""``jax.numpy``: windows to multiply a signal with, and the Bessel function of one of them.

JAX source: ``jax/_src/numpy/window_functions.py``; ``jax/_src/numpy/lax_numpy.py: i0``.
"""

from __future__ import annotations

import math
from typing import Any

from simulator.api import jit
from simulator.autodiff.custom_jvp import custom_jvp
from simulator.facade.jax.lax import base, shapes
from simulator.facade.jax.lax import elementwise as el
from simulator.facade.jax.numpy import math_functions as mf
from simulator.facade.jax.numpy.choosing import where
from simulator.facade.jax.numpy.util import promote_args_inexact


def _points(M: Any, name: str) -> tuple[int, Any]:
    """How many, and their numbers; where there is none or one, the window itself."""
    M = base.concrete(int, M, f"M argument of jnp.{name}")
    dtype = base.default_float()
    return M, shapes.full((M,), 1, dtype) if M <= 1 else shapes.iota(dtype, M)


def _cosine(points: Any, turns: int, M: int) -> Any:
    return mf.cos(turns * math.pi * points / (M - 1))


def blackman(M: Any) -> Any:
    """``jax.numpy.blackman``."""
    M, n = _points(M, "blackman")
    return n if M <= 1 else 0.42 - 0.5 * _cosine(n, 2, M) + 0.08 * _cosine(n, 4, M)


def bartlett(M: Any) -> Any:
    """``jax.numpy.bartlett``."""
    M, n = _points(M, "bartlett")
    return n if M <= 1 else 1 - mf.abs(2 * n + 1 - M) / (M - 1)


def hamming(M: Any) -> Any:
    """``jax.numpy.hamming``."""
    M, n = _points(M, "hamming")
    return n if M <= 1 else 0.54 - 0.46 * _cosine(n, 2, M)


def hanning(M: Any) -> Any:
    """``jax.numpy.hanning``."""
    M, n = _points(M, "hanning")
    return n if M <= 1 else 0.5 * (1 - _cosine(n, 2, M))


def kaiser(M: Any, beta: Any) -> Any:
    """``jax.numpy.kaiser``."""
    M, n = _points(M, "kaiser")
    if M <= 1:
        return n
    middle = 0.5 * (M - 1)
    return i0(beta * mf.sqrt(1 - ((n - middle) / middle) ** 2)) / i0(beta)


@jit
def i0(x: Any) -> Any:
    """``jax.numpy.i0``. ValueError for complex numbers."""
    [x] = promote_args_inexact("i0", x)
    if not base.is_kind(x, "f"):
        raise ValueError(f"Unsupported input type to jax.numpy.i0: {x.dtype}")
    return _i0(x)


@custom_jvp
def _i0(x: Any) -> Any:
    size = el.abs(x)
    return el.mul(el.exp(size), el.bessel_i0e(size))


@_i0.defjvp
def _i0_jvp(primals: Any, tangents: Any) -> Any:
    from simulator.autodiff.gradients import jvp
    value, tangent = jvp(_i0.fun, primals, tangents)
    return value, where(primals[0] == 0, 0.0, tangent)
