"""What lowering a random primitive traces: the functions of its generator.

On the CPU the cipher itself is lowered as a loop, whose body and condition are
traced on the way. The body is one function for the whole process, so the second
module with the same shapes finds its trace.

JAX source: ``jax/_src/random/prng.py: random_bits_lowering …``,
``jax/_src/random/threefry2x32.py: _threefry2x32_lowering``,
``jax/_src/lax/control_flow/loops.py: fori_loop, scan, _scan_impl, while_loop``.
"""

from __future__ import annotations

from typing import Any

from simulator import process, tracing
from simulator.caches import StrongLRUCache
from simulator.device_arrays.values import abstractify
from simulator.facade.jax import numpy as jnp
from simulator.functions import signature
from simulator.jaxprs import lower_fun
from simulator.jaxprs.jaxpr import Eqn, Jaxpr
from simulator.ndarrays.ndarray import NDArray
from simulator.primitives.random import impl_of
from simulator.randomness.prng import FUNCTIONS, mapped, mapped_together
from simulator.types.avals import ShapedArray
from simulator.types.dtypes import uint32


def _words(aval: ShapedArray) -> ShapedArray:
    return ShapedArray((*aval.shape, *impl_of(aval.dtype).key_shape), uint32,
                       mesh=aval.mesh, spec=aval.spec, varying=aval.varying)


@lower_fun.rule("random_seed")
def _lower_seed(eqn: Eqn) -> list[Jaxpr]:
    aval, name = eqn.invars[0].aval, eqn.params["impl"].name
    seed = mapped(aval.ndim, FUNCTIONS[name].seed)
    impl = "_rbg_seed" if "rbg" in name else "threefry_seed"
    return [lower_fun.trace(lambda seeds: seed(seeds), aval, name="<lambda>",
                            said=f"{impl}(seed)")]


@lower_fun.rule("random_split")
def _lower_split(eqn: Eqn) -> list[Jaxpr]:
    aval, shape = eqn.invars[0].aval, eqn.params["shape"]
    functions = FUNCTIONS[aval.dtype.impl]
    split = mapped(aval.ndim, lambda key: functions.split(key, shape))
    return [lower_fun.trace(lambda k: split(k), _words(aval), name="<lambda>")]


@lower_fun.rule("random_fold_in")
def _lower_fold_in(eqn: Eqn) -> list[Jaxpr]:
    aval, data = (a.aval for a in eqn.invars)
    fold_in = mapped_together(aval.shape, data.shape, FUNCTIONS[aval.dtype.impl].fold_in)
    return [lower_fun.trace(lambda keys, msgs: fold_in(keys, msgs), _words(aval), data,
                            name="<lambda>", said=_name_together(aval, data))]


def _name_together(keys: ShapedArray, data: ShapedArray) -> str:
    # How JAX maps the function of one key over both, and what that is called.
    if bool(keys.shape) != bool(data.shape):
        return "<lambda>(x, y)"
    if keys.shape != data.shape:
        return "squeeze_vmap_f(x, y)"
    return f"{_FOLD_IN[keys.dtype.impl]}(key, data)"


_FOLD_IN = {"threefry2x32": "threefry_fold_in", "rbg": "_rbg_fold_in",
            "unsafe_rbg": "_unsafe_rbg_fold_in"}


@lower_fun.rule("random_bits")
def _lower_bits(eqn: Eqn) -> list[Jaxpr]:
    aval, width, shape = eqn.invars[0].aval, eqn.params["bit_width"], eqn.params["shape"]
    functions = FUNCTIONS[aval.dtype.impl]
    bits = mapped(aval.ndim, lambda key: functions.bits(key, width, shape))
    return [lower_fun.trace(lambda k: bits(k), _words(aval), name="<lambda>")]


# --- the cipher ----------------------------------------------------------------

_TRIPS = 5
_WORD_BITS = NDArray((), uint32, [32])


@lower_fun.rule("threefry2x32")
def _lower_cipher(eqn: Eqn) -> list[Jaxpr]:
    avals = [a.aval for a in eqn.invars]
    carry: list[ShapedArray] = []

    def cipher(key1: Any, key2: Any, x1: Any, x2: Any) -> Any:
        ks = [key1, key2, key1 ^ key2 ^ uint32.type(0x1BD11BDA)]
        x = [x1 + ks[0], x2 + ks[1]]
        counter = abstractify(0)
        rotations = [ShapedArray((4,), uint32)] * 2
        carry.extend([counter, *(v.aval for v in (*x, *ks)), *rotations])
        _trace_body(carry)
        return tuple(x)

    lower_fun.trace(cipher, *avals, name="_threefry2x32_lowering")
    lower_fun.trace(lambda *carry: _while_loop(*carry), *carry, name="_scan_impl",
                    said="_scan_impl(*args)")
    return []


def _trace_body(carry: list[ShapedArray]) -> None:
    cache = process.current().side_caches
    if "threefry_loop" not in cache:
        cache["threefry_loop"] = StrongLRUCache(
            _new_body, process.current().config.trace_context)
    body = cache["threefry_loop"]()
    structure = (0, ([0, 0], [0, 0, 0], [0, 0])), None
    info = signature.debug_info("fori_loop", body, structure, {})
    info = info._replace(func_name="rolled_loop_step", arg_names=tuple(
        name.replace("loop_carry[0]", "i").replace("loop_carry[1]", "state")
        for name in info.arg_names or ()))
    tracing.trace_to_jaxpr(body, signature.flatten_call(structure, {}).with_leaves(carry), info)


def _new_body() -> Any:
    def scanned_fun(loop_carry: Any, _: Any) -> Any:
        i, (x, ks, rotations) = loop_carry
        done = i + 1
        a, b = x
        for rotation in rotations[0]:
            a = a + b
            jnp.subtract(_WORD_BITS, rotation)
            b = a ^ (b | b)
        a, b = a + ks[0], b + ks[1]
        b = b + jnp.asarray(i + 1, dtype=uint32)
        return (done, ([a, b], ks, rotations)), None
    return scanned_fun


def _while_loop(i: Any, *carry: Any) -> Any:
    # The loop that a scan becomes: its condition, then its body.
    def cond_fun(while_carry: Any) -> Any:
        return while_carry[0] < _TRIPS

    def body_fun(while_carry: Any) -> Any:
        trip, values, left = while_carry
        return trip + 1, values, left

    avals = [v.aval for v in (i, i, *carry)]
    structure = ((0, [0] * (len(carry) + 1), []),)
    for why, fun in (("while_cond", cond_fun), ("while_body", body_fun)):
        info = signature.debug_info(why, fun, structure, {})
        tracing.trace_to_jaxpr(fun, signature.flatten_call(structure, {}).with_leaves(avals), info)
    return i, *carry
