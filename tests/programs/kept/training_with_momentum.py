# shows: A training step with momentum, alone, in a loop, donating.
import jax, jax.numpy as jnp
from typing import NamedTuple
class S(NamedTuple):
    params: dict
    opt: tuple
    step: jax.Array
def loss(p, b): return jnp.mean((jnp.tanh(b["x"] @ p["w1"]) @ p["w2"] - b["y"]) ** 2)
@jax.jit
def train_step(s, b):
    g = jax.grad(loss)(s.params, b)
    mu = jax.tree.map(lambda m, g: 0.9 * m + g, s.opt, g)
    p = jax.tree.map(lambda p, m: p - 0.01 * m, s.params, mu)
    return S(p, mu, s.step + 1)
k = jax.random.PRNGKey(0)
p = {"w1": jax.random.normal(k, (3, 4)), "w2": jax.random.normal(k, (4, 1))}
s = S(p, jax.tree.map(jnp.zeros_like, p), jnp.zeros((), jnp.int32))
b = {"x": jnp.ones((5, 3)), "y": jnp.ones((5, 1))}
s = call("1", lambda: train_step(s, b))
s = call("2", lambda: train_step(s, b))
call("py step", lambda: train_step(s._replace(step=0), b))
call("np", lambda: train_step(s, {"y": b["y"], "x": b["x"]}))
@jax.jit
def multi(s, bs):
    return jax.lax.scan(lambda s, b: (train_step(s, b), s.step), s, bs)
call("multi", lambda: multi(s, jax.tree.map(lambda a: jnp.stack([a, a]), b)))
ts = jax.jit(train_step, donate_argnums=0)
call("donating", lambda: ts(s, b))
call("lowered", lambda: train_step.lower(s, b).compile())
call("jaxpr", lambda: len(str(jax.make_jaxpr(jax.grad(loss))(p, b))))
call("eval_shape", lambda: jax.eval_shape(train_step, s, b).step)
