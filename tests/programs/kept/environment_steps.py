# shows: Reinforcement learning: an environment as a named tuple with a key in it.
import jax, jax.numpy as jnp
# replay buffer / RL-style env step with NamedTuple & enum-like ints, PRNG carried
from typing import NamedTuple
class Env(NamedTuple):
    pos: jax.Array
    key: jax.Array
    done: jax.Array
@jax.jit
def reset(key): return Env(jnp.zeros((2,)), key, jnp.zeros((), bool))
@jax.jit
def step(env, action):
    key, sub = jax.random.split(env.key)
    move = jnp.array([[0., 1.], [1., 0.], [0., -1.]])[action]
    pos = env.pos + move + 0.1 * jax.random.normal(sub, (2,))
    done = jnp.linalg.norm(pos) > 3
    return Env(jnp.where(done, 0., pos), key, done), -jnp.abs(pos).sum()
e = reset(jax.random.key(0))
total = 0.0
for t in range(4):
    e, r = step(e, t % 3); total += r
    if e.done: e = reset(e.key)
print(total, e.pos)
e, r = step(e, jnp.int32(1)); e, r = step(e._replace(pos=[0., 0.]), 1) if False else step(e, 1)
