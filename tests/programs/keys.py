# Typed and raw random keys: made, split, passed to jitted functions.
import jax
import jax.numpy as jnp
import numpy as np
from jax import random

k = call("key", lambda: random.key(0))
call("key again", lambda: random.key(1))
call("NumPy seed", lambda: random.key(np.uint32(3)))
r = call("raw key", lambda: random.PRNGKey(0))
call("a seed that is too large", lambda: random.PRNGKey(2**40 + 5))
note("typed", repr(k))
note("raw", str(r))
note("dtype", str(k.dtype))
note("generator", random.key_impl(k))
note("sizes", [list(k.shape), k.ndim, k.size, k.nbytes, k.itemsize])
for name, key in (("typed", k), ("raw", r)):
    for i in range(2):
        call(f"split, {name} #{i}", lambda: random.split(key))
    call(f"split in three, {name}", lambda: random.split(key, 3))
    call(f"split in a shape, {name}", lambda: random.split(key, (2, 2)))
    for i in range(2):
        call(f"fold_in, {name} #{i}", lambda: random.fold_in(key, i))
    call(f"fold_in of an array, {name}", lambda: random.fold_in(key, jnp.int32(2)))
    call(f"key_data, {name}", lambda: random.key_data(key))
call("wrap_key_data", lambda: random.wrap_key_data(r))
note("wrapped", str(random.key_data(random.wrap_key_data(np.array([1, 2], np.uint32)))))
note("split", str(random.key_data(random.split(k, 3))))
note("folded", str(random.key_data(random.fold_in(k, 7))))
note("negative seed", str(random.key_data(random.key(-1))))
call("clone", lambda: random.clone(k))

same = jax.jit(lambda k: k)
for i in range(2):
    call(f"through a jitted function #{i}", lambda: same(k))
call("raw", lambda: same(r))
call("another typed key", lambda: same(random.key(7)))
call("committed", lambda: same(jax.device_put(k, jax.devices()[0])))
split = jax.jit(lambda k: random.split(k))
for name, key in (("typed", k), ("raw", r)):
    for i in range(2):
        call(f"jitted split, {name} #{i}", lambda: split(key))
several = jax.jit(lambda k: (random.fold_in(k, 3), random.key(3), random.PRNGKey(4)))
for i in range(2):
    call(f"several #{i}", lambda: several(k))
call("unpacked inside", lambda: jax.jit(lambda k: tuple(random.split(k)))(k))
call("closed over", lambda: jax.jit(lambda: random.split(k))())
call("in a tree", lambda: jax.jit(lambda t: t)({"a": k, "b": r}))
call("iterated", lambda: tuple(random.split(k)))
call("iterated, raw", lambda: tuple(random.split(r)))
call("indexed", lambda: random.split(k)[0])
compiled = call("ahead of time", lambda: split.lower(k).compile())
for i in range(2):
    call(f"compiled #{i}", lambda: compiled(k))
call("types", lambda: str(jax.eval_shape(split, k)))
call("donated", lambda: jax.jit(lambda k: random.split(k), donate_argnums=0)(random.key(5)))
note("jaxpr, typed", str(jax.make_jaxpr(
    lambda k: (random.split(k), random.fold_in(k, 3), random.key_data(k)))(k)))
note("jaxpr, raw", str(jax.make_jaxpr(
    lambda k: (random.split(k), random.fold_in(k, 3), random.key_data(k), random.key(0)))(r)))
for i, wrong in enumerate([
        lambda: random.split(random.split(k)), lambda: random.split(3),
        lambda: random.split("x"), lambda: random.split(np.zeros(3, np.uint32)),
        lambda: random.split(np.zeros(2)), lambda: random.key(k),
        lambda: random.key(np.zeros(2, int)), lambda: random.key(1.5),
        lambda: random.key(0, impl="no"), lambda: random.fold_in(k, np.zeros(2)),
        lambda: bool(k), lambda: np.asarray(k), lambda: hash(k), lambda: k + 1]):
    call(f"error #{i}", wrong)
with jax.threefry_partitionable(False):
    call("the old way to split", lambda: random.split(k))
    note("old split", str(random.key_data(random.split(k, 3))))
    call("the old way, jitted", lambda: split(k))
with jax.enable_x64(True):
    call("x64", lambda: random.key(2**40 + 5))
    note("large seed", str(random.key_data(random.key(2**40 + 5))))
call("rbg", lambda: random.key(0, impl="rbg"))
call("rbg, jitted", lambda: jax.jit(lambda: random.key(0, impl="rbg"))())
jax.clear_caches()
call("after clear_caches", lambda: split(k))
