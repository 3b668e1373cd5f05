"""Derivatives of what only moves numbers: they move the tangents along.

JAX source: ``jax/_src/lax/lax.py``.
"""

from __future__ import annotations

from typing import Any

from simulator.autodiff import jvp
from simulator.autodiff.accumulate import is_unknown
from simulator.autodiff.rules.common import (
    argsort,
    aval_of,
    linear,
    nonzero,
    numpy_ints,
    primitive,
)
from simulator.autodiff.zeros import Zero, is_zero, zero_of, zeros
from simulator.device_arrays.literals import constant
from simulator.facade.jax import lax
from simulator.facade.jax.lax import base
from simulator.primitives.all import (
    broadcast_in_dim_p,
    reduce_sum_p,
    select_n_p,
    stack_p,
    unstack_p,
)


def _broadcast_jvp(primals: list, tangents: list, **params: Any) -> tuple:
    out = broadcast_in_dim_p.bind(*primals, **params)
    if is_zero(tangents[0]):
        return out, zero_of(out)
    return out, broadcast_in_dim_p.bind(tangents[0], **params)


def _broadcast(t: Any, x: Any, *, shape: tuple, broadcast_dimensions: tuple, sharding: Any
               ) -> list:
    if not is_unknown(x):
        return [None]
    aval = x.aval
    spec = aval.spec or (None,) * len(aval.shape)
    unit = [i for i, (n, s) in enumerate(zip(aval.shape, spec)) if n == 1 and s is None]
    kept = [d for i, d in enumerate(broadcast_dimensions) if i not in unit]
    axes = tuple(i for i in range(len(shape)) if i not in kept)
    rest = [i for i in range(len(aval.shape)) if i not in unit]
    target = base.sharding_of(aval.update(shape=tuple(aval.shape[i] for i in rest),
                                          spec=aval.spec and tuple(spec[i] for i in rest)))
    return [lax.expand_dims(reduce_sum_p.bind(t, axes=axes, out_sharding=target), unit)]


def _tile(t: Any, x: Any, *, reps: tuple) -> list:
    aval = x.aval
    apart = lax.reshape(t, tuple(n for pair in zip(reps, aval.shape) for n in pair))
    return [lax.reduce_sum(apart, tuple(2 * i for i in range(len(aval.shape))))]


def _concatenate(t: Any, *operands: Any, dimension: int) -> list:
    return lax.split(t, tuple(aval_of(o).shape[dimension] for o in operands), axis=dimension)


def _all_zero(cotangents: list, x: Any) -> list | None:
    return [Zero(x.aval)] if all(map(is_zero, cotangents)) else None


def _made(cotangents: list) -> list:
    return [zeros(c.aval) if is_zero(c) else c for c in cotangents]


def _split(cotangents: list, x: Any, *, sizes: tuple, axis: int) -> list:
    return _all_zero(cotangents, x) or [lax.concatenate(_made(cotangents), dimension=axis)]


def _unstack(cotangents: list, x: Any, *, axis: int) -> list:
    return _all_zero(cotangents, x) or [stack_p.bind(*_made(cotangents), axis=axis)]


def _pad(t: Any, x: Any, value: Any, *, padding_config: tuple) -> list:
    from simulator.autodiff.zeros import instantiate
    if is_zero(t):
        return [Zero(v.aval) if is_unknown(v) else None for v in (x, value)]

    def total(a: Any) -> Any:
        return lax.reduce_sum(a, list(range(base.ndim(t))))
    inner = None
    if is_unknown(x):
        cut = [numpy_ints((-lo, -hi, 0)) for lo, hi, _ in padding_config]
        shrunk = lax.pad(t, constant(0., base.dtype(t)), cut)
        inner = lax.slice(shrunk, numpy_ints([0] * len(cut)), tuple(map(int, base.shape(shrunk))),
                          numpy_ints(step + 1 for _, _, step in padding_config))
    edge = lax.sub(total(t), total(instantiate(inner))) if is_unknown(value) else None
    return [inner, edge]


def _reshape(t: Any, x: Any, *, new_sizes: tuple, dimensions: Any, sharding: Any) -> list:
    if dimensions is None:
        return [lax.reshape(t, x.aval.shape, out_sharding=base.sharding_of(x.aval))]
    out = lax.reshape(t, tuple(x.aval.shape[d] for d in dimensions))
    return [lax.transpose(out, argsort(dimensions))]


def _select_jvp(primals: list, tangents: list) -> tuple:
    which, *cases = primals
    out = lax.select_n(which, *cases)
    given = tangents[1:]
    if all(map(is_zero, given)):
        return out, Zero(given[0].aval)
    nothing = lax.full_like(next(t for t in given if not is_zero(t)), 0)
    return out, lax.select_n(which, *[nothing if is_zero(t) else t for t in given])


def _select(t: Any, which: Any, *cases: Any) -> list:
    if is_zero(t):
        return [None, *[Zero(c.aval) if is_unknown(c) else None for c in cases]]
    nothing = lax.full_like(t, 0)
    if base.dtype(which).family == "b":
        return [None, lax.select(which, nothing, t) if is_unknown(cases[0]) else None,
                lax.select(which, t, nothing) if is_unknown(cases[1]) else None]
    return [None, *[lax.select(lax.eq(which, base.const(which, i)), t, nothing)
                    if is_unknown(c) else None for i, c in enumerate(cases)]]


broadcast_in_dim_p.jvp, broadcast_in_dim_p.transpose = _broadcast_jvp, nonzero(_broadcast)
select_n_p.jvp, select_n_p.transpose = _select_jvp, _select
linear("tile", _tile)
linear("concatenate", _concatenate)
linear("stack", lambda t, *xs, axis: unstack_p.bind(t, axis=axis))
for _name, _rule in (("split", _split), ("unstack", _unstack)):
    primitive(_name).jvp, primitive(_name).transpose = jvp.linear(primitive(_name)), _rule
primitive("pad").jvp, primitive("pad").transpose = jvp.linear(primitive("pad")), _pad
linear("squeeze", lambda t, x, *, dimensions: [lax.expand_dims(t, dimensions)])
linear("reshape", _reshape)
linear("rev", lambda t, x, *, dimensions: [lax.rev(t, dimensions)])
linear("transpose", lambda t, x, *, permutation: [lax.transpose(t, argsort(permutation))])
linear("copy", lambda t, x: [primitive("copy").bind(t)])
linear("reduce_precision", lambda t, x, **p: [primitive("reduce_precision").bind(t, **p)])
