# title: What may come out
# kind: surprise
# about: trace fast_path
# decisive: named(x)
# expected: a jitted function returns what the Python function returns.
# happens: only arrays, numbers and containers of them may come out; a string raises after the trace, and a number becomes an array.
# source: jax/_src/interpreters/partial_eval.py: _check_returned_jaxtypes
import jax
import jax.numpy as jnp
from jax import lax

x = jnp.asarray([0.0, 1.0, 2.0])

@jax.jit
def named(x):
    return {"name": "sine", "value": lax.sin(x)}

@jax.jit
def counted(x):
    return {"count": 3, "nothing": None, "value": lax.sin(x)}

call("named(x)", lambda: named(x))
result = call("counted(x)", lambda: counted(x))
note("kind of the count", type(result["count"]).__name__)
note("nothing", result["nothing"] is None)
