"""``jax.numpy``: arrays that are equal or close.

JAX source: ``jax/_src/numpy/lax_numpy.py: isclose, allclose, array_equal``.
"""

from __future__ import annotations

from simulator.api import jit
from simulator.facade.jax.lax import elementwise as el
from simulator.facade.jax.numpy import reductions
from simulator.facade.jax.numpy.arithmetic import logical_and, logical_or
from simulator.facade.jax.numpy.util import (
    check_arraylike,
    promote_args,
    promote_args_inexact,
)
from simulator.types import dtypes


@jit(static_argnames=("equal_nan",))
def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    """``jax.numpy.isclose``."""
    from simulator.facade.jax.lax.convert import convert_element_type
    from simulator.facade.jax.numpy.predicates import isfinite, isnan
    a, b = promote_args("isclose", a, b)
    if a.dtype.family == "k":
        return el.eq(a, b)
    a, b = promote_args_inexact("isclose", a, b)
    d = dtypes.real_part(a.dtype)
    rtol = convert_element_type(rtol, d)
    atol = convert_element_type(atol, d)
    both_nan = logical_and(isnan(a), isnan(b))
    finite = isfinite(b)
    near = el.le(el.abs(el.sub(a, b)), el.add(atol, el.mul(rtol, el.abs(b))))
    out = logical_or(el.eq(a, b), logical_and(finite, near))
    return logical_or(out, both_nan) if equal_nan else out


@jit(static_argnames=("equal_nan",))
def allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    """``jax.numpy.allclose``."""
    check_arraylike("allclose", a, b)
    return reductions.all(isclose(a, b, rtol, atol, equal_nan))


def array_equal(a1, a2, equal_nan=False):
    """``jax.numpy.array_equal``."""
    from simulator.facade.jax.numpy.constructors import array, asarray
    from simulator.facade.jax.numpy.predicates import isnan
    a1, a2 = asarray(a1), asarray(a2)
    if a1.shape != a2.shape:
        return array(False, dtype=bool)
    same = asarray(a1 == a2)
    if equal_nan:
        same = logical_or(same, logical_and(isnan(a1), isnan(a2)))
    return reductions.all(same)
