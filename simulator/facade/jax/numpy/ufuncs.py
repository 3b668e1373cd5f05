"""``jax.numpy.ufunc``: the object behind ``jnp.add``.

JAX source: ``jax/_src/numpy/ufunc_api.py: ufunc``; ``jax/_src/numpy/ufuncs.py:
unary_ufunc, binary_ufunc``.

Simplified: `at`, `outer` and `reduceat` are out of scope.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from simulator.api import jit
from simulator.errors import OutOfScope
from simulator.facade.jax.lax import base
from simulator.facade.jax.numpy.util import check_arraylike


class ufunc:
    """A universal function over one or two arrays; calling it calls its jitted function."""

    def __init__(self, func: Callable, /, nin: int, nout: int, *, name: str,
                 identity: Any = None, call: Callable, reduce: Callable | None = None,
                 accumulate: Callable | None = None):
        self.__name__ = name
        self.__doc__ = func.__doc__
        self._func, self.nin, self.nout, self.nargs = func, nin, nout, nin
        self.identity = identity
        self._call, self._reduce, self._accumulate = call, reduce, accumulate

    def __call__(self, *args: Any, out: None = None, where: None = None) -> Any:
        check_arraylike(self.__name__, *args)
        if out is not None:
            raise NotImplementedError(f"out argument of {self}")
        if where is not None:
            raise NotImplementedError(f"where argument of {self}")
        return self._call(*args)

    def __hash__(self) -> int:
        return hash((self._func, self.__name__, self.identity, self.nin))

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, ufunc) and self._func is other._func
                and self.__name__ == other.__name__)

    def __repr__(self) -> str:
        return f"<jnp.ufunc '{self.__name__}'>"

    def _checked(self, what: str) -> None:
        if self.nin != 2:
            raise ValueError(f"{what} only supported for binary ufuncs")

    @jit(static_argnames=["self", "axis", "dtype", "out", "keepdims"])
    def reduce(self, a, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=None):
        """``jnp.add.reduce``."""
        check_arraylike(f"{self.__name__}.reduce", a)
        self._checked("reduce")
        if out is not None:
            raise NotImplementedError(f"out argument of {self.__name__}.reduce()")
        if initial is not None:
            check_arraylike(f"{self.__name__}.reduce", initial)
        if where is not None:
            check_arraylike(f"{self.__name__}.reduce", where)
            if self.identity is None and initial is None:
                raise ValueError(f"reduction operation {self.__name__!r} does not have an "
                                 "identity, so to use a where mask one has to specify 'initial'.")
            if base.dtype(where).family != "b":
                raise ValueError("where argument must have dtype=bool; got "
                                 f"dtype={base.dtype(where)}")
        reduce = self._reduce
        if reduce is None:
            from simulator.facade.jax.numpy.ufunc_loops import reduce_by_loop
            reduce = functools.partial(reduce_by_loop, self)
        return reduce(a, axis=axis, dtype=dtype, keepdims=keepdims, initial=initial,
                            where=where)

    @jit(static_argnames=["self", "axis", "dtype"])
    def accumulate(self, a, axis=0, dtype=None, out=None):
        """``jnp.add.accumulate``."""
        self._checked("accumulate")
        if out is not None:
            raise NotImplementedError(f"out argument of {self.__name__}.accumulate()")
        accumulate = self._accumulate
        if accumulate is None:
            from simulator.facade.jax.numpy.ufunc_loops import accumulate_by_loop
            accumulate = functools.partial(accumulate_by_loop, self)
        return accumulate(a, axis=axis, dtype=dtype)

    def __getattr__(self, name: str) -> Any:
        if name in ("at", "outer", "reduceat"):
            raise OutOfScope(f"jax.numpy.ufunc.{name}", "write it with arrays")
        raise AttributeError(f"'ufunc' object has no attribute '{name}'")


ufunc.__module__ = "jax.numpy"


def unary_ufunc(func: Callable) -> ufunc:
    """A jitted, inlined function of one array, as a ufunc."""
    jitted = jit(func, inline=True)
    return ufunc(jitted, nin=1, nout=1, name=func.__name__, call=jitted)


def binary_ufunc(identity: Any, reduce: Callable | None = None,
                 accumulate: Callable | None = None) -> Callable[[Callable], ufunc]:
    """Decorator: a jitted, inlined function of two arrays, as a ufunc."""
    def decorator(func: Callable) -> ufunc:
        jitted = jit(func, inline=True)
        return ufunc(jitted, nin=2, nout=1, name=func.__name__, call=jitted, identity=identity,
                     reduce=reduce, accumulate=accumulate)
    return decorator
