"""Arrays from nothing: iota and empty.

JAX source: jax/_src/lax/lax.py: iota_p, empty_p, empty2_p.
"""

from __future__ import annotations

import enum
import math

from simulator.ndarrays.cells import row_major
from simulator.ndarrays.ndarray import NDArray
from simulator.primitives.core import Primitive
from simulator.primitives.result_sharding import sharding_fields, unsharded
from simulator.primitives.rules import NUM, accepts, check_shapelike
from simulator.types.avals import ShapedArray
from simulator.types.dtype_core import dtype as as_dtype
from simulator.types.rounding import cast, normalize


def _iota_abstract(*, dtype, shape, dimension, sharding):
    d = as_dtype(dtype)
    check_shapelike("iota", "shape", shape)
    if not accepts(d, NUM):
        raise TypeError(f"iota does not accept dtype {d.name}. Accepted dtypes are subtypes of "
                        f"{', '.join(NUM)}.")
    if not 0 <= dimension < len(shape):
        raise ValueError("iota dimension must be between 0 and len(shape), got "
                         f"dimension={dimension} for shape={shape}")
    return _typed("iota", shape, d, sharding)


def _typed(name, shape, dtype, sharding):
    if sharding is not None:
        return ShapedArray(shape, dtype, False, sharding.mesh, sharding.spec)
    return ShapedArray(shape, dtype, False, **sharding_fields(name, unsharded, (), {}))


def _iota(*, dtype, shape, dimension, sharding):
    d = as_dtype(dtype)

    def run():
        n, step = shape[dimension], row_major(shape)[dimension]
        total = math.prod(shape)
        line = cast(normalize(list(range(n)), as_dtype("int64")), as_dtype("int64"), d)
        return [line[i // step % n] for i in range(total)] if total else []
    return NDArray.lazy(shape, d, run)


iota_p = Primitive("iota", abstract=_iota_abstract, impl=_iota)


def _empty_abstract(*, shape, dtype, out_sharding):
    return _typed("empty", shape, as_dtype(dtype), out_sharding)


def _empty(*, shape, dtype, out_sharding):
    d = as_dtype(dtype)
    return NDArray.full(shape, {"b": False, "f": 0.0, "c": 0j}.get(d.family, 0), d)


# What real memory holds is arbitrary; on CPU JAX lowers this to zeros, as here.
empty_p = Primitive("empty", abstract=_empty_abstract, impl=_empty)


class MemorySpace(enum.Enum):
    """The only kind of memory here, as a jaxpr shows it."""

    Device = 1

    def __repr__(self):
        return str(self)


DEVICE_MEMORY = MemorySpace.Device

# A number without a meaning: room for results to come. JAX has two such operations.
empty2_p = Primitive("empty2", abstract=lambda *, dtype, memory_space: ShapedArray((), dtype),
                     impl=lambda *, dtype, memory_space: _empty(shape=(), dtype=dtype,
                                                                out_sharding=None))
