# title: Entries that never answer
# kind: surprise
# about: fast_path
# decisive: tracing, third time
# expected: a call inside a trace reuses the entry of an earlier call.
# happens: a call with only concrete arguments while another function is traced makes a dead entry, and the trace it happened in is in the key: one more for every trace.
# source: jaxlib/pjit.cc; jax/_src/core.py: trace_state
import jax
import jax.numpy as jnp
from jax import lax

x = jnp.asarray([0.0, 1.0, 2.0])
inner = jax.jit(lambda x: lax.sin(x))

call("inner(x)", lambda: inner(x))
note("entries", inner._cache_size())
for count in ("first", "second", "third"):
    call(f"tracing, {count} time", lambda: jax.make_jaxpr(lambda y: y + inner(x))(x))
    note(f"entries, {count} time", inner._cache_size())
