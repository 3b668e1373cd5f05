# happens: gradients of a shard_map are shard_maps; under jit they are found again like any other
#   function. Outside of jit each operation, forwards and backwards, is compiled anew.
# env: XLA_FLAGS=--xla_force_host_platform_device_count=4
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh
from jax.sharding import PartitionSpec as P

mesh = Mesh(np.array(jax.devices()), ("i",))
x = np.arange(32.0, dtype=np.float32).reshape(8, 4) / 10
w = np.arange(4.0, dtype=np.float32)


def mean_square(x, w):
    return jax.lax.pmean(jnp.mean(jnp.tanh(x @ w) ** 2), "i")


for check in (True, False):
    loss = jax.shard_map(mean_square, mesh=mesh, in_specs=(P("i"), P()), out_specs=P(),
                         check_vma=check)
    step = jax.jit(jax.value_and_grad(loss, argnums=1))
    call(f"step, checked: {check}", lambda s=step: s(x, w))
    call(f"step again, checked: {check}", lambda s=step: s(x, w))
    call(f"both, checked: {check}", lambda f=loss: jax.jit(jax.grad(f, argnums=(0, 1)))(x, w))

loss = jax.shard_map(mean_square, mesh=mesh, in_specs=(P("i"), P()), out_specs=P())


@jax.jit
def train(w, x):
    w = jax.tree.map(lambda p, g: p - 0.1 * g, w, jax.grad(loss, argnums=1)(x, w))
    return w


for i in range(3):
    def one():
        global w
        w = train(w, x)
        return w
    call(f"train {i}", one)


@jax.jit
def per_device(x, w):
    @jax.shard_map(mesh=mesh, in_specs=(P("i"), P()), out_specs=P())
    def body(x, w):
        return jax.grad(lambda w: jnp.sum((x @ w) ** 2))(w)
    return body(x, w)


call("gradient inside", lambda: per_device(x, w))
call("gradient inside again", lambda: per_device(x, w))


@jax.jit
def over_closed(w, x):
    return jax.grad(lambda w: jnp.sum(jax.shard_map(
        lambda x: jnp.sin(x @ w) * jax.lax.axis_index("i"), mesh=mesh, in_specs=P("i"),
        out_specs=P("i"))(x)))(w)


call("gradient of what is closed over", lambda: over_closed(w, x))
call("forwards", lambda: jax.jit(lambda x: jax.jvp(lambda x: loss(x, w), (x,), (x,)))(x))
call("vjp", lambda: jax.jit(lambda x: jax.vjp(lambda x: loss(x, w), x)[1](np.float32(1)))(x))
call("vmap", lambda: jax.jit(jax.vmap(loss, in_axes=(None, 0)))(x, np.ones((3, 4), np.float32)))
call("gradient under vmap",
     lambda: jax.jit(jax.vmap(jax.grad(loss, argnums=1), in_axes=(None, 0)))(
         x, np.ones((3, 4), np.float32)))
call("pmap", lambda: jax.grad(lambda x: jax.pmap(
    lambda v: jnp.sin(v) * jax.lax.pmean(v, "d"), axis_name="d")(x).sum())(x[:4]))

simple = jax.shard_map(lambda x: jnp.sin(x), mesh=mesh, in_specs=P("i"), out_specs=P("i"))
call("eager gradient", lambda: jax.grad(lambda x: simple(x).sum())(x[:, 0]))
call("eager gradient again", lambda: jax.grad(lambda x: simple(x).sum())(x[:, 0]))
call("eager vmap", lambda: jax.vmap(simple)(x.T))
