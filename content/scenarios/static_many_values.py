# title: A program for each value
# kind: surprise
# about: fast_path params trace lower compile
# decisive: static(x, 3)
# expected: a step counter can be a static argument.
# happens: every value is a program of its own, and its entry stays; as an ordinary argument it is one program.
# source: jaxlib/jax_jit.cc: CallSignature
import jax
import jax.numpy as jnp

def decay(x, step):
    return x / (1 + step)

static = jax.jit(decay, static_argnums=1)
traced = jax.jit(lambda x, step: decay(x, step))
x = jnp.asarray([0.0, 1.0, 2.0])
for step in (1, 2, 3):
    call(f"static(x, {step})", lambda: static(x, step))
note("entries of static", static._cache_size())
for step in (1, 2, 3):
    call(f"traced(x, {step})", lambda: traced(x, step))
note("entries of traced", traced._cache_size())
