"""Run a compiled program: apply the primitives of a jaxpr to numbers.

Simplified: XLA fuses and reorders, the model computes one operation after the
other, each rounded to its dtype. Small programs give the same digits.
"""

from __future__ import annotations

import contextlib
import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

from simulator import errors, process
from simulator.device_arrays.values import storage
from simulator.jaxprs.eqn_context import as_traced
from simulator.jaxprs.jaxpr import Jaxpr, Literal
from simulator.ndarrays.ndarray import NDArray
from simulator.primitives.standard import Spec, shared_results

_NOWHERE = contextlib.nullcontext()


def run(jaxpr: Jaxpr, args: Sequence[NDArray]) -> list[NDArray]:
    """Evaluate `jaxpr` on numbers; nothing is traced and no cache is asked."""
    env: dict[Any, NDArray] = dict(zip(jaxpr.invars, args))
    for var, const in zip(jaxpr.constvars, jaxpr.consts):
        env[var] = storage(const, var.aval)

    def read(atom: Any) -> NDArray:
        return storage(atom.val, atom.aval) if isinstance(atom, Literal) else env[atom]

    for eqn in jaxpr.eqns:
        with as_traced(eqn.context) if eqn.primitive.as_traced else _NOWHERE:
            out = eqn.primitive.impl(*[read(a) for a in eqn.invars], **eqn.params)
        env.update(zip(eqn.outvars, out if eqn.primitive.multiple_results else [out]))
    return [read(a) for a in jaxpr.outvars]


SMALL = 4096  # numbers
LOOSE = frozenset({"eigh", "svd"})
"""Operations whose results are not determined, see `simulator.linalg.loose`."""


def can_wait(jaxpr: Jaxpr) -> bool:
    """Whether nobody can tell when this program runs: pure operations on few numbers."""
    if not jaxpr.eqns or not all({eqn.primitive.pure for eqn in jaxpr.eqns}):
        return False
    results = [var.aval for eqn in jaxpr.eqns for var in eqn.outvars]
    results += [atom.aval for atom in jaxpr.outvars]
    for aval in {id(aval): aval for aval in results}.values():   # most are one object
        if aval.dtype.family not in "biufc" or aval.size > SMALL:
            return False
    return True


def runner(jaxpr: Jaxpr) -> Callable:
    """How a program is run: at once, later, or, if it makes vectors without a sign, several
    times."""
    if can_wait(jaxpr):
        return later
    if any([e.primitive.name in LOOSE or e.primitive.multiple_results for e in jaxpr.eqns]):
        from simulator.linalg import loose
        if loose.is_loose(jaxpr):
            return functools.partial(loose.run, run)
    return run


def later(jaxpr: Jaxpr, args: Sequence[NDArray]) -> list[NDArray]:
    """As `run`, when the first of the results is looked at. For programs that can wait."""
    types = [(arg.shape, arg.dtype) for arg in args]

    def compute(*lists: list) -> list[list]:
        values = [NDArray(*kind, numbers) for kind, numbers in zip(types, lists)]
        return [out.values() for out in run(jaxpr, values)]

    outs = [atom.aval for atom in jaxpr.outvars]
    if len(outs) == 1:
        return [NDArray.lazy(outs[0].shape, outs[0].dtype, lambda *lists: compute(*lists)[0], args)]
    return shared_results([Spec(out.shape, out.dtype) for out in outs], compute, args)


def check_special(name: str, arrays: Sequence[Any]) -> None:
    """Raise InternalFloatingPointError for a NaN (or infinity) when the checks are on."""
    config = process.current().config
    nans, infs = config.value("jax_debug_nans"), config.value("jax_debug_infs")
    if not (nans or infs):
        return
    for array in arrays:
        if array.dtype.family not in ("f", "c"):
            continue
        numbers = [part for v in array.storage().ravel().tolist()
                   for part in ((v.real, v.imag) if isinstance(v, complex) else (v,))]
        if nans and any(math.isnan(v) for v in numbers):
            raise errors.InternalFloatingPointError(name, "nan")
        if infs and any(math.isinf(v) for v in numbers):
            raise errors.InternalFloatingPointError(name, "inf")
