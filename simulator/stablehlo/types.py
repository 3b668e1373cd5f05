"""Types and numbers as MLIR prints them.

Source: the printer of MLIR (``AsmPrinter``), as seen in ``Lowered.as_text()``.
"""

from __future__ import annotations

import itertools
import math
import struct
from collections.abc import Sequence
from typing import Any

from simulator.device_arrays.values import storage
from simulator.errors import OutOfScope
from simulator.types.dtypes import dtype, float64
from simulator.types.rounding import cast

_NAMES = {"bool": "i1", "bfloat16": "bf16", "complex64": "complex<f32>",
          "complex128": "complex<f64>"}
_PACK = {"float32": ("<f", "<I", 8), "float64": ("<d", "<Q", 16), "float16": ("<e", "<H", 4)}
_DIGITS = {"float32": 9, "float64": 17, "float16": 5, "bfloat16": 4}
LARGEST = 100
"""Constants of more numbers are printed as bytes."""


def refuse(what: str) -> OutOfScope:
    """The OutOfScope for the text of a program that has `what` in it."""
    return OutOfScope(f"Lowered.as_text of {what}", "the model writes the text of plain "
                      "arithmetic; jax.make_jaxpr(f)(x) shows the program")


def element(dtype: Any) -> str:
    """``f32``, ``i1``, ``ui8``, …"""
    name = dtype.name
    if name in _NAMES:
        return _NAMES[name]
    if dtype.family not in "iuf" or name.startswith("float8"):
        raise refuse(f"an array of {name}")
    return {"i": "i", "u": "ui", "f": "f"}[dtype.family] + str(dtype.itemsize * 8)


def tensor(aval: Any) -> str:
    """``tensor<8x3xf32>``."""
    return f"tensor<{'x'.join([*map(str, aval.shape), element(aval.dtype)])}>"


def comparison(dtype: Any) -> str:
    """How numbers of a type are compared."""
    return {"f": "FLOAT", "c": "FLOAT", "i": "SIGNED"}.get(dtype.family, "UNSIGNED")


def dense(value: Any, aval: Any) -> str:
    """``dense<[1.000000e+00, …]>``, without the type."""
    numbers = storage(value, aval).ravel().tolist()
    if not numbers:
        raise refuse("an empty constant")
    if all(_same(n, numbers[0]) for n in numbers):
        return f"dense<{_number(numbers[0], aval.dtype)}>"
    if len(numbers) > LARGEST:
        raise refuse(f"a constant of {len(numbers)} numbers")
    return f"dense<{_nested([_number(n, aval.dtype) for n in numbers], aval.shape)}>"


def _same(one: Any, other: Any) -> bool:
    return repr(one) == repr(other)


def _nested(texts: Sequence[str], shape: Sequence[int]) -> str:
    if not shape:
        return texts[0]
    rows = itertools.batched(texts, len(texts) // shape[0], strict=True)
    return f"[{', '.join(_nested(row, shape[1:]) for row in rows)}]"


def _number(value: Any, dtype: Any) -> str:
    if dtype.family == "b":
        return "true" if value else "false"
    if dtype.family in "iu":
        return str(int(value))
    if dtype.family == "c":
        part = "float32" if dtype.name == "complex64" else "float64"
        return f"({_float(value.real, part)},{_float(value.imag, part)})"
    return _float(value, dtype.name)


def _float(value: float, name: str) -> str:
    if not math.isfinite(value):
        if name == "bfloat16":
            bits = struct.unpack("<I", struct.pack("<f", value))[0] >> 16
            return f"0x{bits:04X}"
        pack, unpack, width = _PACK[name]
        if math.isnan(value):
            value = math.nan
        return f"0x{struct.unpack(unpack, struct.pack(pack, value))[0]:0{width}X}"
    # Six figures if they are enough, else as many as the type may need.
    figures, power = _figures(value, 6)
    sign = "-" if math.copysign(1, value) < 0 else ""
    if _round(float(f"{sign}{figures}e{power}"), name) == value:
        front = power + len(figures) - 1 if value else 0
        figures = figures.ljust(7, "0")
        return f"{sign}{figures[0]}.{figures[1:]}e{front:+03d}"
    return sign + _plain(*_figures(value, _DIGITS[name]))


def _round(value: float, name: str) -> float:
    return cast([value], float64, dtype(name))[0]


def _figures(value: float, precision: int) -> tuple[str, int]:
    """The first digits of a number and the power of ten that goes with the last of them.

    LLVM cuts first, by bits, and rounds what is left.
    """
    number, below = abs(value).as_integer_ratio()
    twos = below.bit_length() - 1
    number, power = number * 5 ** twos, -twos
    extra = (number.bit_length() - (precision * 196 + 58) // 59) * 59 // 196
    if extra > 0:
        number, power = number // 10 ** extra, power + extra
    digits = str(number)
    short = digits.rstrip("0") or "0"
    power += len(digits) - len(short) if number else 0
    if len(short) > precision:
        dropped = len(short) - precision
        up = short[precision] >= "5"
        kept = str(int(short[:precision]) + up)
        short = kept.rstrip("0")
        power += dropped + len(kept) - len(short)
    return short, power


def _plain(figures: str, power: int) -> str:
    # With an exponent only where more than three zeros would pad the digits.
    front = power + len(figures) - 1
    if power < 0 <= front:
        return f"{figures[:front + 1]}.{figures[front + 1:]}"
    if power < 0 and -front <= 3:
        return f"0.{'0' * (-front - 1)}{figures}"
    if power >= 0 or len(figures) == 1:
        raise refuse(f"the constant {figures}e{power}")
    return f"{figures[0]}.{figures[1:]}E{front:+d}"
