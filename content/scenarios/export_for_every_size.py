# title: One export for every size
# kind: surprise
# about: fast_path trace compile
# decisive: run(x4)
# expected: a function exported for any number of rows is compiled once.
# happens: it is traced and lowered once, for a size that is a symbol. The call of it is a small program of its own, which is traced, lowered and compiled for each size.
# source: jax/_src/export/_export.py: export; jax/_src/export/_export.py: call_exported_p
import jax
import jax.numpy as jnp
import numpy as np
from jax import export

@jax.jit
def f(x):
    return x * 2 + 1

(b,) = export.symbolic_shape("b")
rows = jax.ShapeDtypeStruct((b,), jnp.float32)
x3, x4 = np.ones(3, np.float32), np.ones(4, np.float32)
exported = call("export.export(f)(rows)", lambda: export.export(f)(rows))
run = jax.jit(exported.call)
call("run(x3)", lambda: run(x3))
call("run(x4)", lambda: run(x4))
call("run(x3) again", lambda: run(x3))
call("f(x3)", lambda: f(x3))
