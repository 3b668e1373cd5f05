"""The NumPy stand-in against NumPy: the same expressions, the same values, types, text, errors."""

from __future__ import annotations

import inspect
import itertools
import math
import pathlib
import warnings

import numpy
import pytest

import simulator.facade.numpy as fake
from simulator.errors import OutOfScope
from simulator.ndarrays.cells import MAX_VALUES
from simulator.ndarrays.ndarray import NDArray

# The expressions, one a line in a file, see these names on both sides.
SETUP = """
a = np.arange(6.).reshape(2, 3)
f = np.array([1.5, -2.25, 0.1], np.float32)
i = np.arange(12).reshape(3, 4)
b = np.array([True, False, True])
e = np.zeros((0, 3))
s = np.float32(0.1)
z = np.array([1+2j, 3j])
u = np.array([200, 100], np.uint8)
"""
EXPRESSIONS = pathlib.Path(__file__).with_name("numpy_expressions.txt").read_text().splitlines()


def evaluate(module) -> list[str]:
    names = {"np": module}
    out = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(SETUP, names)
        for text in EXPRESSIONS:
            try:
                value = eval(text, names)
                kind = "dtype" if isinstance(value, module.dtype) else type(value).__name__
                out.append(f"{text} -> {kind} {value!r}")
            except OutOfScope as refusal:
                out.append(f"{text} -> {refusal}")
            except Exception as error:
                out.append(f"{text} -> {type(error).__name__}: {str(error).splitlines()[0]}")
    return out


def test_expressions():
    wrong = [f"real  {want}\nmodel {got}" for want, got in zip(evaluate(numpy), evaluate(fake))
             if want != got]
    assert not wrong, f"{len(wrong)} differ:\n" + "\n".join(wrong)


# Statements that write, and what to look at afterwards.
WRITES = [
    ("x = a.copy(); x[0] = 7", "x"), ("x = a[0]; x[1] = 9", "a"), ("x = a.T; x[0, 0] = 9", "a"),
    ("x = a.reshape(3, 2); x[0, 0] = 9", "a"), ("x = a.T.reshape(-1); x[0] = 9", "a"),
    ("x = a.ravel(); x[0] = 9", "a"), ("x = a.flatten(); x[0] = 9", "a"),
    ("x = a[:, ::2]; x[...] = 0", "a"), ("x = a[[0]]; x[0] = 0", "a"), ("a[a > 2] = 0", "a"),
    ("a[[0, 1], [0, 1]] = 5", "a"), ("a[:, 1] = [7, 8]", "a"), ("a[0] = 1j", "a"),
    ("a[0] = [1, 2]", "a"), ("i[0] = 2.9", "i"), ("i[0] = 2**70", "i"), ("u[0] = 300", "u"),
    ("u[0] = -1", "u"), ("u[:] = f[:2].astype(int)", "u"), ("b[0] = 5", "b"), ("a += 1", "a"),
    ("x = a; x += 1", "a"), ("i += 1.5", "i"), ("i *= 2", "i"), ("i /= 2", "i"), ("f += a[0]", "f"),
    ("x = a[0]; x *= 2", "a"), ("a[0] += 1", "a"), ("a[[0, 0]] += 1", "a"), ("a[7] = 1", "a"),
    ("a.fill(3)", "a"), ("a.sort()", "a"), ("x = np.broadcast_to(f, (2, 3)); x[0] = 1", "f"),
    ("a.setflags(write=False); a[0] = 1", "a"), ("x = a[None]; x[0, 0, 0] = 5", "a"),
    ("x = a[1:]; y = x[:, 1:]; y[0, 0] = 5", "a"), ("x = a + 0; a[0] = 9", "x"),
    ("x = a.sum(); a[0] = 9", "x"), ("x = a * 1; x[0] = 3; a[1] = 4", "(a, x)"),
    ("x = np.squeeze(a[:1]); x[0] = 5", "a"), ("x = a.astype(float, copy=False); x[0] = 5", "a"),
    ("x = a.astype(float); x[0] = 5", "a"), ("x = np.asarray(a); x[0] = 5", "a"),
    ("x = np.array(a); x[0] = 5", "a"), ("f *= 1e39", "f"), ("u += 1; u += 200", "u"),
    ("i //= 0", "i"), ("i **= 2", "i"), ("b |= True", "b"), ("b += 1", "b"), ("i <<= 2", "i"),
    ("x = i[1]; i[1] = i[0]", "x"), ("i[:2] = i[1:]", "i"), ("i[1:] = i[:2]", "i"),
    ("a[:] = a[::-1]", "a"), ("a[..., 0] = 1", "a"), ("a[True] = 1", "a"), ("a[b[:2]] = 1", "a"),
]


def written(module, statement: str, look: str) -> str:
    names = {"np": module}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(SETUP, names)
        error = ""
        for part in statement.split("; "):
            try:
                exec(part, names)
            except Exception as failure:
                error = f"{type(failure).__name__}: {str(failure).splitlines()[0]} "
        return error + repr(eval(look, names))


