"""``numpy.random``: `default_rng` and `RandomState` with a seed, and the functions that share
one state. The numbers are NumPy's own (`simulator.ndarrays.random_bits`).

Simplified: without a seed every run draws other numbers, which no model can know; other
distributions, and parameters that are arrays, are OutOfScope.
"""

from __future__ import annotations

import math
from typing import Any

from simulator import process
from simulator.c_types import CType, written_in_c
from simulator.errors import OutOfScope
from simulator.facade.public import missing as _missing
from simulator.ndarrays import ndarray_make as make
from simulator.ndarrays.beyond import only
from simulator.ndarrays.ndarray import NDArray
from simulator.ndarrays.random_bits import MT19937, PCG64
from simulator.types import dtype_core as dt
from simulator.types.scalar_types import int64 as _int64

_SEED = "give it a seed: without one, every run draws other numbers"


def _seed_of(seed: Any, what: str) -> int:
    if seed is None:
        raise OutOfScope(f"numpy.random.{what} without a seed", _SEED)
    if not hasattr(seed, "__index__"):
        raise OutOfScope(f"numpy.random.{what} with a seed that is no int", "use an int")
    return seed.__index__()


def _is_int(x: Any) -> bool:
    return hasattr(x, "__index__") and not getattr(x, "ndim", 0)


_OWN = ("spawn", "permuted", "multivariate_hypergeometric", "tomaxint")


class _Drawing(metaclass=CType):
    """What both generators have, with `_bits` and the types of the scalars they give."""

    _bits: Any
    _scalar: Any

    def __getattr__(self, name):
        if name in _OWN:
            raise OutOfScope(f"numpy.random.{type(self).__name__}.{name}")
        return __getattr__(name)

    def _draw(self, size: Any, dtype: Any, one: Any) -> Any:
        if size is None:
            return one()
        shape = (size,) if hasattr(size, "__index__") else tuple(size)
        shape = tuple(n.__index__() for n in shape)
        if any(n < 0 for n in shape):
            raise ValueError("negative dimensions are not allowed")
        return NDArray(shape, dtype, [one() for _ in range(math.prod(shape))])

    def _scaled(self, name: str, size: Any, one: Any, first: Any, second: Any) -> Any:
        if any(getattr(v, "ndim", 0) or isinstance(v, (list, tuple)) for v in (first, second)):
            raise OutOfScope(f"{name} with arrays as parameters",
                             "draw standard numbers and scale them")
        first, second = float(first), float(second)
        return self._draw(size, dt.float64, lambda: first + second * one())

    def uniform(self, low=0.0, high=1.0, size=None):
        """Numbers in [low, high)."""
        high = high if getattr(high, "ndim", 0) else high - low
        return self._scaled("numpy.random.uniform", size, self._bits.double, low, high)

    def normal(self, loc=0.0, scale=1.0, size=None):
        """Normal numbers."""
        if not getattr(scale, "ndim", 0) and scale < 0:
            raise ValueError("scale < 0")
        return self._scaled("numpy.random.normal", size, self._bits.normal, loc, scale)

    def _ints(self, name: str, low: Any, high: Any, size: Any, dtype: Any, end: int) -> Any:
        low, high = (0, low) if high is None else (low, high)
        wanted = dt.int64 if dtype in (None, int) else dt.dtype(dtype)
        if not (hasattr(low, "__index__") and hasattr(high, "__index__")) \
                or wanted not in (dt.int64, dt.int32):
            raise OutOfScope(f"numpy.random.{name} with arrays as limits, or of another dtype "
                             "than int32 and int64", "use ints and astype")
        low, high = low.__index__(), high.__index__()
        if low > high - 1 + end:
            raise ValueError("low > high" if end else "low >= high")
        drawn = self._draw(size, wanted, lambda: low + self._bits.below(high - 1 + end - low))
        if size is None and (dtype is not None or self._scalar is not int):
            return make.asarray(drawn, wanted)[()]
        return drawn

    def _order(self, n: int) -> list[int]:
        order = list(range(n))
        for i in range(n - 1, 0, -1):
            j = self._bits.masked(i)
            order[i], order[j] = order[j], order[i]
        return order

    def permutation(self, x):
        """The numbers below `x`, or the rows of `x`, in random order."""
        if _is_int(x):
            return NDArray((int(x),), dt.int64, self._order(int(x)))
        x = make.asarray(x)
        return x[self._order(x.shape[0])]

    def shuffle(self, x):
        """Bring the rows of `x` into random order, in place."""
        order = self._order(len(x))
        x[:] = [x[i] for i in order] if isinstance(x, list) else make.asarray(x)[order]

    def choice(self, a, size=None, replace=True, p=None):
        """Elements of `a`, or numbers below it."""
        if p is not None or not (replace or self._scalar is int):
            raise OutOfScope("numpy.random.choice with p, or without replacement",
                             "index with a permutation")
        pool = None if _is_int(a) else make.asarray(a)
        n = int(a) if pool is None else pool.shape[0]
        if replace:
            at = self._ints("choice", 0, n, size, None, 0)
        else:
            shape = () if size is None else (size,) if hasattr(size, "__index__") else size
            if math.prod(shape) > n:
                raise ValueError("Cannot take a larger sample than population when "
                                 "'replace=False'")
            at = self.permutation(n)[:math.prod(shape)].reshape(shape)
        at = at if size is not None else int(at)
        return at if pool is None else pool[at]


