# expected: an array that is sorted along the dimension it is cut along stays cut
# happens: the cut moves to another dimension; where there is none, the result is in one piece
# source: openxla/shardy: op_sharding_rule_registry, SortOp
# env: XLA_FLAGS=--xla_force_host_platform_device_count=4
import jax, jax.numpy as jnp, numpy as np
from jax import lax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P
mesh = jax.make_mesh((4,), ("x",), axis_types=(AxisType.Auto,))
def put(shape, *spec): return jax.device_put(np.ones(shape, np.float32), NamedSharding(mesh, P(*spec)))
def show(label, f, *args):
    g = jax.jit(f)
    y=call(label, lambda: g(*args))
    note(label, [str(a.sharding.spec) for a in jax.tree.leaves(y)])
a, b, c = put((4, 2), "x", None), put((2, 4), None, "x"), put((8,), "x")
for n, x in (("rows", a), ("columns", b), ("vector", c)):
    show(n + " sort", lambda x: jnp.sort(jnp.ravel(x)), x)
    show(n + " sort0", lambda x: lax.sort(x, dimension=0), x)
    show(n + " sort -1", lambda x: lax.sort(x, dimension=x.ndim - 1), x)
    show(n + " argsort", lambda x: jnp.argsort(jnp.ravel(x)), x)
    show(n + " ravel", lambda x: jnp.ravel(x), x)
    show(n + " ravel1", lambda x: jnp.ravel(x) + 1, x)
    show(n + " neg sort", lambda x: -jnp.sort(jnp.ravel(x)), x)
    show(n + " sort neg", lambda x: jnp.sort(jnp.ravel(-x)), x)
    show(n + " reshape back", lambda x: jnp.sort(jnp.ravel(x)).reshape(x.shape), x)
    show(n + " top_k", lambda x: lax.top_k(x, 2), x)
    show(n + " cumsum", lambda x: jnp.cumsum(x), x)
    show(n + " cumsum0", lambda x: jnp.cumsum(x, 0), x)
    show(n + " rev", lambda x: lax.rev(jnp.ravel(x), (0,)), x)
    show(n + " unique", lambda x: jnp.unique(x, size=4), x)
    show(n + " median", lambda x: jnp.median(x), x)
    show(n + " flip sort", lambda x: jnp.sort(jnp.ravel(x))[::-1], x)
show("8x1 0", lambda x: lax.sort(x, dimension=0), put((8, 1), "x", None))
show("1x8 1", lambda x: lax.sort(x, dimension=1), put((1, 8), None, "x"))
show("8x1 1", lambda x: lax.sort(x, dimension=1), put((8, 1), "x", None))
show("8x2 0", lambda x: lax.sort(x, dimension=0), put((8, 2), "x", None))
show("8x3 0", lambda x: lax.sort(x, dimension=0), put((8, 3), "x", None))
show("8x4 0", lambda x: lax.sort(x, dimension=0), put((8, 4), "x", None))
show("pair", lambda x: lax.sort((x, x + 1), dimension=0, num_keys=1), put((8,), "x"))
show("pair other", lambda x, y: lax.sort((x, y), dimension=0, num_keys=1), put((8,), "x"), put((8,)))
show("then sum", lambda x: (jnp.sort(x), x + 1), put((8,), "x"))
show("back", lambda x: jnp.sort(x) + x, put((8,), "x"))
show("argsort2", lambda x: x[jnp.argsort(x)], put((8,), "x"))
show("percentile", lambda x: jnp.percentile(x, 50), put((8,), "x"))
show("1x1", lambda x: lax.sort(x, dimension=0), put((4, 1, 1), "x"))
show("1x1", lambda x: lax.sort(x, dimension=0), put((4, 1, 2), "x"))
show("perm", lambda x: jax.random.permutation(jax.random.key(0), x), put((8,), "x"))
