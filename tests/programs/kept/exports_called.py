# happens: an export is lowered once; what calls it is traced, lowered and compiled like any function.
import jax
import jax.numpy as jnp
import numpy as np
from jax import export

x = np.arange(6, dtype=np.float32).reshape(2, 3)
w = np.ones((3, 2), np.float32)


@jax.jit
def layer(params, x):
    return jnp.tanh(x @ params["w"] + params["b"])


params = {"w": w, "b": np.zeros(2, np.float32)}
back = call("export", lambda: export.export(layer)(params, x))
note("what it knows", [back.fun_name, str(back.in_avals), str(back.out_avals),
                       list(back.platforms), back.nr_devices, back.has_vjp(), str(back),
                       str(back.in_tree)])
call("the function itself", lambda: layer(params, x))
call("export again", lambda: export.export(layer)(params, x))
call("export of another shape", lambda: export.export(layer)(params, x[:1]))
call("not jitted", lambda: export.export(lambda x: x)(x))
fast = jax.jit(back.call)
call("jitted call", lambda: fast(params, x))
call("jitted call again", lambda: fast(params, x))
call("eager call", lambda: back.call(params, x))
call("eager call again", lambda: back.call(params, x))
call("in a program", lambda: jax.jit(lambda p, x: back.call(p, x * 2) + 1)(params, x))
call("other shape", lambda: back.call(params, x[:1]))
call("other type", lambda: back.call(params, x.astype(np.int32)))
call("fewer axes", lambda: back.call(params, x[0]))
call("other structure", lambda: back.call([w], x))
note("jaxpr", str(jax.make_jaxpr(back.call)(params, x)))

# Sizes as symbols.
a, b = export.symbolic_shape("a, b")
note("symbols", [str(a + 1), str(2 * a * b), a == b, a != 3, a >= 1, export.is_symbolic_dim(a)])
spec = jax.ShapeDtypeStruct((a, b), jnp.float32)
steps = {"scaled": lambda x: x * 2 + 1, "sums": lambda x: (jnp.sum(x, axis=0), jnp.max(x)),
         "turned": lambda x: jnp.sin(x.T) - x.T, "product": lambda x: x @ x.T,
         "chosen": lambda x: jnp.where(x > 0, x, 0.), "typed": lambda x: x.astype(jnp.int32)}
for name, fun in steps.items():
    made = call(f"export {name}", lambda: export.export(jax.jit(fun))(spec))
    note(name, str(made.out_avals))
    run = jax.jit(made.call)
    call(f"{name} of 2 by 3", lambda: run(x))
    call(f"{name} of 3 by 2", lambda: run(w))
    call(f"{name} of 2 by 3 again", lambda: run(x))
square = export.export(jax.jit(lambda x: x + 1))(jax.ShapeDtypeStruct((a, a), jnp.float32))
call("a square", lambda: square.call(x[:, :2]))
call("no square", lambda: square.call(x))
call("same export from another", lambda: export.export(jax.jit(lambda x: square.call(x) * 2))(x[:, :2]))
