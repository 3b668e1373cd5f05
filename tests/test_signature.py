"""Argument signatures and function facts against real JAX."""

import functools
import inspect
import math
import re

import numpy as np
import pytest

jax = pytest.importorskip("jax")
from jax._src import api_util, flattree, tree_util, util  # noqa: E402
from jax._src.lib import jax_jit  # noqa: E402

from simulator.functions import signature  # noqa: E402
from simulator.trees import pytrees  # noqa: E402


def f(x, y, *, k=1):
    pass


def positional_only(a, /, b, *rest, c=0):
    pass


def anything(*args, **kwargs):
    pass


def defaults(x, y=3, **rest):
    pass


class Callable:
    def __call__(self, x):
        pass

    def method(self, x):
        pass


@functools.wraps(f)
def wrapped(*args, **kwargs):
    pass


FUNCTIONS = [f, positional_only, anything, defaults, Callable(), Callable().method, wrapped,
             lambda x: x, functools.partial(f, 1), functools.partial(functools.partial(f, 1), 2),
             max, math.sin, print, np.add, int]


def outcome(thunk):
    try:
        return thunk()
    except Exception as error:
        return type(error).__name__, str(error).splitlines()[0]


def without_addresses(fun):
    return re.sub(r" at 0x\w+", "", repr(fun))


@pytest.mark.parametrize("fun", FUNCTIONS, ids=without_addresses)
def test_names_and_positions(fun):
    assert signature.fun_name(fun) == util.fun_name(fun)
    assert signature.fun_sourceinfo(fun) == api_util.fun_sourceinfo(fun)
    theirs = api_util.fun_signature(fun)
    ours = signature.parameters(fun)
    assert (ours is None) == (theirs is None)
    if theirs is not None:
        found = theirs.parameters.values()
        assert list(ours) == [(p.name, p.kind) for p in found]
        assert ours.optional == {p.name for p in found if p.default is not p.empty}
    ours = signature.debug_info("jit", fun, (1,), {})
    theirs = api_util.debug_info("jit", fun, (1,), {})
    assert ours[:3] == (theirs.traced_for, theirs.func_src_info, theirs.arg_names)
    assert (ours.func_name, ours.func_filename, ours.func_lineno) == (
        theirs.func_name, theirs.func_filename, theirs.func_lineno)


NUMBERS = [None, (), 0, 1, (0, 1), -1, (0, -3), 5, "x", [1], 1.5, (0, "a"), np.int64(1)]
NAMES = [None, (), "x", "k", ["x", "y"], "zz", "a", "rest", 3, ("b", 3)]


@pytest.mark.parametrize("fun", [f, positional_only, anything, defaults, wrapped, int])
def test_resolve_argnums(fun):
    theirs = inspect.signature(fun) if fun is not int else None
    ours = signature.parameters(fun)
    for num in NUMBERS:
        for name in NAMES:
            for static in ((num, name, None, None), (None, None, num, name),
                           (num, None, None, name), (1, None, num, name)):
                assert (outcome(lambda: signature.resolve_argnums(fun, ours, *static))
                        == outcome(lambda: api_util.resolve_argnums(fun, theirs, *static))), static


@pytest.mark.parametrize("bad", [3, staticmethod(f), (lambda: (yield))])
def test_not_callable(bad):
    assert outcome(lambda: signature.check_callable(bad)) == outcome(
        lambda: api_util.check_callable(bad))


CALLS = [
    ((1, 2), {}), ((1.0, 2), {}), (({"a": 1, "b": [2, 3]}, 2), {}), ((1,), {"y": 2}),
    ((1,), {"y": 2, "k": 3}), ((), {"x": 1, "y": 2}), ((1, None), {}), ((1, (2, 3)), {"k": None}),
    ((1, 2, 3, 4), {"c": 5}), ((1, 2), {"zz": {"q": 1}}), ((), {}), (("s", 2), {"k": "t"}),
    (((1, 2), 2), {}), (((1.0, 2), 2), {}), ((True, 2), {}),
]


@pytest.mark.parametrize("fun", [f, positional_only, anything, defaults, wrapped, lambda a=1, /: a])
def test_binding(fun):
    for args, kwargs in [*CALLS, ((1, 2), {"x": 3}), ((1,), {"a": 2, "b": 3}), ((), {"a": 1}),
                         ((1, 2, 3), {"rest": 4}), ((1,), {"y": 2, "args": 5})]:
        theirs = outcome(lambda: list(inspect.signature(fun).bind(*args, **kwargs).arguments.items()))
        ours = signature.parameters(fun).bind(args, kwargs)
        assert (list(ours.items()) == theirs) if ours is not None else theirs[0] == "TypeError"


