"""``jnp.array`` and ``jnp.asarray``.

JAX source: ``jax/_src/numpy/array_constructors.py``.
"""

from __future__ import annotations

import itertools
from typing import Any

from simulator import explain
from simulator.device_arrays.device_put import device_put
from simulator.device_arrays.literals import TypedNdArray
from simulator.facade.jax.lax import base, reducing, shapes
from simulator.facade.jax.lax import convert as conv
from simulator.facade.jax.numpy.util import lattice_type, place_argument
from simulator.jaxprs.tracer import Tracer
from simulator.ndarrays.ndarray import NDArray
from simulator.ndarrays.ndarray import asarray as numpy_array
from simulator.primitives.convert import copy_p
from simulator.trees import pytrees
from simulator.types.scalar_types import number

_INT = "int() argument must be a string, a bytes-like object or a real number"


def copied(x: Any) -> Any:
    """A copy, as an operation of its own."""
    return copy_p.bind(x)


def array(object: Any, dtype: Any = None, *args: Any, copy: bool = True, order: str | None = "K",
          ndmin: int = 0, device: Any = None, out_sharding: Any = None) -> Any:
    """``jax.numpy.array``.

    Errors: TypeError for what is no array; ValueError for None inside a list.
    """
    if args:
        if len(args) > 3:
            raise TypeError("array() takes at most 5 positional arguments but "
                            f"{len(args) + 2} were given")
        copy, order, ndmin = (list(args) + [copy, order, ndmin][len(args):])[:3]
        explain.python_warning("DeprecationWarning",
                               "Passing the copy, order, and ndmin arguments to jnp.array "
                               "positionally is deprecated. Use keyword arguments instead.")
    if order is not None and order != "K":
        raise NotImplementedError("Only implemented for order='K'")
    if dtype is None and device is None and out_sharding is None and ndmin == 0:
        if isinstance(object, Tracer) and object.to_concrete_value() is None:
            return copied(object) if copy else object
        if isinstance(object, (int, float, complex, number)) or isinstance(object, NDArray):
            return conv.stage(object)
    if dtype is not None:
        dtype = base.user_dtype(dtype, "array")
    weak = dtype is None and base.is_weak(object)
    sharding = place_argument(device, out_sharding, "jnp.array")
    if (not copy and isinstance(object, NDArray) and dtype in (None, object.dtype)
            and ndmin <= object.ndim and device is None):
        return device_put(object if dtype is None else TypedNdArray.of(object))
    if isinstance(object, base.SCALARS):
        conv.coerce(object, dtype)  # raises for an int that does not fit
    if isinstance(object, range):
        object = numpy_array(list(object))
    leaves, tree = pytrees.tree_flatten(object, is_leaf=lambda x: not isinstance(x, (list, tuple)))
    if any(leaf is None for leaf in leaves):
        raise ValueError("None is not a valid value for jnp.array")
    leaves = [leaf if isinstance(leaf, base.ARRAYS) else _as_array(leaf) for leaf in leaves]
    if dtype is None:
        dtype = _common_type(leaves)
    object = tree.unflatten(leaves)
    if not any(isinstance(leaf, base.ARRAYS) for leaf in leaves):
        out = _on_host(object, dtype)
    elif isinstance(object, base.ARRAYS):
        out = copied(object) if copy else object
    elif object:
        out = _joined(object, dtype)
    else:
        out = numpy_array([], dtype)
    result = conv.convert(out, dtype, weak, sharding)
    if ndmin > base.ndim(result):
        result = shapes.expand_dims(result, range(ndmin - base.ndim(result)))
    return result


def _as_array(leaf: Any) -> Any:
    # What an object gives for itself, to JAX or to NumPy.
    if hasattr(leaf, "__jax_array__"):
        return leaf.__jax_array__()
    foreign = hasattr(leaf, "__array__") and not hasattr(leaf, "dtype")
    return numpy_array(leaf) if foreign else leaf


def _common_type(leaves: list) -> Any:
    if not leaves:
        return base.default_float()
    for leaf in leaves:
        if isinstance(leaf, dict):
            _check_fields(leaf)
        if isinstance(leaf, (str, bytes)) or not (base.is_scalar(leaf) or hasattr(leaf, "dtype")):
            kind = (f"<U{len(leaf)}" if isinstance(leaf, str)
                    else f"|S{len(leaf)}" if isinstance(leaf, bytes) else "object")
            raise TypeError(f"Value '{leaf}' with dtype {kind} is not a valid JAX array type. Only "
                            "arrays of numeric types are supported by JAX.")
    return lattice_type(*leaves)[0]


def _check_fields(given: dict) -> None:
    # NumPy takes a dictionary for the fields of a dtype and looks at the first of them.
    for field in itertools.islice(given.values(), 1):
        scalar = isinstance(field, (*base.ARRAYS, NDArray)) and not field.ndim
        pair = isinstance(field, tuple) and len(field) in (2, 3)
        if hasattr(field, "__len__") and not scalar and not pair:
            raise ValueError("entry not a 2- or 3- tuple")


def _on_host(object: Any, dtype: Any) -> NDArray:
    if isinstance(object, NDArray):
        return object.astype(dtype, copy=False)
    wanted = {"f": "float() argument must be a string or a real number", "i": _INT, "u": _INT}
    if not isinstance(object, (*base.SCALARS, number, list, tuple, str)) \
            and dtype.family in wanted and not hasattr(object, "__float__"):
        raise TypeError(f"{wanted[dtype.family]}, not '{type(object).__name__}'")
    return numpy_array(object, dtype)


def _joined(items: Any, dtype: Any) -> Any:
    # A list that holds arrays is made by joining them, in groups of 16.
    parts = [shapes.expand_dims(array(item, dtype=dtype, copy=False), [0]) for item in items]
    while len(parts) > 16:
        parts = [reducing.concatenate(parts[i:i + 16], 0) for i in range(0, len(parts), 16)]
    return reducing.concatenate(parts, 0)


def asarray(a: Any, dtype: Any = None, order: str | None = None, *, copy: bool | None = None,
            device: Any = None, out_sharding: Any = None) -> Any:
    """``jax.numpy.asarray``."""
    if dtype is not None:
        dtype = base.user_dtype(dtype, "asarray")
    return array(a, dtype=dtype, copy=bool(copy), order=order, device=device,
                 out_sharding=out_sharding)


def copy(a: Any, order: str | None = None) -> Any:
    """``jax.numpy.copy``."""
    from simulator.facade.jax.numpy.util import check_arraylike
    check_arraylike("copy", a)
    return array(a, copy=True, order=order)
