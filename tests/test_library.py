"""The library's functions, each in a few lines of use: the jaxpr, or the error, is that of real JAX.

Every expression of `library_expressions.txt` is traced over shapes, dtypes, weak types and with
64-bit types.
"""

from __future__ import annotations

import os
import pathlib
import re
from typing import NamedTuple

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.scipy.special
import numpy as np
import pytest
from test_differentiation import outcome
from test_primitives import unlike
from test_public_names import kinds

from simulator import process
from simulator.device_arrays.arrays import ShapeDtypeStruct
from simulator.errors import OutOfScope
from simulator.events import Recorder
from simulator.facade import jax as facade
from simulator.types import dtypes

FILE = pathlib.Path(__file__).with_name("library_expressions.txt")
EXPRESSIONS = [line for line in FILE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
NAMES = {"jax.numpy": "jnp", "jax.numpy.fft": "jnp.fft", "jax.numpy.linalg": "jnp.linalg", "jax.lax": "lax",
         "jax.nn": "jax.nn", "jax.nn.initializers": "ini", "jax.random": "jax.random", "jax.ops": "jax.ops",
           "jax.scipy.special": "special"}


PARTS = 16
# They make no equations, but texts, settings and numbers of axes; the last two are refused with a
# size, and without one nothing can be traced.
UNTRACED = {"jax.numpy": ["array_repr", "array_str", "get_printoptions", "intersect1d", "printoptions",
                          "set_printoptions", "setxor1d"],
            "jax.lax": ["conv_dimension_numbers"], "jax.random": ["key_dtype", "key_impl"]}


class Variant(NamedTuple):
    """What x, y, s, m and t are: `shape` of x and y, `n` rows and columns of m."""

    shape: tuple = (3,)
    dtype: str = "float32"
    weak: bool = False
    x64: bool = False
    n: int = 3


VARIANTS = {
    "plain": Variant(), "weak": Variant((), weak=True), "scalar": Variant(()), "empty": Variant((0,), n=0),
    "matrix": Variant((3, 3)), "half": Variant(dtype="float16"), "bfloat16": Variant((2, 3), "bfloat16"),
    "int": Variant(dtype="int32"), "weak int": Variant((), "int32", True), "byte": Variant(dtype="uint8"),
    "bool": Variant(dtype="bool"), "complex": Variant(dtype="complex64"),
    "double": Variant(dtype="float64", x64=True), "long": Variant(dtype="int64", x64=True),
    "x64": Variant(x64=True), "weak x64": Variant((), "float64", True, True),
}


pytestmark = pytest.mark.filterwarnings("ignore")     # of types that are cut, and the like


@pytest.fixture(autouse=True)
def a_process():
    before = process.enter(process.Process({}, Recorder()))
    yield
    process.enter(before)


def traced(module, struct, text: str, variant: Variant):
    """The jaxpr of an expression. `struct`: makes an abstract array of (shape, dtype, weak)."""
    shape, dtype, weak, _, n = variant
    args = {"x": (shape, dtype, weak), "y": (shape, dtype, weak), "s": ((), dtype, weak),
            "m": ((n, n), dtype, False), "t": ((2, n, n), dtype, False),
            "i": ((3,), "int32", False), "b": ((3,), "bool", False)}
    names = {"jax": module, "jnp": module.numpy, "lax": module.lax, "ini": module.nn.initializers,
             "special": module.scipy.special}
    used = [name for name in (*args, "k") if re.search(rf"\b{name}\b", text)]
    given = [module.random.key(0) if name == "k" else struct(*args[name]) for name in used]
    return module.make_jaxpr(eval(f"lambda {', '.join(used)}: {text}", names))(*given)


def model_of(text: str, variant: Variant):
    with facade.enable_x64(variant.x64):
        return outcome(lambda: traced(facade, lambda s, d, w: ShapeDtypeStruct(
            s, dtypes.dtype(d), weak_type=w), text, variant))


def difference(text: str, variant: Variant) -> str | None:
    with jax.enable_x64(variant.x64):
        real = outcome(lambda: traced(jax, lambda s, d, w: jax.ShapeDtypeStruct(
            s, np.dtype(d), weak_type=w), text, variant))
    model = model_of(text, variant)
    if isinstance(model[1], OutOfScope):
        return None
    try:
        return unlike(model, real)
    except OutOfScope:       # a number that the jaxpr would have to print
        return None


def refused(text: str) -> bool:
    return isinstance(model_of(text, VARIANTS["plain"])[1], OutOfScope)


@pytest.mark.parametrize("part", range(PARTS))
def test_jaxprs_are_those_of_jax(part):
    wrong = [f"{text} [{name}]\n   {found}" for text in EXPRESSIONS[part::PARTS]
             for name, variant in VARIANTS.items() if (found := difference(text, variant))]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("module", NAMES)
def test_every_function_is_among_them(module):
    """One use of it at least that is not refused."""
    used = {text for text in EXPRESSIONS if not refused(text)}
    missing = [name for name, kind in kinds(module).items() if kind == "function"
               and not any(re.search(rf"(?<![\w.]){NAMES[module]}\.{name}\b", text) for text in used)]
    assert missing == UNTRACED.get(module, [])
