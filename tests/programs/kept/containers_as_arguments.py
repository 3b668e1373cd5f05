# shows: Every kind of container as an argument, and containers that are refused.
import jax, jax.numpy as jnp, numpy as np
from collections import OrderedDict, defaultdict
@jax.jit
def f(t): return jax.tree.map(lambda a: a * 2, t)
f({"b": 1, "a": 2.0})
f(OrderedDict(b=1, a=2.0))
f(OrderedDict(a=2.0, b=1))
d = defaultdict(list); d["x"] = jnp.ones(2)
r = f(d); print(type(r).__name__, r.default_factory)
d2 = defaultdict(int); d2["x"] = jnp.ones(2)
f(d2)
f([1, (2, None), {"z": np.float32(3)}])
f([1, (2, None), {"z": np.float64(3)}])
f(None); f(()); f([]); f({})
f({1: 2, 0: 3})
try: f({1: 2, "a": 3})
except Exception as e: print(type(e).__name__, str(e).splitlines()[0])
try: f({"a": "text"})
except Exception as e: print(type(e).__name__, str(e).splitlines()[0])
try: f({"a": object()})
except Exception as e: print(type(e).__name__)
print(f._cache_size())
