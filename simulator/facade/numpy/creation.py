"""Making arrays: `array`, `zeros`, `arange`, `eye` and friends."""

from __future__ import annotations

import itertools

from simulator.errors import OutOfScope
from simulator.ndarrays import ndarray_make as make
from simulator.ndarrays.beyond import check_order, only
from simulator.ndarrays.ndarray import NDArray
from simulator.types import dtype_core as dt
from simulator.types.scalar_types import generic


def _foreign(x) -> bool:
    # A jax array: it hands out its numbers read-only.
    return not isinstance(x, (NDArray, generic, list, tuple)) and hasattr(x, "__array__")


def array(object, dtype=None, *, copy=True, order="K", subok=False, ndmin=0, ndmax=None, like=None):
    """A new array (``copy=False`` refuses to copy, as in NumPy 2)."""
    check_order("array", order, kept=True)
    only("array", ndmax=ndmax, like=like)
    out = make.asarray(object, dtype)
    if copy is False and out is not object and not _foreign(object):
        raise ValueError("Unable to avoid copy while creating an array as requested.\n"
                         "If using `np.array(obj, copy=False)` replace it with "
                         "`np.asarray(obj)` to allow a copy when needed (no behavior change in "
                         "NumPy 1.x).")
    if copy:
        out = out.copy()
    while out.ndim < ndmin:
        out = out.reshape((1, *out.shape))
    return out


def asarray(a, dtype=None, order=None, *, copy=None, device=None, like=None):
    """`a` itself when it is an array of that dtype, else a new one."""
    check_order("asarray", order, kept=True)
    only("asarray", device=_elsewhere(device), like=like)
    if copy:
        return array(a, dtype)
    out = make.asarray(a, dtype)
    if _foreign(a) and (dtype is None or out.dtype is a.dtype):
        out = out.copy()
        out.setflags(write=False)
    return out


def asanyarray(a, dtype=None, order=None, *, copy=None, device=None, like=None):
    """The same as `asarray`: there are no subclasses."""
    return asarray(a, dtype, order, copy=copy, device=device, like=like)


def ascontiguousarray(a, dtype=None, *, like=None):
    """The same as `asarray`, with at least one axis."""
    out = asarray(a, dtype, like=like)
    return out if out.ndim else out.reshape(1)


def _elsewhere(device):
    return None if device == "cpu" else device


def _shape(shape) -> tuple[int, ...]:
    shape = (shape,) if hasattr(shape, "__index__") else shape
    out = tuple(n.__index__() for n in shape)
    if any(n < 0 for n in out):
        raise ValueError("negative dimensions are not allowed")
    return out


def full(shape, fill_value, dtype=None, order="C", *, device=None, like=None):
    """An array of this shape filled with a value, which may be an array to broadcast."""
    check_order("full", order, kept=True)
    only("full", device=_elsewhere(device), like=like)
    value = make.asarray(fill_value, dtype)
    shape = _shape(shape)
    if value.ndim == 0:
        return NDArray.lazy(shape, value.dtype, lambda v: v * _count(shape), [value])
    out = NDArray.full(shape, 0, value.dtype)
    out[...] = value
    return out


def _count(shape) -> int:
    n = 1
    for d in shape:
        n *= d
    return n


def _filled(value):
    def function(shape, dtype=float, order="C", *, device=None, like=None):
        return full(shape, value, dt.dtype(dtype), order, device=device, like=like)
    return function


zeros, ones, empty = _filled(0), _filled(1), _filled(0)


def _like(value):
    def function(a, dtype=None, order="K", subok=True, shape=None, *, device=None):
        return full_like(a, value, dtype, order, subok, shape, device=device)
    return function


zeros_like, ones_like, empty_like = _like(0), _like(1), _like(0)


def full_like(a, fill_value, dtype=None, order="K", subok=True, shape=None, *, device=None):
    """An array filled with a value, shape and dtype those of `a` unless given."""
    a = make.asarray(a)
    return full(a.shape if shape is None else shape, fill_value, dtype or a.dtype, order,
                device=device)


