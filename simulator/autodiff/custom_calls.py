"""What ``custom_jvp`` and ``custom_vjp`` have in common.

JAX source: ``jax/_src/custom_derivatives.py: _flatten_fun_nokwargs, _stop_gradient``;
``jax/_src/api_util.py: resolve_kwargs, argnums_partial``;
``jax/_src/interpreters/partial_eval.py: _memoize``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from simulator.device_arrays.values import abstractify
from simulator.functions import signature
from simulator.functions.parameters import parameters, unwrapped
from simulator.jaxprs.jaxpr import Jaxpr
from simulator.jaxprs.pruning import open_consts
from simulator.jaxprs.tracer import Tracer
from simulator.primitives.unary import stop_gradient_p
from simulator.trees import pytrees


def nondiff_positions(fun: Callable, argnums: Sequence[int], argnames: Sequence[str]
                      ) -> tuple[int, ...]:
    """The positions of arguments that are not differentiated, sorted."""
    found = set(argnums)
    if argnames:
        import inspect
        known = list(inspect.signature(fun).parameters)
        found.update(known.index(n) for n in (
            (argnames,) if isinstance(argnames, str) else argnames))
    return tuple(sorted(found))


def arguments(fun: Callable, name: str, args: tuple, kwargs: dict, kind: str) -> tuple:
    """All arguments by position. TypeError when they do not fit."""
    known = None if kwargs or isinstance(fun, partial) else parameters(fun)
    if known is not None and known.are_filled_by(args):
        return args
    import inspect
    target = (lambda *args, **kwargs: None) if isinstance(fun, partial) else fun
    try:
        bound = inspect.signature(target).bind(*args, **kwargs)
        bound.apply_defaults()
        if by_name := [k for k in bound.kwargs if k in kwargs]:
            raise TypeError("The following keyword arguments could not be resolved to positions: "
                            f"{', '.join(by_name)}")
    except TypeError as error:
        raise TypeError(f"The input arguments to the {kind}-decorated function {name} could not "
                        "be resolved to positional-only arguments. Binding failed with the "
                        f"error:\n{error}") from error
    return bound.args


def stop_gradients(args: tuple, positions: tuple) -> tuple:
    """Tracers at these positions lose their tangents."""
    def stop(x: Any) -> Any:
        return stop_gradient_p.bind(x) if isinstance(x, Tracer) else x
    return tuple([pytrees.tree_map(stop, x) if i in positions else x for i, x in enumerate(args)])


def split_static(fun: Callable, args: tuple, static: tuple) -> tuple[Callable, tuple, list]:
    """(`fun` of the other arguments, those arguments, the static ones)."""
    if not static:
        return fun, args, []
    dynamic = [i for i in range(len(args)) if i not in static]

    def fewer(*given: Any) -> Any:
        full = list(args)
        for i, x in zip(dynamic, given):
            full[i] = x
        return fun(*full)
    fewer.__wrapped__ = fun  # type: ignore[attr-defined]
    return fewer, tuple(args[i] for i in dynamic), [args[i] for i in static]


class Flattened:
    """A function on flat values.

    Once it has run, `out_tree` and `out_avals` tell what it returned. `info` names it
    in the jaxpr.
    """

    def __init__(self, fun: Callable, tree: Any, kind: str = "custom_jvp fun"):
        self.fun, self.tree = fun, tree
        self.info = signature.debug_info(kind, unwrapped(fun), (), {})
        self.out_tree: Any = None
        self.out_avals: list = []

    def __call__(self, *args: Any) -> list:
        outs, self.out_tree = pytrees.tree_flatten(self.fun(*self.tree.unflatten(args)))
        self.out_avals = [abstractify(x) for x in outs]
        return outs


def opened(jaxpr: Jaxpr) -> tuple[Jaxpr, list]:
    """A jaxpr with its constants as leading parameters, and the constants."""
    return open_consts(jaxpr), jaxpr.consts


def thunk(function: Callable) -> Callable:
    """A function that runs once per arguments."""
    known: dict[tuple, Any] = {}

    def remembered(*args: Any) -> Any:
        if args not in known:
            known[args] = function(*args)
        return known[args]
    return remembered
