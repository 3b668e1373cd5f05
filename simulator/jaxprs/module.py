"""The module that lowering hands to the compiler, as far as its identity goes.

Two questions are asked of a module: is it the same *object* (the executable
cache) and has it the same *bytes* (the persistent cache). `text` answers the
second: it contains what JAX's StableHLO contains and nothing that JAX strips
(`simulator.jaxprs.module_text`).

JAX source: ``jax/_src/interpreters/mlir.py: lower_jaxpr_to_module``;
``jax/_src/cache_key.py: _canonicalize_ir``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from simulator.device_arrays.donation import Donation
from simulator.device_arrays.values import storage
from simulator.jaxprs.jaxpr import Eqn, Jaxpr, RuleParam
from simulator.ndarrays.ndarray import NDArray
from simulator.types.dtypes import DType


def _copy(jaxpr: Jaxpr, done: dict[int, Jaxpr]) -> Jaxpr:
    # A module must not keep the jaxpr alive that it was made from: the caches
    # hold jaxprs weakly and drop their entries when a jaxpr dies.
    if id(jaxpr) not in done:
        copy = done[id(jaxpr)] = jaxpr.replace(eqns=[_copy_eqn(e, done) for e in jaxpr.eqns])
        copy._primitives = jaxpr.primitives
    return done[id(jaxpr)]


def _copy_eqn(eqn: Eqn, done: dict[int, Jaxpr]) -> Eqn:
    # Most equations hold no jaxpr and no function: they can be in both programs.
    if "computation" not in eqn.params and not any(
            [isinstance(v, (Jaxpr, RuleParam, tuple)) for v in eqn.params.values()]):
        return eqn
    return Eqn(eqn.invars, eqn.outvars, eqn.primitive,
               {k: _copy_param(v, done) for k, v in eqn.params.items()
                if k != "computation"},    # a `reduce` is compiled from its jaxpr
               eqn.effects, eqn.context)


def _copy_param(value: Any, done: dict[int, Jaxpr]) -> Any:
    if isinstance(value, Jaxpr):
        return _copy(value, done)
    if isinstance(value, RuleParam):
        return RuleParam(None, value.name)  # a compiled program is not differentiated
    if isinstance(value, tuple) and any([isinstance(v, Jaxpr) for v in value]):
        return tuple([_copy_param(v, done) for v in value])
    return value


def sanitize(name: str) -> str:
    """A module name as XLA keeps it (``jit(f)`` → ``jit_f``)."""
    return re.sub(r"[^\w.-]", "_", name).rstrip("_")


class Module:
    """A lowered program.

    Args:
      jaxpr: the pruned jaxpr; a copy is kept.
      name: ``"jit(f)"``.
      in_shardings, out_shardings: one per argument and result.
      in_avals, out_avals: types.
      num_devices: number of partitions.
      donation: see `simulator.device_arrays.donation`.
      callbacks: one object per callback of the lowered program, compared by identity.
      counter: dtype of a Python integer when it was lowered: loops count with it.
    """

    __slots__ = ("jaxpr", "name", "in_shardings", "out_shardings", "in_avals", "out_avals",
                 "num_devices", "donation", "callbacks", "counter", "__dict__", "__weakref__")

    def __init__(self, jaxpr: Jaxpr, name: str, in_shardings: Sequence[Any],
                 out_shardings: Sequence[Any], in_avals: Sequence[Any], out_avals: Sequence[Any],
                 num_devices: int, donation: Donation, callbacks: Sequence[Any],
                 counter: DType):
        self.jaxpr = _copy(jaxpr, {})
        # Constants are written into the module: a NumPy buffer changed later does
        # not change the program.
        self.jaxpr.consts = [storage(c, v.aval).copy() if isinstance(c, NDArray) else c
                             for v, c in zip(jaxpr.constvars, jaxpr.consts)]
        self.name = name
        self.in_shardings = in_shardings
        self.out_shardings = out_shardings
        self.in_avals = in_avals
        self.out_avals = out_avals
        self.num_devices = num_devices
        self.donation = donation
        self.callbacks = callbacks
        self.counter = counter

    @cached_property
    def sym_name(self) -> str:
        """The module's name as MLIR writes it, such as ``jit_f``."""
        return sanitize(self.name)

    @cached_property
    def text(self) -> str:
        """Equal text means an equal module for the persistent cache."""
        # Only a cache directory asks for it.
        from simulator.jaxprs.module_text import ModuleText
        return ModuleText(self).render()
