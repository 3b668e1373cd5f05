"""How arrays and scalars print: NumPy's repr with default options.

Floats print with the fewest digits that give the same value back in their type,
at most 8 after the point, in one common layout per array; long arrays wrap at 75
columns and are summarised above 1000 elements.
"""

from __future__ import annotations

import math

from simulator.types import dtype_core as dt
from simulator.types.rounding import round_floats

PRECISION, WIDTH, THRESHOLD, EDGE = 8, 75, 1000, 3


def _shortest(x: float, d: dt.DType) -> str:
    """The shortest ``d.dde+x`` text that rounds back to `x` in type `d`."""
    for digits in range(17):
        text = f"{x:.{digits}e}"
        if round_floats([float(text)], d)[0] == x:
            return text
    return text


def _digits(x: float, d: dt.DType) -> tuple[str, int]:
    """The significant digits of `x` and the decimal exponent of the first."""
    mantissa, exponent = _shortest(abs(x), d).split("e")
    return mantissa.replace(".", "").rstrip("0") or "0", int(exponent)


def _fixed(x: float, d: dt.DType, places: int) -> str:
    """`x` in positional notation, shortest digits, at most `places` after the point."""
    digits, exp = _digits(x, d)
    point = exp + 1
    if point <= 0:
        whole, frac = "0", "0" * -point + digits
    else:
        whole, frac = digits[:point].ljust(point, "0"), digits[point:]
    if len(frac) > places:
        text = f"{abs(x):.{places}f}"
        whole, frac = text.split(".")
        frac = frac.rstrip("0")
    return ("-" if math.copysign(1, x) < 0 else "") + whole + "." + frac


def _exponential(x: float, d: dt.DType, places: int, least: int = 0, power: int = 2) -> str:
    """`x` in scientific notation: `least` to `places` digits, `power` digits of exponent."""
    digits, exp = _digits(x, d)
    frac = digits[1:]
    if len(frac) > places:
        mantissa, e = f"{abs(x):.{places}e}".split("e")
        digits, frac, exp = mantissa[0], mantissa[2:].rstrip("0"), int(e)
    if len(frac) < least:
        # Digits past the shortest ones are those of the exact value.
        mantissa, e = f"{abs(x):.{least}e}".split("e")
        digits, frac, exp = mantissa[0], mantissa[2:], int(e)
    sign = "-" if math.copysign(1, x) < 0 else ""
    return f"{sign}{digits[0]}.{frac}e{'-' if exp < 0 else '+'}{abs(exp):0{power}d}"


def _special(x: float) -> str | None:
    if x != x:
        return "nan"
    if math.isinf(x):
        return "inf" if x > 0 else "-inf"
    return None


# Above these, floats print with an exponent: in arrays at most 1e8, alone as given.
_LARGE = {dt.float16: 1e3, dt.float32: 1e6, dt.float64: 1e16}


class _FloatFormat:
    """One layout for all floats of an array."""

    def __init__(self, values: list[float], d: dt.DType, sign: bool = False):
        self.d, self.sign = d, sign
        finite = [v for v in values if math.isfinite(v)]
        nonzero = [abs(v) for v in finite if v != 0.0]
        tiny = round_floats([1e-4], d)[0]
        self.exp = bool(nonzero) and (max(nonzero) >= min(1e8, _LARGE[d]) or min(nonzero) < tiny
                                      or max(nonzero) / min(nonzero) > 1000.0)
        self.least = self.left = self.right = 0
        self.power = 2
        if self.exp:
            parts = [_exponential(v, d, PRECISION).split("e") for v in finite]
            self.least = max(len(mantissa.split(".")[1]) for mantissa, _ in parts)
            self.power = max(len(power) - 1 for _, power in parts)
        texts = [self._raw(v) for v in finite]
        if texts:
            self.left = max(len(t.split(".")[0]) for t in texts)
            self.right = max(len(t.split(".")[1]) for t in texts)
        special = [len(_special(v)) + (sign and v > 0) for v in values if not math.isfinite(v)]
        self.left = max([self.left, *[n - self.right - 1 for n in special]])

    def _raw(self, v: float) -> str:
        text = _exponential(v, self.d, PRECISION, self.least, self.power) if self.exp else \
            _fixed(v, self.d, PRECISION)
        return "+" + text if self.sign and not text.startswith("-") else text

    def __call__(self, v: float) -> str:
        special = _special(v)
        if special:
            if self.sign and not special.startswith("-"):
                special = "+" + special
            return special.rjust(self.left + self.right + 1)
        whole, frac = self._raw(v).split(".")
        return whole.rjust(self.left) + "." + (frac if self.exp else frac.ljust(self.right))


def _formatter(values: list, d: dt.DType):
    if d is dt.bfloat16:
        return lambda v: f"{v:g}"
    if d.family == "f":
        return _FloatFormat(values, d)
    if d is dt.bool_:
        return lambda v: str(v).rjust(5)
    if d.family == "c":
        part = dt.real_part(d)
        re = _FloatFormat([v.real for v in values], part)
        im = _FloatFormat([v.imag for v in values], part, sign=True)

        def fmt(v):
            text = im(v.imag)
            bare = text.rstrip()
            return re(v.real) + bare + "j" + " " * (len(text) - len(bare))
        return fmt
    texts = {v: str(v) for v in values}
    width = max(map(len, texts.values()), default=0)
    return lambda v: str(v).rjust(width)


