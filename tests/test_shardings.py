"""Shardings, and what the caches compare of them, against real JAX."""

import itertools

import both_sides
import pytest

pytest.importorskip("jax")

from simulator import process  # noqa: E402
from simulator.errors import OutOfScope  # noqa: E402
from simulator.events import Recorder  # noqa: E402
from simulator.placement import shardings  # noqa: E402

REAL = """
import jax, numpy as np
from jax import numpy as jnp, lax
from jax.sharding import (AbstractMesh, AxisType, Mesh, NamedSharding, PartitionSpec as P,
                          SingleDeviceSharding)
from jax.experimental.layout import Layout, Format
from jax._src.core import ShapedArray, update_aval_with_sharding as aval_with_sharding
from jax._src.sharding_impls import GSPMDSharding, UNSPECIFIED
from jax._src.interpreters.pxla import SemanticallyEqualShardings
d = jax.devices()
array = np.array
replicated = GSPMDSharding.get_replicated
f32 = np.dtype("float32")
from jax._src.pjit import (prepare_axis_resources, _create_sharding_for_array,
                           _process_in_axis_resources, _check_and_canonicalize_out_shardings)
from jax._src.tree_util import none_leaf_registry, tracing_registry
from jax._src import core
from jax._src.mesh import empty_concrete_mesh
def spread(name, value, args, mesh=empty_concrete_mesh):
    value = tuple(value) if name == "in_shardings" and isinstance(value, list) else value
    leaves, tree = none_leaf_registry.flatten(prepare_axis_resources(value, name))
    leaves = tuple(_create_sharding_for_array(mesh, x, name, "jit") for x in leaves)
    flat, argtree = tracing_registry.flatten((args, {}) if name == "in_shardings" else args)
    avals = tuple(ShapedArray(np.shape(x), f32) for x in flat)
    names = tuple(f"n{i}" for i in range(len(flat)))
    dbg = core.DebugInfo("jit", "f", names, names)
    none = none_leaf_registry.flatten(None)
    if name == "in_shardings":
        return _process_in_axis_resources(tree, leaves, none[1], tuple(none[0]), avals, argtree,
                                          dbg, False, False)[0]
    return _check_and_canonicalize_out_shardings(tree, leaves, none[1], tuple(none[0]), argtree,
                                                 avals, dbg, False)[0]
"""
MODEL = """
from simulator import process
from simulator.placement.mesh import AbstractMesh, AxisType, Mesh, empty_concrete_mesh
from simulator.placement.partition_spec import P
from simulator.placement.shardings import *
from simulator.placement.shardings import UNSPECIFIED
from simulator.placement.layout import Layout, Format
from simulator.types.avals import ShapedArray
from simulator.trees import pytrees
from simulator.placement.devices import DeviceArray as array
from simulator.types.dtypes import float32 as f32
d = list(process.current().devices)
replicated = GSPMDSharding.replicated
def spread(name, value, args, mesh=empty_concrete_mesh):
    spec = ShardingSpec(name, value)
    flat, tree = pytrees.current().tracing.flatten((args, {}) if name == "in_shardings" else args)
    avals = tuple(ShapedArray(getattr(x, "shape", ()), f32) for x in flat)
    names = tuple(f"n{i}" for i in range(len(flat)))
    if name == "in_shardings":
        return flatten_in_shardings(spec, tree, avals, mesh, False, names)
    return flatten_out_shardings(spec, tree, avals, mesh, names)
"""
SHARED = """
E, A, M = AxisType.Explicit, AxisType.Auto, AxisType.Manual
class Leaf:
    def __init__(self, *shape):
        self.shape = shape
    def __array__(self, *a, **k):
        return np.zeros(self.shape)
v, w, s0 = Leaf(8), Leaf(8, 4), Leaf()
m = Mesh(array(d).reshape(4, 2), ("x", "y"))
e = Mesh(array(d).reshape(4, 2), ("x", "y"), (E, E))
em = Mesh(array(d).reshape(4, 2), ("x", "y"), (E, A))
one = Mesh(d[:1], "x")
ones = Mesh(array(d[:4]).reshape(1, 4, 1), ("a", "b", "c"))
cube = Mesh(array(d).reshape(2, 2, 2), ("a", "b", "c"))
N = NamedSharding
def hlo(s, n):
    return s._to_xla_hlo_sharding(n)
def semantic(a, b, shape):
    x, y = (SemanticallyEqualShardings((s,), (ShapedArray(shape, f32),)) for s in (a, b))
    return x == y
def typed(shape, s):
    return aval_with_sharding(ShapedArray(shape, f32), s).str_short(True, True)
"""
SPECS = ["P()", "P('x')", "P('y')", "P('x', 'y')", "P('y', 'x')", "P(('x', 'y'))", "P(('y', 'x'))",
         "P(None, 'x')", "P(None, ('x', 'y'))", "P('x', None)", "P(None, None)"]
