"""`jax.shard_map` in the model: what it refuses, and how devices are numbered."""

import pytest

from simulator.errors import OutOfScope
from simulator.manual.exchange import Grid
from simulator.running.program import observe_text

START = """# env: XLA_FLAGS=--xla_force_host_platform_device_count=4
import jax, jax.numpy as jnp, numpy as np
from jax.sharding import Mesh, PartitionSpec as P
mesh = Mesh(np.array(jax.devices()), ("i",))
square = Mesh(np.array(jax.devices()).reshape(2, 2), ("x", "y"))
x = jnp.arange(8.0)
def run(f, **options):
    return jax.jit(jax.shard_map(f, mesh=mesh, in_specs=P("i"), out_specs=P("i"), **options))(x)
"""

REFUSED = {
    'run(lambda v: (jax.debug.print("{}", v), v)[1])': "callbacks and printing inside jax.shard_map",
    "run(lambda v: jax.pure_callback(lambda a: a, v, v))":
        "callbacks and printing inside jax.shard_map",
    "run(lambda v: jax.freeze(jax.new_ref(v)))": "a Ref inside jax.shard_map",
    'P(unreduced={"i"})': "unreduced or reduced axes",
    'jax.shard_map(lambda v: jax.shard_map(lambda u: u, in_specs=P("y"), out_specs=P("y"), '
    'axis_names={"y"})(v), mesh=square, in_specs=P("x"), out_specs=P("x"), axis_names={"x"})(x)':
        "jax.shard_map inside jax.shard_map, outside of jax.jit",
    "run(lambda v: jax.lax.ppermute(v, 'i', [(0, 1), (4, 2)])).sum().item()":
        "lax.ppermute with a device that is not there, or twice",
    "run(lambda v: jax.lax.while_loop(lambda c: jax.lax.psum(c, 'i')[0] * (c[0] + 1) < 20., "
    "lambda c: c + 1, v)).sum().item()": "when devices do not agree",
}


@pytest.mark.parametrize("rest", REFUSED)
def test_what_is_not_covered_is_refused_by_name(rest):
    with pytest.raises(OutOfScope) as caught:
        observe_text(START + rest + "\n")
    assert REFUSED[rest] in caught.value.feature and caught.value.advice
    assert caught.value.line is not None


def test_devices_are_numbered_row_by_row():
    grid = Grid((("x", 2), ("y", 3)))
    assert grid.size == 6 and grid.coordinates(4) == {"x": 1, "y": 1}
    assert grid.groups(("x",)) == [[0, 3], [1, 4], [2, 5]]
    assert grid.groups(("y",)) == [[0, 1, 2], [3, 4, 5]]
    assert grid.groups(("y", "x")) == [[0, 3, 1, 4, 2, 5]]
    assert grid.groups(("y",), ((0, 2), (1,))) == [[0, 2], [1], [3, 5], [4]]
    assert [grid.index(d, ("y", "x")) for d in range(6)] == [0, 2, 4, 1, 3, 5]
