"""``checkify.check``: a check as an operation of the program.

Eagerly it raises. Traced, it is an effect that no compiled program can have: it has to
be taken out by ``checkify.checkify`` before.

JAX source: ``jax/_src/checkify.py: check_p, assert_func, update_error, _check``.
"""

from __future__ import annotations

import functools
import itertools
import weakref
from typing import Any

from simulator import process
from simulator.checking.error_types import NO_ERROR, Error, FailedCheckError, JaxException
from simulator.device_arrays.arrays import Array
from simulator.errors import OutOfScope
from simulator.jaxprs import lower_fun
from simulator.jaxprs.jaxpr import Eqn
from simulator.jaxprs.tracer import Tracer
from simulator.ndarrays.ndarray import NDArray
from simulator.primitives.core import Primitive
from simulator.trees import pytrees
from simulator.types import dtypes


class JaxRuntimeError(ValueError):
    """A check failed."""


_counters: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()  # one per process


def next_code() -> int:
    """A number for a check, unique in its process."""
    return next(_counters.setdefault(process.current(), itertools.count(1)))


def assert_no(error: Error, pred: Any, new: JaxException) -> Error:
    """`error`, or `new` where `pred` is true and nothing happened before."""
    code = next_code()
    payload, metadata = pytrees.tree_flatten(new)
    return update(error, pred, code, {code: metadata}, payload, new.get_effect_type())


def update(error: Error, pred: Any, code: Any, metadata: dict, payload: Any, effect: Any) -> Error:
    """`error` with one kind of error more; the first one of a kind stays."""
    from simulator.facade.jax import lax
    already = error._pred.get(effect, False)
    happened = already | pred
    code = lax.select(already, error._code.get(effect, -1), code)
    before = error._payload.get(effect)
    if before is not None:
        payload = pytrees.tree_map(functools.partial(lax.select, already), before, payload)
    return error.with_error(effect, happened, code, metadata, payload)


def check(pred: Any, msg: str, *fmt_args: Any, debug: bool = False, **fmt_kwargs: Any) -> None:
    """``checkify.check``.

    Errors: TypeError for a predicate that is no truth value, and for what cannot be put
    into a message.
    """
    from simulator.facade.jax import numpy as jnp
    if not (isinstance(pred, bool) or isinstance(pred, (Array, Tracer)) and pred.shape == ()
            and pred.dtype == dtypes.bool_):
        raise TypeError(f"{'debug_check' if debug else 'check'} takes a scalar pred as argument, "
                        f"got {pred}")
    for arg in pytrees.tree_leaves((fmt_args, fmt_kwargs)):
        if not isinstance(arg, (Array, Tracer, NDArray)):
            raise TypeError("Formatting arguments to checkify.check need to be PyTrees of arrays, "
                            f"but got {arg!r} of type {type(arg)}.")
    new = FailedCheckError(None, msg, *fmt_args, **fmt_kwargs)
    _raise(assert_no(NO_ERROR, jnp.logical_not(pred), new), debug)


def debug_check(pred: Any, msg: str, *fmt_args: Any, **fmt_kwargs: Any) -> None:
    """``checkify.debug_check``: a check that is nothing unless it is taken out."""
    check(pred, msg, *fmt_args, debug=True, **fmt_kwargs)


def check_error(error: Error) -> None:
    """``checkify.check_error``: turn an error that is a value into one that is raised."""
    if not isinstance(error, Error):
        raise TypeError(f"check_error takes an Error as argument, got type {type(error)} instead.")
    _raise(error, False)


def _raise(error: Error, debug: bool) -> None:
    if any(getattr(p, "shape", ()) for p in error._pred.values()):
        error = _any_of(error)
    leaves, tree = pytrees.tree_flatten(error)
    check_p.bind(*leaves, err_tree=tree, debug=debug)


def _any_of(error: Error) -> Error:
    from simulator.facade.jax import numpy as jnp
    one = NO_ERROR
    for effect, pred in error._pred.items():
        parts = pred, error._code[effect], error._payload[effect]
        last = jnp.argsort(pred)[-1]
        one = one.with_error(effect, *_three(pytrees.tree_map(lambda x, i=last: x[i], parts)))
    return Error(one._pred, one._code, error._metadata, one._payload)


def _three(parts: tuple) -> tuple:
    pred, code, payload = parts
    return pred, code, {}, payload


# --- the primitive -------------------------------------------------------------

def _impl(*values: Any, err_tree: Any, debug: bool) -> list:
    return []


def _eager(*args: Any, err_tree: Any, debug: bool) -> list:
    exception = None if debug else err_tree.unflatten(args).get_exception()
    if exception is not None:
        raise JaxRuntimeError(str(exception)) from exception
    return []


def _effects(params: dict) -> frozenset:
    tree = params["err_tree"]
    return frozenset(tree.unflatten([None] * tree.num_leaves)._pred)


check_p = Primitive("check", abstract=lambda *avals, **params: [], impl=_impl,
                    multiple_results=True, effects=_effects,
                    print_params=lambda params: {"debug": params["debug"]})
check_p.eager = _eager


@lower_fun.rule("check")
def _lower(eqn: Eqn) -> list:
    if eqn.params["debug"]:
        return []
    if process.current().config.value("jax_experimental_unsafe_xla_runtime_errors"):
        raise OutOfScope("jax_experimental_unsafe_xla_runtime_errors",
                         "take the checks out with checkify.checkify")
    raise ValueError(
        "Cannot abstractly evaluate a checkify.check which was not functionalized. This probably "
        "means you tried to stage (jit/scan/pmap/...) a `check` without functionalizing it "
        "through `checkify.checkify`.")


def _batch(axis: Any, vals: list, dims: list, *, err_tree: Any, debug: bool) -> tuple:
    from simulator.batching import axes
    size = next(x.shape[d] for x, d in zip(vals, dims) if d is not None)
    front = [axes.at_front(x, d, size) for x, d in zip(vals, dims)]
    _raise(err_tree.unflatten(front), debug)
    return [], []


def _jvp(primals: list, tangents: list, **params: Any) -> tuple[list, list]:
    check_p.bind(*primals, **params)
    return [], []


check_p.batch = _batch
check_p.jvp = _jvp
