"""``jax.numpy.fft``.

JAX source: ``jax/_src/numpy/fft.py``.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

from simulator.errors import OutOfScope
from simulator.facade.jax.lax import base
from simulator.facade.jax.lax import fourier as lax_fft
from simulator.facade.jax.numpy import math_functions as ufuncs
from simulator.facade.jax.numpy import reductions
from simulator.facade.jax.numpy.constructors import array
from simulator.facade.jax.numpy.moving import roll
from simulator.facade.jax.numpy.padding import pad
from simulator.facade.jax.numpy.ranges import arange
from simulator.facade.jax.numpy.reshaping import moveaxis
from simulator.facade.jax.numpy.util import ensure_array, promote_inexact
from simulator.facade.public import missing as _missing
from simulator.primitives.fourier import FftType
from simulator.types import dtypes

__getattr__ = _missing("jax.numpy.fft")


def _norm(s: Any, name: str, norm: str) -> Any:
    if norm == "backward":
        return array(1)
    s, = promote_inexact(s)
    inverse = name.startswith("i")
    if norm == "ortho":
        size = ufuncs.sqrt(reductions.prod(s))
    elif norm == "forward":
        size = reductions.prod(s)
    else:
        raise ValueError(f'Invalid norm value {norm}; should be "backward","ortho" or "forward".')
    return size if inverse else 1 / size


def _core(name: str, kind: FftType, a: Any, s: Sequence[int] | None, axes: Sequence[int] | None,
          norm: str | None) -> Any:
    full_name = f"jax.numpy.fft.{name}"
    arr = ensure_array(full_name, a)
    if s is not None:
        s = tuple(map(operator.index, s))
        if any(n <= 0 for n in s):
            raise ValueError("Shape should be positive.")
    if s is not None and axes is not None and len(s) != len(axes):
        raise ValueError("Shape and axes have different lengths.")
    given = axes
    if axes is None:
        axes = range(0 if s is None else arr.ndim - len(s), arr.ndim)
    if len(axes) != len(set(axes)):
        raise ValueError(f"{full_name} does not support repeated axes. Got axes {axes}.")
    if len(axes) > 3:
        raise OutOfScope(f"{full_name} over more than three axes", "transform them one by one")
    if given is not None:
        axes = tuple(range(arr.ndim - len(axes), arr.ndim))
        arr = moveaxis(arr, given, axes)
    if s is not None:
        sizes = list(arr.shape)
        for axis, n in zip(axes, s):
            sizes[axis] = n
        if kind == FftType.IRFFT:
            sizes[-1] = sizes[-1] // 2 + 1
        arr = arr[tuple(slice(n) for n in sizes)]
        arr = pad(arr, [(0, n - m) for n, m in zip(sizes, arr.shape)])
    else:
        s = [arr.shape[axis] for axis in axes]
        if kind == FftType.IRFFT and axes:
            s[-1] = max(0, 2 * (s[-1] - 1))
    found = lax_fft.fft(arr, kind, tuple(s))
    if norm is not None:
        found *= _norm(array(s, dtype=found.dtype), name, norm)
    return found if given is None else moveaxis(found, axes, given)


def _one(name: str, kind: FftType, a: Any, n: int | None, axis: Any, norm: str | None) -> Any:
    if isinstance(axis, (list, tuple)):
        full = f"jax.numpy.fft.{name}"
        raise ValueError(f"{full} does not support multiple axes. Please use {full}n. Got axis = "
                         f"{axis!r}.")
    return _core(name, kind, a, None if n is None else [n], None if axis is None else [axis], norm)


def _two(name: str, kind: FftType, a: Any, s: Any, axes: Any, norm: str | None) -> Any:
    if len(axes) != 2:
        raise ValueError(f"jax.numpy.fft.{name} only supports 2 axes. Got axes = {axes!r}.")
    return _core(name, kind, a, s, axes, norm)


def fft(a, n=None, axis=-1, norm=None):
    """``jax.numpy.fft.fft``."""
    return _one("fft", FftType.FFT, a, n, axis, norm)


def ifft(a, n=None, axis=-1, norm=None):
    """``jax.numpy.fft.ifft``."""
    return _one("ifft", FftType.IFFT, a, n, axis, norm)


def rfft(a, n=None, axis=-1, norm=None):
    """``jax.numpy.fft.rfft``."""
    return _one("rfft", FftType.RFFT, a, n, axis, norm)


def irfft(a, n=None, axis=-1, norm=None):
    """``jax.numpy.fft.irfft``."""
    return _one("irfft", FftType.IRFFT, a, n, axis, norm)


def fft2(a, s=None, axes=(-2, -1), norm=None):
    """``jax.numpy.fft.fft2``."""
    return _two("fft2", FftType.FFT, a, s, axes, norm)


def ifft2(a, s=None, axes=(-2, -1), norm=None):
    """``jax.numpy.fft.ifft2``."""
    return _two("ifft2", FftType.IFFT, a, s, axes, norm)


def rfft2(a, s=None, axes=(-2, -1), norm=None):
    """``jax.numpy.fft.rfft2``."""
    return _two("rfft2", FftType.RFFT, a, s, axes, norm)


def irfft2(a, s=None, axes=(-2, -1), norm=None):
    """``jax.numpy.fft.irfft2``."""
    return _two("irfft2", FftType.IRFFT, a, s, axes, norm)


def fftn(a, s=None, axes=None, norm=None):
    """``jax.numpy.fft.fftn``."""
    return _core("fftn", FftType.FFT, a, s, axes, norm)


def ifftn(a, s=None, axes=None, norm=None):
    """``jax.numpy.fft.ifftn``."""
    return _core("ifftn", FftType.IFFT, a, s, axes, norm)


def fftfreq(n, d=1.0, *, dtype=None, device=None):
    """``jax.numpy.fft.fftfreq``. ValueError for lists."""
    out, n = _frequencies("fftfreq", n, d, dtype, device)
    i = arange(n, dtype=out)
    k = (i + n // 2) % n - n // 2
    found = k.astype(out) / array(d * n, dtype=out)
    return found.astype(out)


def rfftfreq(n, d=1.0, *, dtype=None, device=None):
    """``jax.numpy.fft.rfftfreq``. ValueError for lists."""
    out, n = _frequencies("rfftfreq", n, d, dtype, device)
    k = arange(0, (n if n % 2 == 0 else n - 1) // 2 + 1, dtype=out)
    return k / array(d * n, dtype=out)


def _frequencies(name: str, n: Any, d: Any, dtype: Any, device: Any) -> tuple:
    if device is not None:
        raise OutOfScope(f"jax.numpy.fft.{name}(device=…)", "use jax.device_put")
    if isinstance(n, (list, tuple)):
        raise ValueError(f"The n argument of jax.numpy.fft.{name} only takes an int. Got n = "
                         f"{list(n)}.")
    if isinstance(d, (list, tuple)):
        raise ValueError(f"The d argument of jax.numpy.fft.{name} only takes a single value. Got d "
                         f"= {list(d)}.")
    return base.default_float() if dtype is None else dtypes.dtype(dtype), n


def fftshift(x, axes=None):
    """``jax.numpy.fft.fftshift``."""
    return _shifted("fftshift", x, axes, 1)


def ifftshift(x, axes=None):
    """``jax.numpy.fft.ifftshift``."""
    return _shifted("ifftshift", x, axes, -1)


def _shifted(name: str, x: Any, axes: Any, sign: int) -> Any:
    x = ensure_array(name, x)
    if axes is None:
        axes = tuple(range(x.ndim))
    if isinstance(axes, int):
        return roll(x, sign * (x.shape[axes] // 2), axes)
    return roll(x, [sign * (x.shape[axis] // 2) for axis in axes], axes)


__all__ = ["fft", "fft2", "fftfreq", "fftn", "fftshift", "ifft", "ifft2", "ifftn", "ifftshift",
           "irfft", "irfft2", "rfft", "rfft2", "rfftfreq"]
