"""The function that ``jax.vjp`` returns. It is a pytree: its leaves are the residuals.

JAX source: ``jax/_src/api.py: VJP, _vjp3_callable, _vjp3_bwd``.

Simplified: gradients into refs (``with_refs``) and logs (``with_logs``) are refused.
"""

from __future__ import annotations

import functools
from typing import Any

from simulator.autodiff import checks
from simulator.autodiff.accumulate import Accumulator
from simulator.autodiff.backward import backward_pass
from simulator.autodiff.zeros import instantiate
from simulator.errors import OutOfScope
from simulator.jaxprs.jaxpr import Jaxpr
from simulator.named_tuples import NamedTuple
from simulator.trees import pytrees, tree_errors
from simulator.trees.keypaths import keystr


class NotNeeded:
    """Stands for an argument that the backward pass does not use."""

    def __repr__(self) -> str:
        return "NotNeeded()"


class RSpec(NamedTuple):
    """Where a residual is: the `idx`-th argument (`primal`), or the `idx`-th other value."""

    idx: int
    primal: bool


class VJP:
    """From the cotangent of the result to those of the arguments.

    As a container its children are numbers, and the rest is compared: `fun` by identity,
    so two pullbacks are never the same to a cache.

    Args:
      fun: a partial that holds the residuals' places, which results do not depend on the
        arguments, the linear jaxpr and the types of the results.
      in_tree, out_tree: structures of arguments and result.
      args_res: the arguments that are needed, the others `NotNeeded`.
      opaque_residuals: the values that are needed besides.
      structured_residuals: see `simulator.autodiff.linearize`.
    """

    def __init__(self, fun: functools.partial, in_tree: Any, out_tree: Any, args_res: list,
                 opaque_residuals: list, structured_residuals: list):
        self.fun, self.in_tree, self.out_tree = fun, in_tree, out_tree
        self.args_res, self.opaque_residuals = args_res, opaque_residuals
        self.structured_residuals = structured_residuals

    @classmethod
    def made(cls, jaxpr: Jaxpr, in_tree: Any, out_tree: Any, nonzeros: list[bool],
             out_avals: list, primals: list, residuals: list, structured: list) -> VJP:
        """The pullback of a linearization."""
        index = {id(x): i for i, x in enumerate(primals)}
        others: list = []
        places = []
        for r in residuals:
            if id(r) in index:
                places.append(RSpec(index[id(r)], True))
            else:
                places.append(RSpec(len(others), False))
                others.append(r)
        used = {p.idx for p in places if p.primal}
        kept = [x if i in used else NotNeeded() for i, x in enumerate(primals)]
        fun = functools.partial(_vjp3_callable, places, [not nz for nz in nonzeros], jaxpr,
                                out_avals)
        return cls(fun, in_tree, out_tree, kept, others, structured)

    @property
    def jaxpr(self) -> Jaxpr:
        """The linear program that the backward pass transposes."""
        return self.fun.args[2]

    def __call__(self, out_ct: Any, *more: Any) -> Any:
        """Errors: TypeError for several arguments, ValueError for one that does not fit."""
        if more:
            raise TypeError(_too_many(self.jaxpr.debug_info.func_name, 1 + len(more)))
        return self.fun(self.in_tree, self.out_tree, self.args_res, self.opaque_residuals, out_ct)

    def with_refs(self, *refs: Any) -> Any:
        """OutOfScope: gradients that go into refs."""
        raise OutOfScope("the with_refs method of a VJP function", "call it directly")

    @property
    def with_logs(self) -> Any:
        """OutOfScope: logs of a backward pass."""
        raise OutOfScope("the with_logs method of a VJP function", "call it directly")


VJP.__module__ = "jax._src.api"  # explanations show it


def _vjp3_callable(places: list[RSpec], out_zeros: list[bool], jaxpr: Jaxpr, out_avals: list,
                   in_tree: Any, out_tree: Any, args_res: list, others: list, out_ct: Any) -> Any:
    given, tree = pytrees.tree_flatten(out_ct)
    if tree != out_tree:
        raise ValueError(_other_tree(jaxpr, out_tree, tree))
    checks.cotangents(given, out_avals)
    kept = [c for c, z in zip(given, out_zeros) if not z]
    residuals = [args_res[p.idx] if p.primal else others[p.idx] for p in places]
    accumulators = [Accumulator(v.aval) for v in jaxpr.invars[len(residuals):]]
    backward_pass(jaxpr, [*residuals, *accumulators], kept)
    return in_tree.unflatten([instantiate(x.value) for x in accumulators])


pytrees.register_for_all(
    VJP, lambda f: ((f.args_res, f.opaque_residuals, f.structured_residuals),
                    (f.fun, f.in_tree, f.out_tree, False)),
    lambda meta, children: VJP(*meta[:3], *children))
pytrees.register_for_all(NotNeeded, lambda _: ((), ()), lambda _, children: NotNeeded())


def _too_many(name: str, count: int) -> str:
    return f"""
The function returned by `jax.vjp` applied to {name} was called with {count} arguments,
but functions returned by `jax.vjp` must be called with a single argument
corresponding to the single value returned by the function being differentiated
(even if that returned value is a tuple or other container)."""


def _other_tree(jaxpr: Jaxpr, out_tree: Any, tree: Any) -> str:
    from simulator import process
    registry = process.current().registries.default
    lines = [f"  * out{keystr(tuple(path))} was a {a} in the original output, but a {b} here, so "
             f"{why}." for path, a, b, why in tree_errors.equality_errors_pytreedef(
                 registry, out_tree, tree)]
    return ("unexpected tree structure.\n\nThe argument to a VJP function returned by `jax.vjp` "
            "must match the pytree\nstructure of the differentiated function "
            f"{jaxpr.debug_info.func_src_info}.\n\nBut the tree structures differ:\n"
            + "\n".join(lines))
