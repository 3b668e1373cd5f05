# title: The generator that stays
# kind: surprise
# about: fast_path
# decisive: make() under threefry
# expected: after the default generator is changed, a new key is of the new kind.
# happens: the default generator is in no key: C++ answers with the program traced before, and the key is still of the old kind.
# source: jax/_src/config.py: default_prng_impl
import jax

make = jax.jit(lambda: jax.random.key(0))
jax.config.update("jax_default_prng_impl", "rbg")
key = call("make() under rbg", lambda: make())
note("kind of key", str(key.dtype))
jax.config.update("jax_default_prng_impl", "threefry2x32")
key = call("make() under threefry", lambda: make())
note("kind of key, still", str(key.dtype))
