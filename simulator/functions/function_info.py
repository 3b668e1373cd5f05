"""What JAX learns from a function itself: name, source position, argument names.

JAX source: `jax/_src/util.py: fun_name`; `jax/_src/api_util.py: fun_sourceinfo,
debug_info, resolve_argnums`.
"""

from __future__ import annotations

import operator
import re
from functools import partial

from simulator.facts import library_functions
from simulator.functions.parameters import (
    KEYWORD_ONLY,
    POSITIONAL_ONLY,
    POSITIONAL_OR_KEYWORD,
    VAR_KEYWORD,
    VAR_POSITIONAL,
    Parameters,
    is_generator_function,
    unwrapped,
)
from simulator.running import source
from simulator.trees.keypaths import keystr

_POSITIONAL = (POSITIONAL_ONLY, POSITIONAL_OR_KEYWORD)
_KEYWORD = (POSITIONAL_OR_KEYWORD, KEYWORD_ONLY)


def fun_name(fun, default: str = "<unnamed function>") -> str:
    """``f``, ``<lambda>``; a partial has the name of its function."""
    name = getattr(fun, "__name__", None)
    if name is not None:
        return name
    return fun_name(fun.func) if isinstance(fun, partial) else default


def fun_sourceinfo(fun) -> str:
    """``f at file.py:3``; only a name, or ``<unknown>``, for what is no Python function."""
    while isinstance(fun, partial):
        fun = fun.func
    fun = unwrapped(fun)
    try:
        name, code = fun.__name__, fun.__code__
        return f"{name} at {_library_place(fun) or f'{code.co_filename}:{code.co_firstlineno}'}"
    except AttributeError:
        pass
    try:
        found = re.match(r"(?:<built-in function (\S+)>)", str(fun))
    except Exception:
        found = None
    return found.group(1) if found else "<unknown>"


def _library_place(fun) -> str | None:
    # A function of ours stands for one of JAX's and says where that one is.
    if source.is_user_file(fun.__code__.co_filename):
        return None
    known = library_functions()
    place = known.get("prim_fun" if hasattr(fun, "_apply_primitive") else fun.__name__)
    return f"<site>/{place}" if place else None


def source_parts(text: str) -> tuple[str, str | None, int | None]:
    """(function name, file, line) of what `fun_sourceinfo` returned."""
    name, at, place = text.partition(" at ")
    filename, _, line = place.rpartition(":")
    if not name or " " in name or at and not (filename and line.isdecimal()):
        return "<unknown>", None, None
    return name, filename or None, int(line) if line else None


def clean_keystr(path) -> str:
    """A path as used in names: ``['a'][0]``; flat indices print as numbers."""
    return re.sub(r"<flat index ([^>]+)>", r"\1", keystr(path)) if path else ""


def check_callable(fun) -> None:
    """TypeError for what ``jax.jit`` does not take."""
    if isinstance(fun, staticmethod):
        raise TypeError(f"staticmethod arguments are not supported, got {fun}")
    if not callable(fun):
        raise TypeError(f"Expected a callable value, got {fun}")
    if is_generator_function(fun):
        raise TypeError(f"Expected a function, got a generator function: {fun}")


def index_tuple(value) -> tuple[int, ...]:
    """An int, or a sequence of ints, as a tuple. TypeError for anything else."""
    try:
        return (operator.index(value),)
    except TypeError:
        return tuple(map(operator.index, value))


def _str_tuple(value) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    for item in value:
        if not isinstance(item, str):
            raise TypeError(f"argument is not a string: {item}")
    return tuple(value)


def _check_argnums(sig: Parameters, argnums: tuple, what: str) -> None:
    if VAR_POSITIONAL in sig.kinds:
        return
    count = sum(k in _POSITIONAL for k in sig.kinds)
    if argnums and (-min(argnums) > count or max(argnums) >= count):
        raise ValueError(f"Jitted function has {what}={argnums}, but only accepts {count} "
                         "positional arguments.")


def _check_argnames(sig: Parameters, argnames: tuple, what: str) -> None:
    not_by_name = {n for n, k in sig if k in (POSITIONAL_ONLY, VAR_POSITIONAL)}
    if bad := not_by_name & set(argnames):
        raise ValueError(f"Jitted function has invalid argnames {bad} in {what}. These are "
                         "positional-only")
    if VAR_KEYWORD in sig.kinds:
        return
    if bad := set(argnames) - {n for n, k in sig if k in _KEYWORD}:
        raise ValueError(f"Jitted function has invalid argnames {bad} in {what}. Function does "
                         "not take these args.")


