"""``x.at[…].set(…)`` and its kin.

JAX source: ``jax/_src/numpy/array_methods.py: _IndexUpdateRef``;
``jax/_src/ops/scatter.py: _scatter_update, _scatter_impl``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simulator import explain, process
from simulator.errors import OutOfScope
from simulator.facade.jax.lax import base, shapes, slicing
from simulator.facade.jax.lax.convert import convert
from simulator.facade.jax.numpy import util
from simulator.facade.jax.numpy.constructors import asarray
from simulator.facade.jax.numpy.gather_plans import gather_plan
from simulator.facade.jax.numpy.index_items import Index
from simulator.facade.jax.numpy.indexing import take_index
from simulator.facade.jax.numpy.reshaping import squeeze
from simulator.primitives.scatter import ScatterDimensionNumbers
from simulator.types.dtypes import int_range


def _fits(y: Any, x: Any) -> bool:
    # Whether a value may be stored without losing its kind or precision.
    if base.dtype(y) is base.dtype(x):
        return True
    return util.result_type(y, base.dtype(x))[0] is base.dtype(x)


def scatter_update(x: Any, index: Any, y: Any, operation: Callable, is_sorted: bool, unique: bool,
                   mode: Any = None, wrap: bool = True) -> Any:
    """`x` with `y` written or combined at `index`; warns when `y` does not fit the dtype."""
    x = asarray(x)
    if isinstance(y, int) and x.dtype.family in "iu" and \
            int_range(x.dtype)[0] <= y <= int_range(x.dtype)[1]:
        y = asarray(y, dtype=x.dtype)
    else:
        y = asarray(y)
    found = Index.parse(index, x.shape).expand_masks()
    own, weak = x.dtype, base.is_weak(x)
    if not _fits(y, x):
        mode_name = process.current().config.value("jax_numpy_dtype_promotion")
        explain.python_warning(
            "FutureWarning", "scatter inputs have incompatible types: cannot safely cast value "
            f"from dtype={base.dtype(y)} to dtype={own} with jax_numpy_dtype_promotion="
            f"{mode_name}. In future JAX releases this will result in an error.")
    plan = gather_plan(found, base.typeof(x), wrap)
    if 0 in plan.slice_shape:
        return x
    x, y = util.promote_dtypes(x, y)
    y = util.broadcast_to(y, plan.slice_shape, plan.slice_sharding)
    y = squeeze(y, axis=plan.new)
    if plan.reversed:
        y = shapes.rev(y, plan.reversed)
    if plan.scalar_masks:
        x = shapes.expand_dims(x, plan.scalar_masks)
    n = plan.dnums
    dnums = ScatterDimensionNumbers(n.offset_dims, n.collapsed_slice_dims, n.start_index_map,
                                    n.operand_batching_dims, n.start_indices_batching_dims)
    out = operation(x, plan.indices, y, dnums, indices_are_sorted=plan.sorted or is_sorted,
                    unique_indices=plan.unique or unique, mode=mode)
    if plan.scalar_masks:
        out = shapes.squeeze(out, plan.scalar_masks)
    return convert(out, own, weak)


class At:
    """``x.at``."""

    __slots__ = ("array",)

    def __init__(self, array: Any):
        self.array = array

    def __getitem__(self, index: Any) -> AtIndex:
        return AtIndex(self.array, index)

    def __repr__(self) -> str:
        return f"_IndexUpdateHelper({self.array!r})"


def _operation(name: str, scatter: Callable) -> Callable:
    def method(self, values, *, indices_are_sorted=False, unique_indices=False, mode=None,
               out_sharding=None, wrap_negative_indices=True):
        base.no_out_sharding(out_sharding, f"x.at[…].{name}")
        return scatter_update(self.array, self.index, values, scatter, indices_are_sorted,
                              unique_indices, mode, wrap_negative_indices)
    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"``x.at[…].{name}(…)``."
    return method


class AtIndex:
    """``x.at[index]``: an array and a place in it."""

    __slots__ = ("array", "index")

    def __init__(self, array: Any, index: Any):
        self.array, self.index = array, index

    def __repr__(self) -> str:
        return f"_IndexUpdateRef({self.array!r}, {self.index!r})"

    def get(self, *, indices_are_sorted=False, unique_indices=False, mode=None, fill_value=None,
            out_sharding=None, wrap_negative_indices=True):
        """``x.at[…].get(…)``."""
        base.no_out_sharding(out_sharding, "x.at[…].get")
        return take_index(self.array, self.index, indices_are_sorted=indices_are_sorted,
                          unique_indices=unique_indices, mode=mode, fill_value=fill_value,
                          wrap=wrap_negative_indices)

    set = _operation("set", slicing.scatter)
    add = _operation("add", slicing.scatter_add)
    subtract = _operation("subtract", slicing.scatter_sub)
    multiply = mul = _operation("multiply", slicing.scatter_mul)
    min = _operation("min", slicing.scatter_min)
    max = _operation("max", slicing.scatter_max)

    def divide(self, values, *, indices_are_sorted=False, unique_indices=False, mode=None,
               out_sharding=None, wrap_negative_indices=True):
        """``x.at[…].divide(…)``: division by an array of ones and the values."""
        from simulator.facade.jax.numpy.arithmetic import divide
        from simulator.facade.jax.numpy.creation import ones_like
        base.no_out_sharding(out_sharding, "x.at[…].divide")
        return divide(self.array, scatter_update(
            ones_like(self.array), self.index, values, slicing.scatter_mul, indices_are_sorted,
            unique_indices, mode, wrap_negative_indices))

    def power(self, values, *, indices_are_sorted=False, unique_indices=False, mode=None,
              out_sharding=None, wrap_negative_indices=True):
        """``x.at[…].power(…)``."""
        from simulator.facade.jax.numpy.creation import ones_like
        from simulator.facade.jax.numpy.powers import power
        base.no_out_sharding(out_sharding, "x.at[…].power")
        return power(self.array, scatter_update(
            ones_like(self.array), self.index, values, slicing.scatter_mul, indices_are_sorted,
            unique_indices, mode, wrap_negative_indices))

    def apply(self, func, **options):
        """Out of scope."""
        raise OutOfScope("x.at[…].apply", "use x.at[…].set with the new values")


# The names that JAX's own classes show in error messages.
for _cls, _shown in ((At, "_IndexUpdateHelper"), (AtIndex, "_IndexUpdateRef")):
    _cls.__name__ = _cls.__qualname__ = _shown
    _cls.__module__ = "jax._src.numpy.array_methods"
