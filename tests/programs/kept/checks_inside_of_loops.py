# happens: loops, branches, maps and derivatives carry the error along.
import jax
import jax.numpy as jnp
from jax.experimental import checkify


def report(out):
    err, value = out
    return err.get(), value


two, less = jnp.float32(2), jnp.float32(-2)
row = jnp.array([1., 2., 0., 4.])
nan, both = checkify.nan_checks, checkify.float_checks | checkify.user_checks


def by_scan(xs):
    def body(c, x):
        checkify.check(x != 0, "zero at {c}", c=c)
        return c + 1 / x, jnp.log(x)
    return jax.lax.scan(body, jnp.float32(0), xs)


def by_cond(x):
    return jax.lax.cond(x > 0, jnp.log, lambda y: y - jnp.inf - jnp.inf * 0, x)


def by_while(x):
    return jax.lax.while_loop(lambda v: v < 5, lambda v: v * 2 - jnp.log(v), x)


def by_fori(x):
    return jax.lax.fori_loop(0, 3, lambda i, v: jnp.sqrt(v) - 1, x)


for name, fun, good, bad in (("scan", by_scan, row + 1, row), ("cond", by_cond, two, less),
                             ("while", by_while, two, less), ("fori", by_fori, two * 50, two)):
    for kinds in (checkify.user_checks, both):
        checked = jax.jit(checkify.checkify(fun, errors=kinds))
        note(name, call(f"{name}, good, {len(kinds)} kinds", lambda: report(checked(good)))[0])
        note(name, call(f"{name}, bad, {len(kinds)} kinds", lambda: report(checked(bad)))[0])
    note(f"jaxpr of {name}", str(jax.make_jaxpr(checkify.checkify(fun, errors=both))(good)))
    call(f"{name}, not jitted", lambda: report(checkify.checkify(fun, errors=both)(bad))[1])


# Maps.
def positive(x):
    checkify.check(x > 0, "{x} is not positive", x=x)
    return jnp.sqrt(x)


inside = jax.jit(jax.vmap(checkify.checkify(positive)))
outside = jax.jit(checkify.checkify(jax.vmap(positive)))
note("map inside", call("map inside", lambda: report(inside(row)))[0])
note("map outside", call("map outside", lambda: report(outside(row)))[0])
note("map outside", call("map outside, good", lambda: report(outside(row + 1)))[0])

# Derivatives, and functions with derivatives of their own.
slope = jax.jit(checkify.checkify(jax.grad(lambda x: jnp.sqrt(x) * 2), errors=nan))
note("grad", call("grad(-2)", lambda: report(slope(less)))[0])
note("grad", call("grad(2)", lambda: report(slope(two)))[0])
rectified = jax.jit(checkify.checkify(lambda x: jax.nn.relu(x) / x, errors=both))
note("relu", call("relu(0)", lambda: report(rectified(jnp.float32(0))))[0])
note("jaxpr of relu", str(jax.make_jaxpr(checkify.checkify(jax.nn.relu, errors=both))(two)))
softened = jax.jit(checkify.checkify(jax.nn.softmax, errors=both))
note("softmax", call("softmax", lambda: report(softened(row)))[0])


# Indices.
def pick(x, i):
    return x[i]


def put(x, i):
    return x.at[i].set(0)


for name, fun in (("pick", pick), ("put", put)):
    checked = jax.jit(checkify.checkify(fun, errors=checkify.index_checks))
    note(name, call(f"{name} 2", lambda: report(checked(row, jnp.int32(2))))[0])
    note(name, call(f"{name} 7", lambda: report(checked(row, jnp.int32(7))))[0])
    note(f"jaxpr of {name}", str(jax.make_jaxpr(checkify.checkify(
        fun, errors=checkify.index_checks))(row, 2)))
