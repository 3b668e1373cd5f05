"""Every primitive differentiated, against real JAX: the jaxpr, or the error, is the same.

The cases are those of `test_primitives`, each differentiated forwards and backwards in
its inexact operands, one by one and together.
"""

from __future__ import annotations

import os
import pathlib
import re
import warnings

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import numpy as np
import pytest
from primitive_cases import FAMILIES, Both, Case
from test_primitives import REAL, first_line, params_of, unlike, x64_of

from simulator import process
from simulator.device_arrays.arrays import ShapeDtypeStruct
from simulator.errors import OutOfScope
from simulator.events import Recorder
from simulator.facade import jax as facade
from simulator.primitives.core import BY_NAME
from simulator.types import dtypes

# Its derivative is a primitive that the model does not have.
REFUSED = {"digamma"}


@pytest.fixture(autouse=True)
def a_process():
    before = process.enter(process.Process({}, Recorder()))
    yield
    process.enter(before)


def outcome(fn):
    try:
        return fn(), None
    except (Exception, OutOfScope) as error:
        return None, error


def inexact(case: Case) -> list[int]:
    return [i for i, (_, d, _) in enumerate(case.operands)
            if dtypes.dtype(d).family in "fc"]


def ways(case: Case) -> list[tuple[int, ...]]:
    """Positions that are differentiated: each alone, and all."""
    places = inexact(case)
    return [(i,) for i in places] + ([tuple(places)] if len(places) > 1 else [])


def program(module, bind, args: list, places: tuple, mode: str):
    """The jaxpr of the derivative, with either JAX."""
    def partial_of(fixed):
        def f(*xs):
            full = list(fixed)
            for i, x in zip(places, xs):
                full[i] = x
            return bind(*full)
        return f

    def forwards(*xs):
        given = [xs[i] for i in places]
        return module.jvp(partial_of(xs), given, given)

    def backwards(*xs):
        out, pullback = module.vjp(partial_of(xs), *[xs[i] for i in places])
        return pullback(out)

    return module.make_jaxpr(forwards if mode == "jvp" else backwards)(*args)


def real_outcome(case: Case, theirs: dict, places: tuple, mode: str):
    args = [jax.ShapeDtypeStruct(s, np.dtype(d), weak_type=w) for s, d, w in case.operands]
    prim = REAL[case.name]
    return outcome(lambda: program(jax, lambda *xs: prim.bind(*xs, **theirs), args, places, mode))


def model_outcome(case: Case, ours: dict, places: tuple, mode: str):
    args = [ShapeDtypeStruct(s, dtypes.dtype(d), weak_type=w) for s, d, w in case.operands]
    prim = BY_NAME[case.name]
    return outcome(lambda: program(facade, lambda *xs: prim.bind(*xs, **ours), args, places, mode))


def difference(case: Case, places: tuple, mode: str) -> str | None:
    ours, theirs = params_of(case)
    model = model_outcome(case, ours, places, mode)
    if isinstance(model[1], OutOfScope) and case.name in REFUSED:
        return None
    return unlike(model, real_outcome(case, theirs, places, mode))


def chosen(family: str):
    """One case per primitive, shapes, parameters and kind of operands."""
    seen = set()
    for case in FAMILIES[family]():
        params = {k: v for k, v in case.params.items()
                  if not (isinstance(v, Both) and v.kind == "dtype")}
        kinds = [dtypes.dtype(d).family for _, d, _ in case.operands]
        key = case.name, str([s for s, _, _ in case.operands]), str(params), str(kinds)
        if inexact(case) and key not in seen:
            theirs = params_of(case)[1]
            args = [jax.ShapeDtypeStruct(s, np.dtype(d)) for s, d, _ in case.operands]
            if outcome(lambda: jax.make_jaxpr(
                    lambda *xs: REAL[case.name].bind(*xs, **theirs))(*args))[1] is None:
                seen.add(key)
                yield case


@pytest.mark.parametrize("mode", ["jvp", "vjp"])
@pytest.mark.parametrize("family", list(FAMILIES))
def test_jaxprs(family, mode):
    wrong, count = [], 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for case in chosen(family):
            wide = x64_of(case)
            process.current().config.update("jax_enable_x64", wide)
            with jax.enable_x64(wide):
                for places in ways(case):
                    count += 1
                    text = difference(case, places, mode)
                    if text is not None:
                        wrong.append(f"{case} {places}:\n   {text}")
    assert not wrong, f"{len(wrong)} of {count} differ:\n" + "\n".join(wrong[:40])


EXPRESSIONS = [line for line in (pathlib.Path(__file__).parent / "gradient_expressions.txt")
               .read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]


def derivatives(module, expression: str) -> list[str]:
    """The jaxprs of gradient and JVP of an expression of x, with either JAX."""
    jnp = module.numpy
    names = {"jax": module, "jnp": jnp, "lax": module.lax}
    fun = eval(f"lambda x, y, v, m, s, i: {expression}", names)
    shapes = ((3, 4), (3, 4), (4,), (4, 2), (), (3,))
    args = [module.ShapeDtypeStruct(shape, jnp.int32 if k == 5 else jnp.float32)
            for k, shape in enumerate(shapes)]
    differentiated = tuple(k for k, name in enumerate("xyvms")
                           if re.search(rf"\b{name}\b", expression))

    def total(*xs):
        return jnp.sum(fun(*xs))

    def forwards(*xs):
        return module.jvp(lambda *ys: fun(*ys, xs[5]), xs[:5], xs[:5])

    return [str(module.make_jaxpr(module.grad(total, differentiated))(*args)),
            str(module.make_jaxpr(forwards)(*args))]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_expressions(expression):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        want, want_error = outcome(lambda: derivatives(jax, expression))
        got, got_error = outcome(lambda: derivatives(facade, expression))
    if want_error is not None:
        assert got_error is not None and first_line(got_error) == first_line(want_error)
        return
    assert got_error is None, got_error
    assert got == want
