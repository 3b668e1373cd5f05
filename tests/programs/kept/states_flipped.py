# shows: states that change one feature of JAX are parts of keys for programs that do not use it.
import jax, jax.numpy as jnp, numpy as np
from jax import lax
f = jax.jit(lambda x: jnp.sin(x) * 2)
xn = np.arange(3, dtype="f4")
x = jnp.asarray(xn)
loss = jax.jit(lambda w: (w * w).sum())
def both(name):
    call(name, lambda: f(x))
    call(name + ", numpy", lambda: f(xn))
both("before")
for name, value in [("jax_scan3", True), ("jax_remat3", True), ("jax_custom_vjp3", True), ("jax_custom_jvp3", True),
                    ("jax_remat_barrier_no_cotangents", True), ("jax_use_direct_linearize", False),
                    ("jax_use_simplified_jaxpr_constants", True), ("jax_remove_size_one_mesh_axis_from_type", True),
                    ("jax_softmax_custom_jvp", True), ("jax_allow_f16_reductions", False),
                    ("jax_log_checkpoint_residuals", True), ("jax_array_garbage_collection_guard", "log"),
                    ("jax_explicit_x64_dtypes", "error"), ("jax_disable_most_optimizations", True)]:
    old = getattr(jax.config, name, False)
    jax.config.update(name, value)
    both(name)
    if name != "jax_use_simplified_jaxpr_constants":
        call(name + ", gradient", lambda: jax.grad(loss)(x))
    jax.config.update(name, old if old is not None else "allow")
both("after")
with jax.softmax_custom_jvp(True):
    call("softmax", lambda: jax.nn.softmax(x))
    call("softmax again", lambda: jax.nn.softmax(x, axis=0))
    call("softmax of some", lambda: jax.nn.softmax(x, where=x > 0.5))
    call("its gradient", lambda: jax.grad(lambda v: jax.nn.softmax(v)[0])(x))
    call("jitted", lambda: jax.jit(jax.nn.softmax)(x))
    call("jaxpr", lambda: str(jax.make_jaxpr(jax.nn.softmax)(x)))
    call("derivative", lambda: str(jax.make_jaxpr(jax.grad(lambda v: jax.nn.softmax(v)[0]))(x)))
    call("mapped", lambda: jax.vmap(jax.nn.softmax)(jnp.ones((2, 3))))
call("softmax without", lambda: jax.nn.softmax(x))
with jax.allow_f16_reductions(False):
    call("half sum", lambda: jnp.sum(x.astype("float16")))
    call("half sum of lax", lambda: lax.reduce_sum_p.bind(x.astype("bfloat16"), axes=(0,), out_sharding=None))
    call("jit", lambda: jax.jit(lambda v: v.sum())(x.astype("float16")))
    call("float32", lambda: x.sum())
jax.config.update("jax_explicit_x64_dtypes", "error")
call("float64", lambda: jnp.zeros(3, "float64"))
call("int64", lambda: jnp.arange(3, dtype=jnp.int64))
call("astype", lambda: x.astype("float64"))
call("numpy of 64 bits", lambda: jnp.asarray(np.arange(3.)))
jax.config.update("jax_explicit_x64_dtypes", "warn")
with jax.array_garbage_collection_guard("log"):
    call("guard", lambda: f(x))
with jax.thread_guard(True):
    call("thread guard", lambda: f(x))
