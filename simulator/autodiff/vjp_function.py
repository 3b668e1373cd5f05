"""The function that ``jax.vjp`` returns. It is a pytree: its leaves are the residuals.

JAX source: ``jax/_src/api.py: VJP, _vjp3_callable, _vjp3_bwd``.

Simplified: gradients into refs (``with_refs``) and logs (``with_logs``) are refused.
"""

from __future__ import annotations

from typing import Any

from simulator.autodiff import checks
from simulator.autodiff.accumulate import Accumulator
from simulator.autodiff.backward import backward_pass
from simulator.autodiff.zeros import instantiate
from simulator.errors import OutOfScope
from simulator.jaxprs.jaxpr import Jaxpr
from simulator.trees import pytrees, tree_errors
from simulator.trees.keypaths import keystr


class NotNeeded:
    """Stands for an argument that the backward pass does not use."""

    def __repr__(self) -> str:
        return "NotNeeded()"


class Spec:
    """What a pullback knows besides numbers.

    Args:
      jaxpr: linear; of the residuals, then the tangents of the arguments.
      in_tree, out_tree: structures of arguments and result.
      nonzeros: which results depend on the arguments.
      out_avals: types of the results.
      places: per residual ("argument" or "other", position).
    """

    def __init__(self, jaxpr: Jaxpr, in_tree: Any, out_tree: Any, nonzeros: list[bool],
                 out_avals: list, places: list):
        self.jaxpr, self.in_tree, self.out_tree = jaxpr, in_tree, out_tree
        self.nonzeros, self.out_avals, self.places = nonzeros, out_avals, places


class VJP:
    """From the cotangent of the result to those of the arguments.

    Args:
      spec: see `Spec`.
      args_res: the arguments that are needed, the others `NotNeeded`.
      opaque_residuals: the values that are needed besides.
    """

    def __init__(self, spec: Spec, args_res: list, opaque_residuals: list):
        self.spec, self.args_res, self.opaque_residuals = spec, args_res, opaque_residuals
        self.structured_residuals: list = []

    @classmethod
    def made(cls, jaxpr: Jaxpr, in_tree: Any, out_tree: Any, nonzeros: list[bool],
             out_avals: list, primals: list, residuals: list) -> VJP:
        """The pullback of a linearization."""
        index = {id(x): i for i, x in enumerate(primals)}
        others: list = []
        places = []
        for r in residuals:
            if id(r) in index:
                places.append(("argument", index[id(r)]))
            else:
                places.append(("other", len(others)))
                others.append(r)
        used = {i for kind, i in places if kind == "argument"}
        kept = [x if i in used else NotNeeded() for i, x in enumerate(primals)]
        return cls(Spec(jaxpr, in_tree, out_tree, nonzeros, out_avals, places), kept, others)

    @property
    def jaxpr(self) -> Jaxpr:
        return self.spec.jaxpr

    def __call__(self, out_ct: Any, *more: Any) -> Any:
        """Errors: TypeError for several arguments, ValueError for one that does not fit."""
        spec = self.spec
        if more:
            raise TypeError(_too_many(spec.jaxpr.debug_info.func_name, 1 + len(more)))
        given, tree = pytrees.tree_flatten(out_ct)
        if tree != spec.out_tree:
            raise ValueError(_other_tree(spec, tree))
        checks.cotangents(given, spec.out_avals)
        kept = [c for c, nz in zip(given, spec.nonzeros) if nz]
        residuals = [self.args_res[i] if kind == "argument" else self.opaque_residuals[i]
                     for kind, i in spec.places]
        accumulators = [Accumulator(v.aval) for v in spec.jaxpr.invars[len(residuals):]]
        backward_pass(spec.jaxpr, [*residuals, *accumulators], kept)
        return spec.in_tree.unflatten([instantiate(x.value) for x in accumulators])

    def with_refs(self, *refs: Any) -> Any:
        raise OutOfScope("the with_refs method of a VJP function", "call it directly")

    @property
    def with_logs(self) -> Any:
        raise OutOfScope("the with_logs method of a VJP function", "call it directly")


pytrees.register_for_all(
    VJP, lambda f: ((f.args_res, f.opaque_residuals, f.structured_residuals), f.spec),
    lambda spec, children: VJP(spec, *children[:2]))
pytrees.register_for_all(NotNeeded, lambda _: ((), None), lambda _, children: NotNeeded())


def _too_many(name: str, count: int) -> str:
    return f"""
The function returned by `jax.vjp` applied to {name} was called with {count} arguments,
but functions returned by `jax.vjp` must be called with a single argument
corresponding to the single value returned by the function being differentiated
(even if that returned value is a tuple or other container)."""


def _other_tree(spec: Spec, tree: Any) -> str:
    from simulator import process
    registry = process.current().registries.default
    lines = [f"  * out{keystr(tuple(path))} was a {a} in the original output, but a {b} here, so "
             f"{why}." for path, a, b, why in tree_errors.equality_errors_pytreedef(
                 registry, spec.out_tree, tree)]
    return ("unexpected tree structure.\n\nThe argument to a VJP function returned by `jax.vjp` "
            "must match the pytree structure of the differentiated function "
            f"{spec.jaxpr.debug_info.func_src_info}.\n\nBut the tree structures differ:\n"
            + "\n".join(lines))