CUBE = ["P('a')", "P('b')", "P('c')", "P('a', 'b')", "P('b', 'a')", "P(('a', 'c'))", "P(('c', 'a'))",
        "P('c', ('b', 'a'))", "P(('a', 'b', 'c'))", "P(('c', 'b', 'a'))", "P('a', None, 'c')",
        "P(('b', 'c'), 'a')"]
PLACED = ["N(m, P('x'))", "N(m, P('x', None))", "N(m, P())", "N(e, P('x'))",
          "N(m.abstract_mesh, P('x'))", "SingleDeviceSharding(d[0])", "SingleDeviceSharding(d[1])",
          "replicated(tuple(d[:2]))", "replicated(tuple(d))", "N(one, P())", "N(one, P('x'))",
          "GSPMDSharding(tuple(d), hlo(N(m, P('x')), 1))", "UNSPECIFIED",
          "N(Mesh(array(d[::-1]).reshape(4, 2), ('x', 'y')), P('x'))",
          "N(Mesh(array(d).reshape(4, 2), ('p', 'q')), P('p'))"]
EXPRESSIONS = [
    *(f"N(m, {s})" for s in SPECS), *(f"hlo(N(m, {s}), 2)" for s in SPECS),
    *(f"hlo(N(cube, {s}), 3)" for s in CUBE), *(f"hlo(N(ones, {s}), 3)" for s in CUBE),
    *(f"N(m, {s}).devices_indices_map((8, 16))" for s in SPECS),
    *(f"N(m, {s}).shard_shape((8, 16))" for s in SPECS),
    *(f"N(cube, {s}).shard_shape((4, 6, 5))" for s in CUBE),
    *(f"N(m, {s}).is_fully_replicated" for s in SPECS),
    *(f"typed((8, 16), N({mesh}, {s}))" for mesh in ("m", "e", "em") for s in SPECS),
    *PLACED, *(f"hlo({s}, 1)" for s in PLACED[:-1] if s != "UNSPECIFIED"),
    *(f"{a} == {b}" for a, b in itertools.product(PLACED, PLACED)),
    *(f"{a} != {b} or hash({a}) == hash({b})" for a, b in itertools.combinations(PLACED, 2)),
    *(f"semantic({a}, {b}, (8,))" for a, b in itertools.product(PLACED, PLACED)),
    *(f"({a}).is_equivalent_to({b}, 1)" for a, b in itertools.product(PLACED, PLACED)
      if "UNSP" not in a + b and "abstract" not in a),
    "N(m.abstract_mesh, P('x')).is_equivalent_to(N(e.abstract_mesh, P('x')), 2)",
    *(f"sorted(x.id for x in ({a}).device_set)" for a in PLACED if a != "UNSPECIFIED"),
    *(f"({a}).num_devices, ({a}).memory_kind, ({a})._is_concrete" for a in PLACED[:-3]),
    *(f"({a})._device_assignment" for a in PLACED[:-3]),
    "N(m, P('x')).is_fully_addressable", "N(m.abstract_mesh, P('x')).is_fully_addressable",
    "N(m, P('x')).addressable_devices == set(d)", "N(m, P('x')).update(spec=P('y'))",
    "N(m, P('x')).update(spec=('y',))", "N(m, P('x')).with_memory_kind('device')",
    "sorted(N(m, P('x')).replicated_axes)",
    "N(m, P('z'))", "N(m, P('x', 'x'))", "N(m, P(('x', 'y'), 'y', 'x'))", "N(m, ('x',))", "N(m, None)",
    "N(e, P(P.UNCONSTRAINED))", "N(m, P(P.UNCONSTRAINED))", "N(m, P('x'), memory_kind='zz')",
    "N(m.abstract_mesh, P('x'), memory_kind='zz')", "N(m.abstract_mesh, P('x'), memory_kind='device')",
    "SingleDeviceSharding(d[0], memory_kind='zz')", "SingleDeviceSharding(d[0]).shard_shape((3,))",
    "SingleDeviceSharding(d[0]).devices_indices_map((3, 4))",
    "N(m, P('x')).shard_shape((3,))", "N(m, P('x')).shard_shape(())",
    "N(m, P('x', 'y')).check_compatible_aval((3,))", "N(m, P('x')).check_compatible_aval(())",
    "N(m, P('x')).devices_indices_map((6,))",
    "typed((6,), N(e, P('x')))", "typed((8,), N(e, P('x', None)))", "typed((8,), N(m, P('x', None)))",
    "typed((), N(e, P('x')))", "typed((8,), SingleDeviceSharding(d[0]))",
    "type(N(m, P())), type(SingleDeviceSharding(d[0]))", "UNSPECIFIED",
    "Layout((1, 0))", "Layout((1, 0)) == Layout((1, 0))", "Format(None, N(m, P()))",
    "Format(Layout((0,)))", "Format(3)", "Format(None, 3)", "Format() == Format()",
    *(f"spread('in_shardings', {value}, {args}, {mesh})" for value, args, mesh in [
        ("UNSPECIFIED", "(v, w)", "m"), ("None", "(v, w)", "m"), ("P('x')", "(v, w)", "m"),
        ("P('x')", "(v, w)", "empty_concrete_mesh"), ("N(m, P('x'))", "(v, {'a': w})", "m"),
        ("(N(m, P('x')), None)", "(v, {'a': w, 'b': w})", "m"), ("(P('x'), {'a': P('y')})",
                                                                 "(v, {'a': w})", "m"),
        ("(P('x'),)", "(v, w)", "m"), ("[P('x'), None]", "(v, w)", "m"), ("{'a': P('x')}", "(v,)", "m"),
        ("(P('x'), {'b': P('y')})", "(v, {'a': w})", "m"), ("()", "(v,)", "m"), ("()", "()", "m"),
        ("(P('x'), (None, None))", "(v, [w, w])", "m"), ("3", "(v,)", "m"), ("P('x', 'x')", "(v,)", "m"),
        ("P(P.UNCONSTRAINED)", "(v,)", "m"), ("N(m, P(P.UNCONSTRAINED))", "(v,)", "m"),
        ("N(Mesh(d[0], ()), P())", "(v,)", "m"), ("P('x', 'y')", "(v,)", "m"), ("P('x')", "(s0,)", "m"),
        ("N(Mesh(d[:3], 'x'), P('x'))", "(v,)", "m"), ("P('z')", "(v,)", "m"),
        ("SingleDeviceSharding(d[1])", "(v, w)", "m"),
        ("({'a': P('x')},)", "({'a': v, 'b': v},)", "m"), ("(P('x'), P('y'))", "((v, w),)", "m"),
        ("d[0]", "(v,)", "m")]),
    *(f"spread('out_shardings', {value}, {args}, {mesh})" for value, args, mesh in [
        ("UNSPECIFIED", "(v, w)", "m"), ("N(m, P('x'))", "(v, w)", "m"), ("None", "v", "m"),
        ("P('x')", "(v, w)", "m"), ("(P('x'), None)", "(v, w)", "m"), ("[P('x'), None]", "(v, w)", "m"),
        ("P('x')", "v", "empty_concrete_mesh"), ("(P('x'),)", "v", "m"), ("{'a': None}", "{'b': v}", "m"),
        ("N(Mesh(d[:3], 'x'), P('x'))", "v", "m"), ("P('x', 'y')", "v", "m")]),
]


