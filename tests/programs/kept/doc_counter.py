# shows: A counter with hidden state under jit, and one with its state passed through.
# source: https://docs.jax.dev/en/latest/stateful-computations.html
import jax, jax.numpy as jnp
class Hidden:
    def __init__(self): self.n = 0
    def up(self):
        self.n += 1
        return self.n
h = Hidden(); fast = jax.jit(h.up)
for i in range(3): call(f"hidden {i}", fast)
note("n", h.n)
h.n = 0
call("reset", fast)
call("jaxpr", lambda: str(jax.jit(h.up).trace().jaxpr))
class Pure:
    def up(self, n): return n + 1, n + 1
p = Pure(); up = jax.jit(p.up)
state = 0
for i in range(3): v, state = call(f"pure {i}", lambda: up(state))
