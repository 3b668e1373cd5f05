"""NumPy's scalar types: ``np.float32(1)`` and the classes they are ordered by.

`np.float64` is a Python float and `np.complex128` a Python complex, as in NumPy,
which is why JAX tests exact types.  Arithmetic goes through 0-dimensional arrays.

JAX source: jax/_src/dtypes.py: issubdtype, extended, prng_key.
"""

from __future__ import annotations

from simulator.c_types import CType, written_in_c
from simulator.errors import OutOfScope
from simulator.types import dtype_core as dt
from simulator.types.dtype_core import DType


class generic(metaclass=CType):
    """Base of all NumPy scalars."""

    __slots__ = ()
    scalar_dtype: DType | None = None
    __array_priority__ = -1000000.0

    def __new__(cls, value=0, *more):
        if cls.scalar_dtype is None:
            raise TypeError(f"cannot create '{cls.__module__}.{cls.__name__}' instances")
        from simulator.ndarrays.ndarray_make import asarray
        out = asarray(value, cls.scalar_dtype)
        return out if out.ndim else as_scalar(out)

    @property
    def dtype(self) -> DType:
        """The dtype of an array of such scalars."""
        return self.scalar_dtype

    shape, ndim, size, strides = (), 0, 1, ()
    itemsize = property(lambda self: self.scalar_dtype.itemsize)
    nbytes = itemsize
    T = property(lambda self: self)

    def item(self):
        """The value as a Python number."""
        return self._v

    tolist = item

    def __array__(self, dtype_=None, copy=None):
        from simulator.ndarrays.ndarray_core import NDArray
        out = NDArray((), self.scalar_dtype, [self.item()])
        return out if dtype_ is None else out.astype(dtype_)

    def __getattr__(self, name):
        # Methods of arrays work on scalars too (x.sum(), x.reshape(1)).
        from simulator.ndarrays.ndarray_core import NDArray
        if name.startswith("_") or not hasattr(NDArray, name):
            raise AttributeError(f"'numpy.{type(self).__name__}' object has no attribute '{name}'")
        out = getattr(self.__array__(), name)
        if not callable(out):
            return out

        def method(*args, **kwargs):
            return as_scalar(out(*args, **kwargs))
        return method

    def __getitem__(self, index):
        if index == () or index is Ellipsis:
            return self.__array__()[index] if index is Ellipsis else self
        raise IndexError("invalid index to scalar variable.")

    def __bool__(self):
        return bool(self.item())

    def __int__(self):
        return int(self.item().real if isinstance(self.item(), complex) else self.item())

    def __float__(self):
        return float(self.item())

    def __complex__(self):
        return complex(self.item())

    def __hash__(self):
        return hash(self.item())

    def __repr__(self):
        from simulator.types.float_text import scalar_repr
        return scalar_repr(self)

    def __str__(self):
        from simulator.types.float_text import scalar_str
        return scalar_str(self)

    def __format__(self, spec):
        # Floats of 16 and 32 bits show all digits here, unlike in str().
        return format(self.item(), spec)

    def __reduce__(self):
        return (type(self), (self.item(),))

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


class number(generic):
    """NumPy's class of numbers: all but bool."""

    __slots__ = ()


class integer(number):
    """NumPy's class of whole numbers."""

    __slots__ = ()

    def __index__(self):
        return self.item()

    numerator = property(lambda self: self.item())
    denominator = 1

    def bit_count(self):
        """How many bits of the absolute value are set."""
        return abs(self.item()).bit_count()


class signedinteger(integer):
    """NumPy's class of whole numbers with a sign."""

    __slots__ = ()


class unsignedinteger(integer):
    """NumPy's class of whole numbers without a sign."""

    __slots__ = ()


class inexact(number):
    """NumPy's class of real and complex floating numbers."""

    __slots__ = ()


class floating(inexact):
    """NumPy's class of real floating numbers."""

    __slots__ = ()

    def is_integer(self):
        """Whether it is a whole number."""
        return float(self.item()).is_integer()


class complexfloating(inexact):
    """NumPy's class of complex numbers."""

    __slots__ = ()


class flexible(generic):
    """NumPy's class of types of any length."""

    __slots__ = ()


class character(flexible):
    """NumPy's class of texts."""

    __slots__ = ()


class extended(generic):
    """`jax.dtypes.extended`: the kind of dtypes that are JAX's own."""

    __slots__ = ()


