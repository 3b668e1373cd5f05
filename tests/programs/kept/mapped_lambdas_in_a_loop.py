"""A fresh lambda, mapped again and again: the operations inside are remembered, the lambda is not."""

import jax
import jax.numpy as jnp

x = jnp.arange(6.0).reshape(2, 3)

for step in range(3):
    call(f"square, round {step}", lambda: jax.vmap(lambda row: row * row)(x))
for step in range(2):
    call(f"norm, round {step}", lambda: jax.vmap(lambda row: jnp.sqrt(jnp.sum(row**2)))(x))
for step in range(2):
    call(f"scaled, round {step}", lambda: jax.vmap(lambda row, s: row * s, in_axes=(0, None))(x, 2.0))

double = jax.vmap(lambda row: row + row)
call("kept", lambda: double(x))
call("kept again", lambda: double(x))
call("kept, more rows", lambda: double(jnp.ones((4, 3))))
call("kept, more rows again", lambda: double(jnp.ones((4, 3))))
note("name", double.__name__)
