# expected: a partial is called after its function, inside of other wrappers too
# happens: a wrapper takes the name of what it wraps; only an object without a name stays
#   an unnamed function
import functools

import jax
import jax.numpy as jnp
import numpy as np


def weighted(w, x):
    return [jnp.abs(x) * w]


class Scale:
    def __call__(self, x):
        return x * 2


part = functools.partial(weighted, 2.0)
jitted = jax.jit(part)
note("names", (jitted.__name__, jax.jit(jitted).__name__, jax.vmap(part).__name__,
               jax.grad(part).__name__, jax.checkpoint(part).__name__, jax.make_jaxpr(part).__name__))
note("places", (jitted.__qualname__, jitted.__module__ == part.__module__, jitted.__wrapped__ is part))
note("unnamed", (jax.jit(Scale()).__name__, jax.vmap(Scale()).__name__, jax.jit(Scale()).__qualname__))
call("part", lambda: jitted(jnp.ones(3)))
call("jit of jit", lambda: jax.jit(jitted)(jnp.ones(3)))
call("again", lambda: jax.jit(jitted)(jnp.ones(3)))
call("lower", lambda: jax.jit(jitted).lower(jnp.ones(()) * 3).compile())
call("jaxpr", lambda: print(jax.make_jaxpr(jitted)(np.ones(1, np.float32))))
call("jaxpr of part", lambda: print(jax.make_jaxpr(part)(1.0)))
call("shape", lambda: jax.eval_shape(jax.jit(jitted), 1.0))
call("mapped", lambda: jax.jit(jax.vmap(part))(jnp.ones(3)))
call("mapped jit", lambda: jax.jit(jax.vmap(jitted))(jnp.ones(3)))
call("object", lambda: jax.jit(jax.jit(Scale()))(1.0))
call("object mapped", lambda: jax.jit(jax.vmap(Scale()))(jnp.ones(2)))
