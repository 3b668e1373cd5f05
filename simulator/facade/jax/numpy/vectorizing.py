"""``jax.numpy.vectorize`` and its kin: a function of small arrays, on arrays of them, by ``jax.vmap``.

Nothing is broadcast beforehand: an axis of size 1 is dropped and not mapped.

JAX source: ``jax/_src/numpy/vectorize.py``.
"""

from __future__ import annotations

import functools
import re
import warnings
from collections.abc import Callable, Collection
from typing import Any

from simulator import process
from simulator.batching.vmapping import vmap
from simulator.facade.jax.lax import base
from simulator.facade.jax.lax.shapes import broadcast_shapes
from simulator.facade.jax.numpy import constructors, reshaping
from simulator.facade.jax.numpy.util import check_arraylike, ensure_array

_ARGUMENT = r"\((?:\w+(?:,\w+)*)?\)"
_ARGUMENTS = f"{_ARGUMENT}(?:,{_ARGUMENT})*"
_SIGNATURE = f"^{_ARGUMENTS}->{_ARGUMENTS}$"


def _parse(signature: str) -> tuple[list, list]:
    """Names of the core dimensions, per argument and per result."""
    if not re.match(_SIGNATURE, signature):
        raise ValueError(f"not a valid gufunc signature: {signature}")
    args, results = ([tuple(re.findall(r"\w+", part)) for part in re.findall(_ARGUMENT, side)]
                     for side in signature.split("->"))
    return args, results


def _note_sizes(sizes: dict, shape: tuple, dims: tuple, context: str, is_input: bool) -> None:
    if is_input and len(shape) < len(dims):
        raise ValueError(f"input with shape {shape!r} does not have enough dimensions for all core "
                         f"dimensions {dims!r} {context}")
    if not is_input and len(shape) != len(dims):
        raise ValueError(f"output shape {shape!r} does not match core dimensions {dims!r} "
                         f"{context}")
    for dim, size in zip(dims, shape[len(shape) - len(dims):]):
        if sizes.setdefault(dim, size) != size:
            raise ValueError(f"inconsistent size for core dimension {dim!r}: {size!r} vs "
                             f"{sizes[dim]!r} {context}")


def _checked(fun: Callable, sizes: dict, dims: list, context: str) -> Callable:
    """`fun`, its results checked against the signature."""
    def wrapped(*args: Any) -> Any:
        out = fun(*args)
        if len(dims) > 1 and not isinstance(out, tuple):
            raise TypeError("output must be a tuple when multiple outputs are expected, got: "
                            f"{out!r}\n{context}")
        shapes = [base.shape(x) for x in (out if isinstance(out, tuple) else [out])]
        if len(shapes) != len(dims):
            raise TypeError(f"wrong number of output arguments: expected {len(dims)!r}, got "
                            f"{len(shapes)!r} {context}")
        seen = dict(sizes)
        for shape, names in zip(shapes, dims):
            _note_sizes(seen, shape, names, context, is_input=False)
        return out
    return wrapped


def _without(fun: Callable, excluded: Collection, args: Any, kwargs: dict) -> tuple:
    """(`fun` of what is not excluded, those arguments)."""
    if not excluded:
        return fun, args, kwargs
    static = [(i, args[i]) for i in sorted(e for e in excluded if isinstance(e, int))
              if i < len(args)]
    named = {k: v for k, v in kwargs.items() if k in excluded}

    def fewer(*given: Any, **more: Any) -> Any:
        full = list(given)
        for i, value in static:
            full.insert(i, value)
        return fun(*full, **more, **named)
    return (fewer, [a for i, a in enumerate(args) if i not in excluded],
            {k: v for k, v in kwargs.items() if k not in excluded})


def _check_ranks(args: tuple, dims: list, signature: Any) -> None:
    policy = process.current().config.value("jax_numpy_rank_promotion")
    ranks = {a.ndim - len(d) for a, d in zip(args, dims) if a.ndim}
    if policy == "allow" or len(ranks) < 2:
        return
    text = (f"operands with shapes {[a.shape for a in args]} require rank promotion for "
            f"jnp.vectorize function with signature {signature}. Set the jax_numpy_rank_promotion "
            "config option to 'allow' to disable this message; for more information, see "
            "https://docs.jax.dev/en/latest/rank_promotion_warning.html.")
    if policy == "raise":
        raise ValueError(text)
    warnings.warn(text, stacklevel=3)


