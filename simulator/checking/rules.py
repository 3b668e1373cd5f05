"""Which operations can go wrong, and how that is seen.

JAX source: ``jax/_src/checkify.py: nan_error_check, div_error_check,
gather_error_check, scatter_error_check, dynamic_slice_error_check, oob_payload,
check_discharge_rule``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from simulator.checking.check import assert_no, update
from simulator.checking.error_types import (
    NO_ERROR,
    DivisionByZeroError,
    Error,
    NaNError,
    OOBError,
)
from simulator.checking.functionalize import rule
from simulator.facade import numpy as np
from simulator.facade.jax import lax
from simulator.facade.jax import numpy as jnp

_MAY_BE_NAN = """
    acos acosh add asin asinh atan2 atan atanh bessel_i0e bessel_i1e cbrt
    conv_general_dilated cos cosh cumlogsumexp cummax cummin cumprod cumsum digamma
    dot_general erf_inv erf erfc exp expm1 fft igamma_grad_a igamma igammac integer_pow
    lgamma custom_linear_solve log1p log logistic mul pad pow psum reduce reduce_prod
    reduce_sum reduce_window reduce_window_sum regularized_incomplete_beta rem
    rng_uniform rsqrt sin sinh sqrt sub tan tanh""".split()


@rule(*_MAY_BE_NAN)
def _nan(primitive: Any, error: Error, enabled: frozenset, *values: Any, **params: Any) -> tuple:
    out = primitive.bind(*values, **params)
    return _no_nans(primitive, error, enabled, out), out


def _no_nans(primitive: Any, error: Error, enabled: frozenset, out: Any) -> Error:
    if NaNError not in enabled:
        return error

    def isnan(x: Any) -> Any:
        return False if x.dtype.family == "k" else jnp.any(jnp.isnan(x))

    found = (jnp.any(jnp.array([isnan(x) for x in out])) if primitive.multiple_results
             else isnan(out))
    return assert_no(error, found, NaNError(None, primitive.name))


@rule("div")
def _div(primitive: Any, error: Error, enabled: frozenset, x: Any, y: Any) -> tuple:
    if DivisionByZeroError in enabled:
        error = assert_no(error, jnp.any(jnp.equal(y, 0)), DivisionByZeroError(None))
    return _nan(primitive, error, enabled, x, y)


# --- indices -------------------------------------------------------------------

def _first_outside(mask: Any, indices: Any, axes: Sequence[int], shape: tuple) -> Any:
    """The numbers of the message: the first index out of bounds, its axis, that axis's size."""
    place = jnp.argmin(jnp.logical_not(mask))
    places = jnp.unravel_index(place, indices.shape)
    axis = jnp.array(axes)[places[-1]]
    size = jnp.array(shape)[axis]
    index = jnp.ravel(indices)[place]
    return jnp.array([index, axis, size], dtype=np.int32)


def _inside(error: Error, name: str, operand: Any, mask: Any, indices: Any, axes: Any) -> Error:
    payload = _first_outside(mask, indices, axes, operand.shape)
    return assert_no(error, jnp.any(mask), OOBError(None, name, operand.shape, payload))


@rule("dynamic_slice")
def _dynamic_slice(primitive: Any, error: Error, enabled: frozenset, operand: Any, *starts: Any,
                   slice_sizes: tuple) -> tuple:
    out = primitive.bind(operand, *starts, slice_sizes=slice_sizes)
    if OOBError not in enabled:
        return error, out
    indices = jnp.array(starts)
    sizes = np.array(operand.shape, dtype=indices.dtype)
    taken = np.array(slice_sizes, dtype=indices.dtype)
    mask = (indices < 0) | (indices + taken > sizes)
    return _inside(error, "dynamic_slice", operand, mask, indices,
                   tuple(range(operand.ndim))), out


@rule("dynamic_update_slice")
def _dynamic_update_slice(primitive: Any, error: Error, enabled: frozenset, operand: Any,
                          changed: Any, *starts: Any) -> tuple:
    out = primitive.bind(operand, changed, *starts)
    if OOBError not in enabled:
        return error, out
    sizes, taken = np.array(operand.shape), np.array(changed.shape)
    indices = jnp.array(starts)
    mask = (indices < 0) | (indices + taken > sizes)
    return _inside(error, "dynamic_update_slice", operand, mask, indices,
                   tuple(range(operand.ndim))), out


@rule("gather")
def _gather(primitive: Any, error: Error, enabled: frozenset, operand: Any, indices: Any,
            **params: Any) -> tuple:
    out = primitive.bind(operand, indices, **params)
    if OOBError not in enabled:
        return error, out
    axes = params["dimension_numbers"].start_index_map
    last = np.array([operand.shape[i] - params["slice_sizes"][i] for i in axes], np.int64)
    last = jnp.expand_dims(last, axis=tuple(range(len(indices.shape) - 1)))
    mask = (indices < 0) | (indices > last.astype(indices.dtype))
    return _inside(error, "gather", operand, mask, indices, axes), out


@rule("scatter", "scatter-add", "scatter-mul", "scatter-min", "scatter-max")
def _scatter(primitive: Any, error: Error, enabled: frozenset, operand: Any, indices: Any,
             updates: Any, **params: Any) -> tuple:
    out = primitive.bind(operand, indices, updates, **params)
    if OOBError not in enabled:
        return error, out
    dims = params["dimension_numbers"]
    windows = iter(dims.update_window_dims)
    taken = [1 if i in dims.inserted_window_dims else updates.shape[next(windows)]
             for i in range(operand.ndim)]
    axes = dims.scatter_dims_to_operand_dims
    last = np.array([operand.shape[i] - taken[i] for i in axes], np.int64)
    last = np.minimum(last, np.iinfo(indices.dtype).max)
    last = lax.broadcast_in_dim(last, indices.shape, (len(indices.shape) - 1,))
    below = jnp.less(indices, 0)
    above = jnp.greater(indices, last.astype(indices.dtype))
    mask = jnp.logical_or(below, above)
    payload = _first_outside(mask, indices, axes, operand.shape)
    error = assert_no(error, jnp.any(mask), OOBError(None, primitive.name, operand.shape, payload))
    return _no_nans(primitive, error, enabled, out), out


# --- checks of the program -----------------------------------------------------

@rule("check")
def _check(primitive: Any, error: Error, enabled: frozenset, *values: Any, err_tree: Any,
           debug: bool) -> tuple:
    new = err_tree.unflatten(values)
    for effect, pred in new._pred.items():
        parts = pred, new._code[effect], {}, new._payload[effect], effect
        if effect.error_type in enabled:
            error = update(error, *parts)
        else:
            # Dropped, but computed.
            update(NO_ERROR, *parts)
    return Error(error._pred, error._code, {**new._metadata, **error._metadata},
                 error._payload), []
