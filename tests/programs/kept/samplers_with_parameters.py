# happens: samplers with parameters are jitted by their parameters' types; what counts trials loops.
# source: https://docs.jax.dev/en/latest/jax.random.html
import jax, jax.numpy as jnp
from jax import random

key = random.key(3)


def attempt(label, fun, *args, **kwargs):
    try:
        r = fun(*args, **kwargs)
        note(label, f"{r.dtype}{r.shape} " + " ".join(f"{x:.4g}" for x in r.ravel().tolist()))
    except Exception as error:
        note(label, type(error).__name__ + ": " + str(error).splitlines()[0])


for again in range(2):
    attempt("geometric", random.geometric, key, 0.3, (4,))
    attempt("pareto", random.pareto, key, 2.0, (3,))
    attempt("wald", random.wald, key, jnp.array([1.0, 2.0]))
attempt("geometric of many", random.geometric, key, jnp.array([0.1, 0.9]))
attempt("geometric float", random.geometric, key, 0.3, (4,), float)
attempt("rayleigh", random.rayleigh, key, jnp.float32(2.0), (3,))
attempt("rayleigh of a number", random.rayleigh, key, 2.0, (3,))
attempt("triangular", random.triangular, key, 0.0, 1.0, 4.0, (3,))
attempt("triangular shapes", random.triangular, key, jnp.zeros(3), 1.0, 4.0, (2,))
attempt("f", random.f, key, 3.0, 5.0, (2,))
attempt("generalized_normal", random.generalized_normal, key, 3.0, (3,))
attempt("ball", random.ball, key, 3, shape=(2,))
attempt("double_sided_maxwell", random.double_sided_maxwell, key, 1.0, 2.0, (3,))
attempt("orthogonal", random.orthogonal, key, 3)
attempt("orthogonal wide", random.orthogonal, key, 2, (2,), m=3)
attempt("binomial few", random.binomial, key, 5, 0.3, (6,))
attempt("binomial many", random.binomial, key, 200.0, jnp.array([0.4, 0.7, 0.02]))
attempt("binomial odd", random.binomial, key, jnp.array([-1.0, 3.0, 3.0]), jnp.array([0.5, -0.5, jnp.nan]))
attempt("binomial int", random.binomial, key, 5, 0.3, dtype=int)
attempt("multinomial", random.multinomial, key, 20, jnp.array([0.2, 0.5, 0.3]))
jitted = jax.jit(lambda k, p: random.geometric(k, p, (2,)))
attempt("jitted", jitted, key, 0.5)
attempt("jitted array", jitted, key, jnp.float32(0.5))
note("entries", jitted._cache_size())
attempt("mapped", jax.vmap(lambda k: random.rayleigh(k, jnp.float32(1.0))), random.split(key, 3))
attempt("orthogonal weights", jax.nn.initializers.orthogonal(2.0), key, (2, 3))
attempt("delta_orthogonal", jax.nn.initializers.delta_orthogonal(), key, (3, 2, 2))
attempt("orthogonal of a row", jax.nn.initializers.orthogonal(), key, (3,))
for fun in (lambda k: random.geometric(k, 0.5), lambda k: random.pareto(k, 0.5),
            lambda k: random.wald(k, jnp.float32(0.5)), lambda k: random.triangular(k, 0., 1., 2.),
            lambda k: random.ball(k, 2), lambda k: random.orthogonal(k, 2),
            lambda k: random.binomial(k, 5, 0.5)):
    note("jaxpr", str(jax.make_jaxpr(fun)(key)))
