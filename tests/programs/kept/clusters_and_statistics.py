# shows: k-means and a page of statistics.
import jax, jax.numpy as jnp, numpy as np
# k-means / knn / numerics
@jax.jit
def assign(x, c):
    d = ((x[:, None, :] - c[None, :, :]) ** 2).sum(-1)
    return jnp.argmin(d, axis=1)
@jax.jit
def update(x, a, k_onehot):
    oh = (a[:, None] == jnp.arange(k_onehot.shape[0])[None]).astype(x.dtype)
    return (oh.T @ x) / jnp.maximum(oh.sum(0)[:, None], 1)
x = jnp.array([[0., 0.], [0., 1.], [5., 5.], [5., 6.]])
c = x[:2]
for i in range(3):
    a = assign(x, c); c = update(x, a, c)
print(a, c)
@jax.jit
def stats(x):
    return dict(mean=jnp.mean(x), std=jnp.std(x), med=jnp.median(x), q=jnp.quantile(x, 0.5), mx=x.max(), am=x.argmax(), srt=jnp.sort(x), cs=jnp.cumsum(x), d=jnp.diff(x), clip=jnp.clip(x, 0, 1), r=jnp.round(x, 1), u=jnp.linspace(0, 1, 5), e=jnp.eye(3), p=jnp.pad(x, 1), f=jnp.flip(x), rl=jnp.roll(x, 1), t=jnp.tile(x, 2), rp=jnp.repeat(x, 2), w=jnp.where(x > 0, x, 0), o=jnp.outer(x, x), tr=jnp.trace(jnp.outer(x, x)), al=jnp.all(x > 0), an=jnp.any(x > 0), pr=jnp.prod(x), sg=jnp.sign(x), nn=jnp.isnan(x), md=x % 2, fl=x // 2, pw=x ** 2, sq=jnp.square(x), ex=jnp.expm1(x), lg=jnp.log1p(x), at=jnp.arctan2(x, 1), hy=jnp.hypot(x, x), sp=jnp.split(x, 2), st=jnp.stack([x, x]), vs=jnp.vstack([x, x]), hs=jnp.hstack([x, x]), rs=x.reshape(2, -1), rv=jnp.ravel(x[None]), ta=jnp.take(x, jnp.array([0, 1])), mm=jnp.minimum(x, 1), mg=jnp.meshgrid(x, x), tk=jax.lax.top_k(x, 2), aset=x.at[0].set(9), aadd=x.at[1:].add(1), z=x)
r = call("stats", lambda: stats(jnp.array([1., -2., 3., 0.5])))
for k, v in r.items(): call(k, lambda: v)
