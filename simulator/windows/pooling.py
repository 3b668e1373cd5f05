"""``reduce_window``: sums, maxima and minima of a window that moves, and their derivatives.

The derivative of a maximum picks the tangents of the elements that won
(`select_and_gather_add`); backwards, cotangents are added there
(`select_and_scatter_add`).

JAX source: ``jax/_src/lax/windowed_reductions.py``.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

from simulator.ndarrays.cells import row_major
from simulator.primitives import reductions as red
from simulator.primitives.core import Primitive
from simulator.primitives.standard import first_weak, standard
from simulator.types import dtypes
from simulator.windows.sizes import dilated, moved, windows


def window_shape(operand: Any, window_dimensions: tuple, window_strides: tuple, padding: tuple,
                 base_dilation: tuple, window_dilation: tuple) -> tuple[int, ...]:
    """The shape of a result. TypeError for parameters of the wrong length."""
    if operand.ndim != len(window_dimensions):
        raise TypeError("reduce_window got the wrong number of window_dimensions for operand: got "
                        f"operand shape {operand.shape} with window_dimensions "
                        f"{window_dimensions}.")
    for name, given in (("window_strides", window_strides), ("base_dilation", base_dilation),
                        ("window_dilation", window_dilation)):
        if len(given) != len(window_dimensions):
            raise TypeError(f"reduce_window got inconsistent {name} and window_dimensions: got "
                            f"{name} {given} and window_dimensions {window_dimensions}.")
    shape = dilated(operand.shape, base_dilation)
    window = dilated(window_dimensions, window_dilation)
    return tuple(moved(n + lo + hi, w, s)
                 for n, (lo, hi), w, s in zip(shape, padding, window, window_strides))


def _shape(operand: Any, **p: Any) -> tuple[int, ...]:
    return window_shape(operand, p["window_dimensions"], p["window_strides"], p["padding"],
                        p["base_dilation"], p["window_dilation"])


def _places(shape: tuple, p: dict) -> list[list[int]]:
    # Per place of the window, the flat positions of its elements.
    strides = row_major(shape)
    ones = (1,) * len(shape)
    found = windows(shape, p["window_dimensions"], p["window_strides"], p["padding"],
                    p.get("base_dilation", ones), p.get("window_dilation", ones))
    return [[sum(i * s for i, s in zip(at, strides)) for at in itertools.product(*place)
             if None not in at] for place in found]


def _reduced(combine: Callable, start: Callable) -> Callable:
    def kernel(ins: list, out: Any, values: list, **p: Any) -> list:
        first = start(out.dtype)
        found = []
        for place in _places(ins[0].shape, p):
            total = first
            for i in place:
                total = combine(total, values[i])
            found.append(total)
        return dtypes.normalize(found, out.dtype)
    return kernel


def _max(x: Any, y: Any) -> Any:
    return x if x != x or x >= y else y


def _min(x: Any, y: Any) -> Any:
    return x if x != x or x <= y else y


def _define(name: str, combine: Callable, start: Callable) -> Primitive:
    return standard(name, _shape, lambda x, **p: x.dtype, _reduced(combine, start),
                    weak=first_weak, print_params=lambda params: params)


reduce_window_sum_p = _define("reduce_window_sum", lambda x, y: x + y, lambda d: 0)
reduce_window_max_p = _define("reduce_window_max", _max, red._lowest)
reduce_window_min_p = _define("reduce_window_min", _min, red._highest)


def _winner(values: list, place: list[int], greatest: bool) -> int | None:
    # The first of the best.
    best = None
    for i in place:
        if best is None or (values[i] > values[best] if greatest else values[i] < values[best]):
            best = i
    return best


def _gather(ins: list, out: Any, tangents: list, values: list, *, select_prim: Primitive,
            **p: Any) -> list:
    winners = [_winner(values, place, select_prim.name == "ge")
               for place in _places(ins[1].shape, p)]
    return [0.0 if w is None else tangents[w] for w in winners]


def _gather_shape(tangents: Any, operand: Any, *, select_prim: Any, **p: Any) -> tuple[int, ...]:
    if tangents.shape != operand.shape:
        raise TypeError("select_and_gather_add tangents and operand shapes must match, got "
                        f"{tangents.shape} and {operand.shape}.")
    return _shape(operand, **p)


select_and_gather_add_p = standard(
    "select_and_gather_add", _gather_shape, lambda t, x, **p: t.dtype, _gather,
    print_params=lambda params: params)


def _scatter(ins: list, out: Any, source: list, values: list, *, select_prim: Primitive,
             **p: Any) -> list:
    found = [0.0] * math.prod(out.shape)
    for place, value in zip(_places(ins[1].shape, p), source):
        winner = _winner(values, place, select_prim.name == "ge")
        if winner is not None:
            found[winner] += value
    return dtypes.normalize(found, out.dtype)


select_and_scatter_add_p = standard(
    "select_and_scatter_add", lambda source, operand, **p: operand.shape,
    lambda source, operand, **p: source.dtype, _scatter, print_params=lambda params: params)


def _scatter_with_functions(operand: Any, source: Any, init: Any, *, select_jaxpr: Any,
                            **p: Any) -> Any:
    # Only inside of a module: its numbers come from `select_and_scatter_add`.
    raise AssertionError("never run")


select_and_scatter_p = Primitive(
    "select_and_scatter", abstract=lambda operand, source, init, **p: operand,
    impl=_scatter_with_functions)
