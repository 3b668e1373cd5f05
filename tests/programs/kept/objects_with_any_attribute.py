# shows: What has any attribute one asks for, as a static value, an argument, a result and a function.
import jax, jax.numpy as jnp, numpy as np
from types import SimpleNamespace
x = jnp.ones(3)
f = jax.jit(lambda s, x: x * 2, static_argnums=0)
call("np.sin", lambda: f(np.sin, x))
call("np.sum", lambda: f(np.sum, x))
call("np.add", lambda: f(np.add, x))
class Any_:
    def __getattr__(self, name): return lambda *a, **k: name
class Munch(dict):
    __getattr__ = dict.get
    def __hash__(self): return 3
class Cfg:
    def __init__(self, **kw): self._d = kw
    def __getattr__(self, name):
        if name.startswith("__"): raise AttributeError(name)
        return self._d.get(name)
class Loud:
    def __getattr__(self, name): raise KeyError(name)
class Str:
    def __str__(self): return "S"
    def __repr__(self): raise ValueError("no repr")
    for i in range(2):
        try: call(type(v).__name__, lambda: f(v, x))
        except Exception as e: print(type(e).__name__)
g = jax.jit(lambda x: x)
for v in (Any_(), Munch(a=1), Cfg(a=1), Str()):
        try: call("arg " + type(v).__name__, lambda: g(v))
        except Exception as e: print(type(e).__name__)
        try: call("ret " + type(v).__name__, lambda: jax.jit(lambda x: v)(x))
        except Exception as e: print(type(e).__name__)
for v in (Any_(), Cfg(a=1)):
        try: call("jit " + type(v).__name__, lambda: jax.jit(v)(x))
        except Exception as e: print(type(e).__name__)
        try: call("jit " + type(v).__name__, lambda: jax.jit(v)())
        except Exception as e: print(type(e).__name__)
