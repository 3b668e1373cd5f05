"""Pytrees against real JAX: same leaves, texts, paths, equality and error lines."""

import collections
import dataclasses
import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

jax = pytest.importorskip("jax")
from jax import tree_util as real  # noqa: E402
from jax._src import api_util  # noqa: E402
from jax._src import tree_util as real_internal  # noqa: E402

from simulator.errors import OutOfScope  # noqa: E402
from simulator.trees import pytrees as model  # noqa: E402
from simulator.trees import registries, tree_errors  # noqa: E402

Point = collections.namedtuple("Point", "x y")
Other = collections.namedtuple("Other", "x y")


class Box:
    def __init__(self, value, meta=None):
        self.value, self.meta = value, meta


class Keyed:
    def __init__(self, left, right):
        self.left, self.right = left, right

    def tree_flatten_with_keys(self):
        return ((model.GetAttrKey("left"), self.left), ("own", self.right)), "m"

    @classmethod
    def tree_unflatten(cls, meta, children):
        return cls(*children)


@dataclasses.dataclass
class Record:
    a: object
    b: object
    tag: object = dataclasses.field(default=0, metadata=dict(static=True))


@dataclasses.dataclass
class Twin:
    a: object
    b: object
    tag: object = dataclasses.field(default=0, metadata=dict(static=True))


class Word(str):
    pass


@pytest.fixture(scope="module", autouse=True)
def registered():
    with model.using(model.Registries()):
        for api in (real, model):
            api.register_pytree_node(Box, lambda b: ((b.value,), b.meta),
                                     lambda meta, xs: Box(*xs, meta))
            api.register_pytree_with_keys_class(Keyed)
            api.register_dataclass(Record)
            api.register_dataclass(Twin)
            api.register_static(Word)
        yield


leaf = st.one_of(st.integers(-3, 3), st.just(1.5), st.just("s"), st.just(frozenset()))
meta = st.sampled_from([None, 1, 1.0, True, (1, 2), (1.0, 2), "m", [1]])


def grow(children):
    pair = st.tuples(children, children)
    return st.one_of(
        st.lists(children, max_size=3), st.lists(children, max_size=3).map(tuple),
        st.dictionaries(st.sampled_from("abcd"), children, max_size=3),
        st.dictionaries(st.integers(0, 3), children, max_size=2),
        st.dictionaries(st.sampled_from("abcd"), children, max_size=3).map(
            collections.OrderedDict),
        st.dictionaries(st.sampled_from("ab"), children, max_size=2).map(
            lambda d: collections.defaultdict(list, d)),
        pair.map(lambda p: Point(*p)), pair.map(lambda p: Other(*p)),
        pair.map(lambda p: Keyed(*p)),
        st.tuples(children, meta).map(lambda p: Box(*p)),
        st.tuples(children, children, meta).map(lambda p: Record(*p)),
        st.tuples(children, children, meta).map(lambda p: Twin(*p)),
        st.none(), st.just(Word("w")))


trees = st.recursive(leaf, grow, max_leaves=8)


def outcome(thunk):
    """The value, or the error as (type name, first line)."""
    try:
        return thunk()
    except Exception as error:
        lines = str(error).splitlines() if type(error) is not AssertionError else []
        return type(error).__name__, *lines[:1]


@settings(deadline=None)
@given(trees)
def test_flatten_text_paths_and_back(tree):
    leaves, treedef = real.tree_flatten(tree)
    ours, ourdef = model.tree_flatten(tree)
    assert ours == leaves
    assert str(ourdef) == str(treedef)
    assert (ourdef.num_leaves, ourdef.num_nodes) == (treedef.num_leaves, treedef.num_nodes)
    assert list(map(str, ourdef.children())) == list(map(str, treedef.children()))
    assert ourdef.node_data() == treedef.node_data()
    assert ([model.keystr(p) for p, _ in model.tree_leaves_with_path(tree)]
            == [real.keystr(p) for p, _ in real.tree_leaves_with_path(tree)])
    assert str(model.tree_structure(ourdef.unflatten(leaves))) == str(ourdef)
    assert (str(model.current().none_leaf.flatten(tree)[1])
            == str(real_internal.none_leaf_registry.flatten(tree)[1]))


@settings(deadline=None, max_examples=300)
@given(trees, trees)
def test_equality_prefixes_and_differences(a, b):
    ra, rb = real.tree_structure(a), real.tree_structure(b)
    ma, mb = model.tree_structure(a), model.tree_structure(b)
    assert (ma == mb) == (ra == rb)
    assert (hash(ma) == hash(mb)) == (hash(ra) == hash(rb))
    assert outcome(lambda: ma.flatten_up_to(b)) == outcome(lambda: ra.flatten_up_to(b))
    assert (outcome(lambda: model.tree_leaves(model.tree_map(lambda x, y: (x, y), a, b)))
            == outcome(lambda: real.tree_leaves(real.tree_map(lambda x, y: (x, y), a, b))))
    assert (outcome(lambda: model.broadcast_prefix(a, b))
            == outcome(lambda: real_internal.broadcast_prefix(a, b)))

    def said(errors):
        return [tuple(map(str, (p if isinstance(p, str) else "".join(map(str, p)), x, y, z)))
                for p, x, y, z in errors]
    registry = model.current().default
    ours = outcome(lambda: said(tree_errors.equality_errors_pytreedef(registry, ma, mb)))
    theirs = outcome(lambda: said(real_internal.equality_errors_pytreedef(ra, rb)))
    # Two dict key sets print in set order, which is not fixed: compare the rest.
    cut = lambda rows: rows if isinstance(rows, tuple) else [  # noqa: E731
        (*r[:3], r[3].split(", with")[0]) for r in rows]
    assert cut(ours) == cut(theirs)


