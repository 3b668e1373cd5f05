# title: The indices of a ref
# kind: surprise
# about: params trace
# decisive: ref[0] += 1.0
# expected: writing one element of a ref asks no more than writing all of it.
# happens: in lowering the function is written without refs, and each index asks there for a comparison and an addition: one pair to read, two to write.
# source: jax/_src/state/discharge.py: _eval_jaxpr_discharge_state
import jax
import jax.numpy as jnp
import numpy as np

ref, i = jax.new_ref(jax.device_put(np.arange(3, dtype=np.float32))), jax.device_put(np.int32(1))

@jax.jit
def all_of_it(ref):
    ref[...] += 1.0

@jax.jit
def first_of_it(ref):
    ref[0] += 1.0

@jax.jit
def one_of_it(ref, i):
    ref[i] += 1.0

@jax.jit
def read_one(ref, i):
    return ref[i]

call("ref[...] += 1.0", lambda: all_of_it(ref))
call("ref[0] += 1.0", lambda: first_of_it(ref))
call("ref[i] += 1.0", lambda: one_of_it(ref, i))
call("return ref[i]", lambda: read_one(ref, i))
call("ref[0], no jit", lambda: ref[0])
call("ref[0], no jit, again", lambda: ref[0])