def _complete(sig: Parameters, argnums, argnames) -> tuple[tuple, tuple]:
    """Numbers from names or names from numbers, when only one is given."""
    if argnums is None and argnames is None:
        return (), ()
    if argnums is not None and argnames is not None:
        return index_tuple(argnums), _str_tuple(argnames)
    both = [(i, n) for i, (n, kind) in enumerate(sig) if kind == POSITIONAL_OR_KEYWORD]
    if argnums is None:
        argnames = _str_tuple(argnames)
        return tuple(i for i, n in both if n in argnames), argnames
    argnums = index_tuple(argnums)
    return argnums, tuple(n for i, n in both if i in argnums)


def resolve_argnums(fun, signature, donate_argnums, donate_argnames, static_argnums,
                    static_argnames) -> tuple[tuple, tuple, tuple, tuple]:
    """(donate_argnums, donate_argnames, static_argnums, static_argnames), completed.

    ValueError for numbers and names the function does not have, and for an
    argument both static and donated. Without a signature nothing is checked."""
    if donate_argnums is donate_argnames is static_argnums is static_argnames is None:
        return (), (), (), ()
    if signature is None:
        static_argnums = () if static_argnums is None else index_tuple(static_argnums)
        static_argnames = () if static_argnames is None else _str_tuple(static_argnames)
        donate_argnums = () if donate_argnums is None else index_tuple(donate_argnums)
        if donate_argnames is not None:
            raise ValueError(f"Getting the signature of function {fun} failed. Pass "
                             "donate_argnums instead of donate_argnames.")
        donate_argnames = ()
    else:
        static_argnums, static_argnames = _complete(signature, static_argnums, static_argnames)
        donate_argnums, donate_argnames = _complete(signature, donate_argnums, donate_argnames)
        _check_argnums(signature, static_argnums, "static_argnums")
        _check_argnames(signature, static_argnames, "static_argnames")
        _check_argnums(signature, donate_argnums, "donate_argnums")
        _check_argnames(signature, donate_argnames, "donate_argnames")
    if both := set(static_argnames) & set(donate_argnames):
        raise ValueError("static_argnames and donate_argnames cannot intersect. Argument names "
                         f"{both} appear in both static_argnames and donate_argnames")
    return donate_argnums, donate_argnames, static_argnums, static_argnames


def ensure_inbounds(argnums, num_args: int, allow_invalid: bool) -> tuple[int, ...]:
    """Negative numbers resolved; ValueError out of range (or dropped when allowed)."""
    out = []
    for i in argnums:
        if i >= num_args and allow_invalid:
            continue
        if not -num_args <= i < num_args:
            raise ValueError("Positional argument indices, e.g. for `static_argnums`, must have "
                             "value greater than or equal to -len(args) and less than len(args), "
                             f"but got value {i} for len(args) == {num_args}.")
        out.append(i % num_args)
    return tuple(out)


def arg_names(signature, args, kwargs, static_argnums, static_argnames, registry
              ) -> tuple[str, ...]:
    """One name per leaf of the arguments that are not static: ``x['a']``, ``args[0]``,
    ``kwargs['k']``; positional first, then keywords by name."""
    static = object()
    fixed = ensure_inbounds(static_argnums, len(args), True)
    args = [static if i in fixed else x for i, x in enumerate(args)]
    kwargs = {k: static if k in static_argnames else x for k, x in kwargs.items()}
    bound = signature.bind(args, kwargs) if signature is not None else None
    if bound is not None:
        rest = next((n for n, kind in signature if kind == VAR_KEYWORD), None)
        named = [(n, x) for n, x in bound.items() if n not in kwargs and n != rest]
        named += [(n if n in bound else f"{rest}['{n}']", x) for n, x in sorted(
            kwargs.items(), key=lambda item: item[0])]
    else:
        named = [("args", args)]
        named += sorted(((f"kwargs['{n}']", x) for n, x in kwargs.items() if x is not static),
                        key=lambda item: item[0])
    return tuple([f"{name}{clean_keystr(path)}" for name, x in named
                 for path, leaf in registry.flatten(x, with_path=True)[0] if leaf is not static])
