# shows: NumPy arrays of all types, changed in place between calls.
import jax, jax.numpy as jnp, numpy as np
# numpy stand-in heavy
x = np.arange(10).reshape(2, 5)
rows = [np.array([1, 2, 3]), np.zeros(3), np.ones(3, dtype=bool), np.full(3, 2.5, np.float16), np.linspace(0, 1, 3), np.eye(3)[0], x[0, :3], x.T[:3, 0], np.stack([x[0, :3]])[0], np.concatenate([x[0, :2], x[1, :1]]), np.asarray([1., 2., 3.], "float32"), np.repeat(1, 3), np.tile([1], 3), np.where([True, False, True], 1, 2), np.sort([3, 1, 2]), np.array([1, 2, 3]) / 2, np.array([1, 2, 3]) ** 2, np.cumsum([1, 2, 3]), np.array([1 + 2j] * 3), np.empty(3, int) * 0, np.array([1, 2, 3], np.uint8), np.expand_dims(np.arange(3), 0)[0], np.random.RandomState if False else np.array([1, 2, 3], ">i4") if False else np.arange(3.)]
f = jax.jit(lambda v: v + 1)
for i, r in enumerate(rows):
    call(f"{i} {r.dtype} {r.shape}", lambda: f(r))
y = np.ones(3, np.float32); f(y); y[0] = 5
call("mut", lambda: f(y)); y += 1
call("mut2", lambda: f(y))
z = jnp.asarray(y); y[1] = 99
call("alias", lambda: z)
n = np.asarray(z)
call("ro", lambda: n.__setitem__(0, 1))
call("mean", lambda: float(np.mean(f(y))))
call("npfn", lambda: np.sin(f(y)))
call("mix", lambda: np.add(f(y), 1))
call("npmax", lambda: np.max(jnp.arange(3)))
call("nan", lambda: np.isnan(f(y)).any())
call("dtype", lambda: f(np.float32(1)).dtype == np.float32)
call("fmt", lambda: f"{f(np.float32(1)):.3f} {jnp.float32(2)} {jnp.arange(3)} {jnp.ones((2,2))!r}")
