"""``jax.lax`` branches: cond and switch.

Both branches are traced, whatever the predicate is; a concrete one changes nothing
unless ``jax_disable_jit`` is on.

JAX source: ``jax/_src/lax/control_flow/conditionals.py: cond, switch,
_switch_internal, platform_dependent``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from simulator import process
from simulator.control_flow import agreement, bodies
from simulator.control_flow import discharging as _discharging  # noqa: F401  (its rules)
from simulator.control_flow.agreement import Types
from simulator.control_flow.cond import cond_p, platform_index_p
from simulator.device_arrays.values import typeof
from simulator.facade.jax.lax import base
from simulator.facade.jax.lax import convert as conv
from simulator.facade.jax.lax import elementwise as el
from simulator.facade.jax.numpy import util
from simulator.functions import signature
from simulator.jaxprs import pruning
from simulator.ndarrays.ndarray import asarray as numpy_array
from simulator.types import dtypes

_NOTHING: Any = object()


def cond(pred: Any, true_fun: Callable, false_fun: Callable, *operands: Any,
         operand: Any = _NOTHING) -> Any:
    """``jax.lax.cond``; also in its oldest form, with an operand for each branch.

    Errors: TypeError for a predicate that is no scalar, and for branches that return
    different structures or types.
    """
    if not (callable(true_fun) and callable(false_fun)):
        if callable(false_fun) and len(operands) == 2 and callable(operands[1]):
            old_true, old_false = false_fun, operands[1]
            return cond(pred, lambda x, _: old_true(x), lambda _, x: old_false(x),
                        true_fun, operands[0])
        raise TypeError("lax.cond: true_fun and false_fun arguments should be callable.")
    operands = _operands(operands, operand)
    if pred is None:
        raise TypeError("cond predicate is None")
    if isinstance(pred, Sequence) or _shape(pred):
        kind = (f"type {type(pred)}" if isinstance(pred, Sequence)
                else f"shape {_shape(pred)}.")
        raise TypeError(f"Pred must be a scalar, got {pred} of {kind}")
    try:
        dtype = util.result_type(pred)[0]
    except TypeError as error:
        raise TypeError("Pred type must be either boolean or number, got "
                        f"{pred}.") from error
    if dtype.family != "b":
        if dtype.family not in "iuf":
            raise TypeError(f"Pred type must be either boolean or number, got {dtype}.")
        pred = pred != 0
    if process.current().config.value("jax_disable_jit") and base.is_concrete(pred):
        return true_fun(*operands) if pred else false_fun(*operands)
    call = signature.flatten_call(operands, {})
    avals = [typeof(x) for x in call.leaves]
    info_true = signature.debug_info("cond", true_fun, operands, {})
    info_false = signature.debug_info("cond", false_fun, operands, {})
    traced, consts = [], []
    for fun, info in ((true_fun, info_true), (false_fun, info_false)):
        jaxpr, tree = bodies.trace(fun, call.trees, avals, info)
        jaxpr, own = bodies.separate_consts(jaxpr)
        traced.append((jaxpr, tree))
        consts.append(own)
    jaxprs, shared = bodies.share_consts([j for j, _ in traced], consts)
    types = [Types(tree, tuple(jaxpr.out_avals)) for jaxpr, tree in traced]
    agreement.check_branches("cond", ("true_fun", "false_fun"), (true_fun, false_fun), *types)

    def index() -> Any:
        return conv.convert_element_type(pred, dtypes.int32)
    return _bind(index, jaxprs[::-1], [*shared, *call.leaves], len(jaxprs[0].outvars), types[0])


def _shape(x: Any) -> tuple:
    # Anything that is no array is a scalar; whether it is a number is asked later.
    arraylike = hasattr(x, "shape") or isinstance(x, (list, tuple))
    return base.shape(x) if arraylike else ()


def _operands(operands: tuple, operand: Any) -> tuple:
    if operand is _NOTHING:
        return operands
    if operands:
        raise TypeError("if 'operand' keyword is passed then no positional operands can be "
                        f"passed, got operand={operand!r} and positional operands {operands}")
    return (operand,)


def _bind(index: Callable, jaxprs: list, inputs: list, n_outs: int, types: Types,
          **params: Any) -> Any:
    # A result that is the same operand in every branch does not go through the branch.
    sources = [set(column) for column in zip(*map(pruning.forwarding, jaxprs))]
    handed_on = [next(iter(s)) if len(s) == 1 else None for s in sources]
    jaxprs = [pruning.prune_outputs(j, [f is None for f in handed_on]) for j in jaxprs]
    chosen = index()
    jaxprs = bodies.with_all_effects(jaxprs)
    outs = iter(cond_p.bind(chosen, *inputs, branches=tuple(jaxprs), **params))
    return types.tree.unflatten([next(outs) if f is None else conv.asarray(inputs[f])
                                 for f in handed_on])


def switch(index: Any, branches: Sequence[Callable], *operands: Any, operand: Any = _NOTHING
           ) -> Any:
    """``jax.lax.switch``; an index out of bounds is clamped.

    Errors: TypeError for an index that is no integer scalar, and for branches that
    return different structures or types; ValueError without branches.
    """
    if not all(callable(b) for b in branches):
        raise TypeError("lax.switch: branches argument should be a sequence of callables.")
    operands = _operands(operands, operand)
    if _shape(index):
        raise TypeError(f"Branch index must be scalar, got {index} of shape {_shape(index)}.")
    try:
        if isinstance(index, str):
            raise TypeError("a string is no index")
        dtype = util.result_type(index)[0]
    except TypeError as error:
        raise TypeError(f"Index type must be an integer, got {index}.") from error
    if dtype.family not in "iu":
        raise TypeError(f"Index type must be an integer, got {index} as {dtype}")
    branches = tuple(branches)
    if not branches:
        raise ValueError("Empty branch sequence")
    if len(branches) == 1:
        return branches[0](*operands)
    index = conv.convert_element_type(index, dtypes.int32)
    index = el.clamp(numpy_array(0, dtypes.int32), index,
                     numpy_array(len(branches) - 1, dtypes.int32))
    if process.current().config.value("jax_disable_jit") and base.is_concrete(index):
        return branches[int(index)](*operands)
    return _switch(index, branches, operands)


def _switch(index: Any, branches: tuple, operands: tuple, **params: Any) -> Any:
    infos = [signature.debug_info("switch", b, operands, {}) for b in branches]
    call = signature.flatten_call(operands, {})
    avals = [typeof(x) for x in call.leaves]
    traced = [bodies.trace(b, call.trees, avals, info) for b, info in zip(branches, infos)]
    separated = [bodies.separate_consts(jaxpr) for jaxpr, _ in traced]
    jaxprs, shared = bodies.share_consts([j for j, _ in separated], [c for _, c in separated])
    types = [Types(tree, tuple(jaxpr.out_avals)) for jaxpr, tree in traced]
    for i in range(1, len(branches)):
        agreement.check_branches("switch", ("branch 0", f"branch{i}"), (branches[0], branches[i]),
                                 types[0], types[i])
    return _bind(lambda: index, jaxprs, [*shared, *call.leaves], len(jaxprs[0].outvars), types[0],
                 **params)


def platform_dependent(*args: Any, default: Callable | None = None, **per_platform: Callable
                       ) -> Any:
    """``jax.lax.platform_dependent``: traced, a branch for each platform; eagerly one function.

    Errors: TypeError for a branch that cannot be called, ValueError for ``gpu``.
    """
    chosen: list[tuple[list[str], Callable]] = []
    for name, branch in per_platform.items():
        if not callable(branch):
            raise TypeError(f"lax.platform_dependent: the '{name}' branch must be a callable.")
        if name == "gpu":
            raise ValueError("Use 'cuda' or 'rocm' for lax.platform_dependent.")
        same = next((names for names, other in chosen if other == branch), None)
        if same is not None:
            same.append(name)
        else:
            chosen.append(([name], branch))
    branches = tuple(branch for _, branch in chosen)
    platforms: tuple = tuple(tuple(names) for names, _ in chosen)
    if default is not None:
        if not callable(default):
            raise TypeError("lax.platform_dependent: the 'default' branch must be a callable.")
        branches, platforms = (*branches, default), (*platforms, None)
    index = platform_index_p.bind(platforms=platforms)
    if base.is_concrete(index):
        return branches[int(index)](*args)
    return _switch(index, branches, args, branches_platforms=platforms)
