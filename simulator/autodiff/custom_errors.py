"""What JAX says about custom rules whose results do not fit.

JAX source: ``jax/_src/custom_derivatives.py: _flatten_jvp, _flatten_fwd, _flatten_bwd``.
"""

from __future__ import annotations

from typing import Any

from simulator.autodiff.zeros import SymbolicZero, Zero, tangent_aval
from simulator.device_arrays.values import abstractify
from simulator.trees import pytrees
from simulator.trees.keypaths import keystr


def _texts(tree: Any, avals: list) -> str:
    return str(tree.unflatten([a.str_short() for a in avals])).replace("'", "")


def _same_types(a: list, b: list) -> bool:
    return all(x.shape == y.shape and x.dtype is y.dtype for x, y in zip(a, b))


def _type(x: Any) -> Any:
    return x.aval if type(x) in (SymbolicZero, Zero) else abstractify(x)


def check_jvp_result(pair: Any, rule: Any) -> tuple[list, list, Any]:
    """(flat results, flat tangents, structure) of what a JVP rule returned.

    Errors: TypeError when it is no pair, or the parts do not match each other or the
    function.
    """
    head = f"Custom JVP rule {rule.__name__} for function {rule.fun_name} must produce"
    if not isinstance(pair, (list, tuple)) or len(pair) != 2:
        raise TypeError(f"{head} a pair (list or tuple of length two) representing primal and "
                        f"tangent outputs, but got {pair}.")
    outs, tree = pytrees.tree_flatten(pair[0])
    tangents, tree2 = pytrees.tree_flatten(pair[1], is_leaf=lambda x: type(x) is Zero)
    if tree != tree2:
        raise TypeError(f"{head} primal and tangent outputs with equal container (pytree) "
                        f"structures, but got {tree} and {tree2} respectively.")
    avals = [abstractify(x) for x in outs]
    _check_primal(head, "a pair (list or tuple of length two) where the first element represents "
                  "the primal output (equal in value to the output of the custom_jvp-decorated "
                  f"function {rule.fun_name}, and in particular ", "JVP", "custom_jvp", rule, tree,
                  avals)
    expected = [tangent_aval(a.strip_weak_type()) for a in avals]
    given = [_type(t).strip_weak_type() for t in tangents]
    if not _same_types(expected, given):
        text = ("Custom JVP rule must produce primal and tangent outputs with corresponding shapes "
                "and dtypes")
        if len(expected) == 1:
            raise TypeError(f"{text}. Expected {expected[0].str_short()} (tangent type of "
                            f"{avals[0].str_short()}) but got {given[0].str_short()}.")
        wrong = [f"  primal {p.str_short()} with tangent {g.str_short()}, expecting tangent {e}"
                 for p, e, g in zip(avals, expected, given) if e != g]
        raise TypeError(f"{text}, but got:\n" + "\n".join(wrong))
    return outs, [zero_or_same(t) for t in tangents], tree


def zero_or_same(tangent: Any) -> Any:
    """A `Zero` among a rule's tangents as the rule's own kind of zero."""
    return SymbolicZero(tangent.aval) if type(tangent) is Zero else tangent


def _check_primal(head: str, middle: str, which: str, kind: str, rule: Any, tree: Any,
                  avals: list) -> None:
    primal = rule.primal
    if primal.out_tree is None:
        return
    other = f"while the {kind}-decorated function {rule.fun_name} had output"
    if primal.out_tree != tree:
        raise TypeError(
            f"{head} {middle}of the same container/pytree structure), but instead the {which} rule "
            "output's first element had container/pytree structure:\n"
            f"    {_texts(tree, avals)}\n{other} container/pytree structure:\n"
            f"    {_texts(primal.out_tree, primal.out_avals)}.")
    if not _same_types(avals, primal.out_avals):
        raise TypeError(
            f"{head} {middle}with leaves of the same shape/dtype), but instead the {which} rule "
            "output's first element had shapes/dtypes of:\n"
            f"    {_texts(tree, avals)}\n{other} shapes/dtypes of:\n"
            f"    {_texts(primal.out_tree, primal.out_avals)}")


