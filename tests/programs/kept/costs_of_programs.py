# happens: an executable says what it costs before it runs.
import jax
import jax.numpy as jnp
import numpy as np

v = np.ones(300, np.float32)
x, y = np.ones((300, 4), np.float32), np.ones((4, 300), np.float32)


def flops(label, fun, *args):
    compiled = call(label, lambda: jax.jit(fun).lower(*args).compile())
    cost = compiled.cost_analysis()
    note(label, [cost["flops"] if "flops" in cost else 0.0,
                 cost["transcendentals"] if "transcendentals" in cost else 0.0])
    memory = compiled.memory_analysis()
    note(label, [memory.argument_size_in_bytes, memory.output_size_in_bytes,
                 memory.alias_size_in_bytes])


flops("x @ y", lambda x, y: x @ y, x, y)
flops("x @ x.T", lambda x, y: jnp.einsum("ij,kj->ik", x, x), x, y)
flops("v * 2 + 3", lambda v: v * 2 + 3, v)
flops("v + v * v", lambda v: v + v * v, v)
flops("layer", lambda x, y: jnp.tanh(x @ y * 2), x, y)
flops("relu", lambda x, y: jax.nn.relu(x @ y), x, y)
flops("sin", jnp.sin, v)
flops("v ** 2", lambda v: (v ** 2, v - 2), v)
flops("not used", lambda v, x: v * 3, v, x)
donating = jax.jit(lambda v, x: (v * 3, x + 2), donate_argnums=0).lower(v, x).compile()
note("donated", [donating.memory_analysis().alias_size_in_bytes,
                 donating.memory_analysis().output_size_in_bytes])