@pytest.mark.parametrize("statement, look", WRITES)
def test_writing(statement, look):
    assert written(fake, statement, look) == written(numpy, statement, look)


def test_indexing_exhaustively():
    real, ours = numpy.arange(24).reshape(2, 3, 4), fake.arange(24).reshape(2, 3, 4)

    def made(module, kind):
        return {"a": module.array([0, 1]), "m": module.array([[1], [0]]), "i": 1, "n": None,
                "s": slice(None, None, -1), "e": Ellipsis, "t": slice(1, 3)}[kind]
    for size in range(1, 5):  # up to four indices out of seven kinds
        for picked in itertools.product("amintes", repeat=size):
            results = []
            for array, module in ((real, numpy), (ours, fake)):
                try:
                    out = array[tuple(made(module, k) for k in picked)]
                    results.append((out.shape, out.tolist()))
                except IndexError as error:
                    results.append(str(error)[:30])
            assert results[0] == results[1], picked


def test_promotion_against_numpy():
    names = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
             "float16", "float32", "float64", "complex64", "complex128"]
    for a, b in itertools.product(names, repeat=2):
        assert fake.promote_types(a, b).name == numpy.promote_types(a, b).name, (a, b)
        for op in ("add", "multiply", "true_divide", "maximum", "equal"):
            x, y = numpy.ones(2, a), numpy.ones(2, b)
            want = getattr(numpy, op)(x, y).dtype.name
            got = getattr(fake, op)(fake.ones(2, a), fake.ones(2, b)).dtype.name
            assert got == want, (op, a, b)
    for a in names:
        for scalar in (2, 2.5, 1j, True):
            assert (fake.ones(2, a) + scalar).dtype.name == (numpy.ones(2, a) + scalar).dtype.name
        for op in ("sin", "sqrt", "exp", "square", "isnan", "rint"):
            x = getattr(numpy, op)(numpy.ones(2, a)) if op in dir(numpy) else None
            assert getattr(fake, op)(fake.ones(2, a)).dtype.name == x.dtype.name, (op, a)
        for op in ("sum", "prod", "mean", "std", "cumsum", "max", "argmax", "any"):
            assert getattr(fake.ones(2, a), op)().dtype.name == \
                getattr(numpy.ones(2, a), op)().dtype.name, (op, a)


def test_lazy_values_cost_nothing():
    big = fake.ones((10_000, 10_000), fake.float32)
    out = (fake.sin(big @ big) + 1).T[0]
    assert out.shape == (10_000,) and out.dtype.name == "float32"
    with pytest.raises(OutOfScope, match="values of an array"):
        fake.ones(MAX_VALUES + 1).tolist()


def test_long_chains():
    x = fake.float32(1) * fake.ones(3, fake.float32)
    for _ in range(5000):
        x = x * 1.0 + 0.0
    assert x.tolist() == [1.0, 1.0, 1.0]
    big = fake.zeros(10_000)
    for _ in range(3000):
        big = big + 1.0
    assert big[0] == 3000.0


def test_foreign_arrays_take_over():
    class Device:
        __array_priority__ = 100

        def __array__(self, dtype=None):
            return fake.ones(3)

        def __radd__(self, other):
            return "mine"

        def __rmul__(self, other):
            return "mine"

        def __gt__(self, other):
            return "mine"

    for value in (fake.ones(3), fake.float32(1), fake.float64(2)):
        assert value + Device() == "mine" and value * Device() == "mine"
        assert (value < Device()) == "mine"
    taken = fake.asarray(Device())
    assert taken.tolist() == [1.0, 1.0, 1.0] and not taken.flags.writeable
    assert fake.array(Device()).flags.writeable and fake.sin(Device()).shape == (3,)


def test_refusals():
    for text in ("np.random.default_rng()", "np.random.default_rng(0).gamma(1.0)", "np.fft",
                 "np.einsum('...i->', f)", "np.array(['a'])",
                 "np.array([None])", "np.array({})", "np.array(2**70)", "np.zeros(2, object)",
                 "np.add.reduce(f)", "np.linspace(f, f)", "f.byteswap()", "np.linalg.eigh(a)"):
        names = {"np": fake}
        exec(SETUP, names)
        with pytest.raises(OutOfScope):
            eval(text, names)
    with pytest.raises(AttributeError):
        fake.no_such_function


def test_bytes_and_special_values():
    for name in ("bool", "int8", "int32", "uint64", "float16", "float32", "float64", "complex64"):
        values = [0, 1, 0, 1] if name == "bool" else [0, 1, 2, 3]
        real, ours = numpy.array(values, name), fake.array(values, name)
        assert ours.tobytes() == real.tobytes()
    assert math.isnan(fake.array([math.nan], fake.float16).item())
    assert NDArray((), "bfloat16", [1.5]).astype("float32").item() == 1.5


