# Gradients of gradients, hessians, hessian-vector products, Newton's method.
import jax
import jax.numpy as jnp


def f(x):
    return jnp.sum(x ** 3) + jnp.prod(x)


x = jnp.array([1.0, 2.0, 3.0])
s = jnp.float32(2.0)
for i in range(2):
    call(f"grad grad {i}", lambda: jax.grad(jax.grad(lambda a: jnp.sin(a) * a))(s))
call("three times", lambda: jax.grad(jax.grad(jax.grad(lambda a: a ** 4)))(s))
for i in range(2):
    call(f"hessian {i}", lambda: jax.hessian(f)(x))
h = jax.jit(jax.hessian(f))
for i in range(2):
    call(f"jitted hessian {i}", lambda: h(x))
hvp = lambda f, x, v: jax.jvp(jax.grad(f), (x,), (v,))[1]
for i in range(2):
    call(f"hvp {i}", lambda: hvp(f, x, jnp.ones(3)))
call("hvp reverse", lambda: jax.grad(lambda a: jnp.vdot(jax.grad(f)(a), jnp.ones(3)))(x))
call("jacfwd", lambda: jax.jacfwd(lambda a: a ** 2)(x))
call("jacrev", lambda: jax.jacrev(lambda a: a ** 2)(x))
call("jacrev of two", lambda: jax.jacrev(lambda a, b: a * b, argnums=(0, 1))(x, x)[1])
call("jacobian of a dict", lambda: jax.jacfwd(lambda d: d["a"] * d["b"])({"a": x, "b": s})["b"])
g, hh = jax.grad(lambda a: (a - 3.0) ** 2 + jnp.cos(a)), jax.grad(jax.grad(lambda a: (a - 3.0) ** 2 + jnp.cos(a)))
z = jnp.float32(0.5)
for i in range(3):
    z = call(f"newton {i}", lambda: z - g(z) / hh(z))
note("root", round(float(z), 3))
newton = jax.jit(lambda a: a - g(a) / hh(a))
for i in range(2):
    z = call(f"jitted newton {i}", lambda: newton(z))
