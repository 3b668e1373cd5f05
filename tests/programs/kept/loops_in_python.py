# shows: Iterations, recursion and polynomials without control flow of lax.
import jax, jax.numpy as jnp
# newton iteration / power iteration in Python loops
@jax.jit
def newton(x, a): return 0.5 * (x + a / x)
x = 1.0
for _ in range(5): x = newton(x, 2.0)
print(x)
@jax.jit
def power(A, v):
    w = A @ v
    return w / jnp.linalg.norm(w)
A = jnp.array([[2., 1.], [1., 3.]]); v = jnp.ones(2)
for _ in range(3): v = power(A, v)
print(v)
@jax.jit
def unrolled(x):
    for i in range(4): x = jnp.sin(x) + i
    return x
unrolled(1.); unrolled(jnp.ones(2))
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(jnp.int32(4)))
@jax.jit
def poly(c, x):
    r = jnp.zeros_like(x)
    for k in c: r = r * x + k
    return r
print(poly([1., 2., 3.], 2.0), poly((1., 2., 3.), 2.0), poly(jnp.array([1., 2., 3.]), 2.0))
