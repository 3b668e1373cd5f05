"""Random functions for each device of a mesh: `jax.shard_map` and `jax.pmap` around a body."""

from __future__ import annotations

import random

_COLLECTIVES = ("lax.psum(x, 'x')", "lax.pmax(x, 'x')", "lax.pmin(x, 'x')", "lax.axis_index('x')",
                "lax.all_gather(x, 'x', tiled=True)", "x * lax.axis_size('x')",
                "lax.ppermute(x, 'x', [(i, (i + 1) % lax.axis_size('x')) for i in range(lax.axis_size('x'))])",
                "jnp.round(lax.pmean(x, 'x'))")
_SPECS = ("P('x')", "P('x')", "P('x')", "P()", "P(None, 'x')")
_WAYS = ("jax.jit({f})", "jax.jit({f})", "jax.jit({f})", "jax.jit(jax.vmap({f}))", "{f}")
_ARRAYS = ("jnp.arange(8.)", "np.arange(8.)", "np.arange(4)", "np.ones((4, 2), np.float32)",
           "jnp.ones((4, 4))", "jnp.arange(16).reshape(4, 4)", "np.ones(3)",
           "jax.device_put(jnp.arange(8.), NamedSharding(mesh, P('x')))",
           "jax.device_put(np.ones((4, 2), np.float32), NamedSharding(mesh, P('x', None)))")


def collective(pick: random.Random) -> str:
    """An expression of ``x`` that needs the other devices."""
    return pick.choice(_COLLECTIVES)


def around(pick: random.Random, name: str) -> str:
    """The function `name` mapped over the devices of ``mesh``, as an expression."""
    if pick.random() < 0.3:
        return f"jax.pmap({name}, axis_name='x')"
    checked = "" if pick.random() < 0.7 else ", check_vma=False"
    mapped = (f"jax.shard_map({name}, mesh=mesh, in_specs={pick.choice(_SPECS)}, "
              f"out_specs={pick.choice(_SPECS)}{checked})")
    return pick.choice(_WAYS).format(f=mapped)


def array(pick: random.Random) -> str:
    """One argument, mostly one that four devices can share out."""
    return pick.choice(_ARRAYS)
