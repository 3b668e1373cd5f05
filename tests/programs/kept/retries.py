# shows: Functions that fail and are tried again.
import jax, jax.numpy as jnp
from contextlib import contextmanager
# retry wrapper, error recovery
@jax.jit
def flaky(x):
    if STATE["bad"]: raise ConnectionError("transient")
    return x * 2
STATE = {"bad": True}
def retry(fn, *a, n=3):
    for i in range(n):
        try: return fn(*a)
        except ConnectionError as e:
            print("retry", i, e); STATE["bad"] = i < 1
print(retry(flaky, 1.0))
flaky(1.0); flaky(2.0); flaky(jnp.ones(2)); flaky.clear_cache(); flaky(1.0); flaky(1.0)
@jax.jit
def checks(x):
    assert x.ndim == 1, f"bad rank {x.ndim}"
    return x
for a in (jnp.ones(2), jnp.ones((2, 2)), jnp.ones(2), jnp.ones((2, 2))):
    try: checks(a)
    except AssertionError as e: print(e)
try:
    with jax.disable_jit(): checks(jnp.ones((1, 1)))
except AssertionError as e: print("eager", e)
def noisy(x):
    print("trace", x); return x
j = jax.jit(noisy); j(1); j(2); j(1.0)
try: j()
except TypeError as e: print(e)
try: j(1, 2)
except TypeError as e: print(e)
try: j(x=1, y=2)
except TypeError as e: print(e)
j(x=1)
