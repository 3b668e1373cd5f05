# shows: A program that silences warnings and loggers.
import warnings, logging
warnings.simplefilter("ignore"); logging.getLogger("jax").setLevel(logging.ERROR)
import jax, jax.numpy as jnp
f = jax.jit(lambda x: x[:2] * 1.0, donate_argnums=0)
call("a", lambda: f(jnp.ones(3)))
with warnings.catch_warnings():
    warnings.simplefilter("error")
call("b", lambda: f(jnp.ones(4)))
logging.getLogger("jax").setLevel(logging.DEBUG)
call("c", lambda: f(jnp.ones(5)))
warnings.filterwarnings("default")
call("d", lambda: f(jnp.ones(6)))
