# title: A ref stays in Python
# kind: surprise
# about: fast_path params
# decisive: add_one(ref) again
# expected: the second call is answered by C++.
# happens: writing to a ref is an effect; every call enters Python, finds everything there, and runs.
# source: jax/_src/pjit.py: _get_fastpath_data
import jax
import jax.numpy as jnp

@jax.jit
def add_one(ref):
    ref[...] += 1.0

ref = jax.new_ref(jnp.zeros(2))
call("add_one(ref)", lambda: add_one(ref))
call("add_one(ref) again", lambda: add_one(ref))
call("add_one(ref), once more", lambda: add_one(ref))
note("what the ref holds", [float(value) for value in ref[...]])
