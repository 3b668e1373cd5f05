"""Batching a whole jaxpr: the function inside a jitted call, a loop, a rule.

The batched jaxpr is a new one, kept by the old one and the axis: the same call again
finds it, and with it everything that was lowered and compiled for it. These caches
count on no station.

JAX source: ``jax/_src/interpreters/batching.py: batch_jaxpr2, _batch_jaxpr2,
batch_jaxpr, batch_jaxpr_axes, _batch_jaxpr_axes``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from simulator import process, traces
from simulator.batching import axes
from simulator.batching.trace import AxisData, BatchTrace, inside
from simulator.caches import WeakrefLRUCache
from simulator.jaxprs import dynamic_trace
from simulator.jaxprs.applying import eval_jaxpr
from simulator.jaxprs.jaxpr import Jaxpr

# As a wanted axis: mapped in front if the result is mapped at all.
IF_MAPPED = "if mapped"


def _cached(name: str, compute: Callable) -> Callable:
    def ask(jaxpr: Jaxpr, axis: AxisData, *key: Any) -> tuple:
        here = process.current()
        cache = here.side_caches.get(name)
        if cache is None:
            cache = here.side_caches[name] = WeakrefLRUCache(compute, here.config.trace_context)
        return cache(jaxpr, axis, *key)
    return ask


def _trace(jaxpr: Jaxpr, axis: AxisData, in_dims: tuple, finish: Callable) -> tuple[Jaxpr, list]:
    """The batched jaxpr, and what `finish` says about its results.

    Args:
      finish: ``(values, dims) -> (values, what to say)``, on the results.
    """
    said: list = []

    def batched(*vals: Any) -> list:
        trace = BatchTrace(traces.current(), object(), axis)
        with inside(trace):
            outs = eval_jaxpr(jaxpr, [trace.wrap(v, d) for v, d in zip(vals, in_dims)])
        outs, about = finish(*trace.unwrap_all(outs))
        said.append(about)
        return outs

    avals = [axes.unmapped(a, d, axis.size, axis.part) for a, d in zip(jaxpr.in_avals, in_dims)]
    # The new jaxpr's results have no paths (`lu.wrap_init`): its module says so.
    info = jaxpr.debug_info and jaxpr.debug_info._replace(result_paths=None)
    return dynamic_trace.trace_flat(batched, avals, info), said[0]


def _by_axes(jaxpr: Jaxpr, axis: AxisData, in_dims: tuple) -> tuple[Jaxpr, list]:
    return _trace(jaxpr, axis, in_dims, lambda vals, dims: (vals, dims))


def _to_axes(jaxpr: Jaxpr, axis: AxisData, in_dims: tuple, wanted: tuple) -> tuple[Jaxpr, list]:
    def finish(vals: list, dims: list) -> tuple[list, list]:
        to = [(None if src is None else 0) if dst is IF_MAPPED else dst
              for src, dst in zip(dims, wanted)]
        return ([axes.match(axis, src, dst, v) for src, dst, v in zip(dims, to, vals)],
                [dst is not None for dst in to])
    return _trace(jaxpr, axis, in_dims, finish)


_ask_by_axes = _cached("batch_jaxpr2", _by_axes)
_ask_to_axes = _cached("batch_jaxpr_axes", _to_axes)


def batch_jaxpr(jaxpr: Jaxpr, axis: AxisData, in_dims: Sequence[int | None]) -> tuple[Jaxpr, list]:
    """The jaxpr on whole arrays, and the mapped axis of each result."""
    return _ask_by_axes(jaxpr, axis, tuple(in_dims))


def batch_jaxpr_axes(jaxpr: Jaxpr, axis: AxisData, in_dims: Sequence[int | None],
                     wanted: Sequence) -> tuple[Jaxpr, list[bool]]:
    """The same with an axis wanted per result (`IF_MAPPED`, a number, None), and
    whether each result is mapped."""
    return _ask_to_axes(jaxpr, axis, tuple(in_dims), tuple(wanted))


def batch_jaxpr_front(jaxpr: Jaxpr, axis: AxisData, mapped: Sequence[bool],
                      instantiate: bool | Sequence[bool]) -> tuple[Jaxpr, list[bool]]:
    """The same, mapped in front only; `instantiate`: results to be mapped in any case."""
    if isinstance(instantiate, bool):
        instantiate = [instantiate] * len(jaxpr.outvars)
    return batch_jaxpr_axes(jaxpr, axis, [0 if m else None for m in mapped],
                            [0 if i else IF_MAPPED for i in instantiate])
