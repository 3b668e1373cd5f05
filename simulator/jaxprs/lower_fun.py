"""What lowering traces: rules of JAX that are Python functions themselves.

Most primitives become one operation of the module. Some are lowered by tracing a
function of other primitives, and that asks the tracing cache, always in vain: the
function is made anew each time. Equal equations of one module are lowered once.

A rule here does the lookups that the rule of JAX does; what it computes is known
from the primitive already, so of its function only what works on constants is run
(`lowered_constants`). Callbacks are counted on the way: one in a function that is
lowered twice is two of the module.

JAX source: ``jax/_src/interpreters/mlir.py: jaxpr_subcomp, lower_fun,
LoweringCacheKey``; the rules: ``jax/_src/lax/lax.py``, ``jax/_src/lax/slicing.py``,
``jax/_src/lax/control_flow/loops.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from simulator import tracing
from simulator.device_arrays.arrays import Array, ShapeDtypeStruct
from simulator.errors import OutOfScope
from simulator.functions import signature
from simulator.jaxprs import lowered_constants as constants
from simulator.jaxprs.eqn_context import as_traced
from simulator.jaxprs.jaxpr import CALLBACKS, Eqn, Jaxpr
from simulator.primitives.core import BY_NAME
from simulator.types.avals import ShapedArray

# Primitive name -> rule: does its lookups, returns the jaxprs it traced.
RULES: dict[str, Callable[[Eqn], Sequence[Jaxpr]]] = {}
# Primitive name -> which of its equations the rule is for, if not for all of them.
_ONLY: dict[str, Callable[[Eqn], bool]] = {}

# Primitives that are lowered anew for every equation.
_UNCACHED = frozenset({"jit", "eval_jaxpr"}) | CALLBACKS


class HostCallback:
    """A callback in one module; another lowering makes another one, never equal to it."""


def lower(jaxpr: Jaxpr) -> tuple[HostCallback, ...]:
    """Do the lookups of lowering a whole module; returns its callbacks."""
    return tuple(_walk(jaxpr, {}))


def _walk(jaxpr: Jaxpr, done: dict[Any, Eqn]) -> Iterator[HostCallback]:
    # `done` keeps the equations alive, so that no identity in a key is used again.
    for const in jaxpr.consts:
        if isinstance(const, ShapeDtypeStruct):
            raise TypeError("A ShapeDtypeStruct does not have a value and cannot be used as a "
                            "constant in a JAX function.")
        if isinstance(const, Array) and const.is_deleted():
            const.storage()     # the numbers are written into the module, and are gone
    for eqn in jaxpr.eqns:
        if eqn.primitive.name in CALLBACKS:
            yield HostCallback()
        rule = _rule_of(eqn)
        inner = eqn.bodies
        if eqn.outvars and not inner and has_symbols(eqn.outvars[0].aval):
            from simulator.exporting.exported import evaluate_shapes
            with as_traced(eqn.context):
                evaluate_shapes(eqn)
        if rule is None and not inner:
            continue
        key = _key(eqn)
        if key in done:
            continue
        done[key] = eqn
        with as_traced(eqn.context), eqn.primitive.scope(eqn.params):
            for sub in inner if rule is None else rule(eqn):
                yield from _walk(sub, done)


def _rule_of(eqn: Eqn) -> Callable[[Eqn], Sequence[Jaxpr]] | None:
    name = eqn.primitive.name
    return None if name in _ONLY and not _ONLY[name](eqn) else RULES.get(name)


_NUMBERS = frozenset({int})


def has_symbols(aval: Any) -> bool:
    """Whether sizes of a type are no numbers: only `jax.export` makes such."""
    return not (_NUMBERS.issuperset(map(type, aval.shape))
                or all(isinstance(n, int) or hasattr(n, "dtype") for n in aval.shape))


def _key(eqn: Eqn) -> Any:
    if eqn.primitive.name in _UNCACHED:
        # A jitted function is one function of the module, whoever calls it.
        return next(map(id, eqn.bodies), id(eqn))
    setting = eqn.context
    key = (eqn.primitive, tuple([a.aval for a in eqn.invars]), eqn.effects,
           setting and (setting.abstract_mesh, setting.threefry_partitionable),
           tuple(sorted(eqn.params.items(), key=lambda item: item[0])))
    try:
        hash(key)
    except TypeError:
        return id(eqn)  # a parameter that cannot be compared: lowered by itself
    return key


def trace(fun: Callable, *avals: ShapedArray, name: str | None = None,
          described: Callable | None = None, said: str = "",
          why: str = "lower_fun") -> Jaxpr:
    """Ask the tracing cache for `fun` on types, as ``lower_fun`` does.

    Args:
      fun: a function made for this lookup.
      name: what it is called in JAX.
      described: the function whose place and name the log shows, `fun` itself
        when left out.
      said: JAX's name of that function and of its arguments, ``"impl(x, y)"`` or
        ``"impl(*args)"``, where the key says another one than `described`.
      why: what JAX traces it for.
    """
    if name is not None:
        fun.__name__ = fun.__qualname__ = name
    info = signature.debug_info(why, described or fun, avals, {})
    if said:
        function, _, names = said.rstrip(")").partition("(")
        info = info._replace(func_name=function, arg_names=tuple(
            f"{names[1:]}[{i}]" for i in range(len(avals))) if names.startswith("*")
            else tuple(names.split(", ")))
    call = signature.flatten_call((0,) * len(avals), {}).with_leaves(avals)
    return tracing.trace_to_jaxpr(fun, call, info).jaxpr


def rule(*names: str, only: Callable[[Eqn], bool] | None = None) -> Callable:
    """Decorator: the rule of these primitives. `only`: for which of their equations, if
    not for all; the others become one operation of the module."""
    def register(function: Callable) -> Callable:
        RULES.update(dict.fromkeys(names, function))
        if only is not None:
            _ONLY.update(dict.fromkeys(names, only))
        return function
    return register


def _avals(eqn: Eqn) -> list[ShapedArray]:
    return [a.aval for a in eqn.invars]


def _one_function(avals: Sequence[ShapedArray], said: str, computes: Callable | None = None) -> Jaxpr:
    """Trace the function of a rule with one result. `computes`: what it does with constants,
    which is computed at once under ``jax.ensure_compile_time_eval``."""
    return trace(computes or (lambda *args: ()), *avals, name="<lambda>", said=said)


@rule("logistic")
def _logistic(eqn: Eqn) -> list[Jaxpr]:
    return [_one_function(_avals(eqn), "logistic_impl(*args)")]


@rule("cumsum", "cummax", "cummin")
def _cumulative(eqn: Eqn) -> list[Jaxpr]:
    return [_one_function(_avals(eqn), _CUMULATIVE)]


_CUMULATIVE = "cumred_reduce_window_impl(*args)"


@rule("sin", "cos", only=lambda eqn: eqn.invars[0].aval.dtype.family == "c")
def _complex(eqn: Eqn) -> list[Jaxpr]:
    return [_one_function(_avals(eqn), f"_{eqn.primitive.name}_complex(x)")]


@rule("integer_pow", only=lambda eqn: eqn.params["y"] not in (1, 2, 3, -1))
def _integer_pow(eqn: Eqn) -> list[Jaxpr]:
    return [_one_function(_avals(eqn), "_integer_pow(*args)", constants.integer_pow(eqn.params["y"]))]


@rule("conj")
def _conj(eqn: Eqn) -> list[Jaxpr]:
    from simulator.facade.jax import lax
    from simulator.facade.jax import numpy as jnp

    def conjugate(x: Any) -> Any:
        if x.dtype.family == "c":
            jnp.negative(lax.imag(x))
        return x
    return [trace(conjugate, *_avals(eqn), name="<lambda>", said="_conj_impl(x)")]


@rule("cumprod", "cumlogsumexp")
def _reduce_window(eqn: Eqn) -> list[Jaxpr]:
    # These have no window reduction of their own: the general one traces the operation.
    from simulator.facade.jax import lax
    from simulator.facade.jax.lax.slicing import reduction_jaxpr
    operation = lax.mul if eqn.primitive.name == "cumprod" else logaddexp
    aval = eqn.invars[0].aval

    def reduced(x: Any) -> Any:
        if aval.shape[eqn.params["axis"]]:
            reduction_jaxpr(operation, ShapedArray((), aval.dtype))
        return x
    return [trace(reduced, aval, name="<lambda>", said=_CUMULATIVE)]


def logaddexp(x1: Any, x2: Any) -> Any:
    """Only described, never called."""
    return x1


class _ArgMinMaxReducer:
    """Has neither name nor place, as in JAX: logs call it ``<unknown>``."""

    def __call__(self, *args: Any) -> None:
        raise AssertionError("only described, never called")


@rule("argmin", "argmax")
def _arg_min_max(eqn: Eqn) -> list[Jaxpr]:
    aval, index = eqn.invars[0].aval, eqn.params["index_dtype"]
    scalars = [ShapedArray((), d) for d in (aval.dtype, index, aval.dtype, index)]

    def reducer(*args: Any) -> tuple:
        if aval.dtype.family == "c":  # has no order: the comparison says so
            BY_NAME["gt" if eqn.primitive.name == "argmax" else "lt"].bind(args[0], args[2])
        return args[:2]

    def reduced(x: Any) -> Any:
        constants.positions(x, index, eqn.params["axes"])
        trace(reducer, *scalars, name="flat_computation",
              described=_ArgMinMaxReducer(), why="reduce comp",
              said="<unknown>(op_val_index[0], op_val_index[1], acc_val_index[0], "
                   "acc_val_index[1])")
        return x
    return [trace(reduced, aval, name="<lambda>", said="_compute_argminmax(*args)")]


@rule("sort")
def _sort(eqn: Eqn) -> list[Jaxpr]:
    scalars = [a.update(shape=(), spec=()) for a in _avals(eqn)]
    return [_one_function([s for s in scalars for _ in range(2)], "_sort_lt_comparator(*operands)",
                          constants.sort_keys(eqn.params["num_keys"]))]


@rule("gather", only=lambda eqn: getattr(eqn.params["mode"], "name", "") == "FILL_OR_DROP")
def _gather(eqn: Eqn) -> list[Jaxpr]:
    return [_one_function(_avals(eqn), "_gather_fill(*args)", constants.gather_fill(eqn))]


@rule("scatter", "scatter-add", "scatter-sub", "scatter-mul", "scatter-min", "scatter-max")
def _scatter(eqn: Eqn) -> list[Jaxpr]:
    from simulator.facade.jax.lax.slicing import reduction_jaxpr
    found = []
    update = eqn.params["update_jaxpr"]
    if update is None:
        update = reduction_jaxpr(_second, ShapedArray((), eqn.invars[0].aval.dtype))
    if getattr(eqn.params["mode"], "name", "") == "CLIP":
        found = [_one_function(_avals(eqn), "_clamp_scatter_indices(*args)",
                               constants.scatter_clip(eqn.params["dimension_numbers"]))]
    return [*found, update]


def _second(x: Any, y: Any) -> Any:
    return y


_second.__name__ = _second.__qualname__ = "<lambda>"


@rule("bessel_i0e", "igamma", "igammac", "random_gamma", "regularized_incomplete_beta")
def _long(eqn: Eqn) -> list[Jaxpr]:
    raise OutOfScope(f"compiling {eqn.primitive.name}",
                     "JAX lowers it through long loops, which the model does not follow")


@rule("psum", "pmax", "pmin", "psum_invariant")
def _all_reduce(eqn: Eqn) -> list[Jaxpr]:
    # Positions are reduced first, then the devices; each is a function of its own.
    aval, axes = eqn.invars[0].aval, eqn.params["axes"]
    found = []
    if any(isinstance(a, int) for a in axes):
        kind = eqn.primitive.name.removesuffix("_invariant").removeprefix("p")
        found.append(_one_function([aval], f"reduce_{kind}(*args)"))
    if any(not isinstance(a, int) for a in axes):
        scalar = ShapedArray((), aval.dtype, mesh=aval.mesh)
        found.append(_one_function([scalar, scalar], "bind(*args)"))
    return found


@rule("reduce_scatter")
def _reduce_scatter(eqn: Eqn) -> list[Jaxpr]:
    scalar = eqn.invars[0].aval.update(shape=(), spec=())
    return [_one_function([scalar, scalar], "bind(*args)")]
