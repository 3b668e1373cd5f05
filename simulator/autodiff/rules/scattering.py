"""Derivatives of scatters.

JAX source: ``jax/_src/lax/slicing.py: _scatter_addsub_jvp, _scatter_jvp,
_scatter_extremal_jvp, _scatter_transpose_rule``.
"""

from __future__ import annotations

import math
from typing import Any

from simulator.autodiff import jvp
from simulator.autodiff.accumulate import is_unknown
from simulator.autodiff.rules.common import aval_of, ones, primitive, zeros
from simulator.autodiff.zeros import Zero, instantiate, is_zero, zero_of
from simulator.autodiff.zeros import zeros as zeros_of
from simulator.device_arrays.values import abstractify
from simulator.facade.jax import lax
from simulator.facade.jax.lax import base
from simulator.manual.varying import pvary
from simulator.primitives.all import GatherDimensionNumbers
from simulator.types import dtypes


def _inverse(numbers: Any, rank: int, updates: tuple) -> tuple[Any, list[int]]:
    """The gather that reads what a scatter wrote: its numbers and slice sizes."""
    gather = GatherDimensionNumbers(
        numbers.update_window_dims, numbers.inserted_window_dims,
        numbers.scatter_dims_to_operand_dims, numbers.operand_batching_dims,
        numbers.scatter_indices_batching_dims)
    window = iter(numbers.update_window_dims)
    single = (*numbers.inserted_window_dims, *numbers.operand_batching_dims)
    return gather, [1 if i in single else updates[next(window)] for i in range(rank)]


def _add_jvp(name: str) -> Any:
    def rule(primals: list, tangents: list, **params: Any) -> tuple:
        p = primitive(name)
        x, indices, updates = primals
        out = p.bind(x, indices, updates, **params)
        if is_zero(tangents[0]) and is_zero(tangents[2]):
            return out, zero_of(out)
        return out, p.bind(instantiate(tangents[0]), indices, instantiate(tangents[2]), **params)
    return rule


def _zeros(x: Any, updates: Any) -> list:
    return [Zero(x.aval) if is_unknown(x) else None, None,
            Zero(updates.aval) if is_unknown(updates) else None]


def _add_transpose(sign: Any) -> Any:
    def rule(t: Any, x: Any, indices: Any, updates: Any, *, dimension_numbers: Any, mode: Any,
             **params: Any) -> list:
        if is_zero(t):
            return _zeros(x, updates)
        read = None
        if is_unknown(updates):
            numbers, sizes = _inverse(dimension_numbers, base.ndim(t), updates.aval.shape)
            read = sign(lax.gather(t, indices, numbers, sizes, mode=mode, fill_value=0))
        return [t if is_unknown(x) else None, None, read]
    return rule


def _unique(unique: bool) -> None:
    if not unique:
        raise NotImplementedError(
            "scatter_mul gradients are only implemented if `unique_indices=True`")


def _mul_updates(g: Any, x: Any, indices: Any, updates: Any, *, dimension_numbers: Any,
                 indices_are_sorted: bool, unique_indices: bool, mode: Any, **params: Any) -> Any:
    _unique(unique_indices)
    return lax.mul(x, lax.scatter_add(
        zeros_of(abstractify(x)), indices, g, dimension_numbers,
        indices_are_sorted=indices_are_sorted, unique_indices=unique_indices, mode=mode))


def _mul_transpose(t: Any, x: Any, indices: Any, updates: Any, *, dimension_numbers: Any,
                   indices_are_sorted: bool, unique_indices: bool, mode: Any, **params: Any
                   ) -> list:
    if is_zero(t):
        return _zeros(x, updates)
    read = scaled = None
    if is_unknown(x):
        scaled = lax.scatter_mul(t, indices, updates, dimension_numbers,
                                 indices_are_sorted=indices_are_sorted,
                                 unique_indices=unique_indices, mode=mode)
    if is_unknown(updates):
        _unique(unique_indices)
        numbers, sizes = _inverse(dimension_numbers, base.ndim(t), updates.aval.shape)
        read = lax.gather(lax.mul(t, x), indices, numbers, sizes, mode=mode, fill_value=0)
    return [scaled, None, read]