@settings(deadline=None, max_examples=300)
@given(trees, trees, st.booleans())
def test_in_shardings_prefix(specs, args, tupled):
    args = args if isinstance(args, tuple) else (args,)
    rdef = real_internal.tracing_registry.flatten(args)[1]
    mdef = model.current().tracing.flatten(args)[1]
    for theirs, ours in ((api_util.flatten_axes, tree_errors.flatten_axes),):
        assert (outcome(lambda: list(ours(model.current(), "in_shardings", mdef, specs,
                                          tupled_args=tupled)))
                == outcome(lambda: list(theirs("in_shardings", rdef, specs,
                                               tupled_args=tupled))))
    from jax._src.pjit import flatten_axis_resources
    assert (outcome(lambda: tree_errors.flatten_axis_resources(
                model.current(), "in_shardings", mdef, specs, tupled))
            == outcome(lambda: flatten_axis_resources("in_shardings", rdef, specs, tupled)))


def test_metadata_has_no_type_check_and_need_not_be_hashable():
    defs = [model.tree_structure(Box(0, m)) for m in (1, 1.0, True, [1], [1])]
    assert defs[0] == defs[1] == defs[2] and hash(defs[0]) == hash(defs[3])
    assert defs[3] == defs[4] != defs[0]


def test_two_dataclasses_are_equal_but_hash_apart():
    for api in (real, model):
        a, b = api.tree_structure(Record(1, 2)), api.tree_structure(Twin(1, 2))
        assert a == b and hash(a) != hash(b)


def test_not_equal_is_false_for_strangers():
    assert not (model.tree_structure(1) != 3) and not (real.tree_structure(1) != 3)
    assert model.tree_structure(1) != model.tree_structure(())


class Grumpy:
    def __ne__(self, other):
        raise RuntimeError("no")

    __eq__ = __ne__
    __hash__ = None


@pytest.mark.parametrize("make", [
    lambda api, a: api.tree_structure(Box(0, a)), lambda api, a: api.tree_structure(Record(0, 0, a))])
@pytest.mark.parametrize("value", [lambda: np.arange(3), Grumpy])
def test_error_in_metadata_comparison(make, value):
    first, second = value(), value()
    for a, b in itertools.product((first, second), repeat=2):
        assert (outcome(lambda: make(model, a) == make(model, b))
                == outcome(lambda: make(real, a) == make(real, b)))


@pytest.mark.parametrize("call", [
    lambda t: t.tree_flatten({1: 0, "a": 0}),
    lambda t: t.tree_structure((1, 2)).unflatten([1]),
    lambda t: t.tree_structure((1, 2)).unflatten([1, 2, 3]),
    lambda t: t.register_pytree_node(list, lambda b: b, lambda *_: 0),
    lambda t: t.register_pytree_node(Box, lambda b: b, lambda *_: 0),
    lambda t: t.register_dataclass(Record),
    lambda t: t.register_dataclass(Box),
    lambda t: t.register_dataclass(Box, data_fields=["a"]),
    lambda t: t.register_dataclass(Box, ["a"], ["a"]),
    lambda t: t.register_dataclass(Twin, ["a"], ["b"]),
    lambda t: t.tree_flatten(1, is_leaf=lambda x: 3),
    lambda t: t.tree_transpose(t.tree_structure([0, 0]), t.tree_structure((0,)), [1]),
    lambda t: t.tree_reduce_associative(max, ()),
    lambda t: t.tree_reduce(max, ()),
    lambda t: t.tree_leaves(t.tree_transpose(t.tree_structure([0, 0]), None, [(1, 2), (3, 4)])),
    lambda t: t.tree_reduce_associative(lambda a, b: f"({a}{b})", list("abcde")),
    lambda t: t.tree_all([1, ()]),
    lambda t: t.all_leaves([1, None]),
    lambda t: str(t.treedef_tuple([t.tree_structure({"a": 1}), t.tree_structure(None)])),
    lambda t: t.keystr(t.tree_leaves_with_path({"a": [1]})[0][0], simple=True, separator="/"),
    lambda t: repr(t.tree_leaves_with_path({"a": [1], "b": Point(1, 2)})),
    lambda t: repr(t.tree_leaves_with_path([Box(1)])),
    lambda t: repr(t.Partial(t.Partial(max, 1), 2)),
    lambda t: t.tree_structure(t.Partial(max, 1)) == t.tree_structure(t.Partial(max, 2)),
    lambda t: t.tree_map_with_path(lambda p, x, y: (t.keystr(p), x + y), {"a": 1}, {"a": 2}),
    lambda t: t.tree_map_with_path(lambda p, x, y: 0, {"a": 1}, {"b": 2}),
])
def test_same_answer_or_error(call):
    ours = outcome(lambda: call(model))
    theirs = outcome(lambda: call(real))
    assert ours == theirs


def test_processes_do_not_share_registrations():
    with model.using(model.Registries()):
        assert not model.is_tree_node(Box)
    assert model.is_tree_node(Box)


def test_dispatch_only():
    class Key:
        pass
    model.register_only("dispatch", Key, lambda k: ((1,), None), lambda m, c: Key())
    try:
        fresh = model.Registries()
        assert fresh.dispatch.is_node(Key) and not fresh.tracing.is_node(Key)
    finally:
        registries._library.pop()


def test_out_of_scope():
    with pytest.raises(OutOfScope, match="walk"):
        model.tree_structure(1).walk(None, None, [])
