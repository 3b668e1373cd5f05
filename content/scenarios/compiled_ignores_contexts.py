# title: A program that asks nobody
# kind: surprise
# about: fast_path
# decisive: compiled(x) in other contexts
# expected: a context or setting that compiles anew compiles here too.
# happens: what was compiled ahead is one program: its fast path misses in another context, but nothing below is asked and the same program runs, where the wrapper misses everywhere.
# source: jax/_src/stages.py: Compiled
import jax
import jax.numpy as jnp
from jax import lax

def f(x):
    return lax.sin(x)

g = jax.jit(f)
x = jnp.asarray([0.0, 1.0, 2.0])
compiled = call("g.lower(x).compile()", lambda: g.lower(x).compile())
call("compiled(x)", lambda: compiled(x))
call("compiled(x) again", lambda: compiled(x))
with jax.default_matmul_precision("float32"), jax.enable_x64(True):
    call("compiled(x) in other contexts", lambda: compiled(x))
    call("g(x) in other contexts", lambda: g(x))
