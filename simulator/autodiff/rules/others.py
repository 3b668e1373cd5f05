"""Derivatives of what is no arithmetic: placement, barriers, random keys, callbacks.

JAX source: ``jax/_src/dispatch.py: _device_put_transpose``; ``jax/_src/lax/lax.py:
stop_gradient, tie_p, _opt_barrier_jvp``; ``jax/_src/random/prng.py``;
``jax/_src/callback.py``; ``jax/_src/debugging.py``; ``jax/_src/pjit.py: reshard_p,
sharding_constraint_p``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simulator.autodiff import jvp
from simulator.autodiff.accumulate import is_unknown
from simulator.autodiff.linearize import Linear
from simulator.autodiff.rules.common import linear, nonzero, primitive
from simulator.autodiff.zeros import Zero, is_zero, zero_of
from simulator.device_arrays.device_put import ALWAYS_COPY, device_put_p
from simulator.facade.jax import lax
from simulator.facade.jax.lax import base, reshard
from simulator.placement import mesh
from simulator.side_effects import callbacks, debug_print  # noqa: F401

_NOTHING = ("random_seed", "random_split", "random_fold_in", "random_bits", "random_wrap",
            "random_unwrap")


def _stop(primals: list, tangents: list) -> tuple:
    (x,) = primals
    return lax.stop_gradient(x), zero_of(x)


def _device_put(cotangents: list, *args: Any, devices: tuple, srcs: tuple, copy_semantics: tuple
                ) -> list:
    outs: list = [Zero(x.aval) if is_unknown(x) and is_zero(c) else None
                  for c, x in zip(cotangents, args)]
    moved = [i for i, (c, x) in enumerate(zip(cotangents, args))
             if is_unknown(x) and not is_zero(c)]
    if moved:
        back = device_put_p.bind(
            *[cotangents[i] for i in moved], devices=tuple(srcs[i] for i in moved),
            srcs=tuple(devices[i] for i in moved), copy_semantics=(ALWAYS_COPY,) * len(moved))
        for i, y in zip(moved, back):
            outs[i] = y
    return outs


def _barrier(values: list) -> list:
    moved = [v for v in values if not is_zero(v)]
    if not moved:
        return list(values)
    rest = iter(lax.optimization_barrier(moved))
    return [v if is_zero(v) else next(rest) for v in values]


def _barrier_jvp(primals: list, tangents: list) -> tuple:
    return lax.optimization_barrier(list(primals)), _barrier(tangents)


def _reshard_jvp(primals: list, tangents: list, **params: Any) -> tuple:
    out = reshard.reshard_p.bind(*primals, **params)
    if is_zero(tangents[0]):
        return out, zero_of(out)
    return out, reshard.reshard_p.bind(*tangents, **params)


def _reshard_linearize(is_vjp: bool, nonzeros: list[bool], primals: list, params: dict
                       ) -> Linear:
    return Linear([reshard.reshard_p.bind(*primals, **params)], nonzeros, [],
                  lambda residuals, tangents: [reshard.reshard_p.bind(*tangents, **params)])


def _reshard(t: Any, x: Any, *, dst_sharding: Any, **params: Any) -> list:
    target = base.sharding_of(x.aval)
    with mesh.use_abstract_mesh(target.mesh):
        return [reshard.reshard_p.bind(t, dst_sharding=target, **params)]


def _effect(name: str) -> Callable:
    return lambda primals, tangents, **params: (primitive(name).bind(*primals, **params), [])


def _forbidden(text: str) -> Callable:
    def rule(*args: Any, **params: Any) -> Any:
        raise ValueError(text)
    return rule


primitive("stop_gradient").jvp = _stop
for _name in _NOTHING:
    primitive(_name).jvp = jvp.vanishing(primitive(_name))
device_put_p.jvp, device_put_p.transpose = jvp.linear(device_put_p), _device_put
primitive("tie").jvp = lambda primals, tangents: (primitive("tie").bind(*primals), tangents[-1])
primitive("tie").transpose = lambda t, x, y: [None, t]
primitive("optimization_barrier").jvp = _barrier_jvp
primitive("optimization_barrier").transpose = lambda cts, *args: _barrier(cts)
linear("sharding_constraint", lambda t, x, **p: [primitive("sharding_constraint").bind(t, **p)])
reshard.reshard_p.jvp, reshard.reshard_p.linearize = _reshard_jvp, _reshard_linearize
reshard.reshard_p.transpose = nonzero(_reshard)
for _name in ("debug_callback", "debug_print"):
    primitive(_name).jvp = _effect(_name)
    primitive(_name).transpose = lambda cts, *args, **params: [None] * len(args)
for _name, _what in (("pure_callback", "Pure callbacks do not support {}. Please use "
                      "`jax.custom_{}` to use callbacks while taking gradients."),
                     ("io_callback", "IO callbacks do not support {}.")):
    primitive(_name).jvp = _forbidden(_what.format("JVP", "jvp"))
    primitive(_name).transpose = _forbidden(_what.format("transpose", "vjp"))
