"""A jitted function under vmap: other axes, other sizes, unmapped arguments, and jit around it."""

import gc

import jax
import jax.numpy as jnp


@jax.jit
def affine(w, b, x):
    return jnp.tanh(w @ x + b)


w, b = jnp.ones((2, 3)), jnp.zeros(2)
xs = jnp.arange(12.0).reshape(4, 3)

over = jax.vmap(affine, in_axes=(None, None, 0))
call("one", lambda: affine(w, b, xs[0]))
call("mapped", lambda: over(w, b, xs))
call("mapped again", lambda: over(w, b, xs))
call("mapped by another wrapper", lambda: jax.vmap(affine, (None, None, 0))(w, b, xs))
call("other batch", lambda: over(w, b, xs[:2]))
call("other batch again", lambda: over(w, b, xs[:2]))
call("other axis", lambda: jax.vmap(affine, (None, None, 1))(w, b, xs.T))
call("all mapped", lambda: jax.vmap(affine)(jnp.stack([w] * 4), jnp.stack([b] * 4), xs))
call("out in the last axis", lambda: jax.vmap(affine, (None, None, 0), -1)(w, b, xs))
call("nothing mapped inside", lambda: jax.vmap(lambda x: affine(w, b, xs[0]) + x[0])(xs))
call("nothing mapped inside, again", lambda: jax.vmap(lambda x: affine(w, b, xs[0]) + x[0])(xs))

outer = jax.jit(over)
call("jit of vmap of jit", lambda: outer(w, b, xs))
call("jit of vmap of jit again", lambda: outer(w, b, xs))
call("jit of vmap of jit, other batch", lambda: outer(w, b, xs[:3]))
note("jaxpr", str(jax.make_jaxpr(over)(w, b, xs)))
note("jaxpr of twice", str(jax.make_jaxpr(jax.vmap(over, (0, None, None)))(jnp.stack([w, w]), b, xs)))

jax.clear_caches()
call("after clear_caches", lambda: over(w, b, xs))
call("after clear_caches again", lambda: over(w, b, xs))


def make():
    return jax.jit(lambda x: jnp.sin(x) * 2)


f = make()
call("fresh f", lambda: jax.vmap(f)(xs))
call("fresh f again", lambda: jax.vmap(f)(xs))
del f
gc.collect()
f = make()
call("another f", lambda: jax.vmap(f)(xs))
