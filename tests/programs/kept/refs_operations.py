# References one operation at a time, eager and jitted, with their jaxprs and errors.
import jax, jax.numpy as jnp
r = call("new", lambda: jax.new_ref(jnp.arange(5.)))
call("read", lambda: r[...])
call("read 1", lambda: r[1])
call("read 2", lambda: r[2])
call("read slice", lambda: r[1:3])
def w(i, v):
    r[i] = v
call("write 1", lambda: w(1, 3.0))
call("write 2", lambda: w(2, jnp.float32(3.0)))
call("write all", lambda: w(..., jnp.ones(5)))
def add():
    r[...] += 1
call("add", add)
call("add again", add)
def inplace():
    r[0] += 1.
call("add at", inplace)
call("addupdate", lambda: jax.ref.addupdate(r, ..., jnp.ones(5)))
call("swap", lambda: jax.ref.swap(r, 1, 2.))
@jax.jit
def f(x):
    s = jax.new_ref(x)
    s[...] *= 2
    s[0] = 1.
    return jax.freeze(s)
call("internal", lambda: f(jnp.arange(3.)))
call("internal again", lambda: f(jnp.arange(3.)))
call("freeze", lambda: jax.freeze(r))
note("repr", repr(r))
@jax.jit
def g(ref, x):
    y = x + ref[0]
    ref[1:3] = y
    return y.sum()
call("g", lambda: g(r, jnp.ones(2)))
call("g", lambda: g(r, jnp.ones(2)))
r2 = jax.new_ref(jnp.zeros(5))
call("g other ref", lambda: g(r2, jnp.ones(2)))
r3 = jax.new_ref(jnp.zeros(6))
call("g other shape", lambda: g(r3, jnp.ones(2)))
call("alias", lambda: jax.jit(lambda a, b: a[...] + b[...])(r, r))
note("jaxpr", str(jax.make_jaxpr(g)(r, jnp.ones(2))))
note("jaxpr", str(jax.make_jaxpr(f)(jnp.ones(2))))
call("return ref", lambda: jax.jit(lambda: jax.new_ref(jnp.zeros(3)))())
call("jit add0", lambda: jnp.add(r[...], 1))
