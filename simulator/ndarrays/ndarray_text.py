"""How arrays print: the layouts of numpy.array2string.

Floats have one common layout per array: a precision after the point, or an exponent for
all of them; long arrays wrap at the line's width and are summarised above a threshold.
Follows numpy/_core/arrayprint.py: FloatingFormat, _array2string.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from simulator.ndarrays import print_options
from simulator.types import dtype_core as dt
from simulator.types.float_text import LARGE, alone, exponential, positional
from simulator.types.rounding import round_floats

_UNLIMITED = 400
"""More digits than any float has."""


class _FloatFormat:
    """One layout for all floats of an array."""

    def __init__(self, values: list[float], d: dt.DType, options: dict[str, Any],
                 sign: str | None = None):
        self.d, self.sign = d, options["sign"] if sign is None else sign
        self.nan, self.inf = options["nanstr"], options["infstr"]
        mode = options["floatmode"]
        self.places = _UNLIMITED if mode == "unique" else max(options["precision"], 0)
        finite = [v for v in values if math.isfinite(v)]
        nonzero = [abs(v) for v in finite if v != 0.0]
        self.exp = bool(nonzero) and (max(nonzero) >= min(1e8, LARGE[d]) or (
            not options["suppress"] and (min(nonzero) < round_floats([1e-4], d)[0]
                                         or max(nonzero) / min(nonzero) > 1000.0)))
        self.least = self.places if mode == "fixed" else 0
        self.left = self.right = 0
        self.power = 2
        # Every number has as many digits as the longest: with an exponent always.
        self.equal = self.exp or mode in ("fixed", "maxprec_equal")
        if finite:
            texts = [self._raw(v) for v in finite]
            self._measure(texts)
            if self.equal:
                self.least = self.places = max(
                    len(t.split("e")[0].split(".")[1]) for t in texts)
                self._measure([self._raw(v) for v in finite])
            self.left += self.sign == " " and not any(math.copysign(1, v) < 0 for v in finite)
        if len(finite) < len(values):
            signed = self.sign != "-" or any(v == -math.inf for v in values)
            self.left = max(self.left, len(self.nan) - self.right - 1,
                            len(self.inf) + signed - self.right - 1)

    def _measure(self, texts: list[str]) -> None:
        self.left = max(len(t.split(".")[0]) for t in texts)
        self.right = max(len(t.split(".")[1]) for t in texts)
        if self.exp:
            self.power = max(len(t.split("e")[1]) - 1 for t in texts)

    def _raw(self, v: float) -> str:
        text = exponential(v, self.d, self.places, self.least, self.power) if self.exp else \
            positional(v, self.d, self.places, self.least)
        return "+" + text if self.sign == "+" and not text.startswith("-") else text

    def __call__(self, v: float) -> str:
        if not math.isfinite(v):
            sign = "-" if v == -math.inf else "+" if self.sign == "+" else ""
            return (sign + (self.nan if v != v else self.inf)).rjust(self.left + self.right + 1)
        whole, frac = self._raw(v).split(".")
        return whole.rjust(self.left) + "." + (frac if self.exp else frac.ljust(self.right))


def _formatter(values: list, d: dt.DType, options: dict[str, Any]) -> Callable[[Any], str]:
    own = _own_formatter(d, options["formatter"] or {})
    if own is not None:
        from simulator.types.scalar_types import make
        return lambda v: own(make(d, v))
    if d is dt.bfloat16:
        return lambda v: f"{v:g}"
    if d.family == "f":
        return _FloatFormat(values, d, options)
    if d is dt.bool_:
        return lambda v: str(v).rjust(5)
    if d.family == "c":
        part = dt.real_part(d)
        re = _FloatFormat([v.real for v in values], part, options)
        im = _FloatFormat([v.imag for v in values], part, options, sign="+")

        def fmt(v):
            text = im(v.imag)
            bare = text.rstrip()
            return re(v.real) + bare + "j" + " " * (len(text) - len(bare))
        return fmt
    sign = options["sign"]
    if sign == "-" or sign == " " and min(values) < 0:
        sign = ""
    width = max(len(str(min(values))), len(str(max(values))) + (bool(sign) and max(values) >= 0))
    return lambda v: format(v, sign).rjust(width)


def _own_formatter(d: dt.DType, given: dict[str, Callable]) -> Callable | None:
    """The program's formatter for a dtype: the most special one."""
    kinds = {"b": ("bool",), "f": ("float", "float_kind"), "c": ("complexfloat", "complex_kind")}
    names = kinds.get("b" if d is dt.bool_ else d.family, ("int", "int_kind"))
    return next((given[name] for name in (*names, "all") if given.get(name) is not None), None)


