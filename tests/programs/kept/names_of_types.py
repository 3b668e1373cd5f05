# expected: the types that messages name are called as in JAX
# happens: a message about an argument, or a program that prints what it caught, shows the type
import jax
import jax.numpy as jnp
import numpy as np
from jax.custom_batching import custom_vmap

f = jax.jit(lambda x: x)
things = {
    "custom_jvp": jax.custom_jvp(lambda x: x), "custom_vjp": jax.custom_vjp(lambda x: x),
    "custom_vmap": custom_vmap(lambda x: x), "jit": f, "grad": jax.grad(f),
    "traced": f.trace(1.0), "lowered": f.lower(1.0), "compiled": f.lower(1.0).compile(),
    "key": jax.random.key(0), "array": jnp.ones(1), "jaxpr": jax.make_jaxpr(f)(1.0),
    "equation": jax.make_jaxpr(f)(1.0).eqns[0], "primitive": jax.lax.add_p,
    "device": jax.devices()[0], "struct": jax.ShapeDtypeStruct((), jnp.float32),
    "tree": jax.tree.structure([1]), "ref": jax.new_ref(jnp.ones(2)), "ufunc": jnp.add,
    "finfo": jnp.finfo(jnp.float32), "dtype": jnp.dtype("float32"), "scalar": jnp.float32,
    "at": jnp.ones(2).at, "at[0]": jnp.ones(2).at[0], "mesh": jax.make_mesh((1,), ("x",)),
    "sharding": jnp.ones(1).sharding, "partial": jax.tree_util.Partial(f), "type": jax.typeof(1.0),
    "vjp": jax.vjp(jnp.sin, 1.0)[1], "linear": jax.linearize(jnp.sin, 1.0)[1]}
for name, thing in things.items():
    note(name, str(type(thing)))


def caught(name, thunk):
    try:
        thunk()
    except Exception as error:
        note(name, str(type(error)))


leaked = []
caught("if", lambda: jax.jit(lambda x: 1 if x > 0 else 2)(1.0))
caught("numpy", lambda: jax.jit(lambda x: np.asarray(x))(1.0))
caught("int", lambda: jax.jit(lambda x: int(x))(1.0))
caught("index", lambda: jax.jit(lambda x: [1][x])(1))
caught("leak", lambda: (jax.jit(leaked.append)(1.0), leaked[0] + 1))
caught("key", lambda: jax.random.normal(3))
caught("mask", lambda: jax.jit(lambda x: jnp.ones(3)[x > 0])(jnp.ones(3)))


@jax.jit
def takes(x):
    return x


for name in ("custom_jvp", "custom_vjp", "custom_vmap", "tree", "jaxpr", "equation", "primitive",
             "device", "sharding", "at"):
    call(name, lambda: takes(things[name]))
