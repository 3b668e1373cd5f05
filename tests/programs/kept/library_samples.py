# shows: Covariances, histograms, initializers.
import jax, jax.numpy as jnp, numpy as np
from jax.nn import initializers as init
m = jnp.asarray(np.array([[1., 2., 4.], [0.5, -1., 3.]], "f4")); v = jnp.asarray(np.array([0.5, 1.5, 3.5, 2.5], "f4"))
key = jax.random.key(0)
def look(text, f, *args):
    call(text, lambda: f(*args))
    call(f"{text} again", lambda: f(*args))
    note(f"jaxpr of {text}", str(jax.make_jaxpr(f)(*args)))
    call(f"jit of {text}", lambda: jax.jit(f)(*args))
look("cov", jnp.cov, m)
look("cov of columns", lambda m: jnp.cov(m, rowvar=False, ddof=0), m)
look("cov weighted", lambda m: jnp.cov(m, fweights=jnp.array([1, 2, 1]), aweights=jnp.array([1., .5, 2.])), m)
look("histogram", lambda v: jnp.histogram(v, bins=3), v)
look("histogram edges", lambda v: jnp.histogram(v, bins=jnp.array([0., 1., 4.]), density=True), v)
look("digitize", lambda v: jnp.digitize(v, jnp.array([0., 1., 2.])), v)
for name in ("zeros", "ones"):
    look(name, lambda k: getattr(init, name)(k, (2, 3)), key)
for name, make in dict(constant=init.constant(2.5), uniform=init.uniform(), normal=init.normal(0.1), truncated=init.truncated_normal(), glorot=init.glorot_uniform(), glorot_normal=init.glorot_normal(), lecun=init.lecun_normal(), he=init.he_uniform(), scaled=init.variance_scaling(2.0, "fan_geo_avg", "normal")).items():
    look(name, lambda k: make(k, (2, 3)), key)
call("too few axes", lambda: init.glorot_normal()(key, (3,)))
call("bad mode", lambda: init.variance_scaling(1.0, "fan", "normal")(key, (3, 2)))