STATIC = [((), ()), ((0,), ()), ((1,), ("k",)), ((-1,), ()), ((0, 1), ("k", "y")), ((7,), ("zz",)),
          ((-3,), ())]


@pytest.mark.parametrize("fun", [f, positional_only, anything, defaults])
@pytest.mark.parametrize("nums, names", STATIC)
def test_arg_names_and_donation(fun, nums, names):
    for args, kwargs in CALLS:
        ours = outcome(lambda: signature.debug_info(
            "jit", fun, args, kwargs, static_argnums=nums, static_argnames=names).arg_names)
        theirs = outcome(lambda: api_util.debug_info(
            "jit", fun, args, kwargs, static_argnums=nums, static_argnames=names).arg_names)
        assert ours == theirs
        trees = outcome(
            lambda: flattree.flatten_static_argnums_argnames_and_return_various_trees(
                args, kwargs, nums, names))
        flat = outcome(lambda: signature.flatten_call(args, kwargs, nums, names))
        if not isinstance(flat, signature.FlatCall):
            assert flat == trees
            continue
        _, with_nones, filtered = trees
        assert str(flat.tree) == str(filtered)
        assert str(flat.tree_with_statics) == str(with_nones)
        assert flat.unflatten() == (args, kwargs)
        for donate in ((0,), ()), ((1,), ("y",)), ((0, 1), ("k", "x")):
            assert (signature.donation_vector(*donate, flat.tree_with_statics)
                    == api_util.donation_vector(*donate, with_nones))


def parse_both(args, kwargs, nums, names):
    interned = tuple(names)
    theirs = outcome(lambda: jax_jit.parse_arguments(
        args, tuple(kwargs.values()), tuple(kwargs), list(nums), list(interned),
        tree_util.tracing_registry))
    ours = outcome(lambda: signature.parse_arguments(
        args, kwargs, nums, names, pytrees.current().tracing))
    return ours, theirs


@pytest.mark.parametrize("nums, names", STATIC)
def test_signatures_relate_alike(nums, names):
    parsed = [parse_both(a, k, nums, names) for a, k in CALLS]
    for ours, theirs in parsed:
        assert ours[1] == theirs[1]
    for (m1, r1) in parsed:
        for (m2, r2) in parsed:
            assert (m1[0] == m2[0]) == (r1[0] == r2[0])
            if m1[0] == m2[0] and not isinstance(outcome(lambda: hash(m1[0])), tuple):
                assert hash(m1[0]) == hash(m2[0])


NAN = float("nan")


class Loud:
    def __eq__(self, other):
        raise RuntimeError("no")

    __hash__ = object.__hash__


class Equal:
    def __eq__(self, other):
        return True

    def __hash__(self):
        return 1


LOUD, EQUAL = Loud(), Equal()
STATICS = [1, 1.0, True, (1, 2), (1.0, 2), NAN, float("nan"), "s", "s", None, [1], {}, LOUD, Loud(),
           EQUAL, Equal(), np.float32(1), slice(1, 2), f]


def test_static_values():
    for a in STATICS:
        (m1, _), (r1, _) = parse_both((a, 0), {}, (0,), ())
        assert outcome(lambda: hash(m1) and 0) == outcome(lambda: hash(r1) and 0)
        for b in STATICS:
            (m2, _), (r2, _) = parse_both((b, 0), {}, (0,), ())
            assert outcome(lambda: m1 == m2) == outcome(lambda: r1 == r2), (a, b)


def test_tracing_key():
    for a in STATICS:
        for b in STATICS:
            ours = [signature.flatten_call((v, 0), {}, (0,), ()) for v in (a, b)]
            theirs = [flattree.flatten_static_argnums_argnames((v, 0), {}, (0,), ())
                      for v in (a, b)]
            assert (outcome(lambda: ours[0] == ours[1])
                    == outcome(lambda: theirs[0] == theirs[1])), (a, b)
            assert outcome(lambda: hash(ours[0]) and 0) == outcome(lambda: hash(theirs[0]) and 0)


def test_result_paths():
    assert signature.result_paths({"a": [1, 2]}) == ("result['a'][0]", "result['a'][1]")
    assert signature.result_paths(1) == ("result",)
