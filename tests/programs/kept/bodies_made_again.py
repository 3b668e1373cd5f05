# Loops and branches outside of jit, again and again, in a program without marks: with bodies that
# are made each time, and with bodies that are made once.
import jax.numpy as jnp
from jax import lax

xs = jnp.arange(4.0)


def running(total, x):
    return total + x, total


def below(state):
    return state < 3


def more(state):
    return state + 1


for turn in range(3):
    lax.scan(lambda total, x: (total + x, total), 0.0, xs)
    lax.fori_loop(0, 3, lambda i, total: total * i, 1.0)
    lax.while_loop(lambda state: state < 3, lambda state: state + 1, 0)
    lax.cond(turn > 1, lambda x: x + 1, lambda x: x - 1, 3.0)
    lax.scan(running, 0.0, xs)
    lax.while_loop(below, more, 0)
