# happens: with_sharding_constraint in all its forms: eager and under jit, shardings and specs, trees
#   and prefixes, under meshes entered in two ways; what the next jitted function finds as its
#   argument, and what is refused.
# env: XLA_FLAGS=--xla_force_host_platform_device_count=4
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, SingleDeviceSharding
from jax.sharding import PartitionSpec as P

mesh = Mesh(np.array(jax.devices()), ("i",))
square = Mesh(np.array(jax.devices()).reshape(2, 2), ("x", "y"))
rows, columns = NamedSharding(mesh, P("i")), NamedSharding(mesh, P(None, "i"))
constrain = jax.lax.with_sharding_constraint
x = np.arange(16.0, dtype=np.float32).reshape(4, 4)


def shown(label, fun):
    call(label, fun)
    try:
        note(f"{label}: sharding", [str(a.sharding) for a in jax.tree.leaves(fun())])
    except Exception as error:
        note(f"{label}: error", type(error).__name__)


shown("eager", lambda: constrain(x, rows))
shown("eager, a jax.Array", lambda: constrain(jnp.asarray(x), rows))
shown("eager, placed otherwise", lambda: constrain(jax.device_put(x, rows), columns))
shown("eager, a tree", lambda: constrain({"a": x, "b": jnp.ones(4)},
                                         {"a": rows, "b": NamedSharding(mesh, P())}))
shown("a number", lambda: constrain(1.0, NamedSharding(mesh, P())))
shown("one device", lambda: constrain(x, SingleDeviceSharding(jax.devices()[1])))
f = jax.jit(lambda x: constrain(x * 2, rows) + 1)
shown("under jit", lambda: f(x))
shown("its result goes in", lambda: f(f(x)))
shown("one device under jit",
      lambda: jax.jit(lambda x: constrain(x * 2, SingleDeviceSharding(jax.devices()[1])))(x))
shown("a spec without a mesh", lambda: constrain(x, P("i")))
shown("nothing", lambda: constrain(x, None))
with mesh:
    shown("a spec, with mesh", lambda: constrain(x, P("i")))
    shown("a spec, with mesh, under jit", lambda: jax.jit(lambda x: constrain(x + 1, P("i")))(x))
with jax.set_mesh(square):
    shown("a spec, set_mesh", lambda: constrain(x, P("x", "y")))
    g = jax.jit(lambda x: constrain(x + 1, P("x", None)))
    shown("a spec, set_mesh, under jit", lambda: g(x))
    shown("a tree of specs",
          lambda: jax.jit(lambda d: constrain(d, {"a": P("x"), "b": P()}))({"a": x, "b": x}))
    shown("one spec for a tree",
          lambda: jax.jit(lambda d: constrain(d, P("x")))({"a": x, "b": (x, x)}))
    shown("left to XLA", lambda: jax.jit(lambda d: constrain(d, P("x", P.UNCONSTRAINED)))(x))
    shown("an axis the mesh does not have", lambda: constrain(x, P("q")))
    shown("too many entries", lambda: constrain(x, P("x", "y", None)))
shown("out of the mesh", lambda: g(x))
call("a rest", lambda: jax.jit(lambda x: constrain(x, rows))(np.ones((6, 2), np.float32)))
shown("no prefix", lambda: constrain((x, x), (rows,)))
shown("a gradient", lambda: jax.jit(jax.grad(lambda x: constrain(x * x, rows).sum()))(x))
shown("vmap", lambda: jax.jit(jax.vmap(lambda r: constrain(r * 2, rows)))(x))
shown("vmap with a mesh axis", lambda: jax.jit(jax.vmap(
    lambda r: constrain(r * 2, NamedSharding(square, P("y"))), spmd_axis_name="x"))(x))
shown("an argument elsewhere",
      lambda: jax.jit(lambda x: constrain(x, rows))(jax.device_put(x, jax.devices()[2])))
shown("two meshes", lambda: jax.jit(lambda x: constrain(constrain(x, rows), NamedSharding(
    Mesh(np.array(jax.devices()[:2]), ("i",)), P("i"))))(x))
shown("devices in another order", lambda: jax.jit(lambda x: constrain(x, NamedSharding(
    Mesh(np.array(jax.devices()[::-1]), ("i",)), P("i"))))(x))
note("jaxpr", str(jax.make_jaxpr(lambda x: constrain(x, rows))(x)))
with jax.set_mesh(square):
    note("jaxpr, set_mesh", str(jax.make_jaxpr(lambda x: constrain(x, P("x")))(x)))
