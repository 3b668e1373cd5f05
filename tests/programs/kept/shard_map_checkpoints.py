# happens: jax.checkpoint around a shard_map, and inside it; derivatives of higher order.
# env: XLA_FLAGS=--xla_force_host_platform_device_count=4
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh
from jax.sharding import PartitionSpec as P

mesh = Mesh(np.array(jax.devices()), ("i",))
x = np.arange(8.0, dtype=np.float32)


def over(f, **options):
    return jax.shard_map(f, mesh=mesh, in_specs=P("i"), out_specs=P("i"), **options)


def scaled(v):
    return jnp.sin(v.sum() * jnp.sin(v)) * v.max()


for check in (True, False):
    wave = over(scaled, check_vma=check)
    around = jax.jit(jax.grad(jax.checkpoint(lambda x, wave=wave: wave(jnp.sin(x)).sum())))
    call(f"around, checked: {check}", lambda f=around: f(x))
    call(f"around again, checked: {check}", lambda f=around: f(x))
    saving = jax.checkpoint(lambda x, wave=wave: wave(x).sum(),
                            policy=jax.checkpoint_policies.everything_saveable)
    call(f"all saved, checked: {check}", lambda f=saving: jax.jit(jax.grad(f))(x))
    inside = over(jax.checkpoint(scaled), check_vma=check)
    call(f"inside, checked: {check}", lambda f=inside: jax.jit(jax.grad(lambda x: f(x).sum()))(x))
    call(f"twice, checked: {check}", lambda f=wave: jax.jit(
        jax.grad(lambda a: jax.grad(lambda x: f(x).sum())(a).sum()))(x))
call("a Hessian", lambda: jax.jit(jax.hessian(
    lambda x: over(lambda v: v * v)(x).sum()))(np.arange(4.0, dtype=np.float32)))
rule = jax.custom_vjp(jnp.sin)
rule.defvjp(lambda v: (jnp.sin(v), v), lambda saved, g: (g * saved,))
call("a rule of its own", lambda: jax.jit(jax.grad(lambda x: over(rule)(x).sum()))(x))
call("eager, a checkpoint inside", lambda: jax.grad(lambda x: over(
    jax.checkpoint(lambda v: jnp.sin(jnp.sin(v))))(x).sum())(x))
