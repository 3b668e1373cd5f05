# shows: A transformer block, forwards and backwards.
import jax, jax.numpy as jnp
def attention(q, k, v, mask):
    s = jnp.einsum("bhqd,bhkd->bhqk", q, k) / jnp.sqrt(q.shape[-1])
    s = jnp.where(mask, s, -1e9)
    return jnp.einsum("bhqk,bhkd->bhqd", jax.nn.softmax(s, -1), v)
def block(p, x):
    B, T, D = x.shape
    h = jax.nn.standardize(x) * p["g"]
    qkv = (h @ p["qkv"]).reshape(B, T, 3, 2, D // 2).transpose(2, 0, 3, 1, 4)
    a = attention(*qkv, jnp.tril(jnp.ones((T, T), bool)))
    x = x + a.transpose(0, 2, 1, 3).reshape(B, T, D) @ p["o"]
    return x + jax.nn.gelu(x @ p["up"]) @ p["down"]
D = 4
p = {"g": jnp.ones(D), "qkv": jnp.ones((D, 3 * D)) * .1, "o": jnp.eye(D), "up": jnp.ones((D, 8)) * .1, "down": jnp.ones((8, D)) * .1}
f = jax.jit(block)
call("fwd", lambda: f(p, jnp.ones((1, 3, D))))
call("fwd len", lambda: f(p, jnp.ones((1, 4, D))))
g = jax.jit(jax.grad(lambda p, x: block(p, x).sum()))
call("bwd", lambda: g(p, jnp.ones((1, 3, D))))
call("bwd again", lambda: g(p, jnp.ones((1, 3, D))))
ck = jax.jit(jax.grad(lambda p, x: jax.checkpoint(block)(p, x).sum()))
call("remat", lambda: ck(p, jnp.ones((1, 3, D))))
call("vm", lambda: jax.vmap(lambda x: block(p, x[None]))(jnp.ones((2, 3, D))).shape)
def generate(p, x):
    for _ in range(2):
        x = jnp.concatenate([x, f(p, x)[:, -1:]], axis=1)
    return x
call("gen", lambda: generate(p, jnp.ones((1, 3, D))))
