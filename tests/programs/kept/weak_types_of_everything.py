# shows: Numbers of all kinds as arguments, and where weak types get lost.
import jax, jax.numpy as jnp, numpy as np
def tr(label, th):
    try: return call(label, th)
    except Exception as e: print(label, type(e).__name__)
f = jax.jit(lambda x: x + 1)
for v in (1, 1.0, True, 1j, np.int8(1), np.uint64(1), np.float16(1), np.float64(1), np.bool_(1), np.complex64(1), jnp.bfloat16(1), jnp.float32(1), np.array(1), np.array([1]), jnp.array(1), jnp.asarray(1), jnp.asarray(1.0), jnp.asarray([1, 2]), jnp.asarray([1., 2]), jnp.asarray([True, 2]), jnp.asarray([[1], [2]]), jnp.asarray((1, 2.)), jnp.asarray([np.float64(1)]), jnp.asarray([jnp.float32(1), 2]), jnp.array(2**31 - 1), np.float32("inf"), np.nan, float("-inf"), jnp.ones(3)[0], jnp.ones(3).sum(), jnp.int32(1) * 2, jnp.float32(1) * 2.0, 2.0 * jnp.int32(1), jnp.asarray(1) * 1.5, jnp.full((), 1), jnp.full((), 1.0), jnp.zeros_like(1), jnp.ones_like(1.0), jnp.asarray(1, dtype=float), jnp.asarray(1, dtype="int8"), jnp.asarray(1, dtype=np.int64), jnp.array([]), jnp.array([[]]), jnp.linspace(0, 1, 3), jnp.arange(3), jnp.arange(3.), jnp.arange(0, 1, .5), jnp.eye(2), jnp.array(1).astype(float), jnp.array(1.).astype(int), jnp.array(3).item(), jnp.array(3.).tolist(), int(jnp.array(3)), float(jnp.array(3)), np.asarray(jnp.array(3)), np.array(jnp.ones(2)), jax.device_get(jnp.ones(2)), jax.device_put(1), jax.device_put(np.float64(1))):
    tr(f"{type(v).__name__} {v}"[:40], lambda: f(v))
for bad in ([1, 2], "a", 2**40, -2**40, [[1], [1, 2]], None, np.array("a") if False else 3):
    tr(f"bad {bad}"[:30], lambda: f(bad))
for bad in ([1, "a"], [[1], [1, 2]], None, "a", {"a": 1}, {1}, 2**40, [2**40], object(), [None], [[]], [[], [1]], (x for x in [1]), range(3), [jnp.ones(2), jnp.ones(3)], [jnp.ones(2), 1], [[1, 2], jnp.ones(2)], jnp.ones, [True, 1.5], [1, 2j], [np.int8(1), 300], b"a", np.ma if False else 1):
    tr(f"asarray {type(bad).__name__}"[:40], lambda: jnp.asarray(bad))
    if not isinstance(bad, (str, bytes)) and "a" not in str(bad): tr(f"array {type(bad).__name__}"[:40], lambda: jnp.array(bad, dtype=float))
t = {"a": 1, "b": [2.0, jnp.float32(3)], "c": (np.float64(4), None)}
g = jax.jit(lambda t: jax.tree.map(lambda v: v * 2, t))
tr("t", lambda: g(t)); tr("t2", lambda: g(g(t))); tr("t3", lambda: g(g(g(t)))); tr("map float", lambda: g(jax.tree.map(float, t))); tr("map asarray", lambda: g(jax.tree.map(jnp.asarray, t))); tr("map np", lambda: g(jax.tree.map(np.asarray, t))); tr("zeros_like", lambda: g(jax.tree.map(jnp.zeros_like, t))); tr("tree add", lambda: jax.tree.map(jnp.add, t, t)); tr("tree mismatch", lambda: jax.tree.map(jnp.add, t, {"a": 1})); tr("reduce", lambda: jax.tree.reduce(jnp.add, t)); tr("all", lambda: jax.tree.all(t)); tr("leaves", lambda: len(jax.tree.leaves(t))); tr("transpose", lambda: jax.tree.transpose(jax.tree.structure([0, 0]), jax.tree.structure((0, 0)), [(1, 2), (3, 4)]))
s = 0
for i in range(4): s = call(f"acc {i}", lambda: f(s))
s = 0.0
for i in range(3): s = call(f"accf {i}", lambda: f(s) * 0.5)
s = jnp.zeros(())
for i in range(3): s = call(f"accj {i}", lambda: f(s) + i)
s = np.float64(0)
for i in range(3): s = call(f"accn {i}", lambda: np.float64(f(s)))