def array2string(a, separator=" ", prefix="", suffix="") -> str:
    """`np.array2string`: nested brackets, wrapped after the prefix's width."""
    if a.size == 0:
        return "[]" if a.ndim else str(a.values()[0])
    values = a.values()
    big = a.size > THRESHOLD
    if a.ndim == 0:
        return _formatter(values, a.dtype)(values[0]).strip()
    shown = _shown(a.shape, values, big)
    fmt = _formatter(shown, a.dtype)
    room = WIDTH - len(suffix)
    return _block(a.shape, values, 0, fmt, separator, " " * (len(prefix) + 1), room, big)


def _edges(n: int, big: bool) -> list[int | None]:
    if big and n > 2 * EDGE:
        return [*range(EDGE), None, *range(n - EDGE, n)]
    return list(range(n))


def _shown(shape, values, big) -> list:
    if not big:
        return values
    at, step = [0], len(values)
    for n in shape:
        step //= n
        at = [p + k * step for p in at for k in _edges(n, True) if k is not None]
    return [values[p] for p in at]


def _block(shape, values, offset, fmt, sep, indent, room, big) -> str:
    n = shape[0]
    if len(shape) == 1:
        lines, line = [], indent
        picks = _edges(n, big)
        for j, k in enumerate(picks):
            word = "..." if k is None else fmt(values[offset + k])
            last = j == len(picks) - 1
            # One column is kept for the comma or the bracket that follows.
            if len(line) + len(word) > room - 1 and len(line) > len(indent):
                lines.append(line.rstrip())
                line = indent
            line += word if last else word + sep
        lines.append(line)
        return "[" + "\n".join(lines)[len(indent):] + "]"
    step = math.prod(shape[1:])
    blocks = []
    for k in _edges(n, big):
        blocks.append("..." if k is None else _block(
            shape[1:], values, offset + k * step, fmt, sep, indent + " ", room - 1, big))
    gap = sep.rstrip() + "\n" * (len(shape) - 1) + indent
    return "[" + gap.join(blocks) + "]"


def array_str(a) -> str:
    """What ``print`` shows of an array."""
    if a.ndim == 0:
        return _plain(a.values()[0], a.dtype)
    return array2string(a)


def array_repr(a) -> str:
    """``array([1., 2.], dtype=float32)``: dtype and shape only where the text does not tell."""
    extras = []
    if (a.size == 0 and a.shape != (0,)) or a.size > THRESHOLD:
        extras.append(f"shape={a.shape}")
    if a.size == 0 or a.dtype not in (dt.bool_, dt.int64, dt.float64, dt.complex128):
        extras.append(f"dtype={a.dtype.name}")
    out = "array(" + array2string(a, ", ", "array(", ")")
    if not extras:
        return out + ")"
    return _appended(out, ", ".join(extras) + ")", len("array("))


def _appended(text: str, extra: str, indent: int) -> str:
    # On a line of its own when the last line would get too long.
    last = len(text) - (text.rfind("\n") + 1)
    gap = "\n" + " " * indent if last + len(extra) + 2 > WIDTH else " "
    return f"{text},{gap}{extra}"


def device_array_repr(a, weak_type: bool = False) -> str:
    """The repr of a `jax.Array` with the numbers `a` (jax/_src/array.py: ArrayImpl.__repr__).

    From one MiB on only the shape is shown.
    """
    if a.size == 0:
        text = f"[], shape={a.shape}"
    elif a.nbytes >= 1 << 20:
        text = f"shape={a.shape}"
    else:
        text = array2string(a, ", ", "Array(", ",")
    extra = f"dtype={a.dtype.name}" + (", weak_type=True" if weak_type else "")
    # JAX pads with spaces where NumPy starts a new line.
    last = len(text) - text.rfind("\n") + 1
    gap = " " * len("Array(") if last + len(extra) + 2 > WIDTH else " "
    return f"Array({text},{gap}{extra})"


def _plain(v, d: dt.DType) -> str:
    """A lone scalar: like Python's repr, but with the digits of its own type."""
    if d is dt.bfloat16:
        return f"{v:g}"
    if d.family == "f":
        special = _special(v)
        if special:
            return special
        if v == 0.0 or 1e-4 <= abs(v) < _LARGE[d]:
            text = _fixed(v, d, 400)
            return text + "0" if text.endswith(".") else text
        text = _exponential(v, d, 400)
        return text.replace(".e", "e")
    if d.family == "c":
        part = dt.real_part(d)
        real, imag = _trim(_plain(v.real, part)), _trim(_plain(v.imag, part))
        if v.real == 0.0 and math.copysign(1, v.real) > 0:
            return imag + "j"
        plus = "" if imag.startswith("-") else "+"
        return f"({real}{plus}{imag}j)"
    return str(v)


def _trim(text: str) -> str:
    return text[:-2] if text.endswith(".0") else text


def scalar_str(x) -> str:
    """What ``print`` shows of a NumPy scalar."""
    return _plain(x.item(), x.scalar_dtype)


def scalar_repr(x) -> str:
    """The repr of a NumPy scalar, such as ``np.float32(1.5)``."""
    d = x.scalar_dtype
    if d is dt.bool_:
        return f"np.{x.item()}_"
    if d is dt.bfloat16:
        return scalar_str(x)
    text = scalar_str(x)
    return f"np.{d.name}{text}" if text.startswith("(") else f"np.{d.name}({text})"
