"""Each primitive of the model against real JAX: types, errors, numbers, printed parameters.

One process; the rules are asked without compiling, numbers come from one
compiled call per case.
"""

from __future__ import annotations

import math
import os
import re
import warnings

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import numpy as np
import pytest
import window_cases
from jax._src import ad_util
from jax._src import core as jax_core
from jax._src.lax import lax as jax_lax
from jax._src.lax import slicing as jax_slicing
from jax._src.lax import special as jax_special
from jax._src.lax.control_flow import loops as jax_loops
from jax._src.random import prng as jax_prng
from jax._src.random import threefry2x32 as jax_threefry
from primitive_cases import FAMILIES, Both, Case

from simulator.jaxprs import folding
from simulator.jaxprs.jaxpr import Eqn, Jaxpr, Var
from simulator.ndarrays.ndarray import NDArray
from simulator.primitives import all as model
from simulator.primitives import creation, sinks  # noqa: F401  (has a primitive)
from simulator.primitives.core import BY_NAME
from simulator.primitives.fourier import FftType
from simulator.types import dtypes
from simulator.types.avals import ShapedArray
from simulator.types.rounding import normalize
from simulator.windows.convolution import ConvDimensionNumbers

REAL = {}
for _module in (jax_lax, jax_slicing, jax_special, jax_loops, jax_prng, jax_threefry, ad_util):
    for _value in vars(_module).values():
        if isinstance(_value, jax_core.Primitive):
            REAL.setdefault(_value.name, _value)

WIDE = {"int64", "uint64", "float64", "complex128"}


def model_param(value, operands):
    if not isinstance(value, Both):
        return value
    return {"dtype": dtypes.dtype, "rounding": model.RoundingMethod,
            "memory": lambda _: creation.DEVICE_MEMORY,
            "mode": lambda m: model.GatherScatterMode[m],
            "gather": lambda v: model.GatherDimensionNumbers(*v),
            "scatter": lambda v: model.ScatterDimensionNumbers(*v),
            "conv": lambda v: ConvDimensionNumbers(*v), "fft": FftType,
            "primitive": BY_NAME.get}[value.kind](value.value)


def real_param(value):
    if not isinstance(value, Both):
        return value
    return {"dtype": np.dtype, "rounding": jax.lax.RoundingMethod,
            "memory": lambda name: jax_core.MemorySpace[name],
            "mode": lambda m: jax.lax.GatherScatterMode[m],
            "gather": lambda v: jax.lax.GatherDimensionNumbers(*v),
            "scatter": lambda v: jax.lax.ScatterDimensionNumbers(*v),
            "conv": lambda v: jax.lax.ConvDimensionNumbers(*v), "fft": jax.lax.FftType,
            "primitive": REAL.get}[value.kind](value.value)


def params_of(case: Case):
    ours = {k: model_param(v, case.operands) for k, v in case.params.items()}
    theirs = {k: real_param(v) for k, v in case.params.items()}
    if "update_jaxpr" in case.params and case.name != "scatter":
        d = case.operands[0][1]
        ours["update_jaxpr"] = model.update_jaxpr(BY_NAME[case.name], dtypes.dtype(d))
        fun = {"scatter-add": jax.lax.add, "scatter-sub": jax.lax.sub, "scatter-mul": jax.lax.mul,
               "scatter-min": jax.lax.min, "scatter-max": jax.lax.max}[case.name]
        theirs["update_jaxpr"] = jax_lax._reduction_jaxpr(
            fun, jax_core.ShapedArray((), np.dtype(d)))[0]
    return ours, theirs


def x64_of(case: Case) -> bool:
    names = {d for _, d, _ in case.operands} | {
        p.value for p in case.params.values() if isinstance(p, Both) and p.kind == "dtype"}
    return bool(names & WIDE)


def first_line(error: BaseException) -> str:
    text = str(error).split("\n")[0]
    # JAX lists accepted kinds in the order of a set of classes.
    head, sep, tail = text.partition(" are subtypes of ")
    if sep and "number" not in tail:
        tail = ", ".join(sorted(tail.rstrip(".").split(", ")))
    return f"{type(error).__name__}: {head}{sep}{tail}"


