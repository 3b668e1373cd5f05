"""Derivatives of functions of one number.

JAX source: ``jax/_src/lax/lax.py``, ``jax/_src/lax/special.py``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from simulator.autodiff import jvp
from simulator.autodiff.accumulate import is_unknown
from simulator.autodiff.linearize import Linear
from simulator.autodiff.rules.common import (
    linear,
    one,
    primitive,
    replace_zero,
    unbroadcast,
    zero,
)
from simulator.errors import OutOfScope
from simulator.facade.jax import lax
from simulator.facade.jax.lax import base
from simulator.primitives.all import sin_p

_c = base.const

# name -> (tangent, x) -> tangent
_OF_ARGUMENT: dict[str, Callable] = {
    "log": lambda g, x: lax.div(g, x),
    "log1p": lambda g, x: lax.div(g, lax.add(x, one(x))),
    "sin": lambda g, x: lax.mul(g, lax.cos(x)),
    "cos": lambda g, x: lax.neg(lax.mul(g, lax.sin(x))),
    "asin": lambda g, x: lax.mul(g, lax.rsqrt(lax.sub(_c(x, 1), lax.square(x)))),
    "acos": lambda g, x: lax.mul(g, lax.neg(lax.rsqrt(lax.sub(_c(x, 1), lax.square(x))))),
    "atan": lambda g, x: lax.div(g, lax.add(_c(x, 1), lax.square(x))),
    "sinh": lambda g, x: lax.mul(g, lax.cosh(x)),
    "cosh": lambda g, x: lax.mul(g, lax.sinh(x)),
    "asinh": lambda g, x: lax.mul(g, lax.rsqrt(lax.add(lax.square(x), one(x)))),
    "acosh": lambda g, x: lax.mul(g, lax.rsqrt(lax.sub(lax.square(x), one(x)))),
    "atanh": lambda g, x: lax.mul(lax.reciprocal(lax.add(one(x), x)),
                                  lax.div(g, lax.sub(one(x), x))),
    "lgamma": lambda g, x: lax.mul(g, lax.digamma(x)),
    "erf": lambda g, x: lax.mul(_c(x, 2. / math.sqrt(math.pi)),
                                lax.mul(g, lax.exp(lax.neg(lax.square(x))))),
    "erfc": lambda g, x: lax.mul(_c(x, -2. / math.sqrt(math.pi)),
                                 lax.mul(g, lax.exp(lax.neg(lax.square(x))))),
}

# name -> (tangent, result, x) -> tangent
_OF_RESULT: dict[str, Callable] = {
    "exp": lambda g, y, x: lax.mul(g, y),
    "exp2": lambda g, y, x: lax.mul(lax.log(_c(x, 2)), lax.mul(g, y)),
    "expm1": lambda g, y, x: lax.mul(g, lax.add(y, one(y))),
    "tanh": lambda g, y, x: lax.mul(lax.add(g, lax.mul(g, y)), lax.sub(one(x), y)),
    "logistic": lambda g, y, x: lax.mul(g, lax.mul(y, lax.sub(one(y), y))),
    "tan": lambda g, y, x: lax.mul(g, lax.add(_c(x, 1), lax.square(y))),
    "sqrt": lambda g, y, x: lax.mul(g, lax.div(_c(x, 0.5), y)),
    "rsqrt": lambda g, y, x: lax.mul(g, lax.mul(_c(x, -0.5), lax.div(y, x))),
    "cbrt": lambda g, y, x: lax.mul(g, lax.mul(_c(x, 1 / 3), lax.integer_pow(y, -2))),
    "square": lambda g, y, x: lax.mul(g, lax.mul(_c(x, 2), x)),
    "erf_inv": lambda g, y, x: lax.mul(_c(x, math.sqrt(math.pi) / 2.),
                                       lax.mul(g, lax.exp(lax.square(y)))),
    "bessel_i0e": lambda g, y, x: g * (lax.bessel_i1e(x) - lax.sign(x) * y),
}

_NOTHING = ("sign", "floor", "ceil", "round", "is_finite", "not")


def _is_complex(x: Any) -> bool:
    return base.dtype(x).family == "c"


def _abs(g: Any, y: Any, x: Any) -> Any:
    if _is_complex(x):
        return lax.real(lax.mul(g, lax.div(lax.conj(x), replace_zero(
            lax.convert_element_type(y, base.dtype(x))))))
    return lax.select(lax.ge(x, zero(x)), g, lax.neg(g))


def _bessel_i1e(g: Any, y: Any, x: Any) -> Any:
    from simulator.facade.jax import numpy as jnp
    eps = jnp.finfo(base.dtype(x)).eps
    large = abs(x) > eps
    safe = lax.select(large, x, lax.full_like(x, eps))
    slope = lax.bessel_i0e(safe) - y * (lax.sign(safe) + lax.reciprocal(safe))
    return g * lax.select(large, slope, lax.full_like(x, 0.5))


def _integer_pow(g: Any, x: Any, *, y: int) -> Any:
    if y == 0:
        return lax.full_like(g, 0)
    if y == 1:
        return g
    if y == 2:
        return lax.mul(g, lax.mul(_c(x, y), x))
    return lax.mul(g, lax.mul(_c(x, y), lax.integer_pow(x, y - 1)))


def _sin(is_vjp: bool, nonzeros: list[bool], primals: list, params: dict
         ) -> Linear:
    (x,) = primals
    return Linear([sin_p.bind(x, **params)], nonzeros, [lax.cos(x)],
                  lambda residuals, tangents: [lax.mul(tangents[0], residuals[0])])


def _complex(cotangent: Any, x: Any, y: Any) -> list:
    return [unbroadcast(x.aval, lax.real(cotangent)) if is_unknown(x) else None,
            unbroadcast(y.aval, lax.imag(lax.neg(cotangent))) if is_unknown(y) else None]


def _conj(cotangent: Any, x: Any, *, input_dtype: Any) -> list:
    return [lax.conj(cotangent) if input_dtype.family == "c" else lax.real(cotangent)]


def _zero_like(t: Any) -> Any:
    from simulator.device_arrays.literals import constant
    return constant(0, base.dtype(t))


def _refuse(name: str) -> Callable:
    def rule(*args: Any, **params: Any) -> Any:
        raise OutOfScope(f"differentiating {name}")
    return rule


def _plain(rule: Callable) -> Callable:
    # What is not needed for the derivative (the accuracy) is left out.
    return lambda *args, **params: rule(*args)


for _name, _rule in _OF_ARGUMENT.items():
    primitive(_name).jvp = jvp.standard(primitive(_name), _plain(_rule))
for _name, _rule in _OF_RESULT.items():
    primitive(_name).jvp = jvp.standard(primitive(_name), _plain(_rule), with_result=True)
for _name in _NOTHING:
    primitive(_name).jvp = jvp.vanishing(primitive(_name))
primitive("abs").jvp = jvp.standard(primitive("abs"), _abs, with_result=True)
primitive("bessel_i1e").jvp = jvp.standard(primitive("bessel_i1e"), _bessel_i1e, with_result=True)
primitive("integer_pow").jvp = jvp.standard(primitive("integer_pow"), _integer_pow)
primitive("digamma").jvp = _refuse("digamma")
sin_p.linearize = _sin
linear("neg", lambda t, x: [lax.neg(t)])
linear("real", lambda t, x: [lax.complex(t, _zero_like(t))])
linear("imag", lambda t, x: [lax.complex(_zero_like(t), lax.neg(t))])
linear("complex", _complex)
linear("conj", _conj)
