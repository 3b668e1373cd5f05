# disable_jit, no_tracing, no_execution, x64, and threads.
import threading
from concurrent.futures import ThreadPoolExecutor

import jax
import jax.numpy as jnp
import numpy as np

x = jnp.arange(3.)


@jax.jit
def f(x):
    return jnp.sin(x) * 2


@jax.jit
def outer(x):
    return f(x) + f(x + 1)


ones = np.ones(3, "float32")
call("f", lambda: f(x))
with jax.disable_jit():
    for i in range(2):
        call(f"disabled #{i}", lambda: f(x))
    call("disabled, nested", lambda: outer(x))
    call("disabled, operator", lambda: x + 1)
    call("disabled, lower", lambda: f.lower(x))
    call("disabled, ahead of time", lambda: f.lower(x).compile()(x))
    call("disabled, jaxpr", lambda: str(jax.make_jaxpr(outer)(x)))
    call("disabled, Python number", lambda: f(2))
    call("disabled, NumPy", lambda: f(ones))
    call("disabled, new function", lambda: jax.jit(lambda x: x * 3)(x))
    call("disabled, eval_shape", lambda: jax.eval_shape(outer, x))
call("enabled again", lambda: outer(x))
with jax.no_tracing():
    call("no_tracing, hit", lambda: f(x))
    call("no_tracing, NumPy", lambda: f(ones))
    call("no_tracing, new shape", lambda: f(jnp.ones(4)))
    call("no_tracing, eager", lambda: jax.lax.sin(x))
    call("no_tracing, library", lambda: jnp.argmax(x))
    call("no_tracing, lower", lambda: f.lower(x))
    call("no_tracing, lower anew", lambda: f.lower(np.ones((2, 2))))
    call("no_tracing, new function", lambda: jax.jit(lambda x: x)(x))
for i in range(2):
    call(f"NumPy afterwards #{i}", lambda: f(ones))
with jax.no_execution():
    for i in range(2):
        call(f"no_execution #{i}", lambda: f(x))
    call("no_execution, operator", lambda: x + 1)
    call("no_execution, compile", lambda: f.lower(x).compile())
    call("no_execution, compiled", lambda: f.lower(x).compile()(x))
    call("no_execution, jaxpr", lambda: str(jax.make_jaxpr(f)(x)))
call("executing again", lambda: f(x))
with jax.enable_x64(True):
    call("x64", lambda: f(x))
    call("x64, float", lambda: f(1.5))
    call("x64, NumPy", lambda: f(np.ones(3)))
    call("x64, large int", lambda: f(2**40))
    with ThreadPoolExecutor(1) as pool:
        call("another thread has no context", lambda: pool.submit(lambda: f(1.5)).result())
        call("another thread raises", lambda: pool.submit(lambda: 1 / 0).result())
call("float", lambda: f(1.5))
call("large int", lambda: f(2**40))
dtypes = []


def work():
    with jax.enable_x64(True):
        dtypes.append(str(f(np.ones(2)).dtype))


def run():
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


for i in range(2):
    call(f"a thread with its own context #{i}", run)
call("meanwhile here", lambda: f(np.ones(2)))
note("dtypes", dtypes)
jax.config.update("jax_enable_x64", True)
call("globally on", lambda: f(np.ones(2)))
jax.config.update("jax_enable_x64", False)
call("globally off", lambda: f(np.ones(2)))