def one_line(jaxpr) -> str:
    # Line breaks and the letters of variables are the printer's business, tested with it.
    return re.sub(r"\b[a-z]\b", "_", " ".join(str(jaxpr).split()))


def real_jaxpr(case: Case, theirs: dict):
    args = [jax.ShapeDtypeStruct(s, np.dtype(d), weak_type=w) for s, d, w in case.operands]
    prim = REAL[case.name]
    return jax.make_jaxpr(lambda *xs: prim.bind(*xs, **theirs))(*args)


def model_jaxpr(case: Case, ours: dict) -> Jaxpr:
    avals = [ShapedArray(s, d, w) for s, d, w in case.operands]
    prim = BY_NAME[case.name]
    out = prim.abstract(*avals, **ours)
    outs = [Var(a) for a in (out if prim.multiple_results else [out])]
    ins = [Var(a) for a in avals]
    if avals and folding.forwards(prim, avals[0], ours):
        return Jaxpr([], [], ins, ins[:1], [], frozenset())
    return Jaxpr([], [], ins, outs, [Eqn(ins, outs, prim, ours)], frozenset())


def outcome(fn):
    try:
        return fn(), None
    except Exception as error:
        return None, error


def unlike(model: tuple, real: tuple) -> str | None:
    """How two outcomes differ: in the error, the jaxpr or the types of the results."""
    (got, got_error), (want, want_error) = model, real
    if want_error is not None or got_error is not None:
        texts = [e and first_line(e) for e in (got_error, want_error)]
        return None if texts[0] == texts[1] else f"model {texts[0]}\n   real  {texts[1]}"
    if one_line(got) != one_line(want):
        return f"model {one_line(got)}\n   real  {one_line(want)}"
    shown = [[repr(a) for a in jaxpr.out_avals] for jaxpr in (got, want)]
    return None if shown[0] == shown[1] else f"model {shown[0]} real {shown[1]}"


def numbers(case: Case):
    """Operand values: the same numbers on both sides, as Python lists."""
    seed = sum(map(ord, case.name))
    lists = []
    for k, (shape, d, _) in enumerate(case.operands):
        n = math.prod(shape)
        raw = [((seed + 37 * k + 17 * i * i + 11 * i) % 23) - 8 for i in range(n)]
        family = dtypes.dtype(d).family
        if case.domain == "small":
            raw = [v % 4 - (family == "i") for v in raw]
        if case.domain == "positive":
            raw = [abs(v) + 1 for v in raw]
        if family == "b":
            values = [v % 2 == 0 for v in raw]
        elif family in "iu":
            values = normalize(raw, dtypes.dtype(d))
        else:
            scale = 10.0 if case.domain == "unit" else 4.0
            floats = [v / scale if case.domain != "small" else float(v) for v in raw]
            if case.domain == "unit":
                floats = [max(-0.9, min(0.9, v)) for v in floats]
            if family == "c":
                floats = [complex(v, 0.5) for v in floats]
            values = normalize(floats, dtypes.dtype(d))
        lists.append(values)
    return lists


def close(a, b, d: str) -> bool:
    if isinstance(a, tuple):
        return tuple(a) == tuple(b)
    if isinstance(a, complex) or isinstance(b, complex):
        return close(complex(a).real, complex(b).real, d) and \
            close(complex(a).imag, complex(b).imag, d)
    if isinstance(a, bool) or isinstance(a, int):
        return a == b
    if a != a or b != b:
        return a != a and b != b
    if math.isinf(a) or math.isinf(b):
        return a == b
    eps = {"bfloat16": 2e-2, "float16": 4e-3, "float64": 1e-11}.get(d, 2e-5)
    return abs(a - b) <= eps * max(1.0, abs(b))