class prng_key(extended):
    """`jax.dtypes.prng_key`: the kind of typed PRNG keys."""

    __slots__ = ()


class float0(generic):
    """Scalar class of the empty tangent type."""

    __slots__ = ()


written_in_c(float0, "numpy.void")


def _concrete(name: str, base: type, dtype_: DType, module: str = "numpy") -> type:
    cls = CType(name, (base,), {"__slots__": ("_v",), "scalar_dtype": dtype_})
    written_in_c(cls, f"{module}.{name}")
    dtype_.type = cls
    return cls


for _cls in (generic, number, integer, signedinteger, unsignedinteger, inexact, floating,
             complexfloating, flexible, character):
    written_in_c(_cls, f"numpy.{_cls.__qualname__}")
for _cls in (extended, prng_key):
    _cls.__module__ = "jax.dtypes"

bool_ = _concrete("bool", generic, dt.bool_)
int8, int16, int32, int64 = (_concrete(d.name, signedinteger, d) for d in dt.SIGNED)
uint8, uint16, uint32, uint64 = (_concrete(d.name, unsignedinteger, d) for d in dt.UNSIGNED)
float16 = _concrete("float16", floating, dt.float16)
float32 = _concrete("float32", floating, dt.float32)
complex64 = _concrete("complex64", complexfloating, dt.complex64)
bfloat16 = _concrete("bfloat16", generic, dt.bfloat16, "ml_dtypes")
dt.float0.type = float0
dt.key_dtype().type = prng_key


class float64(floating, float):
    """A NumPy float64 is a Python float."""

    __slots__ = ()
    scalar_dtype = dt.float64
    __hash__ = float.__hash__

    def __new__(cls, value=0.0):
        from simulator.ndarrays.ndarray_make import asarray
        out = asarray(value, dt.float64)
        return out if out.ndim else float.__new__(cls, out.values()[0])

    def item(self):
        return float.__float__(self)

    tolist = item
    __float__ = float.__float__
    real = property(lambda self: self)


class complex128(complexfloating, complex):
    """A NumPy complex128 is a Python complex."""

    __slots__ = ()
    scalar_dtype = dt.complex128
    __hash__ = complex.__hash__

    def __new__(cls, value=0j, imag=None):
        from simulator.ndarrays.ndarray_make import asarray
        if imag is not None:
            value = complex(value, imag)
        out = asarray(value, dt.complex128)
        return out if out.ndim else complex.__new__(cls, out.values()[0])

    def item(self):
        return complex.__complex__(self)

    tolist = item
    __complex__ = complex.__complex__


for _cls in (float64, complex128):
    written_in_c(_cls, f"numpy.{_cls.__qualname__}")
    _cls.scalar_dtype.type = _cls

CONCRETE = (bool_, int8, int16, int32, int64, uint8, uint16, uint32, uint64, bfloat16,
            float16, float32, float64, complex64, complex128)


def make(dtype_: DType, value):
    """A scalar of a dtype from a value that is already in it."""
    cls = dtype_.type
    if cls is float64:
        return float.__new__(cls, value)
    if cls is complex128:
        return complex.__new__(cls, value)
    out = object.__new__(cls)
    out._v = value
    return out


def as_scalar(x):
    """A 0-dimensional array as a scalar; anything else unchanged."""
    from simulator.ndarrays.ndarray_core import NDArray
    if isinstance(x, NDArray) and not x.shape:
        return make(x.dtype, x.values()[0])
    return x


def _kind_class(x) -> type:
    if isinstance(x, type) and issubclass(x, generic):
        return x
    d = dt.dtype(x)
    if d.family == "k":
        return prng_key
    return d.type


def is_kind(a, b) -> bool:
    """`issubdtype`, JAX's version: bfloat16 is floating, PRNG keys are extended."""
    if isinstance(b, DType) and b.family == "k":
        return isinstance(a, DType) and a == b
    a, b = _kind_class(a), _kind_class(b)
    if a is bfloat16:
        return b in (bfloat16, floating, inexact, number, generic)
    return issubclass(a, b)


def find(name: str):
    """The scalar class called `name` in NumPy.

    Raises OutOfScope for ones that the model does not carry.
    """
    found = globals().get(name)
    if isinstance(found, type) and issubclass(found, generic):
        return found
    raise OutOfScope(f"numpy.{name}")


Generic = generic