def arange(start, stop=None, step=1, dtype=None, *, device=None, like=None):
    """The numbers from start up to stop, exclusive; ``arange(n)`` begins at 0."""
    only("arange", device=_elsewhere(device), like=like)
    return make.arange(start, stop, step, dtype)


def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *,
             device=None):
    """`num` numbers at equal distances. OutOfScope: ends that are arrays, ``retstep``."""
    only("linspace", device=_elsewhere(device))
    if make.asarray(start).ndim or make.asarray(stop).ndim or retstep:
        raise OutOfScope("numpy.linspace with array ends or retstep")
    return make.linspace(start, stop, num, endpoint, dtype)


def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    """Powers of a base, whose exponents are evenly spaced. OutOfScope: ``axis``."""
    only("logspace", axis=axis or None)
    out = base ** linspace(start, stop, num, endpoint)
    return out if dtype is None else out.astype(dtype)


def geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0):
    """Numbers, each the same multiple of the one before. OutOfScope: ``axis``."""
    only("geomspace", axis=axis or None)
    import math
    if start == 0 or stop == 0:
        raise ValueError("Geometric sequence cannot include zero")
    sign = -1.0 if start < 0 else 1.0
    out = sign * logspace(math.log10(start * sign), math.log10(stop * sign), num, endpoint)
    if num > 0:
        out[0] = start
        if num > 1 and endpoint:
            out[-1] = stop
    return out if dtype is None else out.astype(dtype)


def eye(N, M=None, k=0, dtype=float, order="C", *, device=None, like=None):
    """An N by M matrix with ones on the `k`-th diagonal."""
    check_order("eye", order, kept=True)
    only("eye", device=_elsewhere(device), like=like)
    n, m, d = N.__index__(), (N if M is None else M).__index__(), dt.dtype(dtype)
    return NDArray((n, m), dt.int64, lambda: [
        int(j == i + k) for i in range(n) for j in range(m)]).astype(d)


def identity(n, dtype=None, *, like=None):
    """An n by n matrix with ones on the diagonal."""
    return eye(n, dtype=float if dtype is None else dtype, like=like)


def tri(N, M=None, k=0, dtype=float, *, like=None):
    """An N by M matrix with ones on and below the `k`-th diagonal."""
    only("tri", like=like)
    n, m = N.__index__(), (N if M is None else M).__index__()
    return NDArray((n, m), dt.int64, lambda: [
        int(j <= i + k) for i in range(n) for j in range(m)]).astype(dt.dtype(dtype))


def _triangle(keep):
    def function(m, k=0):
        m = make.asarray(m)
        rows, cols = m.shape[-2:]
        zero = {"b": False, "f": 0.0, "c": 0j}.get(m.dtype.family, 0)
        return NDArray.lazy(m.shape, m.dtype, lambda v: [
            x if keep(i // cols % rows, i % cols, k) else zero for i, x in enumerate(v)], [m])
    return function


tril = _triangle(lambda i, j, k: j <= i + k)
triu = _triangle(lambda i, j, k: j >= i + k)


def fromiter(iter, dtype, count=-1, *, like=None):
    """The first `count` values of an iterable, or all of them. ValueError when it has fewer."""
    only("fromiter", like=like)
    values = list(iter) if count < 0 else list(itertools.islice(iter, count))
    if len(values) < count:
        raise ValueError(f"iterator too short: Expected {count} but iterator had only "
                         f"{len(values)} items.")
    return make.asarray(values, dtype)


def meshgrid(*xi, copy=True, sparse=False, indexing="xy"):
    """Coordinate matrices from vectors. OutOfScope: views of the vectors."""
    only("meshgrid", copy=None if copy else copy)
    axes = [make.asarray(x).reshape(-1) for x in xi]
    order = list(range(len(axes)))
    if indexing == "xy" and len(axes) > 1:
        order[0], order[1] = 1, 0
    shape = [0] * len(axes)
    for a, place in zip(axes, order):
        shape[place] = a.shape[0]
    from simulator.facade.numpy.shaping import broadcast_to
    out = []
    for a, place in zip(axes, order):
        ones_ = [1] * len(axes)
        ones_[place] = a.shape[0]
        open_ = a.reshape(ones_)
        out.append((open_ if sparse else broadcast_to(open_, shape)).copy())
    return tuple(out)
