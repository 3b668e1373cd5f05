# shows: A network with dropout and momentum, its state donated; static flags and rates given in all ways.
import jax, jax.numpy as jnp, numpy as np, functools, dataclasses, typing
from functools import partial
key = jax.random.key(0)
def named(label, thunk):
    """Numbers of a network agree but for their last digits: types alone are shown."""
    got = []
    call(label, lambda: jax.tree.map(jax.typeof, got.append(thunk()) or got[0]) and None)
    return got[0] if got else None
class TrainState(typing.NamedTuple):
    params: dict
    opt: tuple
    step: int
def init(sizes, key):
    ks = jax.random.split(key, len(sizes))
    return [{"w": jax.random.normal(k, (a, b)) * 0.1, "b": jnp.zeros(b)} for k, a, b in zip(ks, sizes[:-1], sizes[1:])]
def model(params, x, *, train=False, rng=None, rate=0.5):
    for i, p in enumerate(params):
        x = x @ p["w"] + p["b"]
        if i < len(params) - 1:
            x = jax.nn.gelu(x)
            if train:
                keep = jax.random.bernoulli(jax.random.fold_in(rng, i), 1 - rate, x.shape)
                x = jnp.where(keep, x / (1 - rate), 0)
    return x
def loss(params, batch, rng):
    logits = model(params, batch["x"], train=True, rng=rng)
    return -jnp.mean(jax.nn.log_softmax(logits)[jnp.arange(len(batch["y"])), batch["y"]])
@partial(jax.jit, static_argnames=("lr",), donate_argnames=("state",))
def step(state, batch, rng, *, lr=1e-2):
    l, g = jax.value_and_grad(loss)(state.params, batch, rng)
    mu = jax.tree.map(lambda m, g: 0.9 * m + g, state.opt[0], g)
    params = jax.tree.map(lambda p, m: p - lr * m, state.params, mu)
    return TrainState(params, (mu,), state.step + 1), {"loss": l, "gnorm": jnp.sqrt(sum(jnp.vdot(a, a) for a in jax.tree.leaves(g)))}
p = named("init", lambda: init([4, 8, 3], key))
state = TrainState(p, (jax.tree.map(jnp.zeros_like, p),), 0)
rng = np.random.RandomState(0)
for i in range(4):
    key, sub = jax.random.split(key)
    batch = {"x": rng.normal(size=(5 if i < 3 else 2, 4)).astype("float32"), "y": rng.randint(0, 3, size=5 if i < 3 else 2)}
    old = state
    out = named(f"step {i}", lambda: step(state, batch, sub, lr=1e-2 if i != 1 else 0.01))
    state, metrics = out
    named("float", lambda: float(metrics["loss"]))
named("old donated", lambda: old.params[0]["w"] + 1)
named("reuse donated", lambda: step(old, batch, sub))
named("lr positional", lambda: step(state, batch, sub, 1e-2))
named("lr array", lambda: step(state, batch, sub, lr=jnp.float32(1e-2)))
named("lr np", lambda: step(state, batch, sub, lr=np.float32(1e-2)))
named("after", lambda: state.params[0]["w"].sum())
ev = jax.jit(model, static_argnames=("train", "rate"))
p = init([4, 8, 3], key)
x = jnp.ones((2, 4))
named("eval", lambda: ev(p, x)); named("eval False", lambda: ev(p, x, train=False)); named("eval 0", lambda: ev(p, x, train=0)); named("eval True", lambda: ev(p, x, train=True, rng=key)); named("eval 1", lambda: ev(p, x, train=1, rng=key)); named("rate", lambda: ev(p, x, train=True, rng=key, rate=0.1)); named("no rng", lambda: ev(p, x, train=True)); named("rng None", lambda: ev(p, x, rng=None)); named("tuple", lambda: ev(tuple(p), x)); named("pos", lambda: ev(p, x, True))
named("np x", lambda: ev(p, np.ones((2, 4), np.float32))); named("np64 x", lambda: ev(p, np.ones((2, 4)))); named("list x", lambda: ev(p, [[1., 2., 3., 4.]])); named("jnp int", lambda: ev(p, jnp.ones((2, 4), int))); named("bf16", lambda: ev(jax.tree.map(lambda a: a.astype(jnp.bfloat16), p), x)); named("1d", lambda: ev(p, jnp.ones(4))); named("bad", lambda: ev(p, jnp.ones(5)))
