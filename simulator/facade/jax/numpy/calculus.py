"""``jax.numpy`` functions on samples of a function: slopes and areas.

JAX source: ``jax/_src/numpy/lax_numpy.py: gradient, trapezoid``.
"""

from __future__ import annotations

from typing import Any

from simulator.api import jit
from simulator.errors import OutOfScope
from simulator.facade.jax.lax import base, shapes, slicing
from simulator.facade.jax.numpy.constructors import asarray
from simulator.facade.jax.numpy.joining import concatenate
from simulator.facade.jax.numpy.reshaping import (
    moveaxis,
)
from simulator.facade.jax.numpy.util import (
    ensure_array,
    ensure_arrays,
    promote_inexact,
)


@jit(static_argnames=("axis", "edge_order"))
def gradient(f, *varargs, axis=None, edge_order=None):
    """``jax.numpy.gradient`` with scalar spacing."""
    if edge_order is not None:
        raise NotImplementedError("The 'edge_order' argument to jnp.gradient is not supported.")
    a, *spacing = promote_inexact(f, *varargs)
    axes = tuple(range(a.ndim)) if axis is None else tuple(
        base.canonical_axis(i, a.ndim) for i in base.index_tuple(axis))
    if not axes:
        return []
    if min(a.shape[i] for i in axes) < 2:
        raise ValueError("Shape of array too small to calculate a numerical gradient, at least 2 "
                         "elements are required.")
    if len(spacing) not in (0, 1, len(axes)):
        raise TypeError(f"Invalid number of spacing arguments {len(spacing)} for axis={axis!r}")
    steps = [1.0] * len(axes) if not spacing else (
        spacing * len(axes) if len(spacing) == 1 else spacing)
    out = [_slope(a, h, ax) for ax, h in zip(axes, steps)]
    return out[0] if len(axes) == 1 else out


def _slope(a: Any, h: Any, axis: int) -> Any:
    if base.ndim(h):
        raise OutOfScope("jax.numpy.gradient with spacing arrays", "use one number per axis")

    def part(start: Any, stop: Any) -> Any:
        return slicing.slice_in_dim(a, start, stop, axis=axis)

    upper = part(1, 2) - part(0, 1)
    lower = part(-1, None) - part(-2, -1)
    inner = (part(2, None) - part(None, -2)) * 0.5 / h
    lower = lower / h
    upper = upper / h
    return concatenate((upper, inner, lower), axis=axis)


@jit(static_argnames=("axis",))
def trapezoid(y, x=None, dx=1.0, axis=-1):
    """``jax.numpy.trapezoid``."""
    from simulator.facade.jax.numpy.choosing import diff
    if x is None:
        y_arr, = promote_inexact(ensure_array("trapezoid", y))
        step = asarray(dx)
        if step.ndim > 0:
            step = shapes.expand_dims(step, range(y_arr.ndim - step.ndim))
            step = moveaxis(step, axis, -1)
    else:
        y_arr, x_arr = promote_inexact(*ensure_arrays("trapezoid", y, x))
        step = diff(x_arr) if x_arr.ndim == 1 else moveaxis(diff(x_arr, axis=axis), axis, -1)
    y_arr = moveaxis(y_arr, axis, -1)
    if step.ndim == 0 or step.shape[-1] == 1:
        step = step if step.ndim == 0 else step[..., 0]
        return step * (y_arr.sum(-1) - 0.5 * (y_arr[..., 0] + y_arr[..., -1]))
    return 0.5 * (step * (y_arr[..., 1:] + y_arr[..., :-1])).sum(-1)
