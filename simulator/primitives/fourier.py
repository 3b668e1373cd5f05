"""``fft``: discrete Fourier transforms over the last axes.

JAX source: ``jax/_src/lax/fft.py: fft_p, fft_abstract_eval, FftType``.

Simplified: every sum is written out, without a fast algorithm; each value is rounded
once.
"""

from __future__ import annotations

import cmath
import enum
import math
from collections.abc import Callable
from typing import Any

from simulator.errors import OutOfScope
from simulator.primitives.standard import standard
from simulator.types import dtypes

MOST = 1 << 20
"""Multiplications that the model still does."""


class FftType(enum.IntEnum):
    """Which transform."""

    FFT = 0
    IFFT = 1
    RFFT = 2
    IRFFT = 3


def _shape(x: Any, *, fft_type: FftType, fft_lengths: tuple) -> tuple[int, ...]:
    count, shape = len(fft_lengths), tuple(x.shape)
    if count > x.ndim:
        raise ValueError(f"FFT input shape {shape} must have at least as many input dimensions as "
                         f"fft_lengths {fft_lengths}.")
    _dtype(x, fft_type=fft_type, fft_lengths=fft_lengths)
    batch, own = shape[:x.ndim - count], shape[x.ndim - count:]
    if fft_type == FftType.IRFFT:
        if own[:-1] != fft_lengths[:-1]:
            raise ValueError(f"IRFFT input shape {shape} minor dimensions must be equal to all "
                             f"except the last fft_length, got {fft_lengths=}")
        return (*batch, *fft_lengths)
    if own != tuple(fft_lengths):
        name = "RFFT" if fft_type == FftType.RFFT else "FFT"
        raise ValueError(f"{name} input shape {shape} minor dimensions must be equal to "
                         f"fft_lengths {fft_lengths}")
    if fft_type == FftType.RFFT:
        return (*batch, *fft_lengths[:-1], fft_lengths[-1] // 2 + 1)
    return shape


def _dtype(x: Any, *, fft_type: FftType, fft_lengths: tuple) -> Any:
    if fft_type == FftType.RFFT:
        if x.dtype not in (dtypes.float32, dtypes.float64):
            raise ValueError(f"RFFT input must be float32 or float64, got {x.dtype}")
        return dtypes.dtype("complex64" if x.dtype is dtypes.float32 else "complex128")
    if x.dtype.family != "c":
        name = "IRFFT" if fft_type == FftType.IRFFT else "FFT"
        raise ValueError(f"{name} input must be complex64 or complex128, got {x.dtype}")
    return dtypes.real_part(x.dtype) if fft_type == FftType.IRFFT else x.dtype


def _line(values: list, sign: int) -> list:
    n = len(values)
    roots = [_QUARTERS[4 * k * sign // n % 4] if 4 * k % n == 0
             else cmath.exp(sign * 2j * math.pi * k / n) for k in range(n)]
    noise = 1e-14 * sum(map(abs, values))
    return [_without(noise, sum(v * roots[k * i % n] for i, v in enumerate(values)))
            for k in range(n)]


_QUARTERS = (1 + 0j, 1j, -1 + 0j, -1j)


def _without(noise: float, x: complex) -> complex:
    # What cancels is nothing.
    return complex(x.real if abs(x.real) > noise else 0.0, x.imag if abs(x.imag) > noise else 0.0)


def _along(values: list, shape: list, axis: int, change: Callable) -> list:
    """`values` with every line along an axis changed; `shape` gets the new length."""
    inner, n = math.prod(shape[axis + 1:]), shape[axis]
    outer = math.prod(shape[:axis])
    lines = [[change(values[o * n * inner + i:(o + 1) * n * inner:inner]) for i in range(inner)]
             for o in range(outer)]
    shape[axis] = len(lines[0][0]) if outer and inner else shape[axis]
    return [line[k] for block in lines for k in range(shape[axis]) for line in block]


def _kernel(ins: list, out: Any, values: list, *, fft_type: FftType, fft_lengths: tuple) -> list:
    if math.prod(out.shape) * sum(fft_lengths) > MOST:
        raise OutOfScope("the numbers of a Fourier transform of this size", "use a smaller one")
    shape, first = list(ins[0].shape), len(ins[0].shape) - len(fft_lengths)
    last = len(shape) - 1
    inverse = fft_type in (FftType.IFFT, FftType.IRFFT)
    sign = 1 if inverse else -1
    if fft_type == FftType.RFFT:
        values = _along(values, shape, last, lambda v: _line(v, -1)[:len(v) // 2 + 1])
    for axis in range(first, len(shape)):
        if axis != last or fft_type in (FftType.FFT, FftType.IFFT):
            values = _along(values, shape, axis, lambda v: _line(v, sign))
    if fft_type == FftType.IRFFT:
        n = fft_lengths[-1]
        values = _along(values, shape, last, lambda v: _from_half(v, n))
    if inverse:
        scale = math.prod(fft_lengths)
        values = [v / scale for v in values]
    return dtypes.normalize(values, out.dtype)


def _from_half(values: list, n: int) -> list:
    # The other half is the conjugate; what has to be real counts as real.
    half = [*values, *[0j] * (n // 2 + 1 - len(values))][:n // 2 + 1]
    half[0] = complex(half[0].real)
    if n % 2 == 0:
        half[-1] = complex(half[-1].real)
    rest = [half[n - k].conjugate() for k in range(n // 2 + 1, n)]
    return [v.real for v in _line([*half, *rest], 1)]


fft_p = standard("fft", _shape, _dtype, _kernel,
                 print_params=lambda params: {**params, "fft_type": int(params["fft_type"])})
