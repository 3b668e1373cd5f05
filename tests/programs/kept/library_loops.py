# Library functions that are loops inside: searching, interpolating, divisors, polynomials, pieces.
import jax
import jax.numpy as jnp
import numpy as np

edges = jnp.array([0.0, 1.0, 2.5, 4.0])
x = jnp.array([-1.0, 0.0, 2.0, 3.0, 9.0])


def twice(label, thunk):
    for i in range(2):
        call(f"{label} {i}", thunk)


twice("searchsorted", lambda: jnp.searchsorted(edges, x))
call("from the right", lambda: jnp.searchsorted(edges, x, side="right"))
call("one value", lambda: jnp.searchsorted(edges, 2.5))
call("integers", lambda: jnp.searchsorted(jnp.array([1, 3, 5]), jnp.array([[0, 3], [4, 9]])))
call("mixed types", lambda: jnp.searchsorted(jnp.array([1, 3, 5]), x))
call("nothing", lambda: jnp.searchsorted(edges[:0], x))
for method in ("scan_unrolled", "sort", "compare_all"):
    call(method, lambda: jnp.searchsorted(edges, x, method=method))
call("by a sorter", lambda: jnp.searchsorted(edges[::-1], x, sorter=jnp.arange(3, -1, -1)))
call("not a number", lambda: jnp.searchsorted(jnp.array([1.0, jnp.nan]), jnp.array([jnp.nan, -0.0])))
call("unknown side", lambda: jnp.searchsorted(edges, x, side="middle"))
call("unknown method", lambda: jnp.searchsorted(edges, x, method="guess"))
call("a matrix", lambda: jnp.searchsorted(jnp.ones((2, 2)), x))
call("digitize", lambda: jnp.digitize(x, edges))
call("digitize, right", lambda: jnp.digitize(x, edges, right=True))
call("digitize, falling edges", lambda: jnp.digitize(x, edges[::-1]))
twice("interp", lambda: jnp.interp(x, edges, edges ** 2))
call("interp, left and right", lambda: jnp.interp(x, edges, edges ** 2, left=-1.0, right="extrapolate"))
call("interp, periodic", lambda: jnp.interp(x, edges, edges, period=5.0))
call("interp in jit", lambda: jax.jit(jnp.interp)(1.5, edges, edges ** 2))
twice("gcd", lambda: jnp.gcd(jnp.array([12, 18, 0]), 8))
call("gcd of numbers", lambda: jnp.gcd(12, -18))
call("gcd of floats", lambda: jnp.gcd(1.0, 2))
call("lcm", lambda: jnp.lcm(jnp.array([4, 6, 0]), 6))
twice("polyval", lambda: jnp.polyval(jnp.array([2, 5, 1]), 3))
call("polyval of an array", lambda: jnp.polyval(jnp.array([1.0, 0.0, -1.0]), x))
call("polyval, unrolled less", lambda: jnp.polyval(jnp.arange(5.0), x, unroll=2))
m = jnp.arange(6).reshape(2, 3)
twice("ufunc reduced by a loop", lambda: jnp.bitwise_or.reduce(m, axis=1))
call("ufunc reduced, all axes", lambda: jnp.bitwise_xor.reduce(m, axis=None))
call("ufunc reduced, keepdims and initial", lambda: jnp.subtract.reduce(m, keepdims=True, initial=9))
call("ufunc reduced, where", lambda: jnp.bitwise_or.reduce(m, where=m > 1))
call("ufunc reduced, second axis", lambda: jnp.subtract.reduce(m, axis=1))
call("ufunc reduced, no identity", lambda: jnp.subtract.reduce(m, where=m > 1))
call("ufunc reduced, nothing", lambda: jnp.subtract.reduce(m[:0]))
call("ufunc reduced, another dtype", lambda: jnp.bitwise_and.reduce(m, dtype="int8"))
twice("ufunc accumulated by a loop", lambda: jnp.bitwise_or.accumulate(m, axis=1))
call("ufunc accumulated, floats", lambda: jnp.maximum.accumulate(x))
call("ufunc accumulated, division", lambda: jnp.divide.accumulate(m + 1))
call("piecewise", lambda: jnp.piecewise(x, [x < 0, x > 2], [lambda v: -v, lambda v: v * 2, 0.5]))
pieces = [jnp.negative, jnp.square]
twice("piecewise, kept functions", lambda: jnp.piecewise(x, [x < 0, x >= 0], pieces))
call("piecewise, wrong number", lambda: jnp.piecewise(x, [x < 0], [1, 2, 3]))
call("gradient of interp", lambda: jax.grad(lambda t: jnp.interp(t, edges, edges ** 2))(1.5))
call("gradient of polyval", lambda: jax.grad(jnp.polyval, argnums=1)(jnp.array([1.0, 2.0, 3.0]), 2.0))
call("vmap of searchsorted", lambda: jax.vmap(jnp.searchsorted, in_axes=(None, 0))(edges, x))
note("jaxpr of searchsorted", str(jax.make_jaxpr(jnp.searchsorted)(edges, x)))
note("jaxpr of gcd", str(jax.make_jaxpr(jnp.gcd)(4, np.int32(6))))
note("jaxpr of polyval", str(jax.make_jaxpr(jnp.polyval)(edges, x)))
note("jaxpr of interp", str(jax.make_jaxpr(jnp.interp)(x, edges, edges)))
