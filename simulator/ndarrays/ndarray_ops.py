"""Operators and methods of NDArray and of the NumPy scalars.

Operators hand over to the other operand when it is a jax array or tracer, which
NumPy tells by ``__array_priority__``.
"""

from __future__ import annotations

from simulator.errors import OutOfScope
from simulator.facade.lazily import Later
from simulator.ndarrays.ndarray_core import NDArray
from simulator.ndarrays.ufuncs import UFUNCS
from simulator.types.scalar_types import as_scalar, generic

products, reduce, search, views = (Later(f"simulator.ndarrays.ndarray_{name}") for name in (
    "products", "reduce", "search", "views"))

_OPERATORS = {
    "add": "add", "sub": "subtract", "mul": "multiply", "truediv": "true_divide",
    "floordiv": "floor_divide", "mod": "remainder", "pow": "power", "and": "bitwise_and",
    "or": "bitwise_or", "xor": "bitwise_xor", "lshift": "left_shift", "rshift": "right_shift",
}
_COMPARISONS = {"eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal",
                "gt": "greater", "ge": "greater_equal"}


def _foreign(other) -> bool:
    """True when NumPy would let `other` do the operation."""
    if isinstance(other, (NDArray, generic, bool, int, float, complex, list, tuple)):
        return False
    return not hasattr(other, "__array__") or getattr(other, "__array_priority__", 0) > 0


_SYMBOLS = {"add": "+", "subtract": "-", "multiply": "*", "true_divide": "/", "divide": "/",
            "floor_divide": "//", "remainder": "%"}


def _refuse_none(ufunc, array, reverse: bool) -> None:
    # NumPy makes objects of the numbers, and Python refuses the first of them.
    symbol, size = _SYMBOLS.get(ufunc.__name__), getattr(array, "size", 1)
    if symbol is None or not size:
        return
    kind = type(array.ravel()[0].item() if array.ndim else array.item()).__name__
    left, right = ("NoneType", kind) if reverse else (kind, "NoneType")
    raise TypeError(f"unsupported operand type(s) for {symbol}: {left!r} and {right!r}")


def _binary(ufunc, reverse=False):
    def method(self, other):
        if other is None:
            _refuse_none(ufunc, self, reverse)
        if _foreign(other):
            return NotImplemented
        return ufunc(other, self) if reverse else ufunc(self, other)
    return method


class UFuncTypeError(TypeError):
    """An in-place operation whose result does not fit the array's type."""


def _inplace(ufunc):
    def method(self, other):
        if _foreign(other):
            return NotImplemented
        out = ufunc(self, other)
        if not isinstance(self, NDArray):
            return out
        from simulator.ndarrays.ndarray_make import promote
        if promote(out.dtype, self.dtype) is not self.dtype and out.dtype is not self.dtype:
            kinds = "biufc"
            if kinds.index(out.dtype.family) > kinds.index(self.dtype.family):
                name = ufunc.__name__ if ufunc.__name__ != "true_divide" else "divide"
                raise UFuncTypeError(
                    f"Cannot cast ufunc '{name}' output from {out.dtype!r} to {self.dtype!r} "
                    "with casting rule 'same_kind'")
        self[...] = out
        return self
    return method


def _comparison(ufunc, on_foreign):
    def method(self, other):
        if other is None or isinstance(other, (str, bytes)):
            if on_foreign is None:
                return NotImplemented
            return as_scalar(NDArray.full(self.shape, on_foreign, "bool"))
        if _foreign(other):
            return NotImplemented
        return ufunc(self, other)
    return method


def _unary(ufunc):
    return lambda self: ufunc(self)


def _matmul(self, other):
    return NotImplemented if _foreign(other) else products.matmul(self, other)


def _rmatmul(self, other):
    return NotImplemented if _foreign(other) else products.matmul(other, self)


def _round(self, ndigits=None):
    out = search.round_(self, ndigits or 0)
    return int(out) if ndigits is None and not isinstance(self, NDArray) else out


def _install(cls) -> None:
    for op, name in _OPERATORS.items():
        setattr(cls, f"__{op}__", _binary(UFUNCS[name]))
        setattr(cls, f"__r{op}__", _binary(UFUNCS[name], reverse=True))
        if cls is NDArray:
            setattr(cls, f"__i{op}__", _inplace(UFUNCS[name]))
    for op, name in _COMPARISONS.items():
        setattr(cls, f"__{op}__", _comparison(UFUNCS[name], {"eq": False, "ne": True}.get(op)))
    cls.__neg__ = _unary(UFUNCS["negative"])
    cls.__pos__ = _unary(UFUNCS["positive"])
    cls.__abs__ = _unary(UFUNCS["absolute"])
    cls.__invert__ = _unary(UFUNCS["invert"])
    cls.__matmul__, cls.__rmatmul__ = _matmul, _rmatmul
    cls.__round__ = _round
    cls.__divmod__ = lambda self, other: (self // other, self % other)
    cls.__rdivmod__ = lambda self, other: (other // self, other % self)


_install(NDArray)
_install(generic)


def _unhashable(self) -> int:
    # Python alone would leave the package out of the name.
    raise TypeError("unhashable type: 'numpy.ndarray'")


NDArray.__hash__ = _unhashable

for _module, _names in (
        (reduce, "sum prod max min mean std var all any ptp"),
        (search, "argmax argmin cumsum cumprod argsort repeat take clip nonzero"),
        (products, "dot diagonal trace"),
        (views, "reshape ravel flatten transpose swapaxes squeeze")):
    for _name in _names.split():
        setattr(NDArray, _name, getattr(_module, _name))
NDArray.round = search.round_
NDArray.T, NDArray.mT = property(views.transpose), property(views.matrix_transpose)
NDArray.conj = NDArray.conjugate = lambda self: UFUNCS["conjugate"](self)
NDArray.real = property(lambda self: products.real(self))
NDArray.imag = property(lambda self: products.imag(self))


def _sort(self, axis=-1, kind=None, order=None, *, stable=None, descending=None) -> None:
    self[...] = search.sort(self, axis, kind, order, stable=stable, descending=descending)


NDArray.sort = _sort


def _missing(self, name):
    if name.startswith("_"):
        raise AttributeError(f"'numpy.ndarray' object has no attribute '{name}'")
    if name in _KNOWN:
        raise OutOfScope(f"numpy.ndarray.{name}", "use a covered method")
    raise AttributeError(f"'numpy.ndarray' object has no attribute '{name}'")


# Attributes that real arrays have: refuse those, so that hasattr() does not lie.
_KNOWN = frozenset("""argpartition byteswap choose compress ctypes data dump dumps
getfield partition put resize searchsorted setfield to_device tofile device""".split())
NDArray.__getattr__ = _missing
generic.real = property(lambda self: as_scalar(products.real(self)))
generic.imag = property(lambda self: as_scalar(products.imag(self)))
