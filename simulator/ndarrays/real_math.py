"""Elementary functions on Python floats and complex numbers, without exceptions.

Python raises where IEEE arithmetic gives infinities and NaNs; these functions
give what the hardware gives.  Results are double precision; the caller rounds.

Simplified: results are the correctly rounded ones, XLA's and NumPy's may be off
by an ulp in the last place of float32.
"""

from __future__ import annotations

import cmath
import math

INF, NAN = math.inf, math.nan


def guarded(fn, pole=None):
    """`fn` with overflow turned into inf and domain errors into NaN (or `pole(x)`)."""
    def safe(x):
        try:
            return fn(x)
        except OverflowError:
            return INF
        except (ValueError, ZeroDivisionError):
            return pole(x) if pole else NAN
    return safe


def either(real, cplx):
    """One function for float and complex arguments."""
    def both(x):
        return cplx(x) if type(x) is complex else real(x)
    return both


def div(x, y):
    """x / y for floats or complex numbers, with IEEE results for y == 0."""
    try:
        return x / y
    except ZeroDivisionError:
        pass
    except OverflowError:
        return complex(NAN, NAN)
    if isinstance(x, complex) or isinstance(y, complex):
        x = complex(x)
        return complex(div(x.real, 0.0), div(x.imag, 0.0))
    if x != x or x == 0.0:
        return NAN
    return math.copysign(INF, x) * math.copysign(1.0, y)


def log(x: float) -> float:
    """Natural logarithm: -inf at 0, NaN below."""
    if x > 0.0:
        return math.log(x)
    return -INF if x == 0.0 else NAN


def log1p(x: float) -> float:
    """log(1 + x): -inf at -1, NaN below."""
    if x > -1.0:
        return math.log1p(x)
    return -INF if x == -1.0 else NAN


def log2(x: float) -> float:
    """Logarithm to base 2: -inf at 0, NaN below."""
    if x > 0.0:
        return math.log2(x)
    return -INF if x == 0.0 else NAN


def log10(x: float) -> float:
    """Logarithm to base 10: -inf at 0, NaN below."""
    if x > 0.0:
        return math.log10(x)
    return -INF if x == 0.0 else NAN


def sqrt(x: float) -> float:
    """Square root: NaN below 0."""
    return math.sqrt(x) if x >= 0.0 else NAN


def rsqrt(x):
    """1 / sqrt(x), real or complex: inf with the sign of x at 0, NaN below."""
    if type(x) is complex:
        return div(1.0, csqrt(x))
    return div(1.0, sqrt(x)) if x != 0.0 else math.copysign(INF, x)


def cosh(x: float) -> float:
    """Hyperbolic cosine: inf when it is too large."""
    try:
        return math.cosh(x)
    except OverflowError:
        return INF


def sinh(x: float) -> float:
    """Hyperbolic sine: inf with the sign of x when it is too large."""
    try:
        return math.sinh(x)
    except OverflowError:
        return math.copysign(INF, x)


def atanh(x: float) -> float:
    """Inverse hyperbolic tangent: infinite at -1 and 1, NaN beyond."""
    if -1.0 < x < 1.0:
        return math.atanh(x)
    return math.copysign(INF, x) if abs(x) == 1.0 else NAN


def cbrt(x: float) -> float:
    """Cube root, also of negative numbers."""
    return math.cbrt(x)


def sign(x):
    """-1, 0 or 1 in the type of x, zero and NaN as they are; for complex numbers x / abs(x)."""
    if type(x) is complex:
        size = abs(x)
        return x / size if size else complex(0.0, 0.0)
    if x != x or x == 0:
        return x
    return math.copysign(1.0, x) if type(x) is float else (1 if x > 0 else -1)


def logistic(x):
    """1 / (1 + exp(-x)), real or complex, without overflow for real x."""
    if type(x) is complex:
        return div(1.0, 1.0 + cexp(-x))
    if x >= 0:
        return 1.0 / (1.0 + math.exp(-x))
    e = math.exp(x)
    return e / (1.0 + e)


def round_even(x: float) -> float:
    """To the nearest integer, ties to even."""
    return math.copysign(float(round(x)), x) if math.isfinite(x) else x


def round_away(x: float) -> float:
    """To the nearest integer, ties away from zero."""
    if not math.isfinite(x) or abs(x) >= 4503599627370496.0:
        return x
    low = math.floor(abs(x))
    return math.copysign(low + (abs(x) - low >= 0.5), x)


