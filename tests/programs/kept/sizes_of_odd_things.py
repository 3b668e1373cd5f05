# expected: only arrays have a shape
# happens: jnp.ndim, jnp.shape and jnp.size take anything, warn where it is no array, and see a
#   scalar in what is no sequence
import jax
import jax.numpy as jnp

for f in (jnp.ndim, jnp.shape, jnp.size):
    for a in (None, "text", {"a": 1}, [1, 2], (1, (2,)), b"x", {1, 2}, [[1], [2, 3]], [], range(3), 2):
        try:
            note(f"{f.__name__} {a}", str(f(a)))
        except ValueError as error:
            note(f"{f.__name__} {a}", f"{type(error).__name__}: {error}"[:120])
for a in (None, "text", {"a": 1}, [1, jnp.ones(2)], [1, 2]):
    call(f"ndim of {type(a).__name__}", lambda: jax.jit(lambda x: jnp.ndim(x))(a))
    call(f"shape of {type(a).__name__}", lambda: jax.jit(lambda x: (jnp.shape(x), jnp.size(x)))(a))


@jax.jit
def strict(x):
    if jnp.ndim(x) > 1:
        raise ValueError(f"not {jnp.shape(x)}")
    return jnp.zeros_like(x)


call("strict", lambda: strict(None))
call("strict again", lambda: strict(jnp.ones(2)))
