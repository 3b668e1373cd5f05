# shows: Adam by hand, parameters donated.
import jax, jax.numpy as jnp
# adam by hand, donate
import functools
@functools.partial(jax.jit, donate_argnums=(0, 1))
def adam(params, opt, grads, lr=1e-3, b1=0.9, b2=0.999):
    t = opt["t"] + 1
    m = jax.tree.map(lambda m, g: b1 * m + (1 - b1) * g, opt["m"], grads)
    v = jax.tree.map(lambda v, g: b2 * v + (1 - b2) * g * g, opt["v"], grads)
    mh = jax.tree.map(lambda m: m / (1 - b1 ** t), m)
    vh = jax.tree.map(lambda v: v / (1 - b2 ** t), v)
    params = jax.tree.map(lambda p, m, v: p - lr * m / (jnp.sqrt(v) + 1e-8), params, mh, vh)
    return params, {"m": m, "v": v, "t": t}
params = {"a": jnp.ones(3), "b": jnp.ones((2, 2))}
opt = {"m": jax.tree.map(jnp.zeros_like, params), "v": jax.tree.map(jnp.zeros_like, params), "t": 0}
g = jax.tree.map(jnp.ones_like, params)
old = params
params, opt = adam(params, opt, g)
print(old["a"].is_deleted(), opt["t"])
params, opt = adam(params, opt, g)
params, opt = adam(params, opt, g)
try: adam(old, opt, g)
except Exception as e: print(type(e).__name__, str(e)[:60])
opt["t"] = jnp.int32(0)
print(opt["m"]["a"].is_deleted())
