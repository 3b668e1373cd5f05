"""The digits of floats as NumPy writes them, and how a number prints by itself.

A float has the fewest digits that give the same value back in its type. Follows
numpy/_core/arrayprint.py: format_float_positional, format_float_scientific.
"""

from __future__ import annotations

import math

from simulator.types import dtype_core as dt
from simulator.types.rounding import round_floats


def shortest(x: float, d: dt.DType) -> str:
    """The shortest ``d.dde+x`` text that rounds back to `x` in type `d`."""
    for digits in range(17):
        text = f"{x:.{digits}e}"
        if round_floats([float(text)], d)[0] == x:
            return text
    return text


def digits_of(x: float, d: dt.DType) -> tuple[str, int]:
    """The significant digits of `x` and the decimal exponent of the first."""
    mantissa, exponent = shortest(abs(x), d).split("e")
    return mantissa.replace(".", "").rstrip("0") or "0", int(exponent)


def positional(x: float, d: dt.DType, places: int, least: int = 0) -> str:
    """`x` in positional notation, shortest digits, `least` to `places` after the point."""
    digits, exp = digits_of(x, d)
    point = exp + 1
    if point <= 0:
        whole, frac = "0", "0" * -point + digits
    else:
        whole, frac = digits[:point].ljust(point, "0"), digits[point:]
    if len(frac) > places:
        whole, _, frac = f"{abs(x):.{places}f}".partition(".")
        frac = frac.rstrip("0")
    if len(frac) < least:
        # Digits past the shortest ones are those of the exact value.
        whole, _, frac = f"{abs(x):.{least}f}".partition(".")
    return ("-" if math.copysign(1, x) < 0 else "") + whole + "." + frac


def exponential(x: float, d: dt.DType, places: int, least: int = 0, power: int = 2) -> str:
    """`x` in scientific notation: `least` to `places` digits, `power` digits of exponent."""
    digits, exp = digits_of(x, d)
    frac = digits[1:]
    if len(frac) > places:
        mantissa, e = f"{abs(x):.{places}e}".split("e")
        digits, frac, exp = mantissa[0], mantissa[2:].rstrip("0"), int(e)
    if len(frac) < least:
        mantissa, e = f"{abs(x):.{least}e}".split("e")
        digits, frac, exp = mantissa[0], mantissa[2:], int(e)
    sign = "-" if math.copysign(1, x) < 0 else ""
    return f"{sign}{digits[0]}.{frac}e{'-' if exp < 0 else '+'}{abs(exp):0{power}d}"


# Above these, floats print with an exponent: in arrays at most 1e8, alone as given.
LARGE = {dt.float16: 1e3, dt.float32: 1e6, dt.float64: 1e16}


def alone(v, d: dt.DType) -> str:
    """A lone scalar: like Python's repr, but with the digits of its own type."""
    if d is dt.bfloat16:
        return f"{v:g}"
    if d.family == "f":
        if not math.isfinite(v):
            return "nan" if v != v else "inf" if v > 0 else "-inf"
        if v == 0.0 or 1e-4 <= abs(v) < LARGE[d]:
            text = positional(v, d, 400)
            return text + "0" if text.endswith(".") else text
        text = exponential(v, d, 400)
        return text.replace(".e", "e")
    if d.family == "c":
        part = dt.real_part(d)
        real, imag = trimmed(alone(v.real, part)), trimmed(alone(v.imag, part))
        if v.real == 0.0 and math.copysign(1, v.real) > 0:
            return imag + "j"
        plus = "" if imag.startswith("-") else "+"
        return f"({real}{plus}{imag}j)"
    return str(v)


def trimmed(text: str) -> str:
    """A number without its empty fraction."""
    return text[:-2] if text.endswith(".0") else text


def scalar_str(x) -> str:
    """What ``print`` shows of a NumPy scalar."""
    return alone(x.item(), x.scalar_dtype)


def scalar_repr(x) -> str:
    """The repr of a NumPy scalar, such as ``np.float32(1.5)``."""
    d = x.scalar_dtype
    if d is dt.bool_:
        return f"np.{x.item()}_"
    if d is dt.bfloat16:
        return scalar_str(x)
    text = scalar_str(x)
    return f"np.{d.name}{text}" if text.startswith("(") else f"np.{d.name}({text})"
