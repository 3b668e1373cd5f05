# title: Lengths, and buckets of lengths
# kind: surprise
# about: fast_path trace
# decisive: total(padded(7))
# expected: a longer array is more of the same.
# happens: every length is a type of its own and is compiled; filled up to the next power of two, four lengths are two types.
# source: jax/_src/core.py: ShapedArray
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

plain = jax.jit(lambda x: jnp.sum(x))
total = jax.jit(lambda x: jnp.sum(x))

def padded(length):
    room = 1
    while room < length:
        room *= 2
    x = np.zeros(room, np.float32)
    x[:length] = 1
    return x

for length in (3, 4, 5, 7):
    call(f"plain(ones({length}))", lambda: plain(np.ones(length, np.float32)))
for length in (3, 4, 5, 7):
    call(f"total(padded({length}))", lambda: total(padded(length)))
note("programs of plain, of total", [plain._cache_size(), total._cache_size()])
