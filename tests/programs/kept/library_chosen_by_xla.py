# env: XLA_FLAGS=--xla_force_host_platform_device_count=8
"""Where XLA puts what it is not told: propagation over Auto meshes.

Arguments that live on one device are cut when XLA wants them cut."""

import re

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P


def where(x):
    return tuple(x.sharding.spec) if isinstance(x.sharding, NamedSharding) else str(x.sharding)


def place(text, f, *args):
    call(text, lambda: jax.jit(f)(*args))
    note(f"place of {text}", str(jax.tree.map(where, jax.jit(f)(*args))))


z, zz, y, z16 = jnp.ones((4, 16)), jnp.ones(12), jnp.ones(4), jnp.ones(16)

mesh = jax.make_mesh((8,), ("d",), axis_types=(AxisType.Auto,) * 1)
v = jax.device_put(jnp.arange(256.0).reshape(16, 16), NamedSharding(mesh, P("d")))
w = jax.device_put(jnp.arange(16.0), NamedSharding(mesh, P("d")))
place("v[:4]", lambda v, z, zz: v[:4], v, z, zz)
place("v[:12]", lambda v, z, zz: v[:12], v, z, zz)
place("v[:6]", lambda v, z, zz: v[:6], v, z, zz)
place("v[:2]", lambda v, z, zz: v[:2], v, z, zz)
place("v[:4]*2", lambda v, z, zz: v[:4] * 2, v, z, zz)
place("jnp.pad(v,1)", lambda v, z, zz: jnp.pad(v, 1), v, z, zz)
place("v.reshape(4,4,16)", lambda v, z, zz: v.reshape(4, 4, 16), v, z, zz)
place("v.reshape(4,4,16).sum(1)", lambda v, z, zz: v.reshape(4, 4, 16).sum(1), v, z, zz)
place("v.reshape(2,8,16)", lambda v, z, zz: v.reshape(2, 8, 16), v, z, zz)
place("v.reshape(2,8,16)*2", lambda v, z, zz: v.reshape(2, 8, 16) * 2, v, z, zz)
place("v.reshape(2,8,16).sum(2)", lambda v, z, zz: v.reshape(2, 8, 16).sum(2), v, z, zz)
place("v[:4]+z", lambda v, z, zz: v[:4] + z, v, z, zz)
place("v[:12].sum(1)+zz", lambda v, z, zz: v[:12].sum(1) + zz, v, z, zz)
place("v.reshape(16,4,4)", lambda v, z, zz: v.reshape(16, 4, 4), v, z, zz)
place("v.reshape(4,4,4,4)", lambda v, z, zz: v.reshape(4, 4, 4, 4), v, z, zz)
place("v[:8].reshape(4,2,16)", lambda v, z, zz: v[:8].reshape(4, 2, 16), v, z, zz)
place("v[:6].reshape(2,3,16)", lambda v, z, zz: v[:6].reshape(2, 3, 16), v, z, zz)
place("jnp.concatenate([v[:6],v[:6]])", lambda v, z, zz: jnp.concatenate([v[:6], v[:6]]), v, z, zz)
place("jnp.pad(z,(0,12))+v", lambda v, z, zz, z16: jnp.pad(z, (0, 12)) + v, w, y, zz, z16)
place(
    "jnp.concatenate([z,zz])+v", lambda v, z, zz, z16: jnp.concatenate([z, zz]) + v, w, y, zz, z16
)
place(
    "(z.reshape(4,1)+v.reshape(4,4))",
    lambda v, z, zz, z16: z.reshape(4, 1) + v.reshape(4, 4),
    w,
    y,
    zz,
    z16,
)
place(
    "z.reshape(2,2)+v.reshape(4,2,2)",
    lambda v, z, zz, z16: z.reshape(2, 2) + v.reshape(4, 2, 2),
    w,
    y,
    zz,
    z16,
)
place(
    "zz.reshape(2,6)*v[:12].reshape(2,6)",
    lambda v, z, zz, z16: zz.reshape(2, 6) * v[:12].reshape(2, 6),
    w,
    y,
    zz,
    z16,
)
place("(zz+v[:12])", lambda v, z, zz, z16: zz + v[:12], w, y, zz, z16)
place(
    "(jnp.pad(z,(0,12))+v, z*2)",
    lambda v, z, zz, z16: (jnp.pad(z, (0, 12)) + v, z * 2),
    w,
    y,
    zz,
    z16,
)
place(
    "z16.reshape(4,4)*v.reshape(4,4)",
    lambda v, z, zz, z16: z16.reshape(4, 4) * v.reshape(4, 4),
    w,
    y,
    zz,
    z16,
)
place(
    "z16.reshape(2,8)*v.reshape(2,8)",
    lambda v, z, zz, z16: z16.reshape(2, 8) * v.reshape(2, 8),
    w,
    y,
    zz,
    z16,
)
place("jnp.concatenate([z,v])", lambda v, z, zz, z16: jnp.concatenate([z, v]), w, y, zz, z16)
place("v.at[:4].set(z)", lambda v, z, zz, z16: v.at[:4].set(z), w, y, zz, z16)
place("jnp.dot(v[:4],z)", lambda v, z, zz, z16: jnp.dot(v[:4], z), w, y, zz, z16)
place("z16[:4]+v[:4]", lambda v, z, zz, z16: z16[:4] + v[:4], w, y, zz, z16)
place("jnp.tile(z,4)+v", lambda v, z, zz, z16: jnp.tile(z, 4) + v, w, y, zz, z16)
place("jnp.repeat(z,4)+v", lambda v, z, zz, z16: jnp.repeat(z, 4) + v, w, y, zz, z16)
place(
    "jnp.broadcast_to(z[:,None],(4,4)).reshape(16)+v",
    lambda v, z, zz, z16: jnp.broadcast_to(z[:, None], (4, 4)).reshape(16) + v,
    w,
    y,
    zz,
    z16,
)
place(
    "lax.dynamic_update_slice(v,z,(0,))",
    lambda v, z, zz, z16: lax.dynamic_update_slice(v, z, (0,)),
    w,
    y,
    zz,
    z16,
)
place(
    "lax.dynamic_slice(v,(0,),(4,))+z",
    lambda v, z, zz, z16: lax.dynamic_slice(v, (0,), (4,)) + z,
    w,
    y,
    zz,
    z16,
)
place(
    "jnp.stack([z,z,z,z]).reshape(16)+v",
    lambda v, z, zz, z16: jnp.stack([z, z, z, z]).reshape(16) + v,
    w,
    y,
    zz,
    z16,
)
place("v[:5]", lambda v: v[:5], v)
place("v[:6]", lambda v: v[:6], v)
place("jnp.tile(v,(2,1))", lambda v: jnp.tile(v, (2, 1)), v)
place("jnp.tile(v,(1,2))", lambda v: jnp.tile(v, (1, 2)), v)
place("jnp.tile(v,(2,2))", lambda v: jnp.tile(v, (2, 2)), v)
place("jnp.concatenate([v,v])", lambda v: jnp.concatenate([v, v]), v)
place("jnp.concatenate([v,v[:5]])", lambda v: jnp.concatenate([v, v[:5]]), v)
place("jnp.kron(v,v)", lambda v: jnp.kron(v, v), v)
place("v@v.T", lambda v: v @ v.T, v)
place("v@v", lambda v: v @ v, v)
place("lax.top_k(v,2)", lambda v: lax.top_k(v, 2), v)
place("lax.top_k(v,4)", lambda v: lax.top_k(v, 4), v)
place("v.at[:,1].set(1)", lambda v: v.at[:, 1].set(1), v)
place("v.at[1,:5].set(1)", lambda v: v.at[1, :5].set(1), v)
place("v[1]", lambda v: v[1], v)
place("v[:,1]", lambda v: v[:, 1], v)
place("jnp.repeat(v,2,0)", lambda v: jnp.repeat(v, 2, 0), v)
place("jnp.flip(v,0)", lambda v: jnp.flip(v, 0), v)
place("jnp.sort(v,0)", lambda v: jnp.sort(v, 0), v)
place("jnp.cumsum(v,1)", lambda v: jnp.cumsum(v, 1), v)