def real_results(cases: list) -> list:
    """Numbers of many cases from one compiled program."""
    calls = []
    for case in cases:
        _, theirs = params_of(case)
        arrays = [np.array(v, dtype=np.dtype(d)).reshape(s)
                  for (s, d, _), v in zip(case.operands, numbers(case))]
        calls.append((REAL[case.name], arrays, theirs))

    def run(all_arrays):
        return [prim.bind(*arrays, **params)
                for (prim, _, params), arrays in zip(calls, all_arrays)]
    # Compiling fast matters more here than running fast.
    quick = {"xla_backend_optimization_level": 0, "xla_llvm_disable_expensive_passes": True}
    return jax.jit(run, compiler_options=quick)([arrays for _, arrays, _ in calls])


def check_values(case: Case, want) -> None:
    ours, _ = params_of(case)
    prim = BY_NAME[case.name]
    got = prim.impl(*[NDArray(s, d, v) for (s, d, _), v in zip(case.operands, numbers(case))],
                    **ours)
    got, want = (got, want) if prim.multiple_results else ([got], [want])
    assert len(got) == len(want)
    for g, w in zip(got, want):
        assert g.shape == w.shape and g.dtype.name == w.dtype.name
        expected = np.asarray(w)
        expected = expected.astype(np.float64) if g.dtype.family == "f" else expected
        flat = expected.reshape(-1).tolist()
        bad = [(a, b) for a, b in zip(g.values(), flat) if not close(a, b, g.dtype.name)]
        assert not bad, f"model, real: {bad[:4]} of {g.values()}"


def compare_values(cases: list) -> list[str]:
    wrong = []
    for wide in (False, True):
        chosen = [c for c in cases if x64_of(c) == wide]
        for start in range(0, len(chosen), 64):
            chunk = chosen[start:start + 64]
            with jax.enable_x64(wide):
                results = real_results(chunk)
            for case, want in zip(chunk, results):
                try:
                    check_values(case, want)
                except Exception as error:
                    wrong.append(f"{case} {numbers(case)}: {error!r}")
    return wrong


def differences(cases) -> list[str]:
    """How the model differs from real JAX: types, errors, printed parameters, numbers."""
    wrong, with_values = [], []
    for case in cases:
        with warnings.catch_warnings(), jax.enable_x64(x64_of(case)):
            warnings.simplefilter("ignore")
            ours, theirs = params_of(case)
            want, want_error = outcome(lambda: real_jaxpr(case, theirs))
            got, got_error = outcome(lambda: model_jaxpr(case, ours))
            if (want_error is None) != (got_error is None):
                wrong.append(f"{case}: model {got_error or got.out_avals!r} real "
                             f"{want_error or want.out_avals!r}")
                continue
            if want_error is not None:
                if first_line(want_error) != first_line(got_error):
                    wrong.append(f"{case}:\n   model {first_line(got_error)}\n"
                                 f"   real  {first_line(want_error)}")
                continue
            if one_line(want) != one_line(got) or [repr(a) for a in want.out_avals] != [
                    repr(a) for a in got.out_avals]:
                wrong.append(f"{case}:\n   model {got} {got.out_avals}\n   real  {want} "
                             f"{want.out_avals}")
                continue
            if case.values:
                with_values.append(case)
    return wrong + compare_values(with_values)


@pytest.mark.parametrize("family", list(FAMILIES))
def test_against_jax(family):
    wrong = differences(FAMILIES[family]())
    assert not wrong, f"{len(wrong)} differ:\n" + "\n".join(wrong[:40])


def test_every_primitive_has_a_case():
    families = [*FAMILIES.values(), *window_cases.FAMILIES.values()]
    covered = {case.name for family in families for case in family()}
    # These have tests of their own below, on typed keys.
    keyed = {n for n in BY_NAME if n.startswith("random_")}
    # Others (jit, callbacks …) are defined and tested elsewhere.
    here = {n for n, p in BY_NAME.items() if p.impl.__module__.startswith("simulator.primitives.")}
    missing = here - covered - keyed
    ours = {n for n in missing if n in REAL}
    assert not ours, ours


KEY_CASES = [
    ("random_split", jax.random.split, lambda k: model.random_split_p.impl(k, shape=(2,))),
    ("random_split", lambda k: jax.random.split(k, (2, 3)),
     lambda k: model.random_split_p.impl(k, shape=(2, 3))),
    ("random_fold_in", lambda k: jax.random.fold_in(k, 5),
     lambda k: model.random_fold_in_p.impl(k, NDArray((), "uint32", [5]))),
]


