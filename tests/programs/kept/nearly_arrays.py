# shows: Objects with a shape and a dtype that are no arrays; __array__ and __jax_array__.
import jax, jax.numpy as jnp, numpy as np, types
class Duck:
    def __init__(self, shape=(3,), dtype=np.float32): self.shape, self.dtype = shape, dtype
class Duck2(Duck):
    weak_type = True
    sharding = None
class ArrayLike:
    def __array__(self, dtype=None, copy=None): return np.ones(3, np.float32)
class JaxArray:
    def __jax_array__(self): return jnp.ones(3)
class Both(Duck):
    def __array__(self, dtype=None, copy=None): return np.ones(3, np.float32)
x = jnp.ones(3)
f = jax.jit(lambda x: x * 2)
def tr(label, th):
    try: return call(label, th)
    except Exception as e: print(label, type(e).__name__)
for v in (Duck(), Duck(dtype="int32"), Duck2(), Duck((2, 2), jnp.bfloat16), ArrayLike(), JaxArray(), Both(), types.SimpleNamespace(shape=(2,), dtype=np.dtype("int8"))):
    n = type(v).__name__
    tr("jit " + n, lambda: f(v))
    tr("ret " + n, lambda: jax.jit(lambda x: v)(x))
    tr("eval_shape " + n, lambda: str(jax.eval_shape(f, v)))
    tr("make_jaxpr " + n, lambda: str(jax.make_jaxpr(f)(v)))
    tr("lower " + n, lambda: f.lower(v).compile()(x))
    tr("add " + n, lambda: x + v)
    tr("radd " + n, lambda: v + x)
    tr("jnp.add " + n, lambda: jnp.add(x, v))
    tr("grad " + n, lambda: jax.grad(lambda v: v.sum())(v))
    tr("vmap " + n, lambda: jax.vmap(f)(v))
    tr("tree " + n, lambda: jax.tree.map(lambda v: 1, v))
    tr("in jit " + n, lambda: jax.jit(lambda x: x + v)(x))
    tr("typeof " + n, lambda: str(jax.typeof(v)))
    tr("scan " + n, lambda: jax.lax.scan(lambda c, _: (c, None), v, None, length=2))
    tr("cond " + n, lambda: jax.lax.cond(True, lambda v: v, lambda v: v, v))
call("asarray", lambda: jnp.asarray(ArrayLike()))
call("in a list", lambda: jnp.array([JaxArray(), JaxArray()]))
