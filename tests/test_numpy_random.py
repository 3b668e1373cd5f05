"""``numpy.random`` draws NumPy's own numbers, and refuses what has no seed."""

import numpy
import pytest

from simulator import events
from simulator.errors import OutOfScope
from simulator.facade import numpy as fake
from simulator.process import Process, enter

GENERATOR = (
    "random(5)", "random()", "random((2, 3), dtype=np.float32)", "random(dtype=np.float32)",
    "standard_normal(40000)", "normal(2.0, 3.0, size=(3, 4))", "normal()",
    "uniform(-1, 1, (4,))", "uniform()", "integers(10)", "integers(3, 9, size=7)",
    "integers(0, 2**40, size=5)", "integers(0, 2**32, 3)", "integers(0, 2**63 - 1, 3)",
    "integers(5, size=3, dtype=np.int32)", "integers(1, 6, 9, endpoint=True)",
    "integers(3, 4, 2)", "permutation(20)", "permutation(np.arange(12).reshape(6, 2))",
    "choice(5, 4)", "choice(np.arange(3.0), (2, 2))", "choice(9)")
STATE = (
    "rand()", "rand(2, 3)", "randn(700)", "randn()", "random(3)", "random_sample((2,))",
    "uniform(-2, 2, 5)", "normal(1.0, 0.5, (3,))", "standard_normal(3)", "randint(10)",
    "randint(0, 100, 9)", "randint(0, 2**40, (4,))", "randint(5, size=3, dtype=np.int32)",
    "permutation(11)", "permutation(np.arange(12).reshape(6, 2))", "choice(8, 3)",
    "choice(8, 3, replace=False)", "choice(np.arange(4.0), 2, False)", "choice(8, replace=False)")


def same(ours, real, text):
    kind = str(real.dtype) if hasattr(real, "dtype") else type(real).__name__
    assert kind == (str(ours.dtype) if hasattr(ours, "dtype") else type(ours).__name__), text
    assert fake.asarray(ours).shape == numpy.shape(real), text
    assert fake.asarray(ours).tolist() == numpy.asarray(real).tolist(), text


@pytest.mark.parametrize("seed", [0, 42, 2**31, 12345678901234567890123456789012345678901234567])
def test_generator_against_numpy(seed):
    ours, real = fake.random.default_rng(seed), numpy.random.default_rng(seed)
    for text in GENERATOR:
        same(eval(f"g.{text}", {"g": ours, "np": fake}),
             eval(f"g.{text}", {"g": real, "np": numpy}), text)


@pytest.mark.parametrize("seed", [0, 7, 2**32 - 1])
def test_state_against_numpy(seed):
    ours, real = fake.random.RandomState(seed), numpy.random.RandomState(seed)
    for text in STATE:
        same(eval(f"g.{text}", {"g": ours, "np": fake}),
             eval(f"g.{text}", {"g": real, "np": numpy}), text)
    mine, theirs = fake.arange(9), numpy.arange(9)
    ours.shuffle(mine)
    real.shuffle(theirs)
    same(mine, theirs, "shuffle")


def test_the_shared_state_has_a_seed_or_is_refused():
    before = enter(Process({}, events.Recorder()))
    try:
        with pytest.raises(OutOfScope, match="without a seed"):
            fake.random.rand(2)
        fake.random.seed(3)
        same(fake.random.rand(2), numpy.random.RandomState(3).rand(2), "rand")
    finally:
        enter(before)


def test_refusals_and_errors():
    rng = fake.random.default_rng(0)
    for text in ("np.random.RandomState()", "np.random.default_rng([1, 2])", "rng.beta(1, 2)",
                 "rng.choice(4, 2, replace=False)", "rng.integers(4, dtype=np.int8)",
                 "rng.normal(np.zeros(2))", "np.random.beta(1, 2)", "rng.choice(3, p=[1, 0, 0])"):
        with pytest.raises(OutOfScope):
            eval(text, {"np": fake, "rng": rng})
    for text in ("rng.integers(0)", "np.random.default_rng(-1)", "np.random.RandomState(-1)",
                 "rng.normal(0, -1)", "rng.random(-1)",
                 "np.random.RandomState(0).choice(3, 4, False)"):
        for np in (fake, numpy):
            with pytest.raises(ValueError):
                eval(text, {"np": np, "rng": np.random.default_rng(0)})
    with pytest.raises(AttributeError):
        rng.nothing  # noqa: B018
