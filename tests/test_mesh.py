"""Devices, meshes, specs and mesh contexts against real JAX."""

import itertools

import both_sides
import pytest

pytest.importorskip("jax")

from simulator import process, traces  # noqa: E402
from simulator.errors import OutOfScope  # noqa: E402
from simulator.events import Recorder  # noqa: E402
from simulator.placement import mesh  # noqa: E402

REAL = """
import jax, numpy as np
from jax.sharding import (AbstractMesh, AxisType, Mesh, PartitionSpec as P, use_abstract_mesh,
                          get_abstract_mesh, get_mesh)
from jax import make_mesh, set_mesh
from jax._src.mesh import get_concrete_mesh
from jax._src.pjit import get_ctx_mesh
from jax._src import config as _config
d = jax.devices()
array = np.array
context_mesh = lambda: get_ctx_mesh(False)
state = lambda name: getattr(_config, name).value
"""
MODEL = """
from simulator import process
from simulator.placement.mesh import (AbstractMesh, AxisType, Mesh, use_abstract_mesh, get_abstract_mesh,
                            get_mesh, make_mesh, set_mesh, get_concrete_mesh, context_mesh)
from simulator.placement.partition_spec import P
from simulator.placement.devices import DeviceArray as array
d = list(process.current().devices)
state = lambda name: process.current().config.value(name)
"""
SHARED = """
E, A, M = AxisType.Explicit, AxisType.Auto, AxisType.Manual
def seen():
    return (get_abstract_mesh(), get_concrete_mesh(), context_mesh(),
            state("mesh_context_manager"))
def inside(context, thunk=seen):
    with context:
        return thunk()
def twice(a, b, thunk=seen):
    with a():
        with b():
            inner = thunk()
        return inner, thunk()
def setter(mesh):
    s = set_mesh(mesh)
    inner = seen()
    s.__exit__(None, None, None)
    return inner, seen()
grid = array(d).reshape(4, 2)
m = Mesh(grid, ("x", "y"))
small, other = Mesh(d[:2], "x"), Mesh(d[2:4], "x")
explicit = make_mesh((4, 2), ("x", "y"))
"""
EXPRESSIONS = [
    "d", "str(d[3])", "d[1].platform, d[1].device_kind, d[1].process_index, d[1].id",
    "grid.shape, grid.size, grid.ndim, list(grid.flat), grid.tolist()", "grid[1:3].tolist()",
    "grid[:, 1].tolist()", "grid.T.tolist()", "grid[0, 1]", "len(grid)", "grid.reshape(-1).tolist()",
    "grid.reshape(3, 3)", "[r.tolist() for r in grid]", "grid.flatten().tolist()",
    "m", "str(m)", "m.shape", "m.shape_tuple", "m.axis_sizes", "m.axis_names", "m.size", "m.empty",
    "m.abstract_mesh", "str(m.abstract_mesh)", "m.device_ids.tolist()", "m.devices.tolist()",
    "m.local_devices", "m.is_multi_process", "m.local_mesh is m", "m.axis_types",
    "m.auto_axes, m.explicit_axes, m.manual_axes", "m.are_all_axes_auto, explicit.are_all_axes_auto",
    "explicit", "str(explicit)", "explicit.abstract_mesh", "explicit.devices.tolist()",
    "m is Mesh(grid, ('x', 'y'))", "m == Mesh(array(d).reshape(4, 2), ('x', 'y'))",
    "m == explicit", "small == other", "small.abstract_mesh is other.abstract_mesh",
    "hash(small) == hash(Mesh(d[:2], ('x',)))", "m.update(axis_types=(E, A))",
    "m.update(axis_names=('a', 'b'))",
    "Mesh(grid, 'x')", "Mesh(grid, ('x', None))", "Mesh(grid, ('x', 'y'), axis_types=E)",
    "Mesh(grid, ('x', 'y'), axis_types=('Auto', A))", "Mesh(d[:2], 'x', axis_types=E)",
    "Mesh(d, ('x', 'y'))", "m.foo", "setattr(m, 'size', 3)",
    "make_mesh((2,), ('x',))", "make_mesh((9,), ('x',))", "make_mesh((2, 2), ('x', 'y'), (A, E))",
    "make_mesh((2, 2), ('x', 'y'), A)", "make_mesh((2,), 'x', axis_types=(A,))",
    "make_mesh(('a',), ('x',))", "make_mesh((2, 2), ('x',))", "make_mesh([4], ['x'])",
    "make_mesh((2,), ('x',), devices=d[4:]).devices.tolist()", "make_mesh((), ())",
    "AbstractMesh((2,), ('x',))", "AbstractMesh((2, 4), ('x', 'y'), (A, E))",
    "AbstractMesh((2,), ('x',)) is AbstractMesh((2,), ('x',))",
    "AbstractMesh((2,), ('x',)) == small.abstract_mesh", "AbstractMesh((), ())",
    "AbstractMesh((2,), ('x',)).devices", "AbstractMesh((2,), ('x',)).shape",
    "inside(AbstractMesh((2,), ('x',)))", "AbstractMesh((2,), ('x',), (E, E))",
    "AbstractMesh((2, 2), ('x', 'y')).update_axis_types({'x': M})", "AbstractMesh((2,), ('x',)).size",
    "P()", "P('x')", "P('x', None)", "P(('x', 'y'), None, 'z')", "P(['x'])", "P(())", "P([])",
    "P(('x',))", "P(['x', 'y'])", "P((('x',),))", "P(P.UNCONSTRAINED)", "P('x') is P('x')",
    "P('x') == P('x', None)", "P('x') == ('x',)", "P('x')[0]", "list(P('x', None))", "len(P('x', None))",
    "P('x') + P('y')", "P('x') + ('y',)", "('y',) + P('x')", "P('x', 'y').index('y')", "P('x').count('x')",
    "P('x', unreduced=3)", "P('x').update(partitions=('y',))", "P('x').partitions", "P('')",
    "P.__name__, P.__module__", "type('Q', (P,), {})", "isinstance(P('x'), tuple)",
    "E, str(E), AxisType.Auto == A",
    "seen()", "inside(set_mesh(small))", "inside(set_mesh(explicit))", "setter(small)",
    "setter(None)", "set_mesh(3)", "set_mesh(m.update(axis_types=(M, A)))", "get_mesh()",
    "inside(set_mesh(explicit), get_mesh)",
    "inside(use_abstract_mesh(small.abstract_mesh))",
    "inside(use_abstract_mesh(explicit.abstract_mesh))", "use_abstract_mesh(small)",
    "twice(lambda: set_mesh(small), lambda: use_abstract_mesh(explicit.abstract_mesh))",
    "twice(lambda: set_mesh(small), lambda: use_abstract_mesh(small.abstract_mesh.update_axis_types("
    "{'x': E})))",
    "seen()", "inside(small)", "twice(lambda: small, lambda: other)", "twice(lambda: small, lambda: small)",
    "twice(lambda: small, lambda: set_mesh(explicit))",
    "inside(set_mesh(small), lambda: state('device_context'))", "state('device_context')",
    "state('abstract_mesh_context_manager')", "seen()",
]


