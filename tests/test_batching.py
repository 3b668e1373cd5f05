"""Every primitive under ``jax.vmap``, against real JAX: the jaxpr, or the error, is the same.

The cases are those of `test_primitives`, each mapped in several ways: some operands, or
all, along their first or their last axis.
"""

from __future__ import annotations

import itertools
import os
import warnings

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import numpy as np
import pytest
import random_maps
from primitive_cases import FAMILIES, Both, Case
from test_primitives import REAL, one_line, outcome, params_of, unlike, x64_of

from simulator import process
from simulator.device_arrays.arrays import ShapeDtypeStruct
from simulator.events import Recorder
from simulator.facade import jax as facade
from simulator.facade import pristine
from simulator.primitives.core import BY_NAME
from simulator.types import dtypes

SIZE = 5


@pytest.fixture(autouse=True)
def a_process():
    before = process.enter(process.Process({}, Recorder()))
    yield
    process.enter(before)


def ways(count: int):
    """Mapped axes of `count` operands: 0, -1 or None each, not all None."""
    if count <= 2:
        every = itertools.product((0, -1, None), repeat=count)
    else:
        every = [(a,) * count for a in (0, -1)]
        for i in range(count):
            for one, others in ((0, None), (-1, None), (None, 0), (-1, 0)):
                every.append(tuple(one if k == i else others for k in range(count)))
    return [axes for axes in every if any(a is not None for a in axes)]


def operands(case: Case, axes: tuple):
    """(shape, dtype, weak) of the whole arrays."""
    for (shape, d, weak), axis in zip(case.operands, axes):
        if axis is not None:
            shape = (SIZE, *shape) if axis == 0 else (*shape, SIZE)
        yield shape, d, weak


def real_outcome(case: Case, theirs: dict, axes: tuple):
    args = [jax.ShapeDtypeStruct(s, np.dtype(d), weak_type=w) for s, d, w in operands(case, axes)]
    prim = REAL[case.name]
    return outcome(lambda: jax.make_jaxpr(jax.vmap(
        lambda *xs: prim.bind(*xs, **theirs), in_axes=axes))(*args))


def model_outcome(case: Case, ours: dict, axes: tuple):
    args = [ShapeDtypeStruct(s, dtypes.dtype(d), weak_type=w) for s, d, w in operands(case, axes)]
    prim = BY_NAME[case.name]
    return outcome(lambda: facade.make_jaxpr(facade.vmap(
        lambda *xs: prim.bind(*xs, **ours), in_axes=axes))(*args))


def difference(case: Case, axes: tuple) -> str | None:
    ours, theirs = params_of(case)
    return unlike(model_outcome(case, ours, axes), real_outcome(case, theirs, axes))


def chosen(family: str):
    """One case per primitive, shapes and parameters: dtypes are not batched."""
    seen = set()
    for case in FAMILIES[family]():
        params = {k: v for k, v in case.params.items()
                  if not (isinstance(v, Both) and v.kind == "dtype")}
        key = case.name, str([s for s, _, _ in case.operands]), str(params)
        if case.operands and key not in seen:
            theirs = params_of(case)[1]
            args = [jax.ShapeDtypeStruct(s, np.dtype(d)) for s, d, _ in case.operands]
            if outcome(lambda: jax.make_jaxpr(
                    lambda *xs: REAL[case.name].bind(*xs, **theirs))(*args))[1] is None:
                seen.add(key)
                yield case


@pytest.mark.parametrize("family", list(FAMILIES))
def test_jaxprs(family):
    wrong, count = [], 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for case in chosen(family):
            with jax.enable_x64(x64_of(case)):
                for axes in ways(len(case.operands)):
                    count += 1
                    text = difference(case, axes)
                    if text is not None:
                        wrong.append(f"{case} {axes}:\n   {text}")
    assert count and not wrong, f"{len(wrong)} of {count} differ:\n" + "\n".join(wrong[:40])


def test_every_primitive_has_a_rule():
    """None is left out, except what has no operands or goes to a trace by its own door."""
    from simulator.batching import all  # noqa: F401  (sets them)
    pristine.everything()
    without = {name for name, primitive in BY_NAME.items() if primitive.batch is None}
    assert without <= {"iota", "iota_2x32_shape", "empty", "empty2", "custom_jvp_call",
                       "custom_vjp_call", "custom_lin", "shard_map", "platform_index", "call_exported",
                       "select_and_scatter"}, without


EXPLAINED = """
import jax, jax.numpy as jnp
f = jax.custom_batching.custom_vmap(lambda x: x)
f.def_vmap(lambda *args: None)
call("first", lambda: f(1.0))
call("second", lambda: f(jnp.ones(2)))
"""


def test_explaining_a_miss_of_custom_vmap_fails_as_in_jax():
    from simulator.running.program import observe_text
    first, second = observe_text(EXPLAINED, name="explained.py").calls
    assert first.exception is None
    assert second.exception.startswith("ValueError: PyTree registries of PyTreeDefs")


def random_outcome(text: str, shapes: dict, real: bool):
    kinds = {"i": "int32"}
    if real:
        from jax import lax
        from jax import numpy as jnp
        args = [jax.ShapeDtypeStruct(s, kinds.get(n, "float32")) for n, s in shapes.items()]
        return outcome(lambda: jax.make_jaxpr(eval(text, {"jax": jax, "jnp": jnp, "lax": lax}))(
            *args))
    from simulator.facade.jax import lax
    from simulator.facade.jax import numpy as jnp
    args = [ShapeDtypeStruct(s, dtypes.dtype(kinds.get(n, "float32"))) for n, s in shapes.items()]
    return outcome(lambda: facade.make_jaxpr(eval(text, {"jax": facade, "jnp": jnp, "lax": lax}))(
        *args))


def random_difference(seed: int) -> str | None:
    text, shapes = random_maps.program(seed)
    want, want_error = random_outcome(text, shapes, True)
    got, got_error = random_outcome(text, shapes, False)
    if want_error is not None or got_error is not None:
        kinds = [type(e).__name__ for e in (got_error, want_error)]
        return None if kinds[0] == kinds[1] else f"{seed}: {text}\n   model {got_error!r}\n   real  " \
                                                 f"{want_error!r}"
    if one_line(got) != one_line(want):
        return f"{seed}: {text}\n   model {one_line(got)}\n   real  {one_line(want)}"
    return None


def test_random_maps():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wrong = [text for text in map(random_difference, range(150)) if text]
    assert not wrong, f"{len(wrong)} differ:\n" + "\n".join(wrong[:10])
