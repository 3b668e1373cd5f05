# title: One step, two types
# kind: surprise
# about: fast_path params trace
# decisive: step(state), second
# expected: a loop that feeds its result back compiles once.
# happens: the state starts as a Python number, whose type is weak, and comes back strong: the second call is another type, and everything is compiled once more.
# source: jax/_src/interpreters/partial_eval.py: diff_types
import jax
import jax.numpy as jnp

@jax.jit
def step(state):
    return state * jnp.float32(2)

state = 1.0
state = call("step(state), first", lambda: step(state))
state = call("step(state), second", lambda: step(state))
state = call("step(state), third", lambda: step(state))
fixed = jnp.float32(1)
fixed = call("step(fixed)", lambda: step(fixed))