def floor(x: float) -> float:
    """The next lower whole number as a float, with the sign of x at zero."""
    return math.copysign(float(math.floor(x)), x) if math.isfinite(x) else x


def ceil(x: float) -> float:
    """The next higher whole number as a float, with the sign of x at zero."""
    return math.copysign(float(math.ceil(x)), x) if math.isfinite(x) else x


def trunc(x: float) -> float:
    """The whole part as a float, with the sign of x at zero."""
    return math.copysign(float(math.trunc(x)), x) if math.isfinite(x) else x


def fmod(x: float, y: float) -> float:
    """Remainder with the sign of x (C's fmod)."""
    if y == 0.0 or x in (INF, -INF) or x != x or y != y:
        return NAN
    return math.fmod(x, y)


def power(x, y):
    """x ** y for floats or complex numbers, as C's pow."""
    if isinstance(x, complex) or isinstance(y, complex):
        x = complex(x)
        if x == 0:
            return complex(1.0, 0.0) if y == 0 else complex(0.0, 0.0)
        try:
            return x ** y
        except OverflowError:
            return complex(NAN, NAN)
    try:
        return math.pow(x, y)
    except OverflowError:
        odd = y == math.floor(y) and math.fmod(y, 2.0) != 0.0
        return -INF if x < 0.0 and odd else INF
    except ValueError:
        if x == 0.0:
            odd = y == math.floor(y) and math.fmod(y, 2.0) != 0.0
            return math.copysign(INF, x) if odd else INF
        return NAN


def order(x):
    """A sort key: complex numbers by real, then imaginary part, others themselves."""
    return (x.real, x.imag) if type(x) is complex else x


def maximum(x, y):
    """The larger; NaN if either is NaN."""
    if x != x or y != y:
        return x if x != x else y
    return x if order(x) > order(y) else y


def minimum(x, y):
    """The smaller; NaN if either is NaN."""
    if x != x or y != y:
        return x if x != x else y
    return x if order(x) < order(y) else y


def _complex(fn):
    def safe(z):
        try:
            return fn(z)
        except OverflowError:
            return complex(INF, NAN)
        except (ValueError, ZeroDivisionError):
            return complex(NAN, NAN)
    return safe


cexp, csqrt, csin, ccos, ctan = map(_complex, (cmath.exp, cmath.sqrt, cmath.sin, cmath.cos,
                                               cmath.tan))
csinh, ccosh, ctanh = map(_complex, (cmath.sinh, cmath.cosh, cmath.tanh))
casin, cacos, catan = map(_complex, (cmath.asin, cmath.acos, cmath.atan))
casinh, cacosh, catanh = map(_complex, (cmath.asinh, cmath.acosh, cmath.atanh))


def clog(z: complex) -> complex:
    """Complex logarithm: -inf at 0."""
    return complex(-INF, 0.0) if z == 0 else _complex(cmath.log)(z)


def _expm1_complex(z: complex) -> complex:
    # exp(z) - 1 without cancellation near 0.
    half = math.sin(z.imag / 2.0)
    real = expm1_real(z.real) * math.cos(z.imag) - 2.0 * half * half
    return complex(real, cexp(z).imag)


expm1_real = guarded(math.expm1)
exp = either(guarded(math.exp), cexp)
exp2 = either(guarded(math.exp2), lambda z: cexp(z * math.log(2.0)))
expm1 = either(expm1_real, _expm1_complex)
log_any = either(log, clog)
log1p_any = either(log1p, lambda z: clog(1.0 + z) if abs(z) > 1e-4 else z - z * z / 2 + z ** 3 / 3)
sqrt_any = either(sqrt, csqrt)
sin = either(guarded(math.sin), csin)
cos = either(guarded(math.cos), ccos)
tan = either(guarded(math.tan), ctan)
asin = either(guarded(math.asin), casin)
acos = either(guarded(math.acos), cacos)
atan = either(math.atan, catan)
sinh_any = either(sinh, csinh)
cosh_any = either(cosh, ccosh)
tanh = either(math.tanh, ctanh)
asinh = either(math.asinh, casinh)
acosh = either(guarded(math.acosh), cacosh)
atanh_any = either(atanh, catanh)
