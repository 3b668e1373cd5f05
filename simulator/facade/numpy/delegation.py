"""NumPy functions that ask their argument first.

``np.mean(x)`` calls ``x.mean(...)`` when `x` is no NumPy array but has such a method:
with a `jax.Array` it is JAX that computes, eagerly or under a trace.

NumPy source: ``numpy/_core/fromnumeric.py: _wrapreduction, _wrapfunc, mean, std, var,
squeeze``.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from simulator.device_arrays.arrays import Array
from simulator.errors import OutOfScope
from simulator.functions.parameters import parameters
from simulator.jaxprs.tracer import Tracer

# Function -> the keyword arguments that NumPy always passes on; others only when given.
_REDUCTIONS = {
    "sum": ("axis", "out"), "prod": ("axis", "out"), "max": ("axis", "out"),
    "min": ("axis", "out"), "any": ("axis", "out"), "all": ("axis", "out"),
    "mean": ("axis", "dtype", "out"),
    "std": ("axis", "dtype", "out", "ddof"), "var": ("axis", "dtype", "out", "ddof"),
    "squeeze": (),
}
# These fall back to a NumPy array when the method does not take the arguments.
_METHODS = {
    "argmax": ("axis", "out"), "argmin": ("axis", "out"), "cumsum": ("axis", "dtype", "out"),
    "cumprod": ("axis", "dtype", "out"), "round": ("decimals", "out"), "nonzero": (),
}
# Function -> its arguments by position, and what it adds by keyword.
_POSITIONAL = {"repeat": (("repeats",), {"axis": None}), "swapaxes": (("axis1", "axis2"), {}),
               "transpose": (("axes",), {}),
               "take": (("indices",), {"axis": None, "out": None, "mode": "raise"}), "reshape": (("shape",), {"order": "C"})}
_DEFAULTS = {"axis": None, "dtype": None, "out": None, "ddof": 0, "decimals": 0}


def asking(name: str, function: Callable) -> Callable:
    """`function` (``numpy.<name>``), which asks JAX's arrays for a method of that name."""
    if name == "argsort":
        return _refusing(name, function)
    if name in ("real", "imag"):
        return functools.wraps(function)(
            lambda a: getattr(a, name) if isinstance(a, (Array, Tracer)) else function(a))
    if name in _POSITIONAL:
        return _by_position(name, function, *_POSITIONAL[name])
    tolerant = name in _METHODS
    always = (_METHODS if tolerant else _REDUCTIONS)[name]
    names = parameters(function).names[1:]

    @functools.wraps(function)
    def wrapped(a: Any, *args: Any, **kwargs: Any) -> Any:
        if not isinstance(a, (Array, Tracer)):
            return function(a, *args, **kwargs)
        given = {**dict(zip(names, args)), **kwargs}
        passed = {key: _DEFAULTS[key] for key in always} | given
        if not tolerant:
            return getattr(a, name)(**passed)
        try:
            return getattr(a, name)(**passed)
        except TypeError:
            return function(a.__array__(), *args, **kwargs)
    return wrapped


def _by_position(name: str, function: Callable, names: tuple, added: dict) -> Callable:
    @functools.wraps(function)
    def wrapped(a: Any, *args: Any, **kwargs: Any) -> Any:
        if not isinstance(a, (Array, Tracer)):
            return function(a, *args, **kwargs)
        given = added | dict(zip((*names, *added), args)) | kwargs
        first = [given.pop(n, None) for n in names]
        try:
            return getattr(a, name)(*first, **given)
        except TypeError:
            return function(a.__array__(), *args, **kwargs)
    return wrapped


def _refusing(name: str, function: Callable) -> Callable:
    # JAX traces and lowers with what NumPy passes on, fails on it, and NumPy goes on alone.
    @functools.wraps(function)
    def wrapped(a: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(a, (Array, Tracer)):
            raise OutOfScope(f"numpy.{name} of a jax.Array", f"use jax.numpy.{name}")
        return function(a, *args, **kwargs)
    return wrapped


NAMES = (*_REDUCTIONS, *_METHODS, *_POSITIONAL, "argsort", "real", "imag")
