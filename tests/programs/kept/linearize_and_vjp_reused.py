# linearize, vjp and linear_transpose: the functions they return, called again and again.
import jax
import jax.numpy as jnp


def f(x, y):
    return jnp.sin(x) * y, jnp.sum(x)


x, y = jnp.arange(3.0), jnp.ones(3)
out, lin = jax.linearize(f, x, y)
for i in range(2):
    call(f"lin {i}", lambda: lin(x, y)[0])
out, pull = jax.vjp(f, x, y)
for i in range(2):
    call(f"pullback {i}", lambda: pull((y, 1.0))[0])
call("pullback of zeros", lambda: pull((jnp.zeros(3), 0.0))[1])
call("vjp itself", lambda: jax.vjp(f, x, y)[0][1])
call("linearize itself", lambda: jax.linearize(f, x, y)[0][1])
g = jax.jit(lambda a: jnp.exp(a) * 2)
out, glin = jax.linearize(g, x)
for i in range(2):
    call(f"lin of jit {i}", lambda: glin(x))
out, gpull = jax.vjp(g, x)
for i in range(3):
    call(f"pullback of jit {i}", lambda: gpull(x)[0])
out, again = jax.vjp(g, x)
call("pullback made again", lambda: again(x)[0])
apply = jax.jit(lambda p, ct: p(ct)[0])
for i in range(2):
    call(f"pullback as an argument {i}", lambda: apply(gpull, x))
call("another one", lambda: apply(again, x))
call("jitted linearized", lambda: jax.jit(glin)(x))
vmapped = call("vmap of a pullback", lambda: jax.vmap(gpull)(jnp.eye(3))[0])
t = jax.linear_transpose(lambda a: 3.0 * a, x)
for i in range(2):
    call(f"linear_transpose {i}", lambda: t(x)[0])
y1, aux_pull, aux = jax.vjp(lambda a: (a * a, a + 1), x, has_aux=True)
call("aux pullback", lambda: aux_pull(x)[0])
call("aux", lambda: aux * 1)
call("jvp", lambda: jax.jvp(f, (x, y), (x, y))[1][0])
call("jvp again", lambda: jax.jvp(f, (x, y), (x, y))[1][0])
call("jvp of jit", lambda: jax.jvp(g, (x,), (x,))[1])
call("jvp of jit again", lambda: jax.jvp(g, (x,), (x,))[1])