@pytest.fixture(scope="module")
def here():
    before = process.enter(process.Process({"JAX_NUM_CPU_DEVICES": "8"}, Recorder()))
    yield process.current()
    process.enter(before)


def test_same_as_jax(here):
    ours = both_sides.run(MODEL + SHARED, EXPRESSIONS)
    theirs = both_sides.real(REAL + SHARED, EXPRESSIONS)
    for expression, mine, wanted in itertools.zip_longest(EXPRESSIONS, ours, theirs):
        assert mine == wanted, expression


def test_legacy_context_can_be_disallowed(here):
    here.config.update("jax_disallow_mesh_context_manager", True)
    try:
        with pytest.raises(RuntimeError, match="Mesh context manager is disabled."):
            with mesh.Mesh(here.devices[:2], "x"):
                pass
    finally:
        here.config.update("jax_disallow_mesh_context_manager", False)


def test_what_numpy_takes_for_devices(here):
    from simulator.placement.devices import holds_devices
    d = here.devices
    assert all(map(holds_devices, (d[0], d, [list(d)], mesh.DeviceArray(d))))
    assert not any(map(holds_devices, ([], 1, [1], "cpu")))


def test_set_mesh_under_trace(here):
    here.thread.trace = object()
    try:
        with pytest.raises(ValueError, match="can only be used outside of `jax.jit`"):
            mesh.set_mesh(None)
        with pytest.raises(ValueError, match="`get_mesh` can only be used outside"):
            mesh.get_mesh()
    finally:
        here.thread.trace = traces.EVAL


@pytest.mark.parametrize("use", [
    lambda d: d.memory("device"), lambda d: mesh.DeviceArray([d]) == 1,
    lambda d: mesh.Mesh([1], "x"), lambda d: mesh.DeviceArray([d])[[0]]])
def test_out_of_scope(here, use):
    with pytest.raises(OutOfScope):
        use(here.devices[0])
