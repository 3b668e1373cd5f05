"""Arrays as bytes: `tobytes`, bit-casting views, and the `flags` object."""

from __future__ import annotations

import struct

from simulator.errors import OutOfScope
from simulator.types import dtype_core as dt

_PACK = {"bool": "?", "int8": "b", "int16": "h", "int32": "i", "int64": "q", "uint8": "B",
         "uint16": "H", "uint32": "I", "uint64": "Q", "float16": "e", "float32": "f",
         "float64": "d"}


def to_bytes(a) -> bytes:
    """The little-endian bytes of an array."""
    values, d = a.values(), a.dtype
    if d.family == "c":
        values = [p for v in values for p in (v.real, v.imag)]
        d = dt.real_part(d)
    if d is dt.bfloat16:
        return b"".join(struct.pack("<f", v)[2:] for v in values)
    if d.family == "k":
        return struct.pack(f"<{2 * len(values)}I", *[w for v in values for w in v])
    return struct.pack(f"<{len(values)}{_PACK[d.name]}", *values)


def from_bytes(data: bytes, d: dt.DType) -> list:
    """Elements of type `d` from little-endian bytes."""
    if d is dt.bfloat16:
        return [struct.unpack("<f", b"\0\0" + data[i:i + 2])[0] for i in range(0, len(data), 2)]
    if d.family == "c":
        parts = from_bytes(data, dt.real_part(d))
        return [complex(a, b) for a, b in zip(parts[::2], parts[1::2])]
    return list(struct.unpack(f"<{len(data) // d.itemsize}{_PACK[d.name]}", data))


def bit_view(a, dtype_=None):
    """`a.view(dtype)`: the same bytes as another type (a copy, not a view)."""
    from simulator.ndarrays.ndarray_core import NDArray
    if dtype_ is None:
        return a[...]
    d = dt.dtype(dtype_)
    if d.itemsize != a.dtype.itemsize:
        raise OutOfScope("numpy.ndarray.view with another item size")
    return NDArray(a.shape, d, lambda: from_bytes(to_bytes(a), d))


class Flags:
    """`a.flags`, the entries that programs read."""

    def __init__(self, a):
        self._a = a

    c_contiguous = property(lambda self: self._a._contiguous())
    owndata = property(lambda self: self._a._base is None)

    @property
    def writeable(self):
        """Whether elements may be assigned. May be set."""
        return not self._a._frozen

    @writeable.setter
    def writeable(self, value):
        self._a._frozen = not value

    def __getitem__(self, name):
        return getattr(self, name.lower())
