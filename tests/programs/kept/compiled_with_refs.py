# expected: a compiled object answers its second call in C++, like a jitted function
# happens: it does not where the program reads or writes a ref, or gives something that is no array
import jax
import jax.numpy as jnp

box = jax.new_ref(jnp.zeros(3))


@jax.jit
def onto_box(x):
    box[...] = box[...] * 2 + x
    return x * 2


own = jax.new_ref(jnp.zeros(3))
x = jnp.arange(3.0)
wrapped = call("lower wrapped", lambda: jax.jit(onto_box).lower(x).compile())
direct = call("lower", lambda: onto_box.lower(x).compile())
reads = jax.jit(lambda r, x: r[...] + x).lower(own, x).compile()
writes = jax.jit(lambda r, x: (r.__setitem__(..., x), x)[1]).lower(own, x).compile()
inside = jax.jit(lambda x: jax.new_ref(x)[...]).lower(x).compile()
keys = jax.jit(jax.random.split).lower(jax.random.key(0)).compile()
nothing = jax.jit(jax.grad(lambda x: 1.0, allow_int=True)).lower(3).compile()
for i in range(3):
    call(f"wrapped {i}", lambda: wrapped(x))
    call(f"direct {i}", lambda: direct(x))
    call(f"jitted {i}", lambda: onto_box(x))
    call(f"reads {i}", lambda: reads(own, x))
    call(f"writes {i}", lambda: writes(own, x))
    call(f"inside {i}", lambda: inside(x))
    call(f"keys {i}", lambda: keys(jax.random.key(0)))
    call(f"float0 {i}", lambda: nothing(3))
