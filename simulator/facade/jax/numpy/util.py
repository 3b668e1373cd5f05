"""What every ``jax.numpy`` function does with its operands: check, promote, broadcast.

JAX source: ``jax/_src/numpy/util.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from simulator import explain, process
from simulator.api import jit
from simulator.facade.jax.lax import base, shapes
from simulator.facade.jax.lax import convert as conv
from simulator.facade.jax.lax import elementwise as el
from simulator.ndarrays.ndarray import NDArray
from simulator.types import dtypes
from simulator.types.dtype_core import DType

convert = conv.convert
asarray = conv.asarray


def _mode() -> str:
    mode = process.current().config.value("jax_numpy_dtype_promotion")
    return str(getattr(mode, "value", mode)).lower()


def result_type(*args: Any) -> tuple[DType, bool]:
    """(dtype, weak) of values combined, a weak result at its default width."""
    pairs = [(_dtype_of(a), _weak(a)) for a in args]
    return dtypes.result_type(pairs, base.x64(), _mode())


def lattice_type(*args: Any) -> tuple[DType, bool]:
    """(dtype, weak) of values combined, as operands are promoted."""
    pairs = [(_dtype_of(a), _weak(a)) for a in args]
    return dtypes.lattice_result_type(pairs, base.x64(), _mode())


def _dtype_of(x: Any) -> DType:
    return base.dtype(x)


def _weak(x: Any) -> bool:
    return x in (int, float, complex) if isinstance(x, type) else base.is_weak(x)


_ARRAYLIKE = (*base.ARRAYS, NDArray, *base.SCALARS)


def arraylike(x: Any) -> bool:
    """Whether JAX takes a value for an array: arrays and scalars, no lists."""
    return (isinstance(x, _ARRAYLIKE) or hasattr(x, "__jax_array__")
            or base.is_scalar(x))


def check_arraylike(name: str, *args: Any, warn: bool = False) -> None:
    """TypeError (or a DeprecationWarning) for a list, None, …"""
    for position, arg in enumerate(args):
        if not arraylike(arg):
            text = (f"{name} requires ndarray or scalar arguments, got {type(arg)} at position "
                    f"{position}.")
            if not warn:
                raise TypeError(text)
            explain.python_warning("DeprecationWarning",
                                   text + " In a future JAX release this will be an error.")
            return


def check_arraylike_or_none(name: str, *args: Any) -> None:
    """TypeError for an argument that is neither an array, a scalar nor None."""
    for position, arg in enumerate(args):
        if arg is not None and not arraylike(arg):
            raise TypeError(f"{name} requires ndarray, scalar, or None arguments, got {type(arg)} "
                            f"at position {position}.")


def ensure_array(name: str, x: Any) -> Any:
    """One argument as an array or tracer."""
    check_arraylike(name, x)
    return asarray(base.unwrapped(x))


def ensure_arrays(name: str, *args: Any) -> tuple:
    """Several arguments as arrays or tracers."""
    check_arraylike(name, *args)
    return tuple(asarray(base.unwrapped(a)) for a in args)


def promote_dtypes(*args: Any) -> list:
    """All to their common dtype."""
    if len(args) < 2:
        return [asarray(a) for a in args]
    to, weak = lattice_type(*args)
    return [convert(a, to, weak) for a in args]


def promote_inexact(*args: Any) -> list:
    """All to their common dtype, made floating."""
    to, weak = lattice_type(*args)
    return [convert(a, dtypes.to_inexact(to), weak) for a in args]


def promote_numeric(*args: Any) -> list:
    """All to their common dtype; bool becomes int32."""
    to, weak = lattice_type(*args)
    return [convert(a, dtypes.int32 if to is dtypes.bool_ else to, weak) for a in args]


def promote_shapes(name: str, *args: Any) -> list:
    """Leading dimensions of size 1 where ranks differ (scalars stay scalars).

    Errors: ValueError when ``jax_numpy_rank_promotion`` is "raise", or for shapes
    that do not broadcast.
    """
    shapes_ = [base.shape(a) for a in args]
    if len(args) < 2 or len({len(s) for s in shapes_}) == 1:
        return [asarray(a) for a in args]
    if len({len(s) for s in shapes_ if s}) < 2:
        return [asarray(a) for a in args]
    _check_rank_promotion(name, shapes_)
    rank = len(shapes.broadcast_shapes(*shapes_))
    return [shapes.broadcast_to_rank(a, rank) for a in args]


def _check_rank_promotion(name: str, shapes_: Sequence[tuple]) -> None:
    mode = process.current().config.value("jax_numpy_rank_promotion")
    listed = " ".join(map(str, shapes_))
    if mode == "warn":
        explain.python_warning(
            "UserWarning", f"Following NumPy automatic rank promotion for {name} on shapes "
            f"{listed}. Set the jax_numpy_rank_promotion config option to 'allow' to disable this "
            "warning; for more information, see "
            "https://docs.jax.dev/en/latest/rank_promotion_warning.html.")
    elif mode == "raise":
        raise ValueError(
            f"Operands could not be broadcast together for {name} on shapes {listed} and with the "
            "config option jax_numpy_rank_promotion='raise'. For more information, see "
            "https://docs.jax.dev/en/latest/rank_promotion_warning.html.")


def _prepared(name: str, args: tuple) -> tuple:
    check_arraylike(name, *args)
    args = tuple(map(base.unwrapped, args))
    kinds = {base.dtype(a) for a in args}
    if any(d is dtypes.float0 for d in kinds):
        raise TypeError(f"Called {name} with a float0 array. float0s do not support any "
                        "operations by design because they are not compatible with non-trivial "
                        "vector spaces.")
    if len(kinds) > 1 and any(d.family == "k" for d in kinds):
        listed = ", ".join(str(base.dtype(a)) for a in args)
        raise TypeError(f"{name} does not accept dtypes {listed}.")
    return args


def promote_args(name: str, *args: Any) -> list:
    """Check, promote dtypes, promote ranks."""
    return promote_shapes(name, *promote_dtypes(*_prepared(name, args)))


def promote_args_inexact(name: str, *args: Any) -> list:
    """Check, promote to a common floating dtype, promote ranks."""
    return promote_shapes(name, *promote_inexact(*_prepared(name, args)))


def promote_args_numeric(name: str, *args: Any) -> list:
    """Check, promote to a common dtype that is not bool, promote ranks."""
    return promote_shapes(name, *promote_numeric(*_prepared(name, args)))


def broadcast_to(arr: Any, shape: Any, sharding: Any = None) -> Any:
    """One array to a shape, by NumPy's rules."""
    arr = ensure_array("broadcast_to", arr)
    if not isinstance(shape, tuple) and base.ndim(shape) == 0:
        shape = (shape,)
    shape = base.canonical_shape(shape)
    if sharding is not None:
        from simulator.facade.jax.lax.placing import canonical_out_sharding
        sharding = canonical_out_sharding(sharding, "jnp.broadcast_to")
    return shapes.broadcast_to(arr, shape, sharding)


