"""The normal distribution in ``jax.scipy.special``: ndtr, log_ndtr, ndtri.

JAX source: ``jax/_src/scipy/special.py: ndtr, log_ndtr, _log_ndtr_lower, ndtri, _ndtri``.
The coefficients are those of the Cephes library, which JAX uses too.
"""

from __future__ import annotations

import functools
import math
from typing import Any

from simulator import process
from simulator.autodiff.custom_jvp import custom_jvp
from simulator.facade import numpy as np
from simulator.facade.jax import lax
from simulator.facade.jax import numpy as jnp
from simulator.facade.jax.lax import base

# (numerator, denominator), highest power first: near 1/2; for z below 8; for the rest.
_NEAR = ((-59.96335010141079, 98.00107541859997, -56.67628574690703, 13.931260938727968,
          -1.2391658386738125),
         (1.0, 1.9544885833814176, 4.676279128988815, 86.36024213908905, -225.46268785411937,
          200.26021238006066, -82.03722561683334, 15.90562251262117, -1.1833162112133))
_FAR = ((4.0554489230596245, 31.525109459989388, 57.16281922464213, 44.08050738932008,
         14.684956192885803, 2.1866330685079025, -0.1402560791713545, -0.03504246268278482,
         -0.0008574567851546854),
        (1.0, 15.779988325646675, 45.39076351288792, 41.3172038254672, 15.04253856929075,
         2.504649462083094, -0.14218292285478779, -0.03808064076915783, -0.0009332594808954574))
_FARTHEST = ((3.2377489177694603, 6.915228890689842, 3.9388102529247444, 1.3330346081580755,
              0.20148538954917908, 0.012371663481782003, 0.00030158155350823543,
              2.6580697468673755e-06, 6.239745391849833e-09),
             (1.0, 6.02427039364742, 3.6798356385616087, 1.3770209948908132, 0.21623699359449663,
              0.013420400608854318, 0.00032801446468212774, 2.8924786474538068e-06,
              6.790194080099813e-09))


def _checked(dtype: Any, text: str) -> Any:
    if dtype.name not in ("float32", "float64"):
        raise TypeError(f"x.dtype={dtype} is not supported{text}.")
    return dtype.type


def ndtr(x: Any) -> Any:
    """``jax.scipy.special.ndtr``: the area under the normal curve left of x."""
    x = jnp.asarray(x)
    _checked(x.dtype, ", see docstring for supported types")
    return _ndtr(x)


def _ndtr(x: Any) -> Any:
    number = x.dtype.type
    bound = number(0.5) * number(math.sqrt(2))
    w = x * bound
    z = abs(w)
    y = lax.select(lax.lt(z, bound), number(1.) + lax.erf(w),
                   lax.select(lax.gt(w, number(0.)), number(2.) - lax.erfc(z), lax.erfc(z)))
    return number(0.5) * y


@functools.partial(custom_jvp, nondiff_argnums=(1,))
def log_ndtr(x: Any, series_order: int = 3) -> Any:
    """``jax.scipy.special.log_ndtr``, by a series far to the left."""
    if not isinstance(series_order, int):
        raise TypeError("series_order must be a Python integer.")
    if series_order < 0:
        raise ValueError("series_order must be non-negative.")
    if series_order > 30:
        raise ValueError("series_order must be <= 30.")
    x = jnp.asarray(x)
    _checked(x.dtype, "")
    low, high = (np.array(v, x.dtype) for v in ((-20, 8) if x.dtype.bits == 64 else (-10, 5)))
    right = lax.gt(x, high)
    area = _ndtr(jnp.where(right, -x, lax.max(x, low)))
    return jnp.where(right, -area, jnp.where(
        lax.gt(x, low), lax.log(area), _far_left(lax.min(x, low), series_order)))


def _far_left(x: Any, order: int) -> Any:
    number = x.dtype.type
    square = lax.square(x)
    scale = -number(0.5) * square - lax.log(-x) - number(0.5 * math.log(2. * math.pi))
    return scale + lax.log(_series(x, order))


def _series(x: Any, order: int) -> Any:
    number = x.dtype.type
    if order <= 0:
        return np.array(1, number)
    square = lax.square(x)
    sums = [jnp.zeros_like(x), jnp.zeros_like(x)]
    power = square
    for n in range(1, order + 1):
        sums[n % 2] += np.array(math.prod(range(2 * n - 1, 1, -2)), number) / power
        power *= square
    return number(1.) + sums[0] - sums[1]


@log_ndtr.defjvp
def _log_ndtr_jvp(series_order, primals, tangents):
    (x,), (t,) = primals, tangents
    ans = log_ndtr(x, series_order=series_order)
    half = lax.mul(base.const(x, -0.5), lax.square(x))
    density = lax.sub(half, base.const(x, math.log(math.sqrt(2 * math.pi))))
    return ans, lax.mul(t, lax.exp(lax.sub(density, ans)))


def ndtri(p: Any) -> Any:
    """``jax.scipy.special.ndtri``: the inverse of `ndtr`."""
    dtype = base.dtype(p)
    number = _checked(dtype, ", see docstring for supported types")
    shape = base.shape(p)
    tables = [[np.array(c, dtype=number) for c in pair] for pair in (_NEAR, _FAR, _FARTHEST)]
    low = jnp.where(p > number(-math.expm1(-2.)), number(1.) - p, p)
    low = jnp.where(low == number(0.), jnp.full(shape, number(0.5)), low)
    w = low - number(0.5)
    ww = lax.square(w)
    near = w + w * ww * (jnp.polyval(tables[0][0], ww) / jnp.polyval(tables[0][1], ww))
    near *= -number(math.sqrt(2. * math.pi))
    z = lax.sqrt(number(-2.) * lax.log(low))
    first = z - lax.log(z) / z
    farthest = jnp.polyval(tables[2][0], 1 / z) / jnp.polyval(tables[2][1], 1 / z) / z
    far = jnp.polyval(tables[1][0], 1 / z) / jnp.polyval(tables[1][1], 1 / z) / z
    farthest = first - farthest
    far = first - far
    x = jnp.where(low > number(math.exp(-2.)), near, jnp.where(z >= number(8.), farthest, far))
    x = jnp.where(p > number(1. - math.exp(-2.)), x, -x)
    with process.current().config.state("jax_debug_infs")(False):
        infinity = jnp.full(shape, number(math.inf))
        return jnp.where(p == number(0.), -infinity,
                         jnp.where(p == number(1.), infinity, x))