mesh = jax.make_mesh((4, 2), ("a", "b"), axis_types=(AxisType.Auto,) * 2)
v = jax.device_put(jnp.arange(256.0).reshape(16, 16), NamedSharding(mesh, P("a", "b")))
w = jax.device_put(jnp.arange(16.0), NamedSharding(mesh, P("a")))
place("v[:4]", lambda v, z, zz: v[:4], v, z, zz)
place("v[:12]", lambda v, z, zz: v[:12], v, z, zz)
place("v[:6]", lambda v, z, zz: v[:6], v, z, zz)
place("v[:2]", lambda v, z, zz: v[:2], v, z, zz)
place("v[:4]*2", lambda v, z, zz: v[:4] * 2, v, z, zz)
place("jnp.pad(v,1)", lambda v, z, zz: jnp.pad(v, 1), v, z, zz)
place("v.reshape(4,4,16)", lambda v, z, zz: v.reshape(4, 4, 16), v, z, zz)
place("v.reshape(4,4,16).sum(1)", lambda v, z, zz: v.reshape(4, 4, 16).sum(1), v, z, zz)
place("v.reshape(2,8,16)", lambda v, z, zz: v.reshape(2, 8, 16), v, z, zz)
place("v.reshape(2,8,16)*2", lambda v, z, zz: v.reshape(2, 8, 16) * 2, v, z, zz)
place("v.reshape(2,8,16).sum(2)", lambda v, z, zz: v.reshape(2, 8, 16).sum(2), v, z, zz)
place("v[:4]+z", lambda v, z, zz: v[:4] + z, v, z, zz)
place("v[:12].sum(1)+zz", lambda v, z, zz: v[:12].sum(1) + zz, v, z, zz)
place("v.reshape(16,4,4)", lambda v, z, zz: v.reshape(16, 4, 4), v, z, zz)
place("v.reshape(4,4,4,4)", lambda v, z, zz: v.reshape(4, 4, 4, 4), v, z, zz)
place("v[:8].reshape(4,2,16)", lambda v, z, zz: v[:8].reshape(4, 2, 16), v, z, zz)
place("v[:6].reshape(2,3,16)", lambda v, z, zz: v[:6].reshape(2, 3, 16), v, z, zz)
place("jnp.concatenate([v[:6],v[:6]])", lambda v, z, zz: jnp.concatenate([v[:6], v[:6]]), v, z, zz)
place("jnp.pad(z,(0,12))+v", lambda v, z, zz, z16: jnp.pad(z, (0, 12)) + v, w, y, zz, z16)
place(
    "jnp.concatenate([z,zz])+v", lambda v, z, zz, z16: jnp.concatenate([z, zz]) + v, w, y, zz, z16
)
place(
    "(z.reshape(4,1)+v.reshape(4,4))",
    lambda v, z, zz, z16: z.reshape(4, 1) + v.reshape(4, 4),
    w,
    y,
    zz,
    z16,
)
place(
    "z.reshape(2,2)+v.reshape(4,2,2)",
    lambda v, z, zz, z16: z.reshape(2, 2) + v.reshape(4, 2, 2),
    w,
    y,
    zz,
    z16,
)
place(
    "zz.reshape(2,6)*v[:12].reshape(2,6)",
    lambda v, z, zz, z16: zz.reshape(2, 6) * v[:12].reshape(2, 6),
    w,
    y,
    zz,
    z16,
)
place("(zz+v[:12])", lambda v, z, zz, z16: zz + v[:12], w, y, zz, z16)
place(
    "(jnp.pad(z,(0,12))+v, z*2)",
    lambda v, z, zz, z16: (jnp.pad(z, (0, 12)) + v, z * 2),
    w,
    y,
    zz,
    z16,
)
place(
    "z16.reshape(4,4)*v.reshape(4,4)",
    lambda v, z, zz, z16: z16.reshape(4, 4) * v.reshape(4, 4),
    w,
    y,
    zz,
    z16,
)
place(
    "z16.reshape(2,8)*v.reshape(2,8)",
    lambda v, z, zz, z16: z16.reshape(2, 8) * v.reshape(2, 8),
    w,
    y,
    zz,
    z16,
)
place("jnp.concatenate([z,v])", lambda v, z, zz, z16: jnp.concatenate([z, v]), w, y, zz, z16)
place("v.at[:4].set(z)", lambda v, z, zz, z16: v.at[:4].set(z), w, y, zz, z16)
place("jnp.dot(v[:4],z)", lambda v, z, zz, z16: jnp.dot(v[:4], z), w, y, zz, z16)
place("z16[:4]+v[:4]", lambda v, z, zz, z16: z16[:4] + v[:4], w, y, zz, z16)
place("jnp.tile(z,4)+v", lambda v, z, zz, z16: jnp.tile(z, 4) + v, w, y, zz, z16)
place("jnp.repeat(z,4)+v", lambda v, z, zz, z16: jnp.repeat(z, 4) + v, w, y, zz, z16)
place(
    "jnp.broadcast_to(z[:,None],(4,4)).reshape(16)+v",
    lambda v, z, zz, z16: jnp.broadcast_to(z[:, None], (4, 4)).reshape(16) + v,
    w,
    y,
    zz,
    z16,
)
place(
    "lax.dynamic_update_slice(v,z,(0,))",
    lambda v, z, zz, z16: lax.dynamic_update_slice(v, z, (0,)),
    w,
    y,
    zz,
    z16,
)
place(
    "lax.dynamic_slice(v,(0,),(4,))+z",
    lambda v, z, zz, z16: lax.dynamic_slice(v, (0,), (4,)) + z,
    w,
    y,
    zz,
    z16,
)
place(
    "jnp.stack([z,z,z,z]).reshape(16)+v",
    lambda v, z, zz, z16: jnp.stack([z, z, z, z]).reshape(16) + v,
    w,
    y,
    zz,
    z16,
)
place("v[:5]", lambda v: v[:5], v)
place("v[:6]", lambda v: v[:6], v)
place("jnp.tile(v,(2,1))", lambda v: jnp.tile(v, (2, 1)), v)
place("jnp.tile(v,(1,2))", lambda v: jnp.tile(v, (1, 2)), v)
place("jnp.tile(v,(2,2))", lambda v: jnp.tile(v, (2, 2)), v)
place("jnp.concatenate([v,v])", lambda v: jnp.concatenate([v, v]), v)
place("jnp.concatenate([v,v[:5]])", lambda v: jnp.concatenate([v, v[:5]]), v)
place("jnp.kron(v,v)", lambda v: jnp.kron(v, v), v)
place("v@v.T", lambda v: v @ v.T, v)
place("v@v", lambda v: v @ v, v)
place("lax.top_k(v,2)", lambda v: lax.top_k(v, 2), v)
place("lax.top_k(v,4)", lambda v: lax.top_k(v, 4), v)
place("v.at[:,1].set(1)", lambda v: v.at[:, 1].set(1), v)
place("v.at[1,:5].set(1)", lambda v: v.at[1, :5].set(1), v)
place("v[1]", lambda v: v[1], v)
place("v[:,1]", lambda v: v[:, 1], v)
place("jnp.repeat(v,2,0)", lambda v: jnp.repeat(v, 2, 0), v)
place("jnp.flip(v,0)", lambda v: jnp.flip(v, 0), v)
place("jnp.sort(v,0)", lambda v: jnp.sort(v, 0), v)
place("jnp.cumsum(v,1)", lambda v: jnp.cumsum(v, 1), v)

