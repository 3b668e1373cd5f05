"""Element types: one object per dtype, and how names and types become one.

A `DType` answers what `numpy.dtype` answers for the types JAX knows.  `kind` is
NumPy's letter, so bfloat16 says ``"V"`` as the real one does; code of the model
asks `family` instead, where bfloat16 is a float (``"f"``) and a PRNG key is
``"k"``.

JAX source: jax/_src/dtypes.py: short_dtype_name, issubdtype, float0;
jax/_src/random/prng.py: KeyTy.
"""

from __future__ import annotations

from simulator.c_types import CType, written_in_c
from simulator.errors import OutOfScope


class _DTypeType(CType):
    # ``np.dtype("float32")`` is a lookup, not a construction.
    def __call__(cls, obj=None, align=False, copy=False, **metadata):
        return dtype(obj)


def _new(name, kind, family, *fields) -> DType:
    # There is a class for each type; error messages show its name.
    module, shown = "numpy.dtypes", name.capitalize().replace("Uint", "UInt") + "DType"
    if family == "k":
        module, shown = "jax._src.random.prng", "KeyTy"
    elif name == "bfloat16":
        module, shown = "numpy", "dtype[bfloat16]"
    cls = _DTypeType(shown, (DType,), {"__slots__": (), "__module__": module})
    if module == "numpy.dtypes":
        written_in_c(cls, f"{module}.{shown}")
    made = object.__new__(cls)
    made.__init__(name, kind, family, *fields)
    return made


class DType(metaclass=_DTypeType):
    """One element type; compare with ``==`` to a dtype, a name or a scalar type.

    Attributes:
      name: ``"float32"``; kind: NumPy's letter; family: ``b i u f c k v``
        (k: PRNG key, v: float0); itemsize: bytes; char, str: NumPy's codes;
      type: the scalar class (``np.float32``), set by `simulator.types.scalar_types`.
    """

    __slots__ = ("name", "kind", "family", "itemsize", "char", "str", "short",
                 "type", "num", "impl")

    def __init__(self, name, kind, family, itemsize, char, code, num, impl=None):
        self.name, self.kind, self.family = name, kind, family
        self.itemsize, self.char, self.str, self.num = itemsize, char, code, num
        self.impl = impl
        self.type = None
        if family == "k":
            self.short = name
        else:
            self.short = (name.replace("float", "f").replace("uint", "u")
                          .replace("int", "i").replace("complex", "c"))

    # Only what small programs look at; the rest of numpy.dtype is absent.
    names = fields = None
    shape = ()
    ndim = 0
    hasobject = False
    isnative = True

    @property
    def alignment(self) -> int:
        """Bytes to whose multiples elements are aligned."""
        return self.itemsize // (2 if self.family == "c" else 1) or 1

    @property
    def byteorder(self) -> str:
        """"=" for the machine's own, "|" where there is nothing to order."""
        return "|" if self.itemsize <= 1 else "="

    @property
    def bits(self) -> int:
        """Bits in one element (8 for bool, as stored)."""
        return self.itemsize * 8

    def __eq__(self, other):
        if self is other:
            return True
        if isinstance(other, DType):
            return self.name == other.name and self.impl == other.impl
        try:
            return self == dtype(other) if other is not None else False
        except (TypeError, OutOfScope):
            return False

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return hash((DType, self.name))

    def __str__(self):
        return "[('float0', 'V')]" if self.family == "v" else self.name

    def __repr__(self):
        if self.family == "k":
            return self.name
        if self.family == "v":
            return "dtype([('float0', 'V')])"
        if self.name == "bfloat16":
            return "dtype(bfloat16)"
        return f"dtype('{self.name}')"

    def __reduce__(self):
        return (_by_name, (self.name, self.impl))

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


written_in_c(DType, "numpy.dtype")

bool_ = _new("bool", "b", "b", 1, "?", "|b1", 0)
int8 = _new("int8", "i", "i", 1, "b", "|i1", 1)
int16 = _new("int16", "i", "i", 2, "h", "<i2", 3)
int32 = _new("int32", "i", "i", 4, "i", "<i4", 5)
int64 = _new("int64", "i", "i", 8, "l", "<i8", 7)
uint8 = _new("uint8", "u", "u", 1, "B", "|u1", 2)
uint16 = _new("uint16", "u", "u", 2, "H", "<u2", 4)
uint32 = _new("uint32", "u", "u", 4, "I", "<u4", 6)
uint64 = _new("uint64", "u", "u", 8, "L", "<u8", 8)
float16 = _new("float16", "f", "f", 2, "e", "<f2", 23)
bfloat16 = _new("bfloat16", "V", "f", 2, "E", "<V2", 256)
float32 = _new("float32", "f", "f", 4, "f", "<f4", 11)
float64 = _new("float64", "f", "f", 8, "d", "<f8", 12)
complex64 = _new("complex64", "c", "c", 8, "F", "<c8", 14)
complex128 = _new("complex128", "c", "c", 16, "D", "<c16", 15)
float0 = _new("void", "V", "v", 0, "V", "|V0", 20)

