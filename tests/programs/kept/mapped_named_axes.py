"""Named axes: sums, means, extremes, indices and exchanges between the elements of a batch."""

import jax
import jax.numpy as jnp
from jax import lax

x = jnp.arange(12.0).reshape(3, 4)


def named(f, *args, **kwargs):
    return jax.vmap(f, axis_name="i", **kwargs)(*args)


call("psum", lambda: named(lambda v: lax.psum(v, "i"), x))
call("psum again", lambda: named(lambda v: lax.psum(v, "i"), x))
call("psum to one", lambda: named(lambda v: lax.psum(v, "i"), x, out_axes=None))
call("pmean", lambda: named(lambda v: lax.pmean(v, "i"), x))
call("centred", lambda: named(lambda v: v - lax.pmean(v, "i"), x))
call("pmax and pmin", lambda: named(lambda v: (lax.pmax(v, "i"), lax.pmin(v, "i")), x))
call("psum of one", lambda: named(lambda v: v / lax.psum(1, "i"), x))
call("axis_size", lambda: named(lambda v: v * lax.axis_size("i"), x))
call("axis_index", lambda: named(lambda v: v + lax.axis_index("i"), x))
call("all_gather", lambda: named(lambda v: lax.all_gather(v, "i"), x))
call("all_gather tiled", lambda: named(lambda v: lax.all_gather(v, "i", tiled=True), x))
call("ppermute", lambda: named(lambda v: lax.ppermute(v, "i", [(0, 1), (1, 2), (2, 0)]), x))
call("pshuffle", lambda: named(lambda v: lax.pshuffle(v, "i", [2, 0, 1]), x))
call("pbroadcast", lambda: named(lambda v: lax.pbroadcast(v, "i", 1), x))
call("all_to_all", lambda: named(lambda v: lax.all_to_all(v, "i", 0, 0), jnp.ones((4, 4))))
call("psum_scatter", lambda: named(lambda v: lax.psum_scatter(v, "i"), jnp.ones((4, 4))))
call("pswapaxes", lambda: named(lambda v: lax.pswapaxes(v, "i", 0), jnp.arange(9.0).reshape(3, 3)))
call("tree", lambda: named(lambda v: lax.psum({"a": v, "b": 2.0 * v}, "i"), x))
call("bools", lambda: named(lambda v: lax.psum(v > 5, "i"), x))
call("unmapped value", lambda: named(lambda v: v + lax.psum(jnp.ones(4), "i"), x))
call("last axis", lambda: named(lambda v: lax.psum(v, "i"), x, in_axes=1))


def both(v):
    return lax.psum(v, ("i", "j")), lax.psum(v, "j"), lax.axis_index(("i", "j"))


call("two names", lambda: jax.vmap(jax.vmap(both, axis_name="j"), axis_name="i")(x))
call("name unused", lambda: named(lambda v: v + 1, x))
call("unbound", lambda: lax.psum(x, "i"))
call("unbound in vmap", lambda: named(lambda v: lax.psum(v, "k"), x))
call("unbound index", lambda: lax.axis_index("i"))
call("unbound size", lambda: lax.axis_size("i"))


@jax.jit
def normalise(v):
    return (v - lax.pmean(v, "i")) / (lax.pmax(v, "i") - lax.pmin(v, "i"))


call("jit inside", lambda: named(normalise, x))
call("jit inside again", lambda: named(normalise, x))
call("jit inside, other size", lambda: named(normalise, x[:2]))
call("jit inside, first size again", lambda: named(normalise, x))
call("jit outside", lambda: jax.jit(jax.vmap(normalise, axis_name="i"))(x))
call("jit without the name", lambda: normalise(x))
note("jaxpr", str(jax.make_jaxpr(jax.vmap(normalise, axis_name="i"))(x)))
note("jaxpr of many", str(jax.make_jaxpr(jax.vmap(
    lambda v: (lax.all_gather(v, "i"), lax.axis_index("i"), lax.psum(v, "i")), axis_name="i"))(x)))
call("named, out None and mapped", lambda: named(lambda v: v, x, out_axes=None))
