# shows: A context of one's own that forbids new compilations, made of the cache sizes.
# source: https://github.com/jax-ml/jax/issues/12212
import contextlib, jax, jax.numpy as jnp
class Recompiled(Exception): pass
@contextlib.contextmanager
def enforce_cache(*fns):
    before = [f._cache_size() for f in fns]
    yield
    grown = [f.__name__ for f, n in zip(fns, before) if f._cache_size() > n]
    if grown: raise Recompiled(", ".join(grown))
@jax.jit
def score(x): return jnp.tanh(x).sum()
score(jnp.ones(4))
with enforce_cache(score): score(jnp.zeros(4))
for bad in (jnp.ones(5), 1.0, jnp.ones(4, jnp.bfloat16), jnp.ones((4, 1)), [1.0] * 2):
    try:
        with enforce_cache(score): score(bad)
    except Recompiled as e: print("recompiled", e)
    except TypeError as e: print("type", str(e)[:30])