def vectorize(pyfunc: Callable, *, excluded: Collection = frozenset(),
              signature: str | None = None) -> Callable:
    """``jax.numpy.vectorize``.

    Args:
      excluded: positions and names of arguments passed on as they are.
      signature: core dimensions, as ``"(n,m),(m)->(n)"``; scalars when left out.

    Errors: TypeError / ValueError for other things in `excluded`, for a signature that
    cannot be read, and, when called, for shapes that do not fit it.
    """
    if any(not isinstance(e, (str, int)) for e in excluded):
        raise TypeError("jax.numpy.vectorize can only exclude integer or string arguments, but "
                        f"excluded={excluded!r}")
    if any(isinstance(e, int) and e < 0 for e in excluded):
        raise ValueError(f"excluded={excluded!r} contains negative numbers")

    @functools.wraps(pyfunc)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        context = f"on vectorized function with excluded={excluded!r} and signature={signature!r}"
        fun, args, kwargs = _without(pyfunc, excluded, args, kwargs)
        dims, out_dims = ([()] * len(args), None) if signature is None else _parse(signature)
        missing = {i for i, arg in enumerate(args) if arg is None}
        if any(missing):
            if any(dims[i] != () for i in missing):
                raise ValueError(f"Cannot pass None at locations {missing} with {signature=}")
            fun, args, _ = _without(fun, missing, args, {})
            dims = [d for i, d in enumerate(dims) if i not in missing]
        args = tuple(map(constructors.asarray, args))
        if len(args) != len(dims):
            raise TypeError(f"wrong number of positional arguments: expected {len(dims)!r}, got "
                            f"{len(args)!r} {context}")
        sizes: dict = {}
        for arg, names in zip(args, dims):
            _note_sizes(sizes, arg.shape, names, context, is_input=True)
        loops = [a.shape[:a.ndim - len(d)] for a, d in zip(args, dims)]
        rank = len(broadcast_shapes(*loops))
        if out_dims is not None:
            fun = _checked(fun, sizes, out_dims, context)
        _check_ranks(args, dims, signature)
        small = [reshaping.squeeze(a, axis=tuple(i for i, n in enumerate(loop) if n == 1))
                 for a, loop in zip(args, loops)]
        expand = []
        for i, together in enumerate(zip(*[((1,) * (rank - len(s)) + s)[::-1] for s in loops])):
            in_axes = tuple(None if n == 1 else 0 for n in together)
            if all(axis is None for axis in in_axes):
                expand.append(rank - 1 - i)
            else:
                fun = vmap(fun, in_axes)
        result = fun(*small)
        if not expand:
            return result
        if isinstance(result, tuple):
            return tuple(reshaping.expand_dims(r, axis=expand) for r in result)
        return reshaping.expand_dims(result, axis=expand)

    return wrapped


def apply_along_axis(func1d: Callable, axis: int, arr: Any, *args: Any, **kwargs: Any) -> Any:
    """``jax.numpy.apply_along_axis``: `func1d` of every line along an axis."""
    check_arraylike("apply_along_axis", arr)
    rank = base.ndim(arr)
    axis = base.canonical_axis(axis, rank)
    fun = lambda arr: func1d(arr, *args, **kwargs)  # noqa: E731  (its name is in logs)
    for i in range(1, rank - axis):
        fun = vmap(fun, in_axes=i, out_axes=-1)
    for _ in range(axis):
        fun = vmap(fun)
    return fun(arr)


def apply_over_axes(func: Callable, a: Any, axes: Any) -> Any:
    """``jax.numpy.apply_over_axes``. ValueError when `func` drops more than one axis."""
    out = ensure_array("apply_over_axes", a)
    for axis in axes:
        less = func(out, axis)
        if less.ndim not in (out.ndim, out.ndim - 1):
            raise ValueError("function is not returning an array of the correct shape")
        out = less if less.ndim == out.ndim else reshaping.expand_dims(less, axis)
    return out
