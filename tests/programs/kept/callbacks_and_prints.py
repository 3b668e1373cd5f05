# shows: debug.print, debug.callback and pure_callback in every position.
import jax, jax.numpy as jnp, numpy as np
# debug print / callbacks variety
log = []
def tap(x, *, name="n"): log.append((name, float(np.sum(x))))
@jax.jit
def f(x):
    jax.debug.print("x = {x}, y = {y:.2f}", x=x, y=x.sum()); jax.debug.callback(tap, x, name="a"); jax.debug.callback(lambda *a: None, x, ordered=True)
    return x * 2
call("f", lambda: f(jnp.ones(2)))
call("f2", lambda: f(jnp.ones(2))); jax.effects_barrier()
note("log", log)
def host_sort(x): return np.sort(np.asarray(x))
@jax.jit
def g(x):
    y = jax.pure_callback(host_sort, jax.ShapeDtypeStruct(x.shape, x.dtype), x, vmap_method="sequential"); return y[0]
call("g", lambda: g(jnp.array([3., 1.])))
call("g2", lambda: g(jnp.array([3., 1.])))
call("wrong shape", lambda: jax.jit(lambda x: jax.pure_callback(lambda v: np.ones(3, np.float32), jax.ShapeDtypeStruct((2,), jnp.float32), x))(1.0))
call("raises", lambda: jax.jit(lambda x: jax.pure_callback(lambda v: 1 / 0, jax.ShapeDtypeStruct((), jnp.float32), x))(1.0))
call("eager", lambda: jax.pure_callback(lambda v: np.float32(v * 2), jax.ShapeDtypeStruct((), jnp.float32), 2.0))
call("eager print", lambda: jax.debug.print("hi {}", 3))
call("eager cb", lambda: jax.debug.callback(tap, jnp.ones(2)))
call("fmt err", lambda: jax.debug.print("{x}", 3))
call("fmt err2", lambda: jax.jit(lambda x: jax.debug.print("{} {}", x))(1))
call("fstr", lambda: jax.jit(lambda x: (jax.debug.print(f"{x}"), x)[1])(1))
call("tree", lambda: jax.jit(lambda d: (jax.debug.print("{d}", d=d), d)[1])({"a": 1}))
call("print", lambda: jax.jit(lambda x: (print(x), x)[1])(1))
call("static print", lambda: jax.jit(lambda x, s: (jax.debug.print("{s}", s=s), x)[1], static_argnums=1)(1, "a"))
call("nested", lambda: jax.jit(lambda x: f(x) + 1)(jnp.ones(2)))
call("unused", lambda: jax.jit(lambda x: (jax.pure_callback(host_sort, jax.ShapeDtypeStruct((2,), jnp.float32), x), x)[1])(jnp.ones(2)))
call("aot", lambda: jax.jit(lambda x: (jax.debug.print("{}", x), x)[1]).lower(1.).compile()(1.))
call("disabled", lambda: [jax.disable_jit().__enter__(), f(jnp.ones(2)), jax.config.update("jax_disable_jit", False)][1])
call("grad-like", lambda: jax.jit(lambda x: jax.lax.stop_gradient(x))(1.))
call("result tree", lambda: jax.jit(lambda x: jax.pure_callback(lambda v: {"a": np.float32(1)}, {"a": jax.ShapeDtypeStruct((), jnp.float32)}, x))(1.))
