# happens: functions of jax.numpy, jax.nn and jax.random inside a jitted shard_map, with types that
#   say how values vary and without: which lookups tracing and lowering make for each.
# env: XLA_FLAGS=--xla_force_host_platform_device_count=4
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh
from jax.sharding import PartitionSpec as P

mesh = Mesh(np.array(jax.devices()), ("x",))
a = np.arange(16.0, dtype=np.float32).reshape(4, 4)
b = np.arange(8.0, dtype=np.float32)
i = np.arange(8)


def sm(label, f, given, check_vma):
    mapped = jax.shard_map(f, mesh=mesh, in_specs=P("x"), out_specs=P("x"), check_vma=check_vma)
    call(f"{label}, checked: {check_vma}", lambda: jax.jit(mapped)(given))


for c in (True, False):
    sm("sort", lambda x: jnp.sort(x), b, c)
    sm("argsort", lambda x: jnp.argsort(x), b, c)
    sm("argmax", lambda x: jnp.argmax(x, axis=1), a, c)
    sm("cumsum", lambda x: jnp.cumsum(x), b, c)
    sm("cumprod", lambda x: jnp.cumprod(x), b, c)
    sm("cummax", lambda x: lax.cummax(x), b, c)
    sm("logistic", lambda x: jax.nn.sigmoid(x), b, c)
    sm("pow4", lambda x: x**4, b, c)
    sm("gather", lambda x: x[jnp.array([1,0])], b, c)
    sm("gatherfill", lambda x: x.at[jnp.array([1,0])].get(mode="fill"), b, c)
    sm("scatter", lambda x: x.at[jnp.array([1,0])].set(1.), b, c)
    sm("scatteradd", lambda x: x.at[jnp.array([1,0])].add(x), b, c)
    sm("scatterclip", lambda x: x.at[jnp.array([1,0])].set(1., mode="clip"), b, c)
    sm("conj", lambda x: jnp.conj(x), b, c)
    sm("scan", lambda x: lax.scan(lambda c, t: (c, t+1), 0., x)[1], b, c)
    sm("fori", lambda x: lax.fori_loop(0, 3, lambda i, v: v + i, x), b, c)
    sm("random", lambda x: x + jax.random.normal(jax.random.fold_in(jax.random.key(0), lax.axis_index("x")), x.shape), b, c)
    sm("uniform", lambda x: x + jax.random.uniform(jax.random.key(0), x.shape), b, c)
    sm("randint", lambda x: x + jax.random.randint(jax.random.key(0), x.shape, 0, 9), b, c)
    sm("choice", lambda x: jax.random.permutation(jax.random.fold_in(jax.random.key(0), lax.axis_index("x")), x), b, c)
    sm("median", lambda x: jnp.median(x, axis=1), a, c)
    sm("searchsorted", lambda x: jnp.searchsorted(x, x), b, c)
    sm("lse", lambda x: jax.nn.logsumexp(x, axis=1), a, c)
    sm("reduce", lambda x: lax.reduce(x, np.float32(0), lax.add, (1,)), a, c)
    sm("psum_scatter", lambda x: lax.psum_scatter(jnp.tile(x, 2), "x", tiled=True), b, c)
    sm("prod", lambda x: jnp.prod(x, axis=1), a, c)
    sm("any", lambda x: jnp.any(x > 2, axis=1), a, c)
    sm("nanmean", lambda x: jnp.nanmean(x, axis=1), a, c)
    sm("mod", lambda x: x % 3 + x // 2, b, c)
    sm("int", lambda x: x // 3 + (x & 1), i, c)
    sm("interp", lambda x: jnp.interp(x, x, x), b, c)
    sm("digitize", lambda x: jnp.digitize(x, jnp.array([1.,2.])), b, c)
    sm("diff", lambda x: jnp.diff(x), b, c)
    sm("outer", lambda x: jnp.outer(x, x), b, c)
    sm("tri", lambda x: jnp.triu(jnp.outer(x,x)), b, c)
    sm("where", lambda x: jnp.where(x > 2, x, 0) + jnp.nan_to_num(x), b, c)
    sm("onehot", lambda x: jax.nn.one_hot(x, 3), i, c)
    sm("var", lambda x: jnp.round(jnp.std(x, axis=1), 2), a, c)
    sm("erf", lambda x: jnp.round(jax.nn.gelu(x), 2), b, c)
    sm("batched", lambda x: jax.vmap(jnp.dot, (0, None))(x, x[0]), a, c)
    sm("topk", lambda x: lax.top_k(x, 2)[0], a, c)
    sm("map", lambda x: lax.map(lambda t: t*2, x), b, c)
    sm("split", lambda x: jnp.concatenate(jnp.split(x, 2)), b, c)
    sm("rep", lambda x: jnp.repeat(x, 2), b, c)
    sm("ravel", lambda x: x.T.reshape(-1), a, c)
    sm("dyn", lambda x: lax.dynamic_index_in_dim(x, lax.axis_index("x") % 2), b, c)
    sm("complex", lambda x: jnp.abs(x + 1j), b, c)
    sm("bitcast", lambda x: lax.bitcast_convert_type(x, jnp.int32), b, c)
