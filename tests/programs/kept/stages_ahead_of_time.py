# shows: lower, trace, compile and what they say of arguments.
import jax, jax.numpy as jnp
@jax.jit
def f(x, y): return x + y
x = jnp.ones(3)
lo = f.lower(x, 2.0)

c = lo.compile()
print(c(x, 2.0))
try: c(x, 2)
except TypeError as e: print(str(e).splitlines()[0])
try: c(jnp.ones(4), 2.0)
except TypeError as e: print(str(e))
tr = f.trace(x, 2.0)
print(tr.jaxpr)
print(tr.out_info)
tr.lower().compile()(x, 2.0)
print(f.eval_shape(x, 3))
print(jax.eval_shape(lambda a: a * 2, jax.ShapeDtypeStruct((2, 3), jnp.int32)))
f(x, 2.0)
s = jax.ShapeDtypeStruct((3,), jnp.float32)
f.lower(s, s).compile()
f(x, x)
print(c.in_tree, c.out_tree)
print(lo.args_info)
