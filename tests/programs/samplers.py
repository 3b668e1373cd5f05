# Random numbers: nested lookups of the samplers, and the numbers themselves.
import jax
import jax.numpy as jnp
from jax import random

k, r = random.key(0), random.PRNGKey(1)
SAMPLERS = {
    "uniform": lambda: random.uniform(k, (3,)),
    "uniform, raw key": lambda: random.uniform(r, (3,)),
    "uniform, bounds": lambda: random.uniform(k, (2, 3), minval=-1, maxval=jnp.float32(2)),
    "uniform, bfloat16": lambda: random.uniform(k, (3,), jnp.bfloat16),
    "bits, 16": lambda: random.bits(k, (5,), "uint16"),
    "normal": lambda: random.normal(k, (3,)),
    "randint": lambda: random.randint(k, (3,), 0, 10),
    "randint, uint8": lambda: random.randint(k, (3,), 0, 256, "uint8"),
    "bernoulli": lambda: random.bernoulli(k, 0.3, (4,)),
    "rademacher": lambda: random.rademacher(k, (4,)),
    "gumbel": lambda: random.gumbel(k, (3,)),
    "gumbel, high": lambda: random.gumbel(k, (3,), mode="high"),
    "truncated_normal": lambda: random.truncated_normal(k, -2., 2., (3,)),
    "permutation": lambda: random.permutation(k, 5),
    "permutation, independent": lambda: random.permutation(
        k, jnp.arange(6.).reshape(3, 2), independent=True),
    "choice without replacement": lambda: random.choice(k, jnp.arange(5.), (2,), replace=False),
    "categorical, batch": lambda: random.categorical(k, jnp.zeros((2, 3)), shape=(4, 2)),
}
for name, sample in SAMPLERS.items():
    call(name, sample)
call("uniform again", SAMPLERS["uniform"])
call("normal again", SAMPLERS["normal"])
f = jax.jit(lambda k: (random.uniform(k, (3,)), random.normal(k, (3,)),
                       random.randint(k, (2,), 0, 9)))
for i in range(2):
    call(f"jitted #{i}", lambda: f(k))
call("jitted, raw key", lambda: f(r))
for name, sample in (("uniform", lambda k: random.uniform(k, (3,))),
                     ("normal", lambda k: random.normal(k, (3,))),
                     ("randint", lambda k: random.randint(k, (3,), 0, 9)),
                     ("gumbel", lambda k: random.gumbel(k, (3,))),
                     ("permutation", lambda k: random.permutation(k, 5)),
                     ("truncated_normal", lambda k: random.truncated_normal(k, -1, 1)),
                     ("bernoulli", lambda k: random.bernoulli(k, .5, (3,)))):
    note(name, str(jax.make_jaxpr(sample)(k)))
    note(f"{name}, raw key", str(jax.make_jaxpr(sample)(r)))
with jax.enable_x64(True):
    for name in ("uniform", "randint"):
        call(f"x64 {name}", SAMPLERS[name])
with jax.threefry_partitionable(False):
    for name in ("uniform", "bits, 16"):
        call(f"the old way, {name}", SAMPLERS[name])
for i, wrong in enumerate([
        lambda: random.uniform(k, (3,), "int32"), lambda: random.normal(k, (3,), "int32"),
        lambda: random.randint(k, (3,), 0, 1, "float32"), lambda: random.bits(k, (), "int32"),
        lambda: random.bernoulli(k, 1), lambda: random.uniform(random.split(k)),
        lambda: random.randint(k, (3,), jnp.arange(4), 9),
        lambda: random.choice(k, 3, (4,), replace=False)]):
    call(f"error #{i}", wrong)
