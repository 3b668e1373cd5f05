"""``jax.lax.dot`` and ``dot_general``, and the precision they are asked for.

JAX source: ``jax/_src/lax/lax.py: dot, dot_general, canonicalize_precision``.
"""

from __future__ import annotations

from typing import Any

from simulator import process
from simulator.errors import OutOfScope
from simulator.facade.jax.lax import base
from simulator.primitives.dot import Precision, dot_general_p

_NAMES = {"highest": "HIGHEST", "float32": "HIGHEST", "high": "HIGH", "bfloat16_3x": "HIGH",
          "tensorfloat32": "HIGH", "default": "DEFAULT", "bfloat16": "DEFAULT",
          "fastest": "DEFAULT"}


def precision_pair(precision: Any) -> Any:
    """A precision argument as a pair of `Precision`, or None.

    Without one, ``jax_default_matmul_precision`` counts. ValueError for a name
    that JAX does not know; OutOfScope for dot algorithms.
    """
    if precision is None:
        default = process.current().config.value("jax_default_matmul_precision")
        return None if default is None else precision_pair(default)
    if isinstance(precision, Precision):
        return precision, precision
    if isinstance(precision, str):
        if precision in _NAMES:
            one = Precision[_NAMES[precision]]
            return one, one
        if precision.isupper():
            raise OutOfScope(f"the dot algorithm {precision}", "use 'highest' or 'default'")
    if isinstance(precision, (tuple, list)) and len(precision) == 2:
        if all(isinstance(p, Precision) for p in precision):
            return precision
        if all(isinstance(p, str) for p in precision):
            return precision_pair(precision[0])[0], precision_pair(precision[1])[0]
    raise ValueError("Precision argument must be one of:\n"
                     f"but got {precision}.")


def dot_general(lhs: Any, rhs: Any, dimension_numbers: Any, precision: Any = None,
                preferred_element_type: Any = None, *, out_sharding: Any = None) -> Any:
    """``jax.lax.dot_general``."""
    return dot(lhs, rhs, dimension_numbers=dimension_numbers, precision=precision,
               preferred_element_type=preferred_element_type, out_sharding=out_sharding)


def dot(lhs: Any, rhs: Any, *, dimension_numbers: Any = None, precision: Any = None,
        preferred_element_type: Any = None, out_sharding: Any = None) -> Any:
    """``jax.lax.dot``: plain vector and matrix products, or any with `dimension_numbers`.

    Errors: ValueError when the shapes need `dimension_numbers`.
    """
    a, b = base.shape(lhs), base.shape(rhs)
    if dimension_numbers is None:
        if not (1 <= len(a) <= 2 and 1 <= len(b) <= 2 and a[-1] == b[0]):
            raise ValueError(
                "jax.lax.dot: dimension_numbers must be specified when not performing simple "
                "un-batched matrix-matrix, matrix-vector, or vector-vector products; got "
                f"lhs_shape={a!r} rhs_shape={b!r}")
        dimension_numbers = (((len(a) - 1,), (0,)), ((), ()))
    if out_sharding is not None:
        from simulator.facade.jax.lax.placing import canonical_out_sharding
        out_sharding = canonical_out_sharding(out_sharding, "dot_general")
    (lc, rc), (lb, rb) = dimension_numbers
    numbers = ((base.index_tuple(lc), base.index_tuple(rc)),
               (base.index_tuple(lb), base.index_tuple(rb)))
    wanted = (None if preferred_element_type is None
              else base.user_dtype(preferred_element_type, "dot"))
    return dot_general_p.bind(lhs, rhs, dimension_numbers=numbers,
                              precision=precision_pair(precision),
                              preferred_element_type=wanted, out_sharding=out_sharding)


def batch_matmul(lhs: Any, rhs: Any, precision: Any = None) -> Any:
    """``jax.lax.batch_matmul``. ValueError for ranks below 2 or unequal ranks."""
    if min(lhs.ndim, rhs.ndim) < 2:
        raise ValueError("Arguments to batch_matmul must be at least 2D, got "
                         f"{lhs.ndim}, {rhs.ndim}")
    if lhs.ndim != rhs.ndim:
        raise ValueError("Arguments to batch_matmul must have same ndim, got "
                         f"{lhs.ndim}, {rhs.ndim}")
    batch = tuple(range(lhs.ndim - 2))
    return dot_general(lhs, rhs, (((lhs.ndim - 1,), (rhs.ndim - 2,)), (batch, batch)),
                       precision=precision)
