# title: A method, wrapped again
# kind: surprise
# about: trace lower
# decisive: jax.jit(model.scale)(x), first kept
# expected: jax.jit(model.scale) is the same function every time.
# happens: every access makes a new method object: equal to the last one, so while that is kept alive its trace is shared; once it is gone, all starts again.
# source: jax/_src/interpreters/partial_eval.py: trace_to_jaxpr
import jax
import jax.numpy as jnp

class Model:
    factor = 2.0

    def scale(self, x):
        return x * self.factor

model = Model()
x = jnp.asarray([0.0, 1.0, 2.0])

call("jax.jit(model.scale)(x)", lambda: jax.jit(model.scale)(x))
call("jax.jit(model.scale)(x), first gone", lambda: jax.jit(model.scale)(x))
kept = jax.jit(model.scale)
call("kept(x)", lambda: kept(x))
call("jax.jit(model.scale)(x), first kept", lambda: jax.jit(model.scale)(x))
model.factor = 10.0
call("kept(x), factor changed", lambda: kept(x))
