# Mixed precision: bfloat16 compute, float32 parameters, loss scaling; then 64 bits.
import jax
import jax.numpy as jnp

w, x = jnp.ones((3, 2)), jnp.arange(6.0).reshape(2, 3)


def loss(w, x):
    h = jnp.tanh(x.astype(jnp.bfloat16) @ w.astype(jnp.bfloat16))
    return jnp.mean(h.astype(jnp.float32) ** 2)


g = jax.jit(jax.grad(loss))
for i in range(2):
    call(f"bfloat16 {i}", lambda: g(w, x))
call("eager bfloat16", lambda: jax.grad(loss)(w, x))
scaled = jax.jit(jax.grad(lambda w, x, s: loss(w, x) * s))
for s in (2.0, 4.0, jnp.float32(8.0)):
    call(f"scale {s}", lambda: scaled(w, x, s))
call("float16 parameters", lambda: g(w.astype(jnp.float16), x))
call("weak scalar", lambda: jax.grad(lambda a: a ** 2)(3.0))
call("strong scalar", lambda: jax.grad(lambda a: a ** 2)(jnp.float32(3.0)))
call("numpy scalar", lambda: jax.grad(lambda a: a ** 2)(__import__("numpy").float32(3.0)))
with jax.enable_x64(True):
    call("64 bits", lambda: jax.grad(lambda a: a ** 2)(3.0))
    call("64 bits, array", lambda: jax.grad(lambda a: jnp.sum(jnp.sin(a)))(jnp.arange(3.0)))
call("32 bits again", lambda: jax.grad(lambda a: a ** 2)(3.0))
call("complex", lambda: jax.grad(lambda a: jnp.abs(a * (1 + 2j)))(3.0))
call("complex input", lambda: jax.grad(lambda z: jnp.real(z * jnp.conj(z)))(1.0 + 2.0j))
