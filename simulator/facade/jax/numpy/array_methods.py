"""The operators and methods of arrays and tracers, put in place.

An operator looks at the other operand's type and calls the jitted function.

JAX source: ``jax/_src/numpy/array_methods.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simulator.device_arrays.arrays import Array
from simulator.errors import OutOfScope
from simulator.facade.jax.lax import base
from simulator.facade.jax.numpy.util import ensure_array
from simulator.facade.lazily import Later
from simulator.jaxprs.tracer import Tracer
from simulator.ndarrays.ndarray import NDArray
from simulator.references.ref_types import is_ref
from simulator.types.scalar_types import Generic

_NUMPY, _LAX = "simulator.facade.jax.numpy.", "simulator.facade.jax.lax."
arithmetic, choosing, constructors = (Later(_NUMPY + name) for name in (
    "arithmetic", "choosing", "constructors"))
contractions, diagonals, indexing, taking = (Later(_NUMPY + name) for name in (
    "contractions", "diagonals", "indexing", "taking"))
math_functions, moving, reductions, reshaping = (Later(_NUMPY + name) for name in (
    "math_functions", "moving", "reductions", "reshaping"))
cumulating, powers, statistics, updating = (Later(_NUMPY + name) for name in (
    "cumulating", "powers", "statistics", "updating"))
editing, looping, putting = (Later(_NUMPY + name) for name in ("editing", "looping", "putting"))
convert, reducing, shapes, slicing = (Later(_LAX + name) for name in (
    "convert", "reducing", "shapes", "slicing"))
ref = Later("simulator.references.ref")

_OPERANDS = (*base.ARRAYS, int, float, complex, Generic, NDArray)


def _binary(function: Callable, symbol: str, refuses: tuple = ()) -> tuple[Callable, Callable]:
    """(operator, reflected operator) of a function; `refuses` names containers."""
    def forward(self, other):
        other = base.unwrapped(other)
        if isinstance(other, _OPERANDS):
            return function(self, other)
        if type(other) in refuses:
            raise TypeError(f"unsupported operand type(s) for {symbol}: {_name(self)!r} and "
                            f"{type(other).__name__!r}")
        return NotImplemented

    def reflected(self, other):
        other = base.unwrapped(other)
        if isinstance(other, _OPERANDS):
            return function(other, self)
        if type(other) in refuses:
            raise TypeError(f"unsupported operand type(s) for {symbol}: "
                            f"{type(other).__name__!r} and {_name(self)!r}")
        return NotImplemented

    return forward, reflected


def _name(x: Any) -> str:
    return "ArrayImpl" if isinstance(x, Array) else type(x).__name__


_CONTAINERS = (dict, list, set, tuple)
_COMPARISONS = {"eq": (arithmetic.equal, "==", _CONTAINERS),
                "ne": (arithmetic.not_equal, "==", _CONTAINERS),
                "lt": (arithmetic.less, "<", ()), "le": (arithmetic.less_equal, "<=", ()),
                "gt": (arithmetic.greater, ">", ()), "ge": (arithmetic.greater_equal, ">=", ())}
_BINARY = {
    "add": (arithmetic.add, "+", (tuple, list)), "sub": (arithmetic.subtract, "-", ()),
    "mul": (arithmetic.multiply, "*", (tuple, list)),
    "truediv": (arithmetic.true_divide, "/", ()),
    "floordiv": (arithmetic.floor_divide, "//", ()), "divmod": (arithmetic.divmod, "divmod()", ()),
    "mod": (arithmetic.mod, "%", ()), "pow": (powers.power, "** or pow()", ()),
    "matmul": (contractions.matmul, "@", ()), "and": (arithmetic.bitwise_and, "&", ()),
    "or": (arithmetic.bitwise_or, "|", ()), "xor": (arithmetic.bitwise_xor, "^", ()),
    "lshift": (arithmetic.left_shift, "<<", ()), "rshift": (arithmetic.right_shift, ">>", ())}


def _getitem(self, index):
    if is_ref(self.aval):
        return ref.get(self, index)
    return indexing.take_index(self, index)


def _array_getitem(self, index):
    self.storage()  # RuntimeError when the array was deleted
    return indexing.take_index(self, index)


def _setitem(self, index, value):
    if is_ref(self.aval):
        ref.swap(self, index, value)
        return
    raise TypeError(
        "JAX arrays are immutable and do not support in-place item assignment. Instead of "
        "x[idx] = y, use x = x.at[idx].set(y) or another .at[] method: "
        "https://docs.jax.dev/en/latest/_autosummary/jax.numpy.ndarray.at.html")


def _contains(self, other):
    if other is None or isinstance(other, str):
        raise TypeError(f"Array.__contains__: unsupported operand type {type(other)}.")
    query = ensure_array("Array.__contains__", other)
    if self.ndim != 1:
        raise ValueError("Array.__contains__: search array must be one-dimensional, got "
                         f"arr.shape={self.shape}.")
    if query.ndim != 0:
        raise ValueError("Array.__contains__: query value must be a scalar, got "
                         f"query.shape={query.shape!r}")
    return reductions.any(self == query)


def _round(self, ndigits=None):
    out = math_functions.round(self, decimals=ndigits or 0)
    return out.astype(int) if ndigits is None else out


def _copy(self):
    return constructors.copy(self)


def _transpose(self, *args):
    if not args:
        axes = None
    elif len(args) == 1:
        axes = args[0] if args[0] is None else base.index_tuple(args[0])
    else:
        axes = base.index_tuple(args)
    return reshaping.transpose(self, axes)


def _array_iter(self):
    if self.ndim == 0:
        raise TypeError("iteration over a 0-d array")
    if self.sharding.num_devices != 1 and not self.is_fully_replicated:
        raise OutOfScope("iterating over a sharded array", "index it, or use jax.device_get")
    return (row for chunk in _chunks(self, 100) for row in reducing.unstack(chunk))


def _chunks(x: Any, size: int):
    # In pieces of 100 rows, so that a long array is not one huge program.
    if size > x.shape[0]:
        yield x
        return
    count, rest = divmod(x.shape[0], size)
    for i in range(count):
        yield slicing.dynamic_slice_in_dim(x, i * size, size)
    if rest:
        yield slicing.dynamic_slice_in_dim(x, count * size, rest)


def _tracer_iter(self):
    if self.ndim == 0:
        raise TypeError("iteration over a 0-d array")
    return iter(reducing.unstack(self))


def _keywords(function: Callable, *names: str, **defaults: Any) -> Callable:
    """A method that passes its arguments on by name: `names` required, `defaults` not."""
    order = [*names, *defaults]

    def method(self, *args, **kwargs):
        if len(args) > len(order):
            raise TypeError(f"{function.__name__}() takes {len(order) + 1} positional arguments "
                            f"but {len(args) + 1} were given")
        given = {**defaults, **dict(zip(order, args)), **kwargs}
        return function(self, **given)
    return method


_REDUCE = dict(axis=None, out=None, keepdims=False)
_SUM = dict(axis=None, dtype=None, out=None, keepdims=False)


def _sum(self, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None,
         promote_integers=True):
    # JAX's method drops `initial`.
    return reductions.sum(self, axis=axis, dtype=dtype, out=out, keepdims=keepdims, where=where,
                          promote_integers=promote_integers)


def _flatten(self, order="C", *, out_sharding=None):
    return reshaping.ravel(self, order=order, out_sharding=out_sharding)


def _argsort(self, axis=-1, *, kind=None, order=None, stable=True, descending=False):
    return choosing.argsort(self, axis=axis, kind=kind, order=order, stable=stable,
                            descending=descending)


def _sort(self, axis=-1, *, kind=None, order=None, stable=True, descending=False):
    return choosing.sort(self, axis=axis, kind=kind, order=order, stable=stable,
                         descending=descending)


def _astype(self, dtype, copy=False, device=None):
    return reshaping.astype(self, dtype, copy=copy, device=device)


def _dot(self, b, *, precision=None, preferred_element_type=None):
    return contractions.dot(self, b, precision=precision,
                            preferred_element_type=preferred_element_type)


def _take(self, indices, axis=None, out=None, mode=None, unique_indices=False,
          indices_are_sorted=False, fill_value=None):
    return taking.take(self, indices, axis=axis, out=out, mode=mode,
                         unique_indices=unique_indices, indices_are_sorted=indices_are_sorted,
                         fill_value=fill_value)


def _compress(self, condition, axis=None, *, out=None, size=None, fill_value=0):
    return putting.compress(condition, self, axis=axis, out=out, size=size, fill_value=fill_value)


def _searchsorted(self, v, side="left", sorter=None, *, method="scan"):
    return looping.searchsorted(self, v, side=side, sorter=sorter, method=method)


_METHODS: dict[str, Callable] = {
    "all": _keywords(reductions.all, **_REDUCE, where=None),
    "any": _keywords(reductions.any, **_REDUCE, where=None),
    "max": _keywords(reductions.max, **_REDUCE, initial=None, where=None),
    "min": _keywords(reductions.min, **_REDUCE, initial=None, where=None),
    "argmax": _keywords(choosing.argmax, axis=None, out=None, keepdims=None),
    "argmin": _keywords(choosing.argmin, axis=None, out=None, keepdims=None),
    "sum": _sum,
    "prod": _keywords(reductions.prod, **_SUM, initial=None, where=None, promote_integers=True),
    "mean": _keywords(statistics.mean, **_SUM, where=None),
    "var": _keywords(statistics.var, axis=None, dtype=None, out=None, ddof=0, keepdims=False,
                     where=None, correction=None),
    "std": _keywords(statistics.std, axis=None, dtype=None, out=None, ddof=0, keepdims=False,
                     where=None, correction=None),
    "ptp": _keywords(statistics.ptp, **_REDUCE),
    "cumsum": _keywords(cumulating.cumsum, axis=None, dtype=None, out=None),
    "cumprod": _keywords(cumulating.cumprod, axis=None, dtype=None, out=None),
    "clip": _keywords(choosing.clip, min=None, max=None),
    "round": _keywords(math_functions.round, decimals=0, out=None),
    "nonzero": choosing.nonzero,
    "squeeze": _keywords(reshaping.squeeze, axis=None),
    "swapaxes": _keywords(reshaping.swapaxes, "axis1", "axis2"),
    "repeat": _keywords(moving.repeat, "repeats", axis=None, total_repeat_length=None,
                        out_sharding=None),
    "trace": _keywords(diagonals.trace, offset=0, axis1=0, axis2=1, dtype=None, out=None),
    "diagonal": _keywords(diagonals.diagonal, offset=0, axis1=0, axis2=1),
    "conj": lambda self: math_functions.conj(self),
    "conjugate": lambda self: math_functions.conjugate(self),
    "flatten": _flatten, "ravel": _flatten, "reshape": reshaping.reshape_method,
    "transpose": _transpose, "astype": _astype, "copy": _copy, "dot": _dot, "take": _take,
    "sort": _sort, "argsort": _argsort, "compress": _compress, "searchsorted": _searchsorted,
    "choose": _keywords(putting.choose, "choices", out=None, mode="raise"),
    "argpartition": _keywords(editing.argpartition, "kth", axis=-1),
}
_PROPERTIES: dict[str, Callable] = {
    "T": lambda self: reshaping.transpose(self),
    "mT": lambda self: reshaping.matrix_transpose(self),
    "real": lambda self: math_functions.real(self),
    "imag": lambda self: math_functions.imag(self),
    "at": lambda self: updating.At(self),
}


def _refused(name: str) -> Callable:
    def method(self, *args, **kwargs):
        raise OutOfScope(f"jax.Array.{name}", "use the jax.numpy functions that are covered")
    return method


def _view(self, dtype=None, type=None):
    """``x.view(dtype)``: the same bits under another dtype; the last axis takes up the change.

    Errors: ValueError for sizes that do not fit; OutOfScope for complex numbers."""
    if type is not None:
        raise NotImplementedError("`type` argument of array.view() is not supported.")
    if dtype is None:
        return self
    dtype = base.user_dtype(dtype, "view")
    bits, wanted = (8 if d.family == "b" else d.bits for d in (self.dtype, dtype))
    if self.ndim == 0:
        if bits != wanted:
            raise ValueError("view() of a 0d array is only supported if the itemsize is "
                             "unchanged.")
        return _view(shapes.expand_dims(self, (0,)), dtype).squeeze()
    if self.shape[-1] * bits % wanted:
        raise ValueError("When changing to a larger dtype, its size must be a divisor of the "
                         "total size in bytes of the last axis of the array.")
    if self.dtype is dtype:
        return self
    if "c" in (self.dtype.family, dtype.family):
        raise OutOfScope("jax.Array.view of complex numbers", "use x.real and x.imag")
    if self.dtype.family == "b":
        return _view(self.astype("uint8"), dtype)
    if dtype.family == "b":
        return _view(self, "uint8").astype(bool)
    if bits < wanted:
        factor = wanted // bits
        self = self.reshape(*self.shape[:-1], self.shape[-1] // factor, factor)
    out = convert.bitcast_convert_type(self, dtype)
    return out.reshape(*out.shape[:-2], out.shape[-2] * out.shape[-1]) if bits > wanted else out


def _negative(self):
    from simulator.facade.jax.numpy.math_functions import negative
    return negative._func(self)


def install() -> None:
    """Give `Array` and `Tracer` their operators, methods and properties."""
    for cls in (Array, Tracer):
        cls.__array_priority__ = 100
        for name, (function, symbol, refuses) in _COMPARISONS.items():
            setattr(cls, f"__{name}__", _binary(function, symbol, refuses)[0])
        for name, (function, symbol, refuses) in _BINARY.items():
            forward, reflected = _binary(function, symbol, refuses)
            setattr(cls, f"__{name}__", forward)
            setattr(cls, f"__r{name}__", reflected)
        cls.__neg__ = _negative
        cls.__pos__ = lambda self: math_functions.positive(self)
        cls.__abs__ = lambda self: math_functions.abs(self)
        cls.__invert__ = lambda self: math_functions.invert(self)
        cls.__setitem__, cls.__contains__, cls.__round__ = _setitem, _contains, _round
        cls.__copy__, cls.view = _copy, _view
        cls.__deepcopy__ = lambda self, memo: self.copy()
        for name, method in _METHODS.items():
            setattr(cls, name, method)
        for name, getter in _PROPERTIES.items():
            setattr(cls, name, property(getter))
        for name in ("byteswap", "to_device"):
            setattr(cls, name, _refused(name))
    Array.__getitem__, Tracer.__getitem__ = _array_getitem, _getitem
    Array.__iter__, Tracer.__iter__ = _array_iter, _tracer_iter
    Array.__reversed__ = Tracer.__reversed__ = lambda self: iter(self[::-1])
