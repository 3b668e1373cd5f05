# shows: A small library of layers as pairs of functions.
import jax, jax.numpy as jnp, numpy as np, dataclasses, typing as tp
# mini NN library with modules, registry of layers, init/apply pairs
def dense(n):
    def init(key, shape):
        k1, k2 = jax.random.split(key)
        w = jax.random.normal(k1, (shape[-1], n)) * np.sqrt(2.0 / shape[-1])
        return (w, jnp.zeros((n,))), (*shape[:-1], n)
    def apply(p, x): return jnp.dot(x, p[0]) + p[1]
    return init, apply
def act(fn):
    return lambda key, shape: ((), shape), lambda p, x: fn(x)
def serial(*layers):
    inits, applies = zip(*layers)
    def init(key, shape):
        ps = []
        for i in inits:
            key, k = jax.random.split(key)
            p, shape = i(k, shape); ps.append(p)
        return ps, shape
    def apply(ps, x):
        for f, p in zip(applies, ps): x = f(p, x)
        return x
    return init, apply
init, apply = serial(dense(8), act(jax.nn.relu), dense(3), act(jax.nn.log_softmax))
ps, shape = init(jax.random.PRNGKey(0), (-1, 5))
fwd = jax.jit(apply)
@jax.jit
def accuracy(ps, x, y): return jnp.mean(jnp.argmax(apply(ps, x), axis=1) == y)
@jax.jit
def nll(ps, x, y): return -jnp.mean(jnp.sum(apply(ps, x) * jax.nn.one_hot(y, 3), axis=1))
x = np.random.RandomState(0).randn(6, 5).astype(np.float32) if False else np.linspace(0, 1, 30, dtype=np.float32).reshape(6, 5)
y = np.array([0, 1, 2, 0, 1, 2])
print(fwd(ps, x).shape, shape, float(accuracy(ps, x, y)), float(nll(ps, x, y)))
nll(ps, x[:4], y[:4]); nll(ps, jnp.asarray(x), y); nll(tuple(ps), x, y)
