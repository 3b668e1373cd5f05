"""``jax.numpy.convolve`` and ``correlate``, of one dimension.

JAX source: ``jax/_src/numpy/lax_numpy.py: convolve, correlate, _conv``.
"""

from __future__ import annotations

from simulator.api import jit
from simulator.facade.jax.lax.convolution import conv_general_dilated
from simulator.facade.jax.numpy.math_functions import conj
from simulator.facade.jax.numpy.moving import flip
from simulator.facade.jax.numpy.util import ensure_arrays, promote_dtypes, promote_inexact


@jit(static_argnames=("mode", "op", "precision", "preferred_element_type"))
def _conv(x, y, mode, op, precision, preferred_element_type=None):
    if x.ndim != 1 or y.ndim != 1:
        raise ValueError(f"{op}() only support 1-dimensional inputs.")
    x, y = (promote_inexact if preferred_element_type is None else promote_dtypes)(x, y)
    if not (len(x) and len(y)):
        raise ValueError(f"{op}: inputs cannot be empty, got shapes {x.shape} and {y.shape}.")
    order = slice(None)
    if op == "correlate":
        y = conj(y)
    if len(x) < len(y):
        x, y = y, x
        if op == "correlate":
            order = slice(None, None, -1)
    if op == "convolve":
        y = flip(y)
    n = y.shape[0]
    pads = {"valid": (0, 0), "same": (n // 2, n - n // 2 - 1), "full": (n - 1, n - 1)}
    if mode not in pads:
        raise ValueError("mode must be one of ['full', 'same', 'valid']")
    found = conv_general_dilated(x[None, None, :], y[None, None, :], (1,), [pads[mode]],
                                 precision=precision,
                                 preferred_element_type=preferred_element_type)
    return found[0, 0, order]


@jit(static_argnames=("mode", "precision", "preferred_element_type"))
def convolve(a, v, mode="full", *, precision=None, preferred_element_type=None):
    """``jax.numpy.convolve``. ValueError for an unknown mode."""
    a, v = ensure_arrays("convolve", a, v)
    return _conv(a, v, mode=mode, op="convolve", precision=precision,
                 preferred_element_type=preferred_element_type)


@jit(static_argnames=("mode", "precision", "preferred_element_type"))
def correlate(a, v, mode="valid", *, precision=None, preferred_element_type=None):
    """``jax.numpy.correlate``. ValueError for an unknown mode."""
    a, v = ensure_arrays("correlate", a, v)
    return _conv(a, v, mode=mode, op="correlate", precision=precision,
                 preferred_element_type=preferred_element_type)