@pytest.fixture(scope="module", autouse=True)
def here():
    before = process.enter(process.Process({"JAX_NUM_CPU_DEVICES": "8"}, Recorder()))
    yield process.current()
    process.enter(before)


def without_source(text: str) -> str:
    return text.split(" This error occurs at source:")[0]


def test_same_as_jax():
    ours = both_sides.run(MODEL + SHARED, EXPRESSIONS)
    theirs = both_sides.real(REAL + SHARED, EXPRESSIONS)
    for expression, mine, wanted in itertools.zip_longest(EXPRESSIONS, ours, theirs):
        assert without_source(mine) == without_source(wanted), expression


def test_fast_path_comparison(here):
    from simulator.placement.mesh import AxisType, Mesh
    P, N, d = shardings.PartitionSpec, shardings.NamedSharding, here.devices
    mesh = Mesh(d[:2], "x")
    a, b = N(mesh, P("x")), N(Mesh(d[:2], ("x",)), P("x"))
    placement = shardings.placement
    assert a is not b and placement(a) == placement(b)
    assert hash(placement(a)) == hash(placement(b))
    one = shardings.SingleDeviceSharding(d[0])
    different = [N(mesh, P("x", None)), N(Mesh(d[2:4], "x"), P("x")),
                 N(Mesh(d[:2], "x", AxisType.Explicit), P("x")), one,
                 shardings.GSPMDSharding.replicated(d[:2]), None]
    for other in different:
        assert placement(a) != placement(other) and placement(other) != placement(a)
    assert placement(one) == placement(shardings.SingleDeviceSharding(d[0]))
    assert placement(one) != placement(shardings.SingleDeviceSharding(d[1]))
    assert placement(None) is None


