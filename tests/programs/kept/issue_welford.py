# shows: Running covariance with closures returned from functions; each call makes new ones.
# source: https://github.com/jax-ml/jax/issues/1239
import jax, jax.numpy as jnp
def welford():
    def init(size): return jnp.zeros(size), jnp.zeros(size), 0
    def update(sample, state):
        mean, m2, n = state
        n = n + 1
        before = sample - mean
        mean = mean + before / n
        return mean, m2 + before * (sample - mean), n
    def final(state): return state[1] / (state[2] - 1)
    return init, update, final
for fresh in range(2):
    init, update, final = welford()
    up = jax.jit(update); state = init(2)
    for i in range(3): state = up(jnp.array([float(i), 2.0 * i]), state)
    print(final(state), jax.jit(final)(state), up._cache_size())
state = init(2); state = jax.jit(update)(jnp.ones(2), state)
