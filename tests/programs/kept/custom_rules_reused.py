# custom_jvp and custom_vjp: defined once or anew, eager, jitted, under vmap.
from functools import partial

import jax
import jax.numpy as jnp


@jax.custom_jvp
def log1pexp(x):
    return jnp.log(1.0 + jnp.exp(x))


@log1pexp.defjvp
def log1pexp_jvp(primals, tangents):
    (x,), (t,) = primals, tangents
    ans = log1pexp(x)
    return ans, (1 - 1 / (1 + jnp.exp(x))) * t


x = jnp.float32(3.0)
for i in range(2):
    call(f"custom_jvp grad {i}", lambda: jax.grad(log1pexp)(x))
call("custom_jvp jvp", lambda: jax.jvp(log1pexp, (x,), (1.0,))[1])
j = jax.jit(jax.grad(log1pexp))
for i in range(2):
    call(f"custom_jvp jit grad {i}", lambda: j(x))
call("custom_jvp vmap grad", lambda: jax.vmap(jax.grad(log1pexp))(jnp.arange(3.0)))
call("custom_jvp grad of jit", lambda: jax.grad(jax.jit(log1pexp))(x))
call("second derivative", lambda: jax.grad(jax.grad(log1pexp))(x))


@partial(jax.custom_vjp, nondiff_argnums=(1,))
def clipped(x, bound):
    return x


def fwd(x, bound):
    return x, None


def bwd(bound, res, g):
    return (jnp.clip(g, -bound, bound),)


clipped.defvjp(fwd, bwd)
for i in range(2):
    call(f"custom_vjp grad {i}", lambda: jax.grad(lambda a: 10.0 * clipped(a, 1.0))(x))
call("custom_vjp other bound", lambda: jax.grad(lambda a: 10.0 * clipped(a, 2.0))(x))
k = jax.jit(jax.grad(lambda a: 10.0 * clipped(a, 1.0)))
for i in range(2):
    call(f"custom_vjp jit {i}", lambda: k(x))
call("custom_vjp vmap", lambda: jax.vmap(jax.grad(lambda a: a * clipped(a, 1.0)))(jnp.ones(2)))


def fresh():
    @jax.custom_vjp
    def f(x):
        return jnp.sin(x)
    f.defvjp(lambda x: (jnp.sin(x), jnp.cos(x)), lambda r, g: (r * g,))
    return f


for i in range(2):
    call(f"fresh custom_vjp {i}", lambda: jax.grad(fresh())(x))
    call(f"fresh custom_vjp under jit {i}", lambda: jax.jit(jax.grad(fresh()))(x))


def fails(label, thunk):
    try:
        note(label, str(thunk()))
    except Exception as e:
        note(label, f"{type(e).__name__}: {str(e).splitlines()[0][:150]}")


no_rule = jax.custom_jvp(lambda x: x)
fails("no rule", lambda: no_rule(1.0))
fails("no vjp rule", lambda: jax.custom_vjp(lambda x: x)(1.0))
fails("forward over custom_vjp", lambda: jax.jvp(fresh(), (1.0,), (1.0,)))
bad = jax.custom_jvp(lambda x: x)
bad.defjvp(lambda p, t: p[0])
fails("rule without a pair", lambda: jax.grad(bad)(1.0))
worse = jax.custom_vjp(lambda x: x)
worse.defvjp(lambda x: (x, None), lambda r, g: g)
fails("bwd without a tuple", lambda: jax.grad(worse)(1.0))
fails("printed", lambda: jax.make_jaxpr(log1pexp)(1.0))
fails("printed vjp", lambda: jax.make_jaxpr(fresh())(1.0))
fails("printed grad", lambda: jax.make_jaxpr(jax.grad(fresh()))(1.0))