def _extremal(name: str) -> Any:
    def rule(primals: list, tangents: list, **params: Any) -> tuple:
        x, indices, updates = primals
        out = primitive(name).bind(x, indices, updates, **params)
        if is_zero(tangents[0]) and is_zero(tangents[2]):
            return out, zero_of(out)
        dx, dupdates = instantiate(tangents[0]), instantiate(tangents[2])
        d = params["dimension_numbers"]
        numbers, sizes = _inverse(d, base.ndim(x), base.shape(updates))

        def read(a: Any) -> Any:
            return lax.gather(a, indices, numbers, sizes)
        # Updates that were equally good share the place evenly.
        before, after = read(x), read(out)
        won, kept = updates == after, before == after
        winners = read(lax.scatter_add(
            zeros(x), indices, lax.select(won, ones(updates), zeros(updates)), d))
        refs = read(lax.scatter_add(zeros(x), indices, ones(updates), d))
        share = lax.select(kept, 1.0 / (winners + 1), 1.0 / winners)
        coefficient = lax.select(won, share, zeros(updates))
        kept_share = lax.select(kept, 1.0 / (winners + 1), zeros(winners))
        x_coefficient = (-1.0 + kept_share) / refs
        change = read(dx) * x_coefficient + dupdates * coefficient
        options = {k: params[k] for k in ("indices_are_sorted", "unique_indices", "mode")}
        return out, lax.scatter_add(dx, indices, change, d, **options)
    return rule


def _scatter_jvp(primals: list, tangents: list, **params: Any) -> tuple:
    p, d = primitive("scatter"), params["dimension_numbers"]
    if params["update_jaxpr"] is not None:
        raise NotImplementedError("scatter_apply JVP not implemented")
    x, indices, updates = primals
    if is_zero(tangents[0]) and is_zero(tangents[2]):
        out = p.bind(*primals, **params)
        return out, zero_of(out)
    dx, dupdates = instantiate(tangents[0]), instantiate(tangents[2])
    if params["unique_indices"]:
        return (p.bind(*primals, **params),
                p.bind(dx, indices, dupdates, **params))
    options = {k: params[k] for k in ("indices_are_sorted", "unique_indices", "mode")}
    # Which of several updates wins is not specified: numbers are scattered and read
    # back, and only the updates that find their own number count.
    shape = [1 if i in d.update_window_dims else n for i, n in enumerate(base.shape(updates))]
    count = math.prod(shape)
    kind = dtypes.uint64 if count >= 1 << 32 else dtypes.uint32
    ids = lax.add(lax.reshape(lax.iota(kind, count), shape), lax.full_like(updates, 1, dtype=kind))
    scattered = lax.scatter(lax.full(base.shape(x), 0, kind), indices, ids, d, **options)
    numbers, sizes = _inverse(d, base.ndim(scattered), base.shape(updates))
    found = lax.gather(scattered, indices, numbers, sizes)

    def untouched(a: Any) -> Any:
        return lax.select(lax.eq(scattered, zeros(scattered)), a, zeros(a))

    def winning(a: Any) -> Any:
        return lax.select(lax.eq(ids, found), a, zeros(a))
    kept, won, dkept, dwon = untouched(x), winning(updates), untouched(dx), winning(dupdates)
    return (lax.scatter_add(kept, indices, won, d, **options),
            lax.scatter_add(dkept, indices, dwon, d, **options))


def _scatter(t: Any, x: Any, indices: Any, updates: Any, *, dimension_numbers: Any,
             indices_are_sorted: bool, unique_indices: bool, mode: Any, **params: Any) -> list:
    if not unique_indices:
        raise NotImplementedError("scatter transpose is only implemented where "
                                  "unique_indices=True")
    if is_zero(t):
        return _zeros(x, updates)
    rest = read = None
    aval = aval_of(updates)
    if is_unknown(x):
        nothing = pvary(lax.full(aval.shape, 0, dtype=base.dtype(t),
                                 sharding=base.sharding_of(aval)), aval.varying)
        rest = lax.scatter(t, indices, nothing, dimension_numbers,
                           indices_are_sorted=indices_are_sorted, unique_indices=True, mode=mode)
    if is_unknown(updates):
        numbers, sizes = _inverse(dimension_numbers, base.ndim(t), aval.shape)
        read = lax.gather(t, indices, numbers, sizes, mode=mode, fill_value=0)
    return [rest, None, read]


for _name, _sign in (("scatter-add", lambda t: t), ("scatter-sub", lax.neg)):
    primitive(_name).jvp, primitive(_name).transpose = _add_jvp(_name), _add_transpose(_sign)
_mul = primitive("scatter-mul")
_mul.jvp = jvp.standard(_mul, lambda g, x, i, u, **p: _mul.bind(g, i, u, **p), None, _mul_updates)
_mul.transpose = _mul_transpose
for _name in ("scatter-min", "scatter-max"):
    primitive(_name).jvp = _extremal(_name)
primitive("scatter").jvp, primitive("scatter").transpose = _scatter_jvp, _scatter
