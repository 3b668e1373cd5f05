"""A pure-Python model of the six caches under a `jax.jit` call (JAX 0.11.1)."""
