# References in the ways people use them: counters, accumulators, nested functions,
# a statically indexed buffer, and what is refused.
import jax, jax.numpy as jnp, numpy as np

r = jax.new_ref(jnp.zeros(3))

@jax.jit
def inner(ref, x):
    ref[1] = x
    return ref[2] + 1

@jax.jit
def outer(ref, x):
    y = inner(ref, x)
    jax.ref.addupdate(ref, ..., jnp.full(3, y))
    return y

call("nested 1", lambda: outer(r, 2.0))
call("nested 2", lambda: outer(r, 3.0))
call("inner alone", lambda: inner(r, 3.0))
note("jaxpr", str(jax.make_jaxpr(outer)(r, 2.0)))

count = jax.new_ref(0)
@jax.jit
def step(x):
    count[...] += 1
    return x * count[...]
for i in range(3):
    call(f"step {i}", lambda: step(jnp.ones(2)))
note("count", int(count[...]))

@jax.jit
def traced_index(ref, i):
    ref[i] = ref[i + 1]
    return ref[...]
call("traced index", lambda: traced_index(r, 0))
call("traced index again", lambda: traced_index(r, 1))
call("numpy init", lambda: jax.freeze(jax.new_ref(np.arange(3))))
m = jax.new_ref(jnp.zeros((2, 3)))
@jax.jit
def two(ref):
    ref[0, 1:] = jnp.ones(2)
    ref[:, 0] = jnp.arange(2.)
    return ref[1]
call("two dims", lambda: two(m))
call("two dims eager", lambda: m[0, 1])
call("wrong shape", lambda: two(jax.new_ref(jnp.zeros((2, 4)))))
call("wrong dtype", lambda: two(jax.new_ref(jnp.zeros((2, 3), jnp.int32))))
call("out of bounds", lambda: r[5])
call("closed over and passed", lambda: jax.jit(lambda a: a[...] + r[...])(r))
call("read only", lambda: jax.jit(lambda a: a[...] * 2)(r))
call("donate", lambda: jax.jit(lambda a, x: a[...] + x, donate_argnums=1)(r, jnp.ones(3)))
call("unused", lambda: jax.jit(lambda a, x: x + 1)(r, jnp.ones(3)))
call("in a dict", lambda: jax.jit(lambda d: d["a"][...] + d["b"])({"a": r, "b": 1.0}))
call("lower", lambda: outer.lower(r, 2.0))
call("isinstance", lambda: isinstance(r, jax.Ref))
d1 = jax.devices()[0]
call("committed inside", lambda: jax.jit(lambda a: a[...])(jax.new_ref(jax.device_put(jnp.ones(2), d1))))
def accumulate(xs):
    total = jax.new_ref(jnp.float32(0))
    for i in range(3):
        total[...] += xs[i]
    return total[...]
call("eager", lambda: accumulate(jnp.arange(3.)))
call("jit", lambda: jax.jit(accumulate)(jnp.arange(3.)))
note("jaxpr", str(jax.make_jaxpr(accumulate)(jnp.arange(3.))))
