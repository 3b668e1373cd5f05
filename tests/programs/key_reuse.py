# jax_debug_key_reuse: a key is consumed once, eagerly and inside jitted functions.
import jax
import jax.numpy as jnp
from jax import random

old = random.key(0)
x = jnp.ones(3)
jax.config.update("jax_debug_key_reuse", True)
k = call("key", lambda: random.key(1))
call("used", lambda: random.normal(k))
call("used twice", lambda: random.normal(k))
call("split after use", lambda: random.split(k))
ks = call("split", lambda: random.split(random.key(2)))
a = call("first", lambda: ks[0])
b = call("second", lambda: ks[1])
call("second again", lambda: ks[1])
call("first used", lambda: random.uniform(a))
call("first used twice", lambda: random.uniform(a))
call("cloned", lambda: random.uniform(random.clone(a)))
call("unpacked", lambda: tuple(random.split(random.key(5))))
call("twice inside", lambda: jax.jit(
    lambda k: (random.uniform(k), random.uniform(k)))(random.key(3)))
call("once inside", lambda: jax.jit(lambda k: random.uniform(k))(random.key(3)))
split = jax.jit(lambda k: tuple(random.split(k)))
k = random.key(4)
call("a function that consumes", lambda: split(k))
call("the same key again", lambda: split(k))


@jax.jit
def halves(k):
    a, b = random.split(k)
    return random.uniform(a), random.uniform(a)


call("one half twice", lambda: halves(random.key(3)))
call("fold_in", lambda: random.fold_in(random.key(4), 1))
r = random.PRNGKey(0)
call("raw keys are not watched", lambda: (random.uniform(r), random.uniform(r)))
for i in range(2):
    call(f"a key from before #{i}", lambda: random.uniform(old))
call("through a function", lambda: jax.jit(lambda k: k)(old))
call("placed", lambda: jax.device_put(old))
call("concatenate", lambda: jnp.concatenate([x, x]))
call("slice", lambda: x[1:])
call("unpacked array", lambda: tuple(x))
call("reshape", lambda: x.reshape(3, 1))
for i in range(2):
    call(f"lax.slice #{i}", lambda: jax.lax.slice(x, (0,), (2,)))
call("no keys at all", lambda: x + 1)
