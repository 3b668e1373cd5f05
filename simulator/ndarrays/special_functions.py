"""Special functions that Python's math module lacks.

erf_inv refines a starting guess with Newton steps, digamma uses recurrence and
the asymptotic series, the Bessel functions their power or asymptotic series;
all in double precision.
"""

from __future__ import annotations

import math

INF, NAN = math.inf, math.nan


def erf_inv(x: float) -> float:
    """y with erf(y) == x; infinite at -1 and 1, NaN outside."""
    if x != x or abs(x) > 1.0:
        return NAN
    if abs(x) == 1.0:
        return math.copysign(INF, x)
    if x == 0.0:
        return x
    # Winitzki's approximation is good to 2e-3; Newton doubles the digits each time.
    a = 0.147
    log = math.log1p(-x * x)
    t = 2.0 / (math.pi * a) + log / 2.0
    y = math.copysign(math.sqrt(math.sqrt(t * t - log / a) - t), x)
    for _ in range(4):
        # Near the ends 1 - erf loses digits that erfc keeps.
        error = (math.erf(y) - x) if abs(x) < 0.5 else \
            math.copysign(1.0, x) * ((1.0 - abs(x)) - math.erfc(abs(y)))
        slope = 2.0 / math.sqrt(math.pi) * math.exp(-y * y)
        if slope == 0.0:
            break
        y -= error / slope / (1.0 + y * error / slope)
    return y


def lgamma(x: float) -> float:
    """log(abs(gamma(x))): inf at 0, -1, -2, …"""
    try:
        return math.lgamma(x)
    except (ValueError, OverflowError):
        return INF


def digamma(x: float) -> float:
    """Derivative of lgamma; NaN at zero and the negative integers."""
    if x != x or x == -INF or (x <= 0.0 and x == math.floor(x)):
        return NAN
    if x == INF:
        return INF
    if x < 0.5:
        return digamma(1.0 - x) - math.pi / math.tan(math.pi * x)
    out = 0.0
    while x < 10.0:
        out -= 1.0 / x
        x += 1.0
    inv = 1.0 / (x * x)
    series = inv * (1 / 12 - inv * (1 / 120 - inv * (1 / 252 - inv * (1 / 240 - inv / 132))))
    return out + math.log(x) - 0.5 / x - series


def _bessel_scaled(order: int, x: float) -> float:
    """exp(-|x|) I_order(x) for order 0 or 1."""
    a = abs(x)
    if a < 25.0:
        term = total = (a / 2.0) ** order
        k = 1
        while term > total * 1e-17:
            term *= (a / 2.0) ** 2 / (k * (k + order))
            total += term
            k += 1
        out = total * math.exp(-a)
    else:
        mu, term, total = 4.0 * order * order, 1.0, 1.0
        for k in range(1, 30):
            step = -(mu - (2 * k - 1) ** 2) / (k * 8.0 * a)
            if abs(step) >= 1.0:
                break
            term *= step
            total += term
        out = total / math.sqrt(2.0 * math.pi * a)
    return math.copysign(out, x) if order else out


def bessel_i0e(x: float) -> float:
    """exp(-abs(x)) I0(x), with the modified Bessel function of order 0."""
    return x if x != x else (0.0 if math.isinf(x) else _bessel_scaled(0, x))


def bessel_i1e(x: float) -> float:
    """exp(-abs(x)) I1(x), with the modified Bessel function of order 1."""
    return x if x != x else (0.0 if math.isinf(x) else _bessel_scaled(1, x))


def reduce_precision(x: float, exponent_bits: int, mantissa_bits: int) -> float:
    """`x` with fewer exponent and mantissa bits: ties to even, overflow to infinity."""
    if x != x or math.isinf(x) or x == 0.0:
        return x
    bias = (1 << exponent_bits - 1) - 1
    m, e = math.frexp(x)
    if e - 1 < 1 - bias:
        return math.copysign(0.0, x)
    scaled = round(math.ldexp(m, mantissa_bits + 1))
    out = math.ldexp(scaled, e - mantissa_bits - 1)
    if math.frexp(out)[1] - 1 > bias:
        return math.copysign(INF, x)
    return out
