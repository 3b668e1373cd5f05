"""Methods, partials, callables and decorated functions, mapped."""

import functools

import jax
import jax.numpy as jnp


class Layer:
    def __init__(self, scale):
        self.scale = jnp.full(3, scale)

    def forward(self, x):
        return x * self.scale

    @functools.partial(jax.jit, static_argnums=0)
    def compiled(self, x):
        return jnp.dot(x, self.scale)

    def __call__(self, x):
        return self.forward(x).sum()


def power(x, n):
    return x**n


@functools.partial(jax.vmap, in_axes=(0, None))
def weighted(x, w):
    return jnp.vdot(x, w)


@jax.jit
@jax.vmap
def squares(x):
    return x * x


layer = Layer(2.0)
xs = jnp.arange(6.0).reshape(2, 3)
call("method", lambda: jax.vmap(layer.forward)(xs))
call("method again", lambda: jax.vmap(layer.forward)(xs))
call("jitted method", lambda: jax.vmap(layer.compiled)(xs))
call("jitted method again", lambda: jax.vmap(layer.compiled)(xs))
call("jitted method, other instance", lambda: jax.vmap(Layer(3.0).compiled)(xs))
call("instance", lambda: jax.vmap(layer)(xs))
call("partial", lambda: jax.vmap(functools.partial(power, n=2))(xs))
call("partial, other power", lambda: jax.vmap(functools.partial(power, n=3))(xs))
call("library function", lambda: jax.vmap(jnp.sum)(xs))
call("jnp.dot", lambda: jax.vmap(jnp.dot, (0, None))(xs, jnp.ones(3)))
call("decorated", lambda: weighted(xs, jnp.ones(3)))
call("jit and vmap as decorators", lambda: squares(xs))
call("jit and vmap as decorators, again", lambda: squares(xs))
call("jitted wrapper of a method", lambda: jax.jit(jax.vmap(layer.forward))(xs))
call("jitted wrapper of a method, again", lambda: jax.jit(jax.vmap(layer.forward))(xs))
call("no function", lambda: jax.vmap(3))
call("tracer printed", lambda: jax.vmap(lambda x: print(repr(x)) or x)(xs))