def check_fwd_result(pair: Any, rule: Any) -> tuple[list, Any, list, Any]:
    """(results, their structure, residuals, theirs) of what a forward rule returned."""
    head = f"Custom VJP fwd rule {rule.__name__} for function {rule.fun_name} must produce"
    roles = ('second element represents residuals (i.e. values stored from the forward pass for '
             'use on the backward pass), but ')
    if not isinstance(pair, (list, tuple)) or len(pair) != 2:
        raise TypeError(f"{head} a pair (list or tuple of length two) where the first element "
                        "represents the primal output (equal to those of the custom_vjp-decorated "
                        f"function {rule.fun_name}) and the {roles}instead of a pair the fwd rule "
                        f"{rule.__name__} produced {pair}.")
    outs, tree = pytrees.tree_flatten(pair[0])
    residuals, res_tree = pytrees.tree_flatten(pair[1])
    avals = [abstractify(x) for x in outs]
    primal = rule.primal
    middle = ("a pair (list or tuple of length two) where the first element represents the primal "
              f"output (equal to the output of the custom_vjp-decorated function {rule.fun_name}) "
              f"and the {roles}instead the fwd rule output's first element had")
    other = f"while the custom_vjp-decorated function {rule.fun_name} had output"
    if primal.out_tree is not None:
        mine, theirs = _texts(tree, avals), _texts(primal.out_tree, primal.out_avals)
        if primal.out_tree != tree:
            raise TypeError(f"{head} {middle} container/pytree structure:\n    {mine}\n{other} "
                            f"container/pytree structure:\n    {theirs}.")
        if not _same_types(avals, primal.out_avals):
            raise TypeError(f"{head} {middle} shapes/dtypes of:\n    {mine}\n{other} "
                            f"shapes/dtypes of:\n    {theirs}")
    return outs, tree, residuals, res_tree


def check_bwd_result(given: Any, tree: Any, avals: Any, source: str) -> list:
    """The flat cotangents of what a backward rule returned.

    Errors: TypeError for another structure, ValueError for a leaf of another type.
    """
    if isinstance(given, list) and len(given) == len(tree.children()):
        given = tuple(given)
    nothing = object()  # what a rule leaves out with None
    dummy = tree.unflatten([object() for _ in range(tree.num_leaves)])
    flat: list = []

    def append(x: Any, d: Any) -> Any:
        n = len(pytrees.tree_leaves(d))
        if x is None and d is not None:
            flat.extend([nothing] * n)
        elif x is not None:
            flat.extend([x] * n)
        return x
    try:
        if not isinstance(given, tuple):
            raise ValueError
        pytrees.tree_map(append, given, dummy, is_leaf=lambda x: x is None)
    except ValueError:
        raise TypeError(
            "Custom VJP bwd rule must produce an output with the same container (pytree) structure "
            "as the args tuple of the primal function, and in particular must produce a tuple of "
            "length equal to the number of arguments to the primal function, but got bwd output "
            f"structure {pytrees.tree_structure(given)} for primal input structure {tree}."
        ) from None
    paths = [path for path, _ in pytrees.tree_flatten_with_path(dummy)[0]]
    return [_cotangent(x, aval, path, source, nothing)
            for path, aval, x in zip(paths, avals, flat)]


def _cotangent(x: Any, aval: Any, path: Any, source: str, nothing: Any) -> Any:
    wanted = tangent_aval(aval)
    if x is nothing or wanted.dtype.family == "v":
        return Zero(wanted)
    if type(x) is SymbolicZero:
        return Zero(x.aval)
    found = abstractify(x)
    # JAX lets another dtype pass between inexact ones.
    if found.shape != wanted.shape or (found.dtype is not wanted.dtype
                                       and wanted.dtype.family not in "fc"):
        raise ValueError(
            f"Custom VJP bwd rule attached to {source} must produce an output with the same type "
            f"as the args tuple of the primal function, but at output{keystr(path)} the bwd rule "
            f"produced an output of type {found.str_short()} corresponding to an input of type "
            f"{aval.str_short()}")
    return x
