# A tree as one row and back (jax.flatten_util), roll by a traced number, blocks, isin.
import jax
import jax.numpy as jnp
import numpy as np
from jax.flatten_util import ravel_pytree

params = {"w": jnp.arange(6.0).reshape(2, 3), "b": jnp.ones(3)}
flat, unravel = call("ravel", lambda: ravel_pytree(params))
note("row", str(flat))
note("back", str(call("unravel", lambda: unravel(flat * 2))))
again = call("ravel again", lambda: ravel_pytree(params))[1]
note("equal", [again == unravel, hash(again) == hash(unravel), type(unravel).__name__])
mixed, unmix = call("mixed types", lambda: ravel_pytree({"a": jnp.int32(3), "b": [1.5, np.ones(2)]}))
note("mixed", f"{mixed} {unmix(mixed)}")
try:
    call("another type", lambda: unmix(mixed.astype(int)))
except TypeError as e:
    note("error", str(e))
note("empty", str(call("empty", lambda: ravel_pytree({}))[0]))


@jax.jit
def loss(row, x):
    p = unravel(row)
    return jnp.mean((x @ p["w"].T + p["b"][:2]) ** 2)


x = jnp.ones((4, 3))
for i in range(3):
    grad = call(f"gradient {i}", lambda: jax.grad(loss)(flat, x))
    flat = flat - 0.1 * grad
note("trained", [round(v, 3) for v in flat.tolist()])
static = jax.jit(lambda way, row: way(row)["b"], static_argnums=0)
call("a way back as static", lambda: static(unravel, flat))
call("an equal one", lambda: static(again, flat))
call("ravel under jit", lambda: jax.jit(lambda p: ravel_pytree(p)[0].sum())(params))

row = jnp.arange(5.0)
rolled = jax.jit(jnp.roll)
for by in (2, -1, 7):
    note(f"roll {by}", str(call(f"roll {by}", lambda: rolled(row, by))))
note("rolls", str(jax.jit(lambda x, s: jnp.roll(x, s, axis=(0, 1)))(params["w"], jnp.array([1, 2]))))
note("vmapped", str(jax.jit(jax.vmap(jnp.roll, (None, 0)))(row, jnp.arange(3))))
note("jaxpr", str(jax.make_jaxpr(jnp.roll)(row, 1)))
note("block", str(call("block", lambda: jnp.block([[jnp.ones((2, 2)), jnp.zeros((2, 1))],
                                                   [jnp.arange(3)]]))))
note("block of rows", str(call("block of rows", lambda: jnp.block([row, row[:2], 3]))))
for wrong in ((row, row), [], [[row], row], [[row], [row[:2]]]):
    try:
        call("no block", lambda: jnp.block(wrong))
    except Exception as e:
        note("no block", type(e).__name__ + ": " + str(e))
member = jax.jit(jnp.isin)
note("isin", str(call("isin", lambda: member(row, jnp.array([1, 3])))))
note("is not in", str(call("isin eager", lambda: jnp.isin(row, row[:2], invert=True))))
note("in nothing", str(call("in nothing", lambda: jnp.isin(row, row[:0]))))
