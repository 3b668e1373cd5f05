# expected: jnp.array of something without numbers is refused in one way
# happens: with a dtype Python's own float() or int() refuses; without one NumPy is asked for a
#   dtype, and takes a dictionary for the fields of one
import jax
import jax.numpy as jnp
import numpy as np


class Thing:
    pass


def tell(label, thunk):
    try:
        note(label, str(thunk()))
    except (TypeError, ValueError) as error:
        note(label, f"{type(error).__name__}: {error}"[:60])


givens = {"fields": {"s": jnp.ones(2)}, "number": {"s": 1}, "empty": {}, "text": {"s": "a"},
          "first number": {"a": 1, "s": "x"}, "first text": {"s": "x", "a": 1}, "list": {"s": [1]},
          "pair": {"s": (1, 2)}, "one": {"s": (1,)}, "deeper": {"s": {"t": 1}}, "none": {"s": None},
          "scalar": {"s": jnp.ones(())}, "array": {"s": np.ones(2)}, "thing": Thing(), "set": {1, 2},
          "function": len}
for label, given in givens.items():
    if label not in ("thing", "function"):  # their texts have addresses
        tell(label, lambda: jnp.array(given))
    tell(f"{label} as float", lambda: jnp.array(given, dtype=float))
    tell(f"{label} as int", lambda: jnp.asarray(given, dtype=int))
for given in ({"s": jnp.ones(2)}, {"s": 1.0}):
    tell("traced", lambda: jax.jit(jnp.array)(given))
    call("traced as float", lambda: jax.jit(lambda x: jnp.array(x, dtype=float))(given))
