# shows: Python's own messages about arrays, functions and types: their full names.
import jax, jax.numpy as jnp, numpy as np
x = jnp.ones(3)
def tr(label, th):
    try: return call(label, th)
    except Exception as e: print(label, type(e).__name__)
class D: pass
for n, v in dict(none=None, str="zz", list=[1, 2, 3], tuple=(1, 2, 3), dict={}, obj=D(), set={1}, fn=len, rng=range(3)).items():
    tr("add " + n, lambda: x + v); tr("radd " + n, lambda: v + x); tr("mul " + n, lambda: x * v); tr("eq " + n, lambda: x == v); tr("ne " + n, lambda: v != x); tr("lt " + n, lambda: x < v); tr("matmul " + n, lambda: x @ v); tr("pow " + n, lambda: x ** v); tr("floordiv " + n, lambda: v // x)
    tr("in jit " + n, lambda: jax.jit(lambda x: x + v)(x)); tr("rin jit " + n, lambda: jax.jit(lambda x: v * x)(x)); tr("index " + n, lambda: x[v]); tr("idx jit " + n, lambda: jax.jit(lambda x: x[v])(x)); tr("where " + n, lambda: jnp.where(v, x, x)); tr("sum " + n, lambda: jnp.sum(v)); tr("iadd " + n, lambda: x.__iadd__(v)); tr("isinst", lambda: isinstance(v, jax.Array)); tr("contains", lambda: v in x); tr("and", lambda: x & v); tr("divmod", lambda: divmod(x, v)); tr("set", lambda: x.at[0].set(v)); tr("reshape", lambda: x.reshape(v)); tr("axis", lambda: x.sum(v) if v != "zz" else 0)
print(type(x).__name__, type(x).__qualname__, type(x).__module__, type(x), str(type(x)), repr(type(x)))
note("type", str([type(x).__name__, type(x).__qualname__, type(x).__module__, str(type(x)), isinstance(x, type(x)), type(x) is type(x + 1), type(np.add).__name__, type(np.sum).__name__, type(np.float32).__name__, str(type(np.sum)), str(type(np.add))]))
x=jnp.ones(3); f=jax.jit(lambda x:x)
class T:
    def __enter__(s): pass
for i, th in enumerate([lambda: {}+f,lambda: f[0],lambda: f+1,lambda: {}+jax.devices()[0],lambda: {}+jnp.add,lambda: {}+jax.tree.structure(1),lambda: {}+jax.random.key(0),lambda: {}+f.lower(1.).compile(),lambda: {}+jnp.float32,lambda: {}+jax.make_mesh((1,),('a',)), lambda: len(f),lambda: f<f,lambda: {}+np.random.default_rng(0),lambda: x(),lambda: np.ones(3)(),lambda: jax.tree.structure(1)[0],lambda: hash(x),lambda: hash(np.ones(3)),lambda: f.foo,lambda: x.foo,lambda: iter(f),lambda: x(1),lambda: {}+x.at,lambda: np.ones(3).foo,lambda: np.float32(1).foo,lambda: np.add.foo,lambda: np.sum.foo,lambda: jax.tree.structure(1).foo,lambda: jnp.add.foo,lambda: jax.tree_util.Partial(len)+1,lambda: f.lower(1.)+1,lambda: jax.make_jaxpr(f)(1)+1,lambda: x.aval+1,lambda: x.sharding+1,lambda: jax.ShapeDtypeStruct((),'f4')+1, lambda: np.dtype("f4")(), lambda: np.float32(1)(), lambda: np.dtype("f4") + 1, lambda: [] + np.sum, lambda: {**x}, lambda: f(*f), lambda: "a" + x, lambda: "%d" % x, lambda: [1][x], lambda: range(x), lambda: int(x), lambda: " ".join([x]), lambda: open(x), lambda: [] + x.sharding, lambda: setattr(f, "a", 1), lambda: setattr(x, "a", 1), lambda: x.__setitem__(0, 1), lambda: isinstance(1, x), lambda: sum(x, None), lambda: max(x, None), lambda: x[0].real + None, lambda: np.ones(3)[0] @ f, lambda: "a" * x, lambda: f"{x:d}", lambda: format(x, ".2f"), lambda: format(f, ".2f"), lambda: x.T() , lambda: jnp.ones(3)(3), lambda: f(1)(2), lambda: x.shape(), lambda: x.sum()(), lambda: f.lower(1.)(1.)]):
    try: call(f"{i}", lambda: th())
    except Exception as e: print(th, "|", type(e).__name__, e)
    try: note(f"{i}", str(th()))
    except Exception as e: note(f"{i}", str(e))
    except SystemError as e: note(f"{i}", str(e))
for v in (x, f, jax.tree.structure(1), jax.devices()[0], np.ones(3), np.float32(1), np.dtype("f4"), np.add, np.sum, x.sharding, jax.random.key(0), jnp.add, f.lower(1.), x.at, jnp.float32, np.random.default_rng(0), jax.P(), x.aval, jax.ShapeDtypeStruct((), "f4"), f.trace(1.), f.lower(1.).compile(), jax.make_jaxpr(f)(1)):
    t = type(v); note(t.__qualname__, str([t.__name__, t.__module__, str(t)]))
