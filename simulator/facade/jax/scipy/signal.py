"""``jax.scipy.signal``: convolution of arrays of any rank.

JAX source: ``jax/_src/scipy/signal.py: _convolve_nd, convolve, convolve2d``. None of these
is a jitted function.
"""

from __future__ import annotations

from typing import Any

from simulator.errors import OutOfScope
from simulator.facade.jax import lax
from simulator.facade.jax import numpy as jnp
from simulator.facade.jax.lax import base
from simulator.facade.jax.numpy.util import promote_inexact
from simulator.facade.public import missing as _missing

__getattr__ = _missing("jax.scipy.signal")


def _convolve(in1: Any, in2: Any, mode: str, precision: Any) -> Any:
    if mode not in ("full", "same", "valid"):
        raise ValueError("mode must be one of ['full', 'same', 'valid']")
    if in1.ndim != in2.ndim:
        raise ValueError("in1 and in2 must have the same number of dimensions")
    if in1.size == 0 or in2.size == 0:
        raise ValueError("zero-size arrays not supported in convolutions, got shapes "
                         f"{in1.shape} and {in2.shape}.")
    in1, in2 = promote_inexact(in1, in2)
    pairs = list(zip(in1.shape, in2.shape))
    smaller_first = all(a <= b for a, b in pairs)
    if not smaller_first and not all(a >= b for a, b in pairs):
        raise ValueError("One input must be smaller than the other in every dimension.")
    wanted = in2.shape
    if smaller_first:
        in1, in2 = in2, in1
    sizes = in2.shape
    in2 = jnp.flip(in2)
    if mode == "valid":
        padding = [(0, 0)] * len(sizes)
    elif mode == "same":
        padding = [(n - 1 - (w - 1) // 2, n - w + (w - 1) // 2) for n, w in zip(sizes, wanted)]
    else:
        padding = [(n - 1, n - 1) for n in sizes]
    found = lax.conv_general_dilated(in1[None, None], in2[None, None], (1,) * len(sizes), padding,
                                     precision=precision)
    return found[0, 0]


def convolve(in1: Any, in2: Any, mode: str = "full", method: str = "auto", precision: Any = None
             ) -> Any:
    """``jax.scipy.signal.convolve``. OutOfScope: by Fourier transforms."""
    if method == "fft":
        raise OutOfScope("jax.scipy.signal.convolve(method='fft')", "use method='direct'")
    if method not in ("direct", "auto"):
        raise ValueError(f"Got method={method!r}; expected 'auto', 'fft', or 'direct'.")
    return _convolve(in1, in2, mode, precision)


def convolve2d(in1: Any, in2: Any, mode: str = "full", boundary: str = "fill",
               fillvalue: float = 0, precision: Any = None) -> Any:
    """``jax.scipy.signal.convolve2d``. ValueError for arrays of another rank."""
    if boundary != "fill" or fillvalue != 0:
        raise NotImplementedError("convolve2d() only supports boundary='fill', fillvalue=0")
    if base.ndim(in1) != 2 or base.ndim(in2) != 2:
        raise ValueError("convolve2d() only supports 2-dimensional inputs.")
    return _convolve(in1, in2, mode, precision)
