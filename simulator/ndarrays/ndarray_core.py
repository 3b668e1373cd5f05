"""The NDArray class: storage, indexing, conversion.  Import it from `simulator.ndarrays.ndarray`,
which also gives it its operators and methods.

Values are a flat row-major list of Python numbers in a lazy `Cell`.  Slices are
views, as in NumPy: writing through one changes the other.  Everything computed
from an array holds on to the cell it saw, so a later write does not reach it.

Simplified: one memory order (row major); bool, int, float, complex and PRNG-key
elements only.
"""

from __future__ import annotations

import math
import types

from simulator.c_types import CType, written_in_c
from simulator.ndarrays import ndarray_index
from simulator.ndarrays.beyond import check_order, only
from simulator.ndarrays.cells import Cell, row_major, strided
from simulator.types.dtype_core import DType
from simulator.types.dtype_core import dtype as as_dtype
from simulator.types.rounding import cast


def _zeros(n: int, zero):
    return lambda: [zero] * n


class NDArray(metaclass=CType):
    """An n-dimensional array.

    Args:
      shape: ints.
      dtype_: DType or anything `dtypes.dtype` takes.
      data: flat row-major list of values already in that type, a function that
        returns one (called once, when the values are wanted), or a `Cell`.
    """

    __slots__ = ("shape", "dtype", "_cell", "_base", "_offset", "_strides", "_seen",
                 "_frozen", "__weakref__")
    __array_priority__ = 0.0

    def __init__(self, shape, dtype_=float, data=None):
        if data is None:
            # np.ndarray(shape): NumPy leaves the memory as it is, here it is zeros.
            shape = (shape,) if hasattr(shape, "__index__") else shape
            zero = {"b": False, "f": 0.0, "c": 0j}.get(as_dtype(dtype_).family, 0)
            data = _zeros(math.prod(shape), zero)
        self.shape = tuple(map(int, shape))
        self.dtype = dtype_ if isinstance(dtype_, DType) else as_dtype(dtype_)
        if isinstance(data, Cell):
            self._cell = data
        elif callable(data):
            self._cell = Cell(math.prod(self.shape), fn=data)
        else:
            data = data if isinstance(data, list) else list(data)
            if len(data) != math.prod(self.shape):
                raise ValueError(f"{len(data)} values for shape {self.shape}")
            self._cell = Cell(len(data), data)
        self._base = self._strides = self._seen = None
        self._offset = 0
        self._frozen = False

    # ---- storage -------------------------------------------------------
    @classmethod
    def lazy(cls, shape, dtype_, fn, deps=()) -> NDArray:
        """An array computed by `fn(*flat lists of deps)` when it is looked at."""
        return cls(shape, dtype_, Cell(math.prod(shape), fn=fn, deps=[d.cell for d in deps]))

    @classmethod
    def full(cls, shape, value, dtype_) -> NDArray:
        """An array of one repeated value (already in the type)."""
        n = math.prod(shape)
        return cls(shape, dtype_, lambda: [value] * n)

    @property
    def cell(self) -> Cell:
        """The current values as a lazy cell, in row-major order."""
        if self._base is None:
            return self._cell
        source = self._base._cell
        if self._seen is None or self._seen[0] is not source:
            shape, strides, offset = self.shape, self._strides, self._offset
            self._seen = source, Cell(self.size, fn=lambda v: [
                v[i] for i in strided(shape, strides, offset)], deps=[source])
        return self._seen[1]

    def values(self) -> list:
        """The elements as a flat row-major list of Python numbers; do not change it."""
        return self.cell.force()

    def _view(self, shape, strides, offset) -> NDArray:
        out = NDArray(shape, self.dtype, self._cell)
        out._base = self._base if self._base is not None else self
        out._strides, out._offset, out._frozen = tuple(strides), offset, self._frozen
        return out

    def _layout(self):
        if self._base is None:
            return row_major(self.shape), 0
        return self._strides, self._offset

    def _contiguous(self) -> bool:
        if self._base is None or self.size == 0:
            return True
        want = row_major(self.shape)
        return all(n == 1 or a == b for n, a, b in zip(self.shape, self._strides, want))

    # ---- what it is ----------------------------------------------------
    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)

    @property
    def itemsize(self) -> int:
        """Bytes per element."""
        return self.dtype.itemsize

    @property
    def nbytes(self) -> int:
        """Bytes of all elements together."""
        return self.size * self.dtype.itemsize

    @property
    def base(self):
        """The array whose elements this one looks at, or None for one with its own."""
        return self._base

    @property
    def strides(self) -> tuple:
        """Per axis, the bytes from one element to the next."""
        return tuple(s * self.dtype.itemsize for s in self._layout()[0])

    @property
    def flags(self):
        """How the array is stored, and whether it may be written to."""
        from simulator.ndarrays.ndarray_bytes import Flags
        return Flags(self)

    def setflags(self, write=None):
        """Allow or forbid assignment to elements."""
        if write is not None:
            self._frozen = not write

    # ---- conversion ----------------------------------------------------
    def copy(self, order="C") -> NDArray:
        """A copy in C order, which may be written to. OutOfScope: Fortran's order."""
        check_order("copy", order, kept=True)
        return NDArray(self.shape, self.dtype, self.cell)

    __copy__ = copy

    def __deepcopy__(self, memo) -> NDArray:
        return self.copy()

    def astype(self, dtype, order="K", casting="unsafe", subok=True, copy=True) -> NDArray:
        """A copy with another dtype; the same array when `copy` is false and nothing changes.
        OutOfScope: Fortran's order, and a ``casting`` that could refuse."""
        if order != "K" or casting != "unsafe":
            check_order("astype", order, kept=True)
            only("astype", casting=None if casting == "unsafe" else casting)
        to = as_dtype(dtype)
        if to is self.dtype:
            return self.copy() if copy else self
        src = self.dtype
        return NDArray.lazy(self.shape, to, lambda v: cast(v, src, to, saturate=False), [self])

    def __array__(self, dtype_=None, copy=None) -> NDArray:
        return self if dtype_ is None else self.astype(dtype_, copy=False)

    def item(self, *index):
        """One element as a Python number."""
        if len(index) == 1 and hasattr(index[0], "__index__"):
            return self.values()[ndarray_index.check_bounds(index[0].__index__(), self.size, 0)]
        if index:
            return ndarray_index.select(self, index[0] if len(index) == 1 else index).item()
        if self.size != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        return self.values()[0]

    def tolist(self):
        """Nested lists of Python numbers; a number for a 0-d array."""
        out = self.values()
        for n in reversed(self.shape[1:]):
            out = [out[i:i + n] for i in range(0, len(out), n)] if n else [
                [] for _ in range(math.prod(self.shape[:1]))]
        return list(out) if self.shape else out[0]

    def tobytes(self, order="C") -> bytes:
        """The elements in C order, as they lie in memory. OutOfScope: another order."""
        check_order("tobytes", order)
        from simulator.ndarrays.ndarray_bytes import to_bytes
        return to_bytes(self)

    def view(self, *args):
        """The same bits, read with another dtype."""
        from simulator.ndarrays.ndarray_bytes import bit_view
        return bit_view(self, *args)

    def fill(self, value) -> None:
        """Assign one value to all elements."""
        self[...] = value

    # ---- elements ------------------------------------------------------
    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __iter__(self):
        if not self.shape:
            raise TypeError("iteration over a 0-d array")
        return (self[i] for i in range(self.shape[0]))

    @property
    def flat(self):
        """An iterator over the elements in C order."""
        return iter(self.ravel())

    def __getitem__(self, index):
        return ndarray_index.getitem(self, index)

    def __setitem__(self, index, value):
        if self._frozen:
            raise ValueError("assignment destination is read-only")
        ndarray_index.setitem(self, index, value)

    def _write(self, positions: list[int], values: list) -> None:
        """Store `values` at `positions` of the owning array (numbered in its own order)."""
        root = self._base if self._base is not None else self
        new = list(root._cell.force())
        for at, v in zip(positions, values):
            new[at] = v
        root._cell = Cell(len(new), new)

    def __contains__(self, value) -> bool:
        return bool((self == value).any())

    # ---- one element as a Python number ---------------------------------
    def _one(self, what: str):
        if self.size != 1 or (self.ndim and what != "bool"):
            raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
        return self.values()[0]

    def __bool__(self) -> bool:
        if self.size != 1:
            if self.size == 0:
                raise ValueError("The truth value of an empty array is ambiguous. Use "
                                 "`array.size > 0` to check that an array is not empty.")
            raise ValueError("The truth value of an array with more than one element is "
                             "ambiguous. Use a.any() or a.all()")
        return bool(self._one("bool"))

    def __int__(self) -> int:
        return int(self._one("int"))

    def __float__(self) -> float:
        return float(self._one("float"))

    def __complex__(self) -> complex:
        return complex(self._one("complex"))

    def __index__(self) -> int:
        if self.dtype.family not in "iu" or self.ndim:
            raise TypeError("only integer scalar arrays can be converted to a scalar index")
        return self.values()[0]

    __class_getitem__ = classmethod(types.GenericAlias)

    def __repr__(self) -> str:
        from simulator.ndarrays.ndarray_text import array_repr
        return array_repr(self)

    def __str__(self) -> str:
        from simulator.ndarrays.ndarray_text import array_str
        return array_str(self)

    def __format__(self, spec: str) -> str:
        if self.ndim == 0:
            return format(self.item(), spec)
        if spec:
            raise TypeError("unsupported format string passed to numpy.ndarray.__format__")
        return str(self)

    def __reduce__(self):
        return (NDArray, (self.shape, self.dtype.name, list(self.values())))


written_in_c(NDArray, "numpy.ndarray")
