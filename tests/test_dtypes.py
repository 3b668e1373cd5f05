"""Dtypes, promotion, limits and array types of the model against JAX and NumPy."""

from __future__ import annotations

import itertools
import os

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from jax._src import config as jax_config
from jax._src import core as jax_core
from jax._src import dtypes as jax_dtypes

import simulator.facade.numpy as fake
from simulator.errors import OutOfScope
from simulator.types import dtypes
from simulator.types.avals import ShapedArray

NAMES = [d.name for d in dtypes.ALL]
NARROW = [d.name for d in dtypes.ALL if dtypes.canonicalize(d, False) is d]
SOME = ["bool", "int8", "int32", "uint8", "uint32", "float16", "bfloat16", "float32", "complex64"]


class Typed:
    """A value for JAX's promotion: a dtype that may be weak."""

    def __init__(self, name, weak):
        self.dtype = np.dtype(name)
        self.aval = jax_core.ShapedArray((), self.dtype, weak_type=weak)


def both(theirs, ours):
    """Outcomes of the two sides; the result or the error's name and first line."""
    out = []
    for fn in (theirs, ours):
        try:
            out.append(fn())
        except (TypeError, ValueError, OverflowError) as error:
            out.append(f"{type(error).__name__}: {str(error).splitlines()[0]}")
    return out


@pytest.mark.parametrize("x64", [False, True])
@pytest.mark.parametrize("mode", ["standard", "strict"])
def test_promotion(x64, mode):
    names = NAMES if x64 else NARROW
    pairs = list(itertools.product(names, (False, True)))
    combos = list(itertools.product(pairs, pairs))
    small = list(itertools.product(SOME, (False, True)))
    combos += list(itertools.islice(itertools.product(small, small, small), 0, None, 7))
    for chosen in combos:
        with jax.enable_x64(x64), jax_config.numpy_dtype_promotion(mode):
            values = [Typed(n, w) for n, w in chosen]
            ours = [(dtypes.dtype(n), w) for n, w in chosen]
            want, got = both(lambda: str(jax_dtypes.lattice_result_type(*values)),
                             lambda: "({!r}, {})".format(
                                 *dtypes.lattice_result_type(ours, x64, mode)))
            if "Input dtypes" in want:
                # JAX lists the inputs in the order of a set.
                want, got = want.split("(")[0], got.split("(")[0]
            assert got == want, chosen
            want, got = both(
                lambda: str(jax_dtypes.result_type(*values, return_weak_type_flag=True)),
                lambda: "({!r}, {})".format(*dtypes.result_type(ours, x64, mode)))
            if "Input dtypes" not in want:
                assert got == want, chosen


@pytest.mark.parametrize("x64", [False, True])
def test_python_scalars(x64):
    with jax.enable_x64(x64):
        for value in (True, 3, 2.5, 1j):
            want = jnp.asarray(value).dtype.name
            assert dtypes.python_scalar_dtype(value, x64).name == want
        for value in (2**31, -2**31 - 1, 2**31 - 1, 2**63, -2**63):
            want, got = both(lambda: jax_dtypes.scalar_type_to_dtype(int, value).name,
                             lambda: dtypes.python_scalar_dtype(value, x64).name)
            assert got == want
        for a, b in itertools.product([int, float, complex, *NARROW], repeat=2):
            real = [x if isinstance(x, type) else np.dtype(x) for x in (a, b)]
            ours = [x if isinstance(x, type) else dtypes.dtype(x) for x in (a, b)]
            assert str(dtypes.promote_types(*ours, x64)) == str(jnp.promote_types(*real))
        for name in NAMES:
            assert dtypes.canonicalize(dtypes.dtype(name), x64).name == \
                jax_dtypes.canonicalize_dtype(name).name
            assert dtypes.to_inexact(dtypes.dtype(name)).name == \
                jax_dtypes.to_inexact_dtype(name).name


def test_attributes():
    for name in NAMES:
        real, ours = jnp.dtype(name), dtypes.dtype(name)
        for field in ("name", "kind", "char", "str", "itemsize", "num", "alignment", "hasobject",
                      "names", "shape", "isnative"):
            assert getattr(ours, field) == getattr(real, field), (name, field)
        assert (repr(ours), str(ours)) == (repr(real), str(real))
        assert dtypes.short_name(ours) == jax_dtypes.short_dtype_name(real)
        assert ours.type.__name__ == real.type.__name__
    key, real = dtypes.key_dtype(), jax.random.key(0).dtype
    assert (repr(key), str(key), key.name, key.itemsize, dtypes.short_name(key)) == (
        repr(real), str(real), real.name, real.itemsize, jax_dtypes.short_dtype_name(real))
    assert (repr(dtypes.float0), str(dtypes.float0), dtypes.float0.name) == (
        repr(jax_dtypes.float0), str(jax_dtypes.float0), jax_dtypes.float0.name)


def test_coercion():
    for spelled in ("f4", "<f4", "float", "int", "f", "i", "?", "b", "bool_", "half", "double",
                    "complex", "uint", "i8", "u1", "F", "D", "int_", "intp", "single", "=i4",
                    "longlong", bool, int, float, complex, None):
        assert str(dtypes.dtype(spelled)) == str(np.dtype(spelled)), spelled
    for name in NAMES:
        if name != "bfloat16":
            assert dtypes.dtype(getattr(fake, name)).name == name
        assert dtypes.dtype(name) == name and dtypes.dtype(name) == dtypes.dtype(name).type
        assert dtypes.dtype(name) != "nonsense" and dtypes.dtype(name) != 3
    for bad in ("nonsense", 3, 1.5):
        want, got = both(lambda: np.dtype(bad), lambda: dtypes.dtype(bad))
        assert got == want
    for refused in ("object", "U3", "int4", "float8_e4m3fn", "M8[s]", list):
        with pytest.raises(OutOfScope):
            dtypes.dtype(refused)


