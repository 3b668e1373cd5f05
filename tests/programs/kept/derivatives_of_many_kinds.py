# shows: Derivatives of many kinds, twice and once.
import jax, jax.numpy as jnp
@jax.custom_vjp
def f(x): return jnp.sin(x)
def fwd(x): return f(x), jnp.cos(x)
def bwd(c, g): return (g * c,)
f.defvjp(fwd, bwd)
call("f", lambda: f(1.0)); call("f", lambda: f(1.0))
call("g", lambda: jax.grad(f)(1.0)); call("g", lambda: jax.grad(f)(1.0))
call("jg", lambda: jax.jit(jax.grad(f))(1.0))
call("jf", lambda: jax.jit(f)(1.0)); 
@jax.custom_jvp
def h(x): return x ** 2
@h.defjvp
def hj(p, t): return h(p[0]), 3 * p[0] * t[0]
call("h", lambda: jax.grad(h)(2.0)); call("h", lambda: jax.grad(h)(2.0))
ck = jax.checkpoint(lambda x: jnp.sin(jnp.cos(x)))
call("ck", lambda: jax.grad(ck)(2.0)); call("ck", lambda: jax.grad(ck)(2.0))
call("jck", lambda: jax.jit(jax.grad(ck))(2.0))
call("val", lambda: jax.value_and_grad(lambda p: (p["a"] ** 2).sum())({"a": jnp.ones(2)}))
call("argnums", lambda: jax.grad(lambda x, y: x * y, argnums=(0, 1))(1.0, 2.0))
call("int err", lambda: jax.grad(lambda x: x * 2)(1))
call("nonscalar", lambda: jax.grad(lambda x: x * 2)(jnp.ones(2)))
call("nested", lambda: jax.grad(jax.grad(jax.grad(lambda x: x ** 4)))(1.0))
call("stopg", lambda: jax.grad(lambda x: x * jax.lax.stop_gradient(x))(3.0))
call("where", lambda: jax.grad(lambda x: jnp.where(x > 0, x, 0.).sum())(jnp.array([1., -1.])))
call("einsum", lambda: jax.grad(lambda a: jnp.einsum("ij,jk->", a, a))(jnp.eye(2)))
call("softmax", lambda: jax.jacrev(jax.nn.softmax)(jnp.arange(3.)))
call("max", lambda: jax.grad(lambda x: x.max())(jnp.arange(3.)))
call("sort", lambda: jax.grad(lambda x: jnp.sort(x)[0])(jnp.array([3., 1.])))
call("idx", lambda: jax.grad(lambda x: x[1] * x[0])(jnp.array([3., 1.])))
call("at", lambda: jax.grad(lambda x: x.at[0].set(2.0).sum())(jnp.array([3., 1.])))
call("norm", lambda: jax.grad(lambda x: jnp.linalg.norm(x))(jnp.array([3., 4.])))
call("cumsum", lambda: jax.grad(lambda x: jnp.cumsum(x).sum())(jnp.array([3., 4.])))
call("concat", lambda: jax.grad(lambda x: jnp.concatenate([x, x * 2]).sum())(jnp.array([3., 4.])))
call("logsumexp", lambda: jax.grad(jax.scipy.special.logsumexp)(jnp.arange(3.)))
