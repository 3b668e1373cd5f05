# happens: a pmapped function lowered and compiled ahead of time shares the caches with its calls;
#   jitted once more it is another function.
# env: XLA_FLAGS=--xla_force_host_platform_device_count=4
import jax
import numpy as np

x = np.arange(8.0, dtype=np.float32).reshape(4, 2)
f = jax.pmap(lambda v, w: v * w, in_axes=(0, None))
lowered = call("lower", lambda: f.lower(x, 2.0))
compiled = call("compile", lambda: lowered.compile())
call("run", lambda: compiled(x, 2.0))
call("run again", lambda: compiled(x, 2.0))
call("called", lambda: f(x, 2.0))
g = jax.jit(f)
lowered = call("jitted once more: lower", lambda: g.lower(x, 2.0))
compiled = call("jitted once more: compile", lambda: lowered.compile())
call("jitted once more: run", lambda: compiled(x, 2.0))
call("jitted once more: called", lambda: g(x, 2.0))
call("jitted once more: traced", lambda: g.trace(x, 2.0))
call("too few arguments", lambda: compiled(x))
call("its type", lambda: jax.eval_shape(f, x, 2.0))