@jit(inline=True)
def _broadcast_arrays(*args):
    avals = [base.typeof(a) for a in args]
    if not avals or all(a.shape == avals[0].shape for a in avals):
        return tuple(asarray(a) for a in args)
    shape = shapes.broadcast_shapes(*[a.shape for a in avals])
    sharding = shapes.broadcast_shardings(*avals)
    return tuple(broadcast_to(a, shape, sharding) for a in args)


@jit
def _where(condition, x, y):
    condition, x, y = ensure_arrays("where", condition, x, y)
    if condition.dtype.family != "b":
        condition = el.ne(condition, shapes.zero(condition))
    x, y = promote_dtypes(x, y)
    if condition.ndim == 0:
        x, y = _broadcast_arrays(x, y)
    else:
        condition, x, y = _broadcast_arrays(condition, x, y)
    return x if 0 in x.shape else el.select(condition, x, y)


def like(x: Any, value: Any) -> Any:
    """``jnp.array(value, dtype of x)``."""
    from simulator.facade.jax.numpy.constructors import array
    return array(value, dtype=base.dtype(x))


def ndim(a: Any) -> int:
    """``jax.numpy.ndim``."""
    if hasattr(a, "ndim"):
        return a.ndim
    check_arraylike("ndim", a, warn=True)
    return base.ndim(a)


def shape(a: Any) -> tuple[int, ...]:
    """``jax.numpy.shape``."""
    if hasattr(a, "shape"):
        return a.shape
    check_arraylike("shape", a, warn=True)
    return base.shape(a)


def size(a: Any, axis: Any = None) -> int:
    """``jax.numpy.size``: of all, or along some axes."""
    check_arraylike("size", a, warn=True)
    if axis is None and hasattr(a, "size"):
        return a.size
    total = 1
    own = shape(a)
    for i in base.canonical_axes(axis, len(own)):
        total *= own[i]
    return total


def place_argument(device: Any, out_sharding: Any, name: str) -> Any:
    """The ``device`` / ``out_sharding`` pair of creation functions as one sharding or None."""
    from simulator.placement.mesh_types import Device
    from simulator.placement.sharding_types import SingleDeviceSharding
    if device is not None and out_sharding is not None:
        raise ValueError("Only one of `device` or `out_sharding` can be set. Got "
                         f"{device=} and {out_sharding=}")
    if device is not None:
        return SingleDeviceSharding(device) if isinstance(device, Device) else device
    if out_sharding is not None:
        from simulator.facade.jax.lax.placing import canonical_out_sharding
        return canonical_out_sharding(out_sharding, name)
    return None


