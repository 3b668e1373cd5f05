# stop_gradient, straight-through estimators, targets, closures over parameters.
import jax
import jax.numpy as jnp
from jax import lax

x = jnp.array([0.3, -1.2, 2.0])
call("stopped", lambda: jax.grad(lambda a: jnp.sum(lax.stop_gradient(a) * a))(x))
ste = lambda a: a + lax.stop_gradient(jnp.round(a) - a)
for i in range(2):
    call(f"straight through {i}", lambda: jax.grad(lambda a: jnp.sum(ste(a) ** 2))(x))
jste = jax.jit(ste)
for i in range(2):
    call(f"straight through, jitted {i}", lambda: jax.grad(lambda a: jnp.sum(jste(a) ** 2))(x))
target = {"w": x, "b": x * 2}
online = {"w": x + 1, "b": x}


@jax.jit
def td(online, target):
    def loss(p):
        return jnp.mean((p["w"] * p["b"] - lax.stop_gradient(target["w"] * target["b"])) ** 2)
    return jax.grad(loss)(online)


for i in range(2):
    call(f"td {i}", lambda: td(online, target)["w"])
call("soft update", lambda: jax.tree.map(lambda t, o: 0.9 * t + 0.1 * o, target, online)["w"])
scale = 2.0


@jax.jit
def scaled(a):
    return jnp.sum(a * scale)


call("closed over a number", lambda: jax.grad(scaled)(x))
scale = 3.0
call("number changed", lambda: jax.grad(scaled)(x))
call("unused argument", lambda: jax.grad(lambda a, b: jnp.sum(a), argnums=1)(x, x))
call("constant function", lambda: jax.grad(lambda a: 1.0)(x))
call("integer in the tree", lambda: jax.grad(lambda d: d["a"] * d["n"], allow_int=True)({"a": 2.0, "n": 3})["a"])
call("through int", lambda: jax.grad(lambda a: (a * 2).astype(int).astype(float) * a)(1.5))
call("comparison", lambda: jax.grad(lambda a: jnp.where(a > 1, a, 0.0))(1.5))
call("floor", lambda: jax.grad(lambda a: jnp.floor(a) * a)(1.5))
