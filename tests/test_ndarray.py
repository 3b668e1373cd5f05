"""The NumPy stand-in against NumPy: the same expressions, the same values, types, text, errors."""

from __future__ import annotations

import itertools
import math
import warnings

import numpy
import pytest

import simulator.facade.numpy as fake
from simulator.cells import MAX_VALUES
from simulator.errors import OutOfScope
from simulator.ndarray import NDArray

# Each line is evaluated on both sides with `np`; setup names are available.
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
EXPRESSIONS = """
a + 1; a + 1.5; a * 2; a / 3; a - a; a // 2; a % 2; a ** 2; 2 ** a; -a; abs(-a); a @ a.T; 7 - a
i + 1; i / 2; i // 5; i % 5; i ** 2; -i; i << 1; i >> 1; i & 3; i | 1; i ^ 2; ~i; i + 2.5; i * True
f + 1; f * 2.5; f + a[0]; f / 3; f + s; f + np.float64(1); f ** 2; f + 1j; f // 1; f % 1; f + i[0, :3]
b + b; b | b; b & True; ~b; b * 2; b + 1; b / 2; b - b; -b; b ** f; i + 2**70; i < 2**70; np.array(2**70, np.float32); np.array([2**70], np.int32); b + f
u + u; u + 1; u * 2; u + 300; u - 201; u / 2; u + i[0, :2]; u + np.int8(1); u // 0
z + 1; z * z; z.real; z.imag; abs(z); z.conj(); z / 2; z ** 2; z == z; z < z
a == 2; a != 2; a < 2; a >= i[:2, :3]; a == None; a == "x"; (a > 2) & (a < 5); f == np.float32(0.1)
s + 1; s * 2.0; s + np.float64(1); s == 0.1; s == np.float32(0.1); float(s); s.item(); s.dtype; s.shape; s / 0
np.float64(0.1) + 1; np.float64(3) / 2; np.float64(2) ** 0.5; np.float64(1) == 1; np.float64(2) // 1; int(np.float64(2.7))
np.int32(5) + 1; np.int32(5) / 2; np.int32(7) // 2; np.int32(7) + 2**40; np.int8(100) + np.int8(100); np.int64(3) + 1.5
np.uint8(5) - np.uint8(6); np.bool_(True) + 1; np.bool_(True) & False; np.int32(3) ** 2; np.int32(-7) // 2; np.int32(-7) % 3
round(np.float32(1.25), 1); round(np.float64(2.5)); abs(np.int32(-3)); -np.float32(2); ~np.int32(5); divmod(np.int32(7), 2)
hash(np.float32(1)) == hash(1.0); bool(np.float32(0)); [1, 2, 3][np.int64(1)]; isinstance(np.float64(1), float); isinstance(np.float32(1), float)
isinstance(np.float64(1), np.floating); isinstance(np.int32(1), int); isinstance(np.bool_(1), bool); isinstance(a, np.ndarray)
np.float32("1.5"); np.float32([1, 2]); np.int32(3.7); np.uint8(300); np.uint8(-1); np.int32(2**40); np.float32(1e60); np.complex64(1)
np.float64; np.float32(1).sum(); np.float32(2).reshape(1); np.float32(2)[()]; np.int64(5).astype(np.float32); np.float32(1)[0]
a[0]; a[0, 1]; a[-1]; a[:, 1]; a[:, ::-1]; a[1:, :2]; a[..., 0]; a[None]; a[:, None].shape; a[0][1]; a[5]; a[0, 0, 0]; a["x"]; a[1.5]
a[[0, 1]]; a[[1, 0], [0, 2]]; a[a > 2]; a[:, [0, 2]]; a[[True, False]]; a[np.array([0, 1]), 1:]; a[[5]]; i[[0, 2], :, None].shape
i[:, [0, 1]][[1, 2]]; i[np.ix_] if False else 0; i[1:, [0, 3]]; i[[0, 1], :, ][:, [1]]; i[b]; i[b, 1:]; i[[[0, 1], [1, 2]]]; a[True]; a[False].shape
a[a > 100]; a[[]]; i[None, [0, 1]].shape; i[[0, 1], None, [1, 2]].shape; e[0:0]; e.sum(); e.max(); e.mean()
a.sum(); a.sum(0); a.sum(axis=1, keepdims=True); a.mean(); a.mean(0); a.max(); a.min(1); a.prod(); a.std(); a.var(0); a.argmax(); a.argmin(0)
i.sum(); i.sum(dtype=np.float32); i.mean(); i.max(axis=(0, 1)); i.cumsum(); i.cumsum(0); i.cumprod(1); u.sum(); b.sum(); b.all(); b.any(); f.sum(); f.mean()
np.sum([1, 2]); np.max(i, 0); np.any(a > 4); np.all(a >= 0); np.argsort([3, 1, 2]); np.sort([[3, 1], [2, 0]]); np.median([1, 3, 2]); np.ptp(i)
a.reshape(3, 2); a.reshape(-1); a.reshape((6, 1)); a.reshape(4); a.T; a.ravel(); a.flatten(); a.transpose(1, 0); a.swapaxes(0, 1); a[None].squeeze()
a.squeeze(0); a.astype(int); a.astype(np.float16); a.astype(bool); i.astype("uint8"); a.tolist(); a.copy(); a.dtype; a.shape; a.ndim; a.size; a.nbytes; a.itemsize; a.strides
len(a); list(a[0]); [x for x in f]; 2.0 in a; 9 in a; bool(a); bool(a[:1, :1]); int(a[0, 1]); float(i[2, 2]); float(a); int(f); a.item(); a.item(1); a.item((1, 2))
np.array([1, 2]); np.array([1, 2.5]); np.array([1, True]); np.array([[1], [2]]); np.array(3); np.array([]); np.array([1, 2], float); np.array([1.5], int)
np.array([[1, 2], [3]]); np.array([2**40], np.int32); np.array([1, 2], dtype="complex64"); np.array([np.float32(1), 2]); np.array([f, f]); np.array(range(3)); np.array((1, (2)))
np.array([[]]).shape; np.array([1j, 2]); np.array([300], np.uint8); np.array([True, 2.0]); np.array([-1], np.uint8); np.array([1], ndmin=2); np.asarray(a) is a; np.array(a) is a
np.zeros(3); np.ones((2, 2), int); np.full(2, 7); np.full((2,), 1.5, np.float32); np.zeros_like(f); np.ones_like(i[:1]); np.empty((0,)); np.full_like(f, 3); np.zeros(-1)
np.arange(3); np.arange(3.); np.arange(1, 7, 2); np.arange(0, 1, 0.25); np.arange(3, dtype=np.float32); np.arange(5, 0, -2); np.arange(0); np.arange(np.int32(3)); np.arange(0, 1, 0.1)
np.linspace(0, 1, 5); np.linspace(0, 1, 3, endpoint=False); np.linspace(2, 2, 1); np.eye(2); np.eye(2, 3, 1, dtype=int); np.identity(2); np.tri(2); np.tril(i); np.triu(i, 1); np.diag([1, 2]); np.diag(i); np.diag([1], 1)
np.concatenate([a, a]); np.concatenate([a, a], 1); np.concatenate([f, a[0]]); np.stack([f, f]); np.stack([f, f], 1); np.vstack([f, f]); np.hstack([f, f]); np.concatenate([a, f]); np.concatenate([])
np.split(np.arange(6), 3); np.array_split(np.arange(5), 2); np.split(np.arange(6), [2, 3]); np.split(np.arange(5), 2); np.tile([1, 2], 2); np.tile([1, 2], (2, 1)); np.repeat([1, 2], 2); np.repeat(i[:2], [1, 2], axis=0)
np.where(a > 2, a, 0); np.where(b, 1, 2.5); np.where(b); np.clip(a, 1, 3); a.clip(0, 2); np.maximum(a, 2); np.minimum(f, 0); np.maximum(np.nan, 1); np.where(b, f, 1)
np.flip(f); np.roll([1, 2, 3], 1); np.roll(i, 1, axis=1); np.expand_dims(f, 0).shape; np.broadcast_to(f, (2, 3)); np.broadcast_to(f, (2, 2)); np.broadcast_shapes((2, 1), (3,)); np.moveaxis(i[None], 0, 2).shape; np.swapaxes(i, 0, 1).shape
np.dot(f, f); np.dot(a, a.T); np.inner(f, f); np.outer([1, 2], [3, 4]); np.vdot(f, f); np.matmul(a, a.T); a @ f.astype(float); np.matmul(a, a); a @ 2; np.linalg.norm([3., 4.]); np.trace(i); np.diff([1, 4, 9])
np.sin(a); np.exp(f); np.sqrt(i); np.log([1, 0]); np.sin(1); np.sqrt(np.float32(2)); np.exp(np.int8(1)); np.floor(f); np.ceil(f); np.round(f, 1); np.abs(f); np.sign(f); np.square(i[:1]); np.tanh(0.5); np.arctan2(1, 2); np.hypot(3, 4)
np.isnan([1, np.nan]); np.isinf([np.inf]); np.isfinite(f); np.logical_and(b, True); np.logical_not(b); np.equal(f, f); np.power(2, 3); np.power(2, -1); np.mod(7, 3); np.floor_divide(7, 2); np.true_divide(1, 2); np.negative(b); np.subtract(b, b)
np.allclose(f, f); np.isclose(1, 1 + 1e-9); np.array_equal(f, f); np.unique([3, 1, 3]); np.count_nonzero(b); np.nonzero(b); np.argwhere(b); np.flatnonzero(b); np.isin([1, 2], [2]); np.searchsorted([1, 2, 3], 2); np.bincount([0, 1, 1])
np.result_type(f, 1); np.result_type(np.int8, np.uint8); np.promote_types("int32", "float32"); np.can_cast("int32", "float64"); np.can_cast("float64", "float32"); np.issubdtype(np.float32, np.floating); np.issubdtype(np.int8, np.integer)
np.dtype("f4"); np.dtype(float).name; np.dtype(np.int8) == "int8"; np.dtype("nope"); np.finfo(np.float32).eps; np.finfo(np.float64).max; np.iinfo(np.int8).max; np.iinfo("int32"); np.pi; np.newaxis; np.inf; str(f.dtype); np.float32(1).dtype == f.dtype
str(a); str(f); str(i); str(b); repr(f); repr(e); repr(z); str(np.float32(0.1)); repr(np.float32(0.1)); str(np.float64(0.1)); repr(np.float64(1e20)); repr(np.float32(1e-5)); repr(np.float32(16777216)); repr(np.bool_(True)); repr(np.int8(3)); repr(np.complex64(1+2j)); str(np.complex128(2j))
np.array([1e10, 1]); np.array([1e-5, 1]); np.array([0.1, 100]); np.array([1e5, 0.001]); np.array([1/3, 2/3]); np.array([np.nan, 1]); np.array([np.inf, -np.inf]); np.array([1e300]); np.array([123456789.123]); np.array([0.1], np.float16); np.array([1e8], np.float32); np.array([-0.0, 0.0])
np.arange(40); np.arange(40.) / 7; np.arange(2000); np.zeros((3, 4)); np.arange(24).reshape(2, 3, 4); np.ones((2, 2), bool); np.arange(30).reshape(2, 15) * 1000; np.zeros((2, 0)); np.zeros((40, 40)); np.array(1.5); np.array(True); np.array([[1.5, 2], [3, 400]]); np.zeros((30, 3), np.float32)
np.array([1e6, 1], np.float32); np.array([2000.], np.float16); np.array([1e-4], np.float32); np.array([np.nan]); np.array([np.inf, 1e10]); np.array([np.nan, -np.inf, 1.5]); np.array([1+2j, np.nan]); np.array([1e7, 3j]); np.float16(1e4); np.float32(1e-4); np.float32(1e6); np.float64(1e16); np.complex64(1e6); np.float16(0.1)
np.arange(20, dtype=np.float32).sum() / 7; (np.arange(200, dtype=np.float32) / 7).sum(); (np.arange(1000, dtype=np.float32) / 3).mean(); (np.arange(60, dtype=np.float32) / 7).reshape(6, 10).sum(0); (np.arange(60, dtype=np.float32) / 7).reshape(6, 10).mean(1); (np.arange(60) / 7).reshape(6, 10).std(1); (np.arange(60, dtype=np.float32) / 7).var(); np.array([0.1, 0.2, 0.3], np.float16).mean(); (np.arange(300) / 7).sum()
f"{s:.3f}"; f"{a[0, 0]:.2f}"; "%.2f" % s; f"{np.float64(2)}"; f"{i[0, 1]}"; f"{np.array(2.5):.1f}"; str([np.float32(1)]); f"{f}"; format(f, ".2f")
a.nonexistent; np.float32(1).nonexistent; f.tobytes(); np.array([1, 2], np.int16).tobytes(); b.tobytes(); f.view(np.int32); a.real is a; a.imag; a.flags.writeable; a[0].base is a or a[0].base is not None; a.copy().base
np.meshgrid([1, 2], [3, 4]); np.pad([1, 2], 1); np.delete([1, 2, 3], 1); np.append([1], [2]); np.atleast_1d(3); np.atleast_2d([1, 2]); np.shape([[1, 2]]); np.ndim(3); np.size([1, 2]); np.isscalar(3); np.isscalar(f); list(np.ndindex(2, 2)); list(np.ndenumerate([5, 6]))
np.take([4, 5, 6], [0, 2]); np.ravel([[1], [2]]); np.transpose(i).shape; np.squeeze([[1]]); np.copy(f); np.real(z); np.imag(z); np.around(1.567, 2); np.cumsum([1, 2]); np.prod([2, 3]); np.std([1, 2]); np.var(f); np.amax(f); np.argmax([1, 3, 2])
np.reshape(f, (3, 1)); np.zeros(3, "bool"); np.float16(1) + np.float32(1); np.int8(1) + np.int16(300); np.uint64(1) + np.int64(1); np.float32(1) + 1e300; np.int64(1) + 2**62; np.array([1, 2]) + 2**70 if False else 0; np.int32(1) < 2**40; np.uint8(3) == -1
np.float64(1) / 0; np.float64(-1) / 0; np.int32(1) // 0; np.array([1, 2]) / 0; np.log(-1.0); np.sqrt(-1.0); np.float32(3) % 0; np.array([1.0]) // 0; np.arcsin(2); np.exp(1000.)
""".replace("\n", ";")


def evaluate(module) -> list[str]:
    names = {"np": module}
    out = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(SETUP, names)
        for text in filter(None, map(str.strip, EXPRESSIONS.split(";"))):
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
            assert getattr(fake, op)(fake.ones(2, a), fake.ones(2, b)).dtype.name == want, (op, a, b)
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
    for text in ("np.random.default_rng(0)", "np.fft", "np.einsum('i->', f)", "np.array(['a'])",
                 "np.array([None])", "np.array({})", "np.array(2**70)", "np.zeros(2, object)",
                 "np.add.reduce(f)", "np.linspace(f, f)", "f.byteswap()", "np.linalg.inv(a)"):
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
    from simulator.ndarray_text import device_array_repr
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
