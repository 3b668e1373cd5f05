"""Samplers that draw until a draw is accepted: gamma and what is made of it."""
import re
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

def jaxpr(f, *args):
    try:
        return str(jax.make_jaxpr(f)(*args))
    except Exception as error:
        first = (str(error).splitlines() or [""])[0]
        return f"{type(error).__name__}: {re.sub(' at [^ ]+:[0-9]+', '', first)}"


def look(text, f, *args):
    call(text, lambda: f(*args))
    call(f"{text} again", lambda: f(*args))
    note(f"jaxpr of {text}", jaxpr(f, *args))

from jax import random

key, a = random.key(3), jnp.asarray(np.array([0.5, 1.0, 3.0], "f4"))
look("gamma", lambda k: random.gamma(k, 2.0), key)
look("gamma of rates", lambda k, a: random.gamma(k, a), key, a)
look("beta", lambda k, a: random.beta(k, a, 2.0), key, a)
look("dirichlet", lambda k, a: random.dirichlet(k, a), key, a)
look("t", lambda k: random.t(k, 3.0, (2,)), key)
note("jaxpr of chisquare", jaxpr(lambda k: random.chisquare(k, 3.0, (2,)), key))
note("jaxpr of loggamma", jaxpr(lambda k: random.loggamma(k, a, (3,)), key))
call("for many keys", lambda: jax.jit(jax.vmap(lambda k: random.gamma(k, 2.0, (2,))))(random.split(key, 3)))
call("no shape", lambda: random.dirichlet(key, 1.0))
call("does not fit", lambda: random.gamma(key, a, (2,)))
call("no such method", lambda: random.gamma(key, a, method="best"))
call("of integers", lambda: random.gamma(key, 2.0, dtype="int32"))
