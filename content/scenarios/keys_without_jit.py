# title: Keys without jit
# kind: surprise
# about: prim fast_path
# decisive: jax.random.split(key)
# expected: splitting a key is a bare operation, and goes by the side.
# happens: keys are made, split and folded by jitted functions of their generator; only a number that comes along is converted at the side.
# source: jax/_src/random/prng.py: random_split
import jax

key, raw = jax.random.key(0), jax.random.PRNGKey(0)

def both(key):
    first, second = jax.random.split(key)
    return second

call("jax.random.key(1)", lambda: jax.random.key(1))
call("jax.random.key(2)", lambda: jax.random.key(2))
call("jax.random.split(key)", lambda: jax.random.split(key))
call("jax.random.split(key) again", lambda: jax.random.split(key))
call("jax.random.split(raw)", lambda: jax.random.split(raw))
call("jax.random.fold_in(key, 1)", lambda: jax.random.fold_in(key, 1))
call("jax.random.fold_in(key, 2)", lambda: jax.random.fold_in(key, 2))
keys = jax.random.split(key)
call("keys[0]", lambda: keys[0])
call("keys[1]", lambda: keys[1])
call("first, second = jax.random.split(key)", lambda: both(key))
call("taken apart again", lambda: both(key))
