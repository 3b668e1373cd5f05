# happens: the derivative of a solve is another solve with the same factors.
import jax
import jax.numpy as jnp
import numpy as np

x = np.array([[4., 1., 2.], [1., 3., 0.], [2., 0., 5.]], np.float32)
b = np.array([1., 2., 3.], np.float32)
four = np.array([[2., 2., 1., 1.], [4., 1., 0., 1.], [1., 0., 3., 2.], [2., 1., 1., 5.]], np.float32)
several = np.stack([x, x + np.eye(3, dtype=np.float32)])

for name, fun, args in (
        ("solve", lambda a: jnp.sum(jnp.linalg.solve(a, b)), (x,)),
        ("right side", lambda v: jnp.sum(jnp.linalg.solve(x, v)), (b,)),
        ("inv", lambda a: jnp.sum(jnp.linalg.inv(a)), (x,)), ("det of 3", jnp.linalg.det, (x,)),
        ("det of 2", jnp.linalg.det, (x[:2, :2],)), ("det of 4", jnp.linalg.det, (four,)),
        ("slogdet", lambda a: jnp.linalg.slogdet(a)[1], (four,)),
        ("slogdet of 2", lambda a: jnp.linalg.slogdet(a)[1], (x[:2, :2],)),
        ("cholesky", lambda a: jnp.sum(jnp.linalg.cholesky(a)), (x,)),
        ("qr", lambda a: jnp.sum(jnp.linalg.qr(a)[1]), (four[:, :3],)),
        ("lu", lambda a: jnp.sum(jax.lax.linalg.lu(a)[0]), (x,)),
        ("norm", jnp.linalg.norm, (x,))):
    call(name, lambda: jax.grad(fun)(*args))
    call(f"{name} again", lambda: jax.grad(fun)(*args))
    slope = jax.jit(jax.grad(fun))
    call(f"{name}, jitted", lambda: slope(*args))
    call(f"{name}, jitted again", lambda: slope(*args))
    note(name, str(jax.make_jaxpr(slope)(*args)))
for name, fun in (("eigenvalues", lambda a: jnp.max(jnp.linalg.eigvalsh(a))),
                  ("singular values", lambda a: jnp.sum(jnp.linalg.svdvals(a)))):
    slope = jax.jit(jax.grad(fun))
    call(name, lambda: slope(x))
    call(f"{name} again", lambda: slope(x))
    note(name, str(jax.make_jaxpr(slope)(x)))
mapped = jax.jit(jax.vmap(jnp.linalg.solve, in_axes=(0, None)))
call("solve for several", lambda: mapped(several, b))
sides = jax.jit(jax.vmap(jnp.linalg.solve, in_axes=(None, 0)))
call("several right sides", lambda: sides(x, x))
both = jax.jit(jax.vmap(jax.grad(lambda a, v: jnp.linalg.solve(a, v).sum(), argnums=(0, 1))))
call("gradients for several", lambda: both(several, x[:2]))
call("inverses for several", lambda: jax.jit(jax.vmap(jnp.linalg.inv))(several))
call("factors for several", lambda: jax.vmap(jnp.linalg.cholesky)(several))
call("determinants for several", lambda: jax.jit(jax.vmap(jnp.linalg.det))(several))
call("forward", lambda: jax.jvp(jnp.linalg.inv, (x,), (x,)))
hess = jax.jit(jax.hessian(lambda v: jnp.sum(jnp.linalg.solve(x, v) ** 2)))
call("hessian", lambda: hess(b))