def seeded(value: int, d: str):
    return model.random_seed_p.impl(NDArray((), d, [value]), impl=model.IMPLS["threefry2x32"])


def words(keys: NDArray) -> list:
    return model.random_unwrap_p.impl(keys).tolist()


@pytest.mark.parametrize("partitionable", [True, False])
def test_threefry_numbers(partitionable, monkeypatch):
    from simulator.primitives import random as keys
    monkeypatch.setattr(keys, "_partitionable", lambda: partitionable)
    with jax.threefry_partitionable(partitionable):
        for seed in (0, 1, 42, 2**31 - 1, -1):
            real, ours = jax.random.key(seed), seeded(seed, "int32")
            assert words(ours) == jax.random.key_data(real).tolist()
            for _, theirs, mine in KEY_CASES:
                assert words(mine(ours)) == jax.random.key_data(theirs(real)).tolist()
            for width in (8, 16, 32):
                for shape in ((), (5,), (2, 3)):
                    got = model.random_bits_p.impl(ours, bit_width=width, shape=shape)
                    want = jax.random.bits(real, shape, f"uint{width}")
                    assert got.tolist() == want.tolist() and got.dtype.name == want.dtype.name
        with jax.enable_x64(True):
            real, ours = jax.random.key(2**40 + 7), seeded(2**40 + 7, "int64")
            assert words(ours) == jax.random.key_data(real).tolist()
            got = model.random_bits_p.impl(ours, bit_width=64, shape=(3,))
            assert got.tolist() == jax.random.bits(real, (3,), "uint64").tolist()


def test_key_types():
    """Types and printed parameters of the key primitives, batched keys included."""
    impl, real_impl = model.IMPLS["threefry2x32"], jax_prng.prngs["threefry2x32"]
    key = dtypes.key_dtype()
    real_key = jax.random.key(0).dtype
    sizes = {"new_sizes": (2, 2), "dimensions": None, "sharding": None}
    for name, shapes, ours, theirs in (
            ("random_seed", [((), "int32")], {"impl": impl}, {"impl": real_impl}),
            ("random_seed", [((3,), "uint32")], {"impl": impl}, {"impl": real_impl}),
            ("random_split", [((), key)], {"shape": (2,)}, {"shape": (2,)}),
            ("random_split", [((4,), key)], {"shape": (2, 3)}, {"shape": (2, 3)}),
            ("random_fold_in", [((), key), ((), "uint32")], {}, {}),
            ("random_fold_in", [((4,), key), ((), "int32")], {}, {}),
            ("random_fold_in", [((4,), key), ((3,), "int32")], {}, {}),
            ("random_bits", [((4,), key)], {"bit_width": 8, "shape": (2,)},
             {"bit_width": 8, "shape": (2,)}),
            ("random_wrap", [((4, 2), "uint32")], {"impl": impl}, {"impl": real_impl}),
            ("random_unwrap", [((4,), key)], {}, {}),
            ("eq", [((4,), key), ((4,), key)], {}, {}),
            ("add", [((4,), key), ((4,), key)], {}, {}),
            ("neg", [((4,), key)], {}, {}),
            ("select_n", [((4,), "bool"), ((4,), key), ((4,), key)], {}, {}),
            ("unstack", [((2,), key)], {"axis": 0}, {"axis": 0}),
            ("reshape", [((4,), key)], sizes, sizes)):
        case = Case(name, tuple((s, d, False) for s, d in shapes), {})
        real_case = [(s, real_key if d is key else np.dtype(d)) for s, d in shapes]
        args = [jax.ShapeDtypeStruct(s, d) for s, d in real_case]
        want, want_error = outcome(lambda: jax.make_jaxpr(
            lambda *xs: REAL[name].bind(*xs, **theirs))(*args))
        got, got_error = outcome(lambda: model_jaxpr(case, ours))
        if want_error is not None:
            assert got_error is not None and first_line(got_error) == first_line(want_error)
        else:
            assert one_line(got) == one_line(want)
            assert [repr(a) for a in got.out_avals] == [repr(a) for a in want.out_avals]
