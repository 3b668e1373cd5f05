"""References, checkpoints and named values inside mapped functions."""

import jax
import jax.numpy as jnp
from jax.ad_checkpoint import checkpoint_name

xs = jnp.arange(6.0).reshape(2, 3)


def counted(x):
    total = jax.new_ref(jnp.zeros(()))
    total[...] = x.sum()
    total[...] += 1.0
    return total[...] * x


call("reference inside", lambda: jax.vmap(counted)(xs))
call("reference inside, again", lambda: jax.vmap(counted)(xs))
call("reference inside, jitted", lambda: jax.jit(jax.vmap(counted))(xs))
note("jaxpr", str(jax.make_jaxpr(jax.vmap(counted))(xs)))
ref = jax.new_ref(jnp.zeros(3))
call("reference around, read", lambda: jax.vmap(lambda x: x + ref[...])(xs))
call("reference around, written", lambda: jax.vmap(lambda x: ref.__setitem__(..., x))(xs))
call("reference around, added to", lambda: jax.vmap(lambda x: jax.ref.addupdate(ref, ..., x))(xs))
refs = jax.new_ref(jnp.zeros((2, 3)))


def store(r, x):
    r[...] = x * 2
    return r[...]


call("references mapped", lambda: jax.vmap(store)(refs, xs))
call("references mapped, afterwards", lambda: refs[...])

layer = jax.checkpoint(lambda x: checkpoint_name(jnp.sin(x), "s") * 2)
call("checkpoint", lambda: jax.vmap(layer)(xs))
call("checkpoint again", lambda: jax.vmap(layer)(xs))
call("checkpoint, gradient", lambda: jax.vmap(jax.grad(lambda x: layer(x).sum()))(xs))
call("checkpoint, outer gradient", lambda: jax.grad(lambda x: jax.vmap(layer)(x).sum())(xs))
call("checkpoint, jitted", lambda: jax.jit(jax.vmap(layer))(xs))
note("jaxpr of checkpoint", str(jax.make_jaxpr(jax.vmap(layer))(xs)))
