"""The parameters of a function: names, kinds, and how arguments are bound to them.

What is asked of them is little, so plain functions answer from their code object;
only for other callables the `inspect` module is loaded.

JAX source: `jax/_src/api_util.py: fun_signature`, which uses `inspect.signature`.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

# In the order of `inspect.Parameter.kind`.
POSITIONAL_ONLY, POSITIONAL_OR_KEYWORD, VAR_POSITIONAL, KEYWORD_ONLY, VAR_KEYWORD = range(5)
_VARARGS, _VARKEYWORDS, _GENERATOR = 0x04, 0x08, 0x20  # inspect.CO_…


class Parameters:
    """All parameters of one function, in order.

    Args:
      names, kinds: of each. optional: the names of those that have a default.
    """

    __slots__ = ("names", "kinds", "optional")

    def __init__(self, names: Sequence[str], kinds: Sequence[int], optional: frozenset):
        self.names, self.kinds, self.optional = tuple(names), tuple(kinds), optional

    def __iter__(self) -> Iterator[tuple[str, int]]:
        return zip(self.names, self.kinds)

    def are_filled_by(self, args: Sequence) -> bool:
        """Whether positional arguments give every parameter its own value, one each."""
        return len(args) == len(self.kinds) and all([
            kind in (POSITIONAL_ONLY, POSITIONAL_OR_KEYWORD) for kind in self.kinds])

    def bind(self, args: Sequence, kwargs: Mapping[str, Any]) -> dict[str, Any] | None:
        """Parameter name -> argument, in the order of the parameters; None where a call
        with these arguments would be a TypeError."""
        bound: dict[str, Any] = {}
        left, position, rest = dict(kwargs), 0, None
        for name, kind in self:
            if kind == VAR_KEYWORD:
                rest = name
            elif kind == VAR_POSITIONAL:
                if position < len(args):
                    bound[name] = tuple(args[position:])
                    position = len(args)
            elif kind != KEYWORD_ONLY and position < len(args):
                if kind == POSITIONAL_OR_KEYWORD and name in left:
                    return None
                bound[name] = args[position]
                position += 1
            elif kind != POSITIONAL_ONLY and name in left:
                bound[name] = left.pop(name)
            elif name not in self.optional:
                return None
        if position < len(args) or left and rest is None:
            return None
        if left:
            bound[rest] = left  # type: ignore[index]
        return bound


class SpeaksFor:
    """A callable that has the parameters of the function `_fun` inside it."""

    _fun: Any


def parameters(fun: Any) -> Parameters | None:
    """The parameters of a callable, or None where Python does not know them."""
    plain = _plain(fun)
    if plain is not None:
        return _of_code(plain)
    import inspect
    try:
        found = inspect.signature(fun).parameters
    except (ValueError, TypeError):
        return None
    return Parameters(tuple(found), [int(p.kind) for p in found.values()], frozenset(
        name for name, p in found.items() if p.default is not p.empty))


_LAYERS = 100   # more wrappers than that may be a circle: `inspect` finds out


def _plain(fun: Any) -> types.FunctionType | None:
    """The function whose parameters a callable shows, None where only `inspect` can tell."""
    for _ in range(_LAYERS):
        if isinstance(fun, SpeaksFor):
            fun = fun._fun
        elif type(fun) is not types.FunctionType or "__signature__" in fun.__dict__:
            return None
        elif "__wrapped__" in fun.__dict__:
            fun = fun.__wrapped__
        else:
            return fun
    return None


def _of_code(fun: types.FunctionType) -> Parameters:
    code = fun.__code__
    positional, named = code.co_argcount, code.co_argcount + code.co_kwonlyargcount
    names = code.co_varnames
    found = [*names[:positional]]
    kinds = [POSITIONAL_ONLY] * code.co_posonlyargcount
    kinds += [POSITIONAL_OR_KEYWORD] * (positional - code.co_posonlyargcount)
    extra = named
    if code.co_flags & _VARARGS:
        found.append(names[extra])
        kinds.append(VAR_POSITIONAL)
        extra += 1
    found += names[positional:named]
    kinds += [KEYWORD_ONLY] * code.co_kwonlyargcount
    if code.co_flags & _VARKEYWORDS:
        found.append(names[extra])
        kinds.append(VAR_KEYWORD)
    with_default = names[positional - len(fun.__defaults__ or ()):positional]
    return Parameters(found, kinds, frozenset((*with_default, *(fun.__kwdefaults__ or ()))))


def is_generator_function(fun: Any) -> bool:
    """Whether calling `fun` makes a generator."""
    while isinstance(fun, (types.MethodType, functools.partial)):
        fun = fun.__func__ if isinstance(fun, types.MethodType) else fun.func
    return isinstance(fun, types.FunctionType) and bool(fun.__code__.co_flags & _GENERATOR)


def unwrapped(fun: Any) -> Any:
    """The function at the end of a chain of ``__wrapped__``. ValueError for a circle."""
    inner = fun
    for _ in range(_LAYERS):
        if isinstance(inner, type) or not hasattr(inner, "__wrapped__"):
            return inner
        inner = inner.__wrapped__
    import inspect
    return inspect.unwrap(fun)