def array2string(a, separator: str = " ", prefix: str = "", suffix: str = "",
                 options: dict[str, Any] | None = None) -> str:
    """Nested brackets, wrapped after the prefix's width.

    options: of this thread, unless given.
    """
    options = print_options.current() if options is None else options
    if a.size == 0:
        return "[]" if a.ndim else str(a.values()[0])
    values = a.values()
    edge = options["edgeitems"] if a.size > options["threshold"] else None
    if a.ndim == 0:
        text = _formatter(values, a.dtype, options)(values[0])
        return text.strip() if a.dtype is dt.bool_ else text
    fmt = _formatter(_shown(a.shape, values, edge), a.dtype, options)
    room = options["linewidth"] - len(suffix)
    return _block(a.shape, values, 0, fmt, separator, " " * (len(prefix) + 1), room, edge)


def _edges(n: int, edge: int | None) -> list[int | None]:
    if edge is not None and n > 2 * edge:
        return [*range(edge), None, *range(n - edge, n)]
    return list(range(n))


def _shown(shape, values, edge) -> list:
    if edge is None:
        return values
    at, step = [0], len(values)
    for n in shape:
        step //= n
        at = [p + k * step for p in at for k in _edges(n, edge) if k is not None]
    return [values[p] for p in at]


def _block(shape, values, offset, fmt, sep, indent, room, edge) -> str:
    n = shape[0]
    if len(shape) == 1:
        lines, line = [], indent
        picks = _edges(n, edge)
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
    for k in _edges(n, edge):
        blocks.append("..." if k is None else _block(
            shape[1:], values, offset + k * step, fmt, sep, indent + " ", room - 1, edge))
    gap = sep.rstrip() + "\n" * (len(shape) - 1) + indent
    return "[" + gap.join(blocks) + "]"


def array_str(a, options: dict[str, Any] | None = None) -> str:
    """What ``print`` shows of an array."""
    if a.ndim == 0:
        return alone(a.values()[0], a.dtype)
    return array2string(a, options=options)


def array_repr(a, kind: str = "array", options: dict[str, Any] | None = None) -> str:
    """``array([1., 2.], dtype=float32)``: dtype and shape only where the text does not tell."""
    options = print_options.current() if options is None else options
    extras = []
    if (a.size == 0 and a.shape != (0,)) or a.size > options["threshold"]:
        extras.append(f"shape={a.shape}")
    if a.size == 0 or a.dtype not in (dt.bool_, dt.int64, dt.float64, dt.complex128):
        extras.append(f"dtype={a.dtype.name}")
    out = f"{kind}(" + array2string(a, ", ", f"{kind}(", ")", options)
    if not extras:
        return out + ")"
    extra = ", ".join(extras) + ")"
    gap = "\n" + " " * len(f"{kind}(") if _too_long(out, extra, options) else " "
    return f"{out},{gap}{extra}"


def _too_long(text: str, extra: str, options: dict[str, Any]) -> bool:
    """Whether the last line has no room for `extra`."""
    return len(text) - (text.rfind("\n") + 1) + len(extra) + 2 > options["linewidth"]


def device_array_repr(a, weak_type: bool = False) -> str:
    """The repr of a `jax.Array` with the numbers `a` (jax/_src/array.py: ArrayImpl.__repr__).

    From one MiB on only the shape is shown.
    """
    options = print_options.current()
    if a.size == 0:
        text = f"[], shape={a.shape}"
    elif a.nbytes >= 1 << 20:
        text = f"shape={a.shape}"
    else:
        text = array2string(a, ", ", "Array(", ",", options)
    extra = f"dtype={a.dtype.name}" + (", weak_type=True" if weak_type else "")
    # JAX pads with spaces where NumPy starts a new line.
    last = len(text) - text.rfind("\n") + 1
    gap = " " * len("Array(") if last + len(extra) + 2 > options["linewidth"] else " "
    return f"Array({text},{gap}{extra})"
