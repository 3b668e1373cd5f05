# shows: Words to numbers, lookups in tables, masks.
import jax, jax.numpy as jnp, numpy as np
# text / token preprocessing, embedding lookups, masks
vocab = {w: i for i, w in enumerate("the cat sat on mat".split())}
def encode(s, n=4):
    ids = [vocab[w] for w in s.split()][:n]
    return np.array(ids + [0] * (n - len(ids)), np.int32), np.array([1] * len(ids) + [0] * (n - len(ids)), bool)
emb = jax.random.uniform(jax.random.PRNGKey(3), (len(vocab), 3))
@jax.jit
def pool(emb, ids, mask):
    e = emb[ids]; m = mask[..., None]
    return (e * m).sum(0) / jnp.maximum(m.sum(), 1)
@jax.jit
def bigram(ids): return jnp.zeros((5, 5), int).at[ids[:-1], ids[1:]].add(1)
for s in ("the cat", "the cat sat on mat", "mat"):
    i, m = encode(s); print(s, pool(emb, i, m).shape, int(bigram(i).sum()))
batch = [np.stack(t) for t in zip(*map(encode, ["the cat", "mat on"]))]
pool_b = jax.jit(lambda e, i, m: ((e[i] * m[..., None]).sum(1) / m.sum(1, keepdims=True)))
pool_b(emb, *batch); pool_b(emb, *map(jnp.asarray, batch)); pool_b(emb, batch[0].tolist(), batch[1]) if False else None
sim = jax.jit(lambda a, b: jnp.vdot(a, b) / (jnp.linalg.norm(a) * jnp.linalg.norm(b))); sim(emb[0], emb[1]); sim(emb[2], emb[3])
top = jax.jit(lambda e, q: jax.lax.top_k(e @ q, 2)); top(emb, emb[0])
jax.jit(lambda x: x.at[0].set(jnp.nan))(emb[0]); jax.jit(lambda x, i: x.at[i].mul(2, mode="drop"))(emb[0], 7); jax.jit(lambda x, i: jax.lax.dynamic_index_in_dim(x, i, keepdims=False))(emb, 2)
