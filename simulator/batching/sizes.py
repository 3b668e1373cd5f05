"""How many elements are mapped, and JAX's complaints when the arguments disagree.

JAX source: ``jax/_src/api.py: _mapped_axis_size``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from simulator.device_arrays.values import abstractify
from simulator.facade.jax.lax import base
from simulator.trees import keypaths, pytrees


def mapped_axis_size(fun: Callable, tree: Any, vals: list, dims: list,
                     axis_size: int | None) -> int:
    """The common size of the mapped axes.

    Args:
      tree: structure of ``(args, kwargs)``. dims: the mapped axis per leaf, or None.
      axis_size: what the caller said, or None.

    Errors: ValueError when there is no size, an axis does not exist, or sizes differ.
    """
    if not vals:
        if axis_size is not None:
            return axis_size
        args, kwargs = tree.unflatten(vals)
        raise ValueError("vmap wrapped function must be passed at least one argument containing an "
                         "array or axis_size must be specified, got empty "
                         f"*args={args} and **kwargs={kwargs}")
    found = [None if d is None else _size(x, d) for x, d in zip(vals, dims)]
    sizes = {s for s in found if s is not None}
    if axis_size is not None:
        sizes.add(axis_size)
    if len(sizes) == 1:
        return sizes.pop()
    if not sizes:
        raise ValueError("vmap must have at least one non-None value in in_axes or axis_size must "
                         "be specified")
    raise ValueError(_inconsistent(fun, tree, vals, dims, found, axis_size))


def _size(x: Any, axis: int) -> int:
    aval = abstractify(x)
    if -aval.ndim <= axis < aval.ndim:
        return aval.shape[axis]
    rank = axis + 1 if axis >= 0 else -axis
    raise ValueError(f"vmap was requested to map its argument along axis {axis}, which implies that "
                     f"its rank should be at least {rank}, but is only {aval.ndim} (its shape is "
                     f"{aval.shape})")


def _inconsistent(fun: Callable, tree: Any, vals: list, dims: list, found: list,
                  axis_size: int | None) -> str:
    places = _places(fun, *tree.unflatten(vals))
    lines = ["vmap got inconsistent sizes for array axes to be mapped:\n"]
    if axis_size is not None:
        lines.append(f"  * the `axis_size` argument was {axis_size};\n")
    counts = Counter(s for s in found if s is not None).most_common()
    for i, (size, count) in enumerate(counts):
        first = found.index(size)
        if count == 1:
            lines.append(f"  * one axis had size {size}: axis {dims[first]} of {places[first]};\n")
        else:
            lines.append(f"  * {'some' if i else 'most'} axes ({count} of them) had size {size}, "
                         f"e.g. axis {dims[first]} of {places[first]};\n")
    return "".join(lines)[:-2]


def _places(fun: Callable, args: tuple, kwargs: dict) -> list[str]:
    """Per leaf, "argument x['a'] of type float32[3]"."""
    import inspect
    try:
        names = list(inspect.signature(fun).bind(*args, **kwargs).signature.parameters)
    except (TypeError, ValueError):
        names = []

    def name(path: tuple) -> str:
        number = path[0].idx
        if number >= len(names):
            return f"args{keypaths.keystr(path)}"
        return f"argument {names[number]}{keypaths.keystr(path[1:])}"

    return ([f"{name(path)} of type {_type(x)}"
             for path, x in pytrees.tree_leaves_with_path(args)]
            + [f"kwargs{keypaths.keystr(path)} of type {_type(x)}"
               for path, x in pytrees.tree_leaves_with_path(kwargs)])


def _type(x: Any) -> str:
    try:
        return base.typeof(x).str_short()
    except TypeError:
        return "unknown"
