"""``jax.lax.fft``, its derivative and its batching.

JAX source: ``jax/_src/lax/fft.py: fft, _fft_transpose_rule, _rfft_transpose,
_irfft_transpose, _fft_batching_rule``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from simulator.api import jit
from simulator.autodiff.rules.common import linear
from simulator.batching import axes
from simulator.batching.rules import rule
from simulator.facade.jax.lax import base, shapes, slicing
from simulator.facade.jax.lax import convert as conv
from simulator.facade.jax.lax import elementwise as el
from simulator.primitives.fourier import FftType, fft_p
from simulator.types import dtypes


def _complex(x: Any) -> Any:
    kind = base.dtype(x)
    if kind.family == "c":
        return kind
    return dtypes.dtype("complex128" if kind.name in ("float64", "int64", "uint64")
                        else "complex64")


@jit(static_argnums=(1, 2))
def fft(x: Any, fft_type: Any, fft_lengths: Sequence[int]) -> Any:
    """``jax.lax.fft``. TypeError and ValueError for an unknown kind, or one that does not fit."""
    if isinstance(fft_type, str):
        if fft_type.upper() not in FftType.__members__:
            raise ValueError(f"Unknown FFT type '{fft_type}'")
        kind = FftType[fft_type.upper()]
    elif isinstance(fft_type, FftType):
        kind = fft_type
    else:
        raise TypeError(f"Unknown FFT type value '{fft_type}'")
    if kind == FftType.RFFT:
        if base.is_kind(x, "c"):
            raise ValueError("only real valued inputs supported for rfft")
        wanted = base.dtype(x) if base.is_kind(x, "f") else base.default_float()
        x = conv.convert_element_type(x, wanted)
    else:
        x = conv.convert_element_type(x, _complex(x))
    if not len(fft_lengths):
        return x
    return fft_p.bind(x, fft_type=kind, fft_lengths=tuple(fft_lengths))


@jit(static_argnums=1)
def _rfft_transpose(t: Any, fft_lengths: tuple) -> Any:
    m = t.shape[-1]
    mask = shapes.full_like(t, 2.0, shape=(m,))
    mask = slicing.dynamic_update_slice(mask, shapes.full_like(t, 1.0, shape=(1,)), (0,))
    if fft_lengths[-1] % 2 == 0:
        mask = slicing.dynamic_update_slice(mask, shapes.full_like(t, 1.0, shape=(1,)), (m - 1,))
    mask = shapes.expand_dims(mask, range(t.ndim - 1))
    return math.prod(fft_lengths) * fft(el.conj(t) / mask, FftType.IRFFT, fft_lengths)


def _irfft_transpose(t: Any, fft_lengths: tuple) -> Any:
    x = fft(t, FftType.RFFT, fft_lengths)
    n = x.shape[-1]
    mask = shapes.full_like(t, 2.0, shape=(n,), dtype=x.dtype)
    one = shapes.full_like(t, 1.0, shape=(1,), dtype=x.dtype)
    mask = slicing.dynamic_update_slice(mask, one, (0,))
    if fft_lengths[-1] % 2 == 0:
        last = shapes.full_like(t, 1.0, shape=(1,), dtype=x.dtype)
        mask = slicing.dynamic_update_slice(mask, last, (n - 1,))
    scale = 1 / math.prod(fft_lengths)
    return el.conj(scale * shapes.expand_dims(mask, range(x.ndim - 1)) * x)


def _transpose(t: Any, x: Any, *, fft_type: FftType, fft_lengths: tuple) -> list:
    if fft_type == FftType.RFFT:
        return [_rfft_transpose(t, fft_lengths)]
    if fft_type == FftType.IRFFT:
        return [_irfft_transpose(t, fft_lengths)]
    return [fft(t, fft_type, fft_lengths)]


linear("fft", _transpose)


@rule("fft")
def _batch(primitive: Any, axis: Any, vals: list, dims: list, *, fft_type: FftType,
           fft_lengths: tuple) -> tuple:
    return fft(axes.moveaxis(vals[0], dims[0], 0), fft_type, fft_lengths), 0