mesh = jax.make_mesh((2, 4), ("a", "b"), axis_types=(AxisType.Auto,) * 2)
v = jax.device_put(jnp.arange(256.0).reshape(16, 16), NamedSharding(mesh, P(("a", "b"))))
w = jax.device_put(jnp.arange(16.0), NamedSharding(mesh, P("b")))
place("v[:4]", lambda v, z, zz: v[:4], v, z, zz)
place("v[:12]", lambda v, z, zz: v[:12], v, z, zz)
place("v[:6]", lambda v, z, zz: v[:6], v, z, zz)
place("v[:2]", lambda v, z, zz: v[:2], v, z, zz)
place("v[:4]*2", lambda v, z, zz: v[:4] * 2, v, z, zz)
place("jnp.pad(v,1)", lambda v, z, zz: jnp.pad(v, 1), v, z, zz)
place("v.reshape(4,4,16)", lambda v, z, zz: v.reshape(4, 4, 16), v, z, zz)
place("v.reshape(4,4,16).sum(1)", lambda v, z, zz: v.reshape(4, 4, 16).sum(1), v, z, zz)
place("v.reshape(2,8,16)", lambda v, z, zz: v.reshape(2, 8, 16), v, z, zz)
place("v.reshape(2,8,16)*2", lambda v, z, zz: v.reshape(2, 8, 16) * 2, v, z, zz)
place("v.reshape(2,8,16).sum(2)", lambda v, z, zz: v.reshape(2, 8, 16).sum(2), v, z, zz)
place("v[:4]+z", lambda v, z, zz: v[:4] + z, v, z, zz)
place("v[:12].sum(1)+zz", lambda v, z, zz: v[:12].sum(1) + zz, v, z, zz)
place("v.reshape(16,4,4)", lambda v, z, zz: v.reshape(16, 4, 4), v, z, zz)
place("v.reshape(4,4,4,4)", lambda v, z, zz: v.reshape(4, 4, 4, 4), v, z, zz)
place("v[:8].reshape(4,2,16)", lambda v, z, zz: v[:8].reshape(4, 2, 16), v, z, zz)
place("v[:6].reshape(2,3,16)", lambda v, z, zz: v[:6].reshape(2, 3, 16), v, z, zz)
place("jnp.concatenate([v[:6],v[:6]])", lambda v, z, zz: jnp.concatenate([v[:6], v[:6]]), v, z, zz)
place("jnp.pad(z,(0,12))+v", lambda v, z, zz, z16: jnp.pad(z, (0, 12)) + v, w, y, zz, z16)
place(
    "jnp.concatenate([z,zz])+v", lambda v, z, zz, z16: jnp.concatenate([z, zz]) + v, w, y, zz, z16
)
place(
    "(z.reshape(4,1)+v.reshape(4,4))",
    lambda v, z, zz, z16: z.reshape(4, 1) + v.reshape(4, 4),
    w,
    y,
    zz,
    z16,
)
place(
    "z.reshape(2,2)+v.reshape(4,2,2)",
    lambda v, z, zz, z16: z.reshape(2, 2) + v.reshape(4, 2, 2),
    w,
    y,
    zz,
    z16,
)
place(
    "zz.reshape(2,6)*v[:12].reshape(2,6)",
    lambda v, z, zz, z16: zz.reshape(2, 6) * v[:12].reshape(2, 6),
    w,
    y,
    zz,
    z16,
)
place("(zz+v[:12])", lambda v, z, zz, z16: zz + v[:12], w, y, zz, z16)
place(
    "(jnp.pad(z,(0,12))+v, z*2)",
    lambda v, z, zz, z16: (jnp.pad(z, (0, 12)) + v, z * 2),
    w,
    y,
    zz,
    z16,
)
place(
    "z16.reshape(4,4)*v.reshape(4,4)",
    lambda v, z, zz, z16: z16.reshape(4, 4) * v.reshape(4, 4),
    w,
    y,
    zz,
    z16,
)
place(
    "z16.reshape(2,8)*v.reshape(2,8)",
    lambda v, z, zz, z16: z16.reshape(2, 8) * v.reshape(2, 8),
    w,
    y,
    zz,
    z16,
)
place("jnp.concatenate([z,v])", lambda v, z, zz, z16: jnp.concatenate([z, v]), w, y, zz, z16)
place("v.at[:4].set(z)", lambda v, z, zz, z16: v.at[:4].set(z), w, y, zz, z16)
place("jnp.dot(v[:4],z)", lambda v, z, zz, z16: jnp.dot(v[:4], z), w, y, zz, z16)
place("z16[:4]+v[:4]", lambda v, z, zz, z16: z16[:4] + v[:4], w, y, zz, z16)
place("jnp.tile(z,4)+v", lambda v, z, zz, z16: jnp.tile(z, 4) + v, w, y, zz, z16)
place("jnp.repeat(z,4)+v", lambda v, z, zz, z16: jnp.repeat(z, 4) + v, w, y, zz, z16)
place(
    "jnp.broadcast_to(z[:,None],(4,4)).reshape(16)+v",
    lambda v, z, zz, z16: jnp.broadcast_to(z[:, None], (4, 4)).reshape(16) + v,
    w,
    y,
    zz,
    z16,
)
place(
    "lax.dynamic_update_slice(v,z,(0,))",
    lambda v, z, zz, z16: lax.dynamic_update_slice(v, z, (0,)),
    w,
    y,
    zz,
    z16,
)
place(
    "lax.dynamic_slice(v,(0,),(4,))+z",
    lambda v, z, zz, z16: lax.dynamic_slice(v, (0,), (4,)) + z,
    w,
    y,
    zz,
    z16,
)
place(
    "jnp.stack([z,z,z,z]).reshape(16)+v",
    lambda v, z, zz, z16: jnp.stack([z, z, z, z]).reshape(16) + v,
    w,
    y,
    zz,
    z16,
)
place("v[:5]", lambda v: v[:5], v)
place("v[:6]", lambda v: v[:6], v)
place("jnp.tile(v,(2,1))", lambda v: jnp.tile(v, (2, 1)), v)
place("jnp.tile(v,(1,2))", lambda v: jnp.tile(v, (1, 2)), v)
place("jnp.tile(v,(2,2))", lambda v: jnp.tile(v, (2, 2)), v)
place("jnp.concatenate([v,v])", lambda v: jnp.concatenate([v, v]), v)
place("jnp.concatenate([v,v[:5]])", lambda v: jnp.concatenate([v, v[:5]]), v)
place("jnp.kron(v,v)", lambda v: jnp.kron(v, v), v)
place("v@v.T", lambda v: v @ v.T, v)
place("v@v", lambda v: v @ v, v)
place("lax.top_k(v,2)", lambda v: lax.top_k(v, 2), v)
place("lax.top_k(v,4)", lambda v: lax.top_k(v, 4), v)
place("v.at[:,1].set(1)", lambda v: v.at[:, 1].set(1), v)
place("v.at[1,:5].set(1)", lambda v: v.at[1, :5].set(1), v)
place("v[1]", lambda v: v[1], v)
place("v[:,1]", lambda v: v[:, 1], v)
place("jnp.repeat(v,2,0)", lambda v: jnp.repeat(v, 2, 0), v)
place("jnp.flip(v,0)", lambda v: jnp.flip(v, 0), v)
place("jnp.sort(v,0)", lambda v: jnp.sort(v, 0), v)
place("jnp.cumsum(v,1)", lambda v: jnp.cumsum(v, 1), v)