def test_issubdtype():
    kinds = ["generic", "number", "integer", "signedinteger", "unsignedinteger", "inexact",
             "floating", "complexfloating", "float32", "bool_", "int8"]
    for name, kind in itertools.product(NAMES, kinds):
        assert dtypes.issubdtype(name, getattr(fake, kind)) == jnp.issubdtype(
            jnp.dtype(name), getattr(np, kind)), (name, kind)
    from simulator.types import scalar_types
    for kind in ("extended", "prng_key"):
        assert dtypes.issubdtype(dtypes.key_dtype(), getattr(scalar_types, kind))
        assert not dtypes.issubdtype("float32", getattr(scalar_types, kind))
    assert not dtypes.issubdtype(dtypes.key_dtype(), fake.number)
    for name in NAMES:
        for kind in ("bool", "signed integer", "integral", "numeric", "real floating",
                     "complex floating", "unsigned integer", "nonsense", "float32",
                     ("bool", "float32")):
            want, got = both(lambda: jnp.isdtype(jnp.dtype(name), kind),
                             lambda: dtypes.isdtype(name, kind))
            assert got == want


def test_limits():
    for name in ("float16", "bfloat16", "float32", "float64", "complex64"):
        real, ours = ml_dtypes.finfo(name), dtypes.finfo(name)
        for field in ("bits", "eps", "max", "min", "tiny", "nmant", "nexp", "maxexp", "minexp",
                      "smallest_normal", "smallest_subnormal", "precision", "epsneg"):
            assert float(getattr(ours, field)) == float(getattr(real, field)), (name, field)
        assert ours.dtype.name == real.dtype.name
        if name != "bfloat16":
            assert type(ours.eps).__name__ == type(np.finfo(name).eps).__name__
    for name in ("int8", "uint8", "int32", "uint64"):
        real, ours = np.iinfo(name), dtypes.iinfo(name)
        assert (ours.bits, ours.min, ours.max, str(ours.dtype), repr(ours)) == (
            real.bits, real.min, real.max, str(real.dtype), repr(real))


def test_rounding():
    values = [0.1, 1 / 3, 1e-8, 65504.0, 65519.9, 65520.0, 3.4e38, 3.5e38, 1e-45, -0.0, 1e-40,
              2.0**-24, 6e-8, 1.00390625, 1.01171875, float("inf"), -float("inf")]
    for name in ("float16", "float32", "bfloat16"):
        d = dtypes.dtype(name)
        want = np.array(values, np.float32).astype(jnp.dtype(name)).astype(np.float64)
        assert dtypes.normalize(values, d) == want.tolist(), name
    ints = [0, 1, -1, 127, 128, 255, 256, -129, 2**31, 2**32 + 5, -2**40]
    for name in ("int8", "uint8", "int16", "uint32", "int32", "int64", "uint64"):
        with np.errstate(all="ignore"):
            want = np.array(ints, np.int64).astype(name).tolist()
        assert dtypes.normalize(ints, dtypes.dtype(name)) == want


def test_avals():
    for name, weak, shape in itertools.product(NAMES, (False, True), ((), (3,), (2, 0))):
        real = jax_core.ShapedArray(shape, jnp.dtype(name), weak_type=weak)
        ours = ShapedArray(shape, name, weak)
        assert (repr(ours), str(ours), ours.str_short(), ours.str_short(True),
                ours.str_short(True, True), ours.ndim, ours.size) == (
            repr(real), str(real), real.str_short(), real.str_short(True),
            real.str_short(True, True), real.ndim, real.size)
        assert ours == ShapedArray(shape, name, weak)
        assert hash(ours) == hash(ShapedArray(shape, name, weak))
        assert ours != ShapedArray(shape, name, not weak) and ours != ShapedArray((9,), name, weak)
        assert ours.strip_weak_type() == ShapedArray(shape, name)
    float0 = jax_core.ShapedArray((2,), jax_dtypes.float0)
    assert (repr(ShapedArray((2,), dtypes.float0)), ShapedArray((2,), dtypes.float0).str_short(True)
            ) == (repr(float0), float0.str_short(True))


def test_sharded_avals():
    from jax.sharding import AxisType as RealType
    from jax.sharding import NamedSharding
    from jax.sharding import PartitionSpec as RealSpec

    from simulator.placement.mesh_types import AbstractMesh, AxisType
    for kinds in itertools.product(("Explicit", "Auto"), repeat=2):
        real_mesh = jax.sharding.AbstractMesh((2, 4), ("x", "y"), axis_types=tuple(
            getattr(RealType, k) for k in kinds))
        mesh = AbstractMesh((2, 4), ("x", "y"), axis_types=tuple(
            getattr(AxisType, k) for k in kinds))
        specs = [(), (None, None)]
        if kinds == ("Explicit", "Explicit"):
            specs += [("x",), ("x", "y"), (("x", "y"),), (None, "y")]
        for spec in specs:
            real = jax_core.ShapedArray((8, 16), np.dtype("float32"), sharding=NamedSharding(
                real_mesh, RealSpec(*spec)))
            ours = ShapedArray((8, 16), "float32", mesh=mesh, spec=spec)
            assert (repr(ours), ours.str_short(True), ours.str_short(True, True)) == (
                repr(real), real.str_short(True), real.str_short(True, True))
            assert ours != ShapedArray((8, 16), "float32")
