# happens: linear algebra is jitted functions around a few operations; what solves is traced for each shape.
import jax
import jax.numpy as jnp
import numpy as np

x = np.array([[4., 1., 2.], [1., 3., 0.], [2., 0., 5.]], np.float32)
b = np.array([1., 2., 3.], np.float32)
four = np.array([[0., 2., 1., 1.], [4., 1., 0., 1.], [1., 0., 3., 2.], [2., 1., 1., 5.]], np.float32)
several = np.stack([x, x + np.eye(3, dtype=np.float32)])

for name, fun, args in (
        ("cholesky", jnp.linalg.cholesky, (x,)), ("solve", jnp.linalg.solve, (x, b)),
        ("solve for a matrix", jnp.linalg.solve, (x, x)), ("inv", jnp.linalg.inv, (x,)),
        ("det of 2", jnp.linalg.det, (x[:2, :2],)), ("det of 3", jnp.linalg.det, (x,)),
        ("det of 4", jnp.linalg.det, (four,)), ("slogdet", jnp.linalg.slogdet, (x,)),
        ("slogdet of 2", jnp.linalg.slogdet, (x[:2, :2],)), ("qr", jnp.linalg.qr, (four[:, :3],)),
        ("matrix_power", lambda a: jnp.linalg.matrix_power(a, 5), (x,)),
        ("inverse power", lambda a: jnp.linalg.matrix_power(a, -2), (x,)),
        ("eigvalsh", jnp.linalg.eigvalsh, (x,)), ("svdvals", jnp.linalg.svdvals, (four,)),
        ("lstsq", jnp.linalg.lstsq, (four[:, :3], four[:, 3])), ("pinv", jnp.linalg.pinv, (four[:, :2],)),
        ("matrix_rank", jnp.linalg.matrix_rank, (four,)), ("cond", jnp.linalg.cond, (x,)),
        ("norm", jnp.linalg.norm, (x,)), ("trace", jnp.linalg.trace, (x,))):
    call(name, lambda: fun(*args))
    call(f"{name} again", lambda: fun(*args))
    fast = jax.jit(lambda *a: fun(*a))
    call(f"{name}, jitted", lambda: fast(*args))
    call(f"{name}, jitted again", lambda: fast(*args))
    note(name, str(jax.make_jaxpr(fun)(*args)))
call("upper factor", lambda: jnp.linalg.cholesky(x, upper=True))
call("no factor", lambda: jnp.linalg.cholesky(-x))
call("of integers", lambda: jnp.linalg.solve(np.eye(2, dtype=np.int32) * 2, np.arange(2)))
call("several inverses", lambda: jnp.linalg.inv(several))
call("several solutions", lambda: jnp.linalg.solve(several, b))
call("several determinants", lambda: jnp.linalg.det(several))
call("several factors", lambda: jnp.linalg.cholesky(several))
call("not square", lambda: jnp.linalg.inv(x[:2]))
call("not square", lambda: jnp.linalg.det(x[:2]))
call("does not fit", lambda: jnp.linalg.solve(x, b[:2]))
call("singular", lambda: jnp.linalg.inv(np.ones((2, 2), np.float32)))
call("eigenvalues of eigh", lambda: jnp.linalg.eigh(x).eigenvalues)
call("put together again", lambda: jax.jit(lambda a: (lambda w, v: v * w @ v.T)(*jnp.linalg.eigh(a)))(x))
call("power of a vector", lambda: jnp.linalg.matrix_power(b, 2))