def test_spec_key_tells_none_from_nothing(here):
    key = [shardings.ShardingSpec("in_shardings", v).key
           for v in (shardings.UNSPECIFIED, None, None, (None,))]
    assert key[1] == key[2] and key[0] != key[1] != key[3]
    assert hash(key[1]) == hash(key[2])


def test_texts(here):
    from simulator import key_text
    from simulator.placement.mesh import Mesh
    d = here.devices
    named = shardings.NamedSharding(Mesh(d[:2], "x"), shardings.PartitionSpec("x"))
    assert key_text.text((None, shardings.UNSPECIFIED, named)) == (
        "(None, unspecified, Named(Mesh(x=2) on 0,1, P('x',)))")
    assert key_text.text(shardings.SingleDeviceSharding(d[1])) == "SingleDevice(cpu:1)"
    assert shardings.hlo_text(named, 2) == "<{'x': 2}, [{x}, {}]>"
    assert (shardings.hlo_text(shardings.SingleDeviceSharding(d[1]), 1)
            == shardings.hlo_text(shardings.GSPMDSharding.replicated(d[:2]), 1))
    assert shardings.hlo_text(shardings.UNSPECIFIED, 1) == ""


def test_xla_choice_is_never_guessed(here):
    chosen = shardings.ChosenByXla(here.devices[:2], "a test")
    assert chosen.num_devices == 2
    for use in (lambda: chosen == chosen, lambda: hash(chosen), lambda: chosen.shard_shape((2,)),
                lambda: chosen.is_fully_replicated):
        with pytest.raises(OutOfScope, match="XLA chose"):
            use()


@pytest.mark.parametrize("make", [
    lambda m: shardings.NamedSharding(m, shardings.PartitionSpec(), memory_kind="pinned_host"),
    lambda m: shardings.PartitionSpec("x", unreduced={"y"}),
    lambda m: shardings.NamedSharding(m, shardings.PartitionSpec(), _logical_device_ids=(0,))])
def test_out_of_scope(here, make):
    from simulator.placement.mesh import Mesh
    with pytest.raises(OutOfScope):
        make(Mesh(here.devices[:2], "x"))
