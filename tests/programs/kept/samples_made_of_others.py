# happens: samplers that are made of others are jitted functions of their own.
import jax
import jax.numpy as jnp
import numpy as np

key = jax.random.key(3)
mean, cov = np.array([1., 2.], np.float32), np.array([[2., 0.5], [0.5, 1.]], np.float32)
for name, fun in (
        ("cauchy", lambda: jax.random.cauchy(key, (3,))), ("maxwell", lambda: jax.random.maxwell(key, (3,))),
        ("weibull_min", lambda: jax.random.weibull_min(key, 2., 1.5, (3,))),
        ("multivariate_normal", lambda: jax.random.multivariate_normal(key, mean, cov)),
        ("several", lambda: jax.random.multivariate_normal(key, mean, cov, (4,)))):
    call(name, fun)
    call(f"{name} again", fun)
    fast = jax.jit(lambda: fun())
    call(f"{name}, jitted", fast)
    call(f"{name}, jitted again", fast)
    note(name, str(jax.make_jaxpr(fun)()))
call("does not fit", lambda: jax.random.multivariate_normal(key, mean, cov[:1]))
call("unknown method", lambda: jax.random.multivariate_normal(key, mean, cov, method="other"))
call("of integers", lambda: jax.random.maxwell(key, (2,), dtype=int))
