"""The Primitive class: a name, types in and out, numbers in and out.

The *abstract rule* of a primitive takes types to types, with JAX's errors; its
*implementation* takes numbers to numbers. Most are made by `simulator.primitives.standard`.

JAX source: jax/_src/core.py: Primitive.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

# Every primitive by its name; names are unique here.
BY_NAME: dict[str, Primitive] = {}


class Primitive:
    """One operation.

    Args:
      name: as printed in a jaxpr.
      abstract: ``(*avals, **params) -> ShapedArray`` (or a list of them).
      impl: ``(*NDArrays, **params) -> NDArray`` (or a list); lazy.
      multiple_results: whether both return lists.
      effects: ``params -> frozenset`` of effect names, or None.
      print_params: ``params -> dict`` of those a jaxpr shows, or None for all.

    Other attributes, None unless set: `eager` (``(*args, **params)``, replaces
    the cached jit of an eager call), `staging_rule` (``(trace, tracers, params)``,
    replaces the plain equation), `dce_rule` (``(eqn, used) -> eqn or None``),
    `shown_params` (``(eqn, names) -> [(name, value)]`` as a jaxpr shows them),
    `shown_eqn` (``(eqn, results, atom) -> document``, the whole equation),
    `lowered` (``params -> (operation, params)`` as the module has them);
    `requires_devices`: whether lowering it needs to know the devices; `pure`: whether
    nobody can tell when `impl` computes; `as_traced`: whether it computes one thing or the
    other by ``jax_threefry_partitionable`` as it was when it was traced; `scope`: ``params -> context manager`` around
    what is lowered inside it.

    The rules of the transformations: `jvp`, `linearize`, `transpose`, `accumulate`,
    `partial_eval` and `split`, explained and set in `simulator.autodiff`; `batch`, in
    `simulator.batching`. A primitive without the rule that is needed is refused.
    """

    __module__ = "jax._src.core"  # messages show it

    def __init__(self, name: str, *, abstract: Callable, impl: Callable,
                 multiple_results: bool = False, effects: Callable | None = None,
                 print_params: Callable | None = None):
        self.name, self.abstract, self.impl = name, abstract, impl
        self.multiple_results, self.effects = multiple_results, effects
        self.print_params = print_params
        self.eager = self.staging_rule = self.dce_rule = self.shown_params = None
        self.shown_eqn: Callable | None = None
        self.lowered: Callable | None = None
        self.requires_devices = False
        self.pure = False
        self.as_traced = False
        self.scope: Callable = lambda params: contextlib.nullcontext()
        self.jvp: Callable | None = None
        self.linearize: Callable | None = None
        self.transpose: Callable | None = None
        self.accumulate: Callable | None = None
        self.partial_eval: Callable | None = None
        self.split: Callable | None = None
        self.batch: Callable | None = None
        if print_params is not None:
            self.shown_params = lambda eqn, names: sorted(print_params(eqn.params).items())
        BY_NAME[name] = self

    def bind(self, *args: Any, **params: Any) -> Any:
        """Apply the primitive: hand it to the current trace (`dispatch.bind`)."""
        from simulator.dispatch import bind
        return bind(self, args, params)

    def bind_with(self, trace: Any, args: Any, params: dict) -> Any:
        """Hand the primitive to `trace`, arguments checked before."""
        return trace.process_primitive(self, args, params)

    def bind_params(self, params: dict) -> dict:
        """The parameters to bind with, given those of an equation."""
        return params

    def __str__(self) -> str:
        return self.name

    __repr__ = __str__