SIGNED = (int8, int16, int32, int64)
UNSIGNED = (uint8, uint16, uint32, uint64)
FLOATS = (bfloat16, float16, float32, float64)
COMPLEXES = (complex64, complex128)
ALL = (bool_, *SIGNED, *UNSIGNED, *FLOATS, *COMPLEXES)

_NAMES = {d.name: d for d in ALL}
for _d in ALL:
    if _d is not bfloat16:
        _NAMES.setdefault(_d.char, _d)
        _NAMES.setdefault(_d.str, _d)
        _NAMES.setdefault(_d.str.lstrip("<|"), _d)
        _NAMES.setdefault("=" + _d.str.lstrip("<|"), _d)
_NAMES.update({
    "bool_": bool_, "int": int64, "int_": int64, "uint": uint64, "float": float64,
    "complex": complex128, "half": float16, "single": float32, "double": float64,
    "csingle": complex64, "cdouble": complex128, "byte": int8, "ubyte": uint8,
    "short": int16, "ushort": uint16, "intc": int32, "uintc": uint32, "long": int64,
    "ulong": uint64, "longlong": int64, "ulonglong": uint64, "intp": int64,
    "uintp": uint64, "q": int64, "Q": uint64, "p": int64, "P": uint64, "n": int64,
})

# Types that numpy or ml_dtypes have and the model does not carry.
_UNCOVERED = ("object", "O", "str", "S", "U", "bytes", "void", "V", "datetime64",
              "timedelta64", "M", "m", "longdouble", "clongdouble", "g", "G",
              "float128", "complex256", "int1", "uint1", "int2", "uint2", "int4",
              "uint4", "str_", "bytes_", "object_", "T")
_PYTHON = {bool: bool_, int: int64, float: float64, complex: complex128}

_KEYS: dict[str, DType] = {}
_KEY_TAGS = {"threefry2x32": ("fry", 2), "rbg": ("rbg", 4), "unsafe_rbg": ("urbg", 4)}


def key_dtype(impl: str = "threefry2x32") -> DType:
    """The typed PRNG key dtype of an implementation (`key<fry>`, `key<rbg>` ...)."""
    if impl not in _KEYS:
        tag, words = _KEY_TAGS[impl]
        _KEYS[impl] = _new(f"key<{tag}>", "V", "k", 4 * words, "V", f"|V{4 * words}",
                           20, impl)
    return _KEYS[impl]


def _by_name(name, impl=None):
    if impl:
        return key_dtype(impl)
    return float0 if name == "void" else _NAMES[name]


def dtype(obj=None) -> DType:
    """What ``numpy.dtype(obj)`` is: from a name, a type, a scalar type, or a dtype.

    `None` gives float64 and Python types their 64-bit types, as in NumPy;
    `simulator.types.dtypes.canonicalize` narrows them.

    Raises:
      TypeError: not a dtype, with NumPy's text.
      OutOfScope: a dtype that exists but that the model does not carry.
    """
    if isinstance(obj, DType):
        return obj
    if obj is None:
        return float64
    if isinstance(obj, str):
        found = _NAMES.get(obj)
        if found is not None:
            return found
        if obj.startswith(">") and obj[1:] in _NAMES:
            raise OutOfScope(f"dtype {obj}", "use the byte order of this machine")
        if obj in _UNCOVERED or obj.lstrip("<>|=")[:1] in "SUVMmO" or (
                obj.startswith(("float8_", "float6_", "float4_")) or "," in obj):
            raise OutOfScope(f"dtype {obj}", "use a bool, int, uint, float or complex dtype")
        raise TypeError(f"data type {obj!r} not understood")
    if isinstance(obj, type):
        found = _PYTHON.get(obj)
        if found is not None:
            return found
    # Scalar types (np.float32, jnp.float32) and arrays carry their dtype.
    found = getattr(obj, "scalar_dtype", None) or getattr(obj, "dtype", None)
    if isinstance(found, DType):
        return found
    if isinstance(obj, (type, list, tuple)):
        raise OutOfScope(f"dtype {obj.__name__ if isinstance(obj, type) else obj}",
                         "use a bool, int, uint, float or complex dtype")
    raise TypeError(f"Cannot interpret '{obj!r}' as a data type")


def short_name(dt: DType) -> str:
    """The name a jaxpr prints: ``f32``, ``i32``, ``bool``, ``key<fry>``, ``float0``."""
    return "float0" if dt.family == "v" else dt.short


def is_inexact(dt: DType) -> bool:
    """True for floating and complex types (bfloat16 too)."""
    return dt.family in "fc"


def is_integer(dt: DType) -> bool:
    """True for signed and unsigned integers."""
    return dt.family in "iu"


def real_part(dt: DType) -> DType:
    """float32 for complex64, float64 for complex128, itself for the others."""
    return {complex64: float32, complex128: float64}.get(dt, dt)


def complex_of(dt: DType) -> DType:
    """The complex type whose parts hold `dt` (complex64 up to 32 bits)."""
    return complex128 if dt in (float64, complex128) else complex64