def arrays_to_print():
    rng = numpy.random.default_rng(7)
    names = ["float32", "float64", "float16", "int32", "bool", "complex64", "uint8", "int64"]
    for k in range(400):
        shape = tuple(rng.integers(0, 5, rng.integers(0, 4))) if k % 3 else (
            int(rng.integers(1, 40)),)
        d = names[k % len(names)]
        if d.startswith("f"):
            x = rng.normal(size=shape) * 10.0 ** rng.integers(-6, 9)
            if k % 5 == 0:
                x = numpy.round(x * 4) / 4
            if k % 7 == 0 and x.size:
                x = numpy.asarray(x)
                x.reshape(-1)[0] = [numpy.nan, numpy.inf, -numpy.inf][k % 3]
        elif d.startswith("c"):
            x = rng.normal(size=shape) + 1j * numpy.round(rng.normal(size=shape) * 100)
        else:
            x = rng.integers(0, 2 if d == "bool" else 200, shape)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield numpy.asarray(x).astype(d)
    yield numpy.array([1e-300, 1e100]), numpy.array([1e5, 1e100, 1.5])
    yield from (numpy.arange(n).reshape(shape) for n, shape in (
        (1001, (1001,)), (1200, (30, 40)), (1000, (10, 10, 10)), (4096, (8, 8, 64))))


def test_printing_against_numpy():
    for group in arrays_to_print():
        for real in group if isinstance(group, tuple) else (group,):
            ours = fake.array(real.tolist(), real.dtype.name).reshape(real.shape)
            assert repr(ours) == repr(real)
            assert str(ours) == str(real)


def test_printing_against_jax():
    import jax.numpy as jnp

    from simulator.ndarrays.ndarray_text import device_array_repr
    for k, real in enumerate(arrays_to_print()):
        if isinstance(real, tuple) or k % 3:
            continue
        device = jnp.asarray(real)
        if k % 2 and device.dtype == jnp.float32:
            device = device.astype(jnp.bfloat16)
        values = numpy.asarray(device)
        values = values.astype(numpy.float64) if device.dtype == jnp.bfloat16 else values
        ours = fake.array(values.tolist(), device.dtype.name).reshape(real.shape)
        assert device_array_repr(ours) == repr(device)
        assert str(ours) == str(device)
    assert device_array_repr(fake.float32(2).__array__(), True) == repr(jnp.asarray(2.0))
    assert device_array_repr(fake.zeros((600, 600), fake.float32)) == repr(jnp.zeros((600, 600)))


def parameters(function):
    try:
        found = inspect.signature(function).parameters
    except ValueError:
        return set(), False
    return ({p.name for p in found.values() if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)},
            any(p.kind is p.VAR_KEYWORD for p in found.values()))


# Names of the first argument, which is given by place.
FIRST = {"a", "arr", "val", "prototype", "start_or_stop", "arg1", "arg2"}


def test_every_argument_of_numpy_is_taken_or_refused():
    """An argument that the stand-in does not know would be a TypeError, and no program's fault."""
    missing = []
    for name in numpy.__all__:
        real, mine = getattr(numpy, name, None), vars(fake).get(name)
        if inspect.isroutine(real) and mine is not None and not isinstance(real, numpy.ufunc):
            taken, anything = parameters(mine)
            wanted, _ = parameters(real)
            missing += [f"{name}: {p}" for p in sorted(wanted - taken - FIRST) if not anything]
    assert missing == []


@pytest.mark.parametrize("text", [
    "np.reshape(a, (3, 2), order='F')", "a.reshape((3, 2), order='F')", "a.ravel('F')",
    "a.flatten('F')", "a.copy('F')", "a.tobytes('F')", "np.array(a, order='F')",
    "np.zeros((2, 2), order='F')", "a.astype(int, casting='safe')", "np.sum(a, out=e)",
    "np.sum(a, initial=0)", "np.sum(a, where=a > 2)", "a.mean(where=a > 2)", "np.any(a, out=e)",
    "np.cumsum(a, out=e)", "np.take(a, [7], mode='clip')", "np.clip(a, 1, 2, dtype='float32')",
    "np.diff(a, prepend=0)", "np.dot(a, a.T, out=e)", "np.searchsorted(f, 1.0, sorter=[0, 1, 2])",
    "np.unique(a, equal_nan=False)", "np.array2string(a, legacy='1.13')", "np.seterr(all='raise')",
    "np.errstate(divide='raise')", "np.concatenate([a, a], out=e)", "np.full(2, 1, like=a)",
    "np.meshgrid(f, f, copy=False)", "np.testing.assert_array_equal(a, a, strict=True)"])
def test_what_is_not_done_is_refused_and_not_left_out(text):
    names = {"np": fake}
    exec(SETUP, names)
    exec("import simulator.facade.numpy.testing", {})
    with pytest.raises(OutOfScope):
        eval(text, names)
