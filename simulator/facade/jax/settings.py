"""``jax.config`` and the context managers that set one state each.

They look up the current process whenever they are used: the facade's modules
are imported once, processes come and go.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable
from typing import Any

from simulator import process
from simulator.configuration.config_states import PUBLIC
from simulator.jaxprs import applying

CONTEXTS = frozenset(PUBLIC)


class _Config:
    def __getattr__(self, name: str) -> Any:
        return getattr(process.current().config, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(process.current().config, name, value)


config = _Config()


def context(name: str) -> Any:
    """The context manager ``jax.<name>`` of the current process."""
    return process.current().config.public_states()[name]


@contextlib.contextmanager
def disable_jit(disable: bool = True):
    """``jax.disable_jit()``: a generator, so one that is dropped while open is left."""
    with process.current().config.state("jax_disable_jit")(disable):
        yield


def transfer_guard(new_val: str) -> Any:
    """``jax.transfer_guard``: the guards of all ways at once."""
    return process.current().config.transfer_guard(new_val)


def checking_leaks() -> Any:
    """``jax.checking_leaks``: `jax.check_tracer_leaks`, switched on."""
    return context("check_tracer_leaks")(True)


def make_user_context(default_value: Any = None) -> Any:
    """``jax.make_user_context``: one more value in both snapshots."""
    return process.current().config.make_user_context(default_value)


@contextlib.contextmanager
def ensure_compile_time_eval():
    """``jax.ensure_compile_time_eval``: what depends on no tracer is computed at once."""
    with applying.states(eager_constant_folding=True):
        yield


def named_call(fun: Callable, *, name: str | None = None) -> Callable:
    """``jax.named_call``: a function in a `named_scope` of its own."""
    name = fun.__name__ if name is None else name

    @functools.wraps(fun)
    def inner(*args: Any, **kwargs: Any) -> Any:
        with named_scope(name):
            return fun(*args, **kwargs)
    return inner


@contextlib.contextmanager
def named_scope(name: str):
    """``jax.named_scope``: names for profilers; no cache looks at them."""
    if not isinstance(name, str):
        raise TypeError("named_scope name argument must be a string.")
    yield