class Generator(_Drawing):
    """What `default_rng` returns."""

    _scalar = _int64

    def __init__(self, bit_generator):
        self._bits = bit_generator

    def random(self, size=None, dtype=float, out=None):
        """Numbers in [0, 1), of float64 or float32."""
        only("random.Generator.random", out=out)
        if dt.dtype(dtype) is dt.float32:
            return self._draw(size, dt.float32, lambda: (self._bits.next32() >> 8) / 16777216.0)
        return self._draw(size, dt.float64, self._bits.double)

    def standard_normal(self, size=None, dtype=float, out=None):
        """Standard normal numbers of float64."""
        only("random.Generator.standard_normal", out=out)
        if dt.dtype(dtype) is not dt.float64:
            raise OutOfScope("numpy.random.Generator.standard_normal of float32",
                             "use astype(np.float32)")
        return self._draw(size, dt.float64, self._bits.normal)

    def integers(self, low, high=None, size=None, dtype=None, endpoint=False):
        """Ints in [low, high), or [low, high] with `endpoint`."""
        return self._ints("Generator.integers", low, high, size, dtype, int(endpoint))

    def choice(self, a, size=None, replace=True, p=None, axis=0, shuffle=True):
        """Elements of `a`, or numbers below it."""
        only("random.Generator.choice", axis=axis or None)
        return super().choice(a, size, replace, p)

    def permutation(self, x, axis=0):
        """The numbers below `x`, or the rows of `x`, in random order."""
        only("random.Generator.permutation", axis=axis or None)
        return super().permutation(x)


written_in_c(Generator, "numpy.random._generator.Generator")


class RandomState(_Drawing):
    """The older generator."""

    _scalar = int

    def __init__(self, seed=None):
        self.seed(seed)

    def seed(self, seed=None):
        """Begin again."""
        seed = _seed_of(seed, "RandomState")
        if not 0 <= seed < 1 << 32:
            raise ValueError("Seed must be between 0 and 2**32 - 1")
        self._bits = MT19937(seed)

    def random_sample(self, size=None):
        """Numbers in [0, 1)."""
        return self._draw(size, dt.float64, self._bits.double)

    random = random_sample

    def rand(self, *shape):
        """Numbers in [0, 1)."""
        return self.random_sample(shape or None)

    def standard_normal(self, size=None):
        """Standard normal numbers."""
        return self._draw(size, dt.float64, self._bits.normal)

    def randn(self, *shape):
        """Standard normal numbers."""
        return self.standard_normal(shape or None)

    def randint(self, low, high=None, size=None, dtype=None):
        """Ints in [low, high)."""
        return self._ints("randint", low, high, size, dtype, 0)


def default_rng(seed=None):
    """A `Generator` with this seed; one that is a `Generator` already comes back."""
    if isinstance(seed, Generator):
        return seed
    seed = _seed_of(seed, "default_rng")
    if seed < 0:
        raise ValueError("expected non-negative integer")
    return Generator(PCG64(seed))


def _shared(name: str) -> Any:
    def function(*args, **kwargs):
        current = process.current()
        if name == "seed":
            current.numpy_random = RandomState(*args, **kwargs)
            return None
        if current.numpy_random is None:
            raise OutOfScope(f"numpy.random.{name} without a seed",
                             "call numpy.random.seed(0) first: without a seed, every run draws "
                             "other numbers")
        return getattr(current.numpy_random, name)(*args, **kwargs)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"`RandomState.{name}` on the state that all of these share."
    return function


(seed, rand, randn, randint, random, random_sample, uniform, normal, standard_normal,
 permutation, shuffle, choice) = map(_shared, (
     "seed", "rand", "randn", "randint", "random", "random_sample", "uniform", "normal",
     "standard_normal", "permutation", "shuffle", "choice"))

__getattr__ = _missing("numpy.random")
