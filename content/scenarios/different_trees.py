# title: The same leaves in other containers
# kind: surprise
# about: fast_path params trace
# decisive: total([x, y])
# expected: what counts is the arrays, not what holds them.
# happens: a list, a tuple and a dict are three structures; the order of a dict does not matter, that of an OrderedDict does, and None is an empty place, not a value.
# source: jaxlib/pytree.h
from collections import OrderedDict, defaultdict
import jax
import jax.numpy as jnp
from jax import lax

total = jax.jit(lambda tree: sum(jax.tree.leaves(tree)))
x, y = jnp.asarray([0.0, 1.0, 2.0]), jnp.ones(3)
call("total((x, y))", lambda: total((x, y)))
call("total([x, y])", lambda: total([x, y]))
call("total({'a': x, 'b': y})", lambda: total({"a": x, "b": y}))
call("total({'b': y, 'a': x})", lambda: total({"b": y, "a": x}))
call("total([x, None])", lambda: total([x, None]))
call("total([x])", lambda: total([x]))
call("total(OrderedDict(a=x, b=y))", lambda: total(OrderedDict(a=x, b=y)))
call("total(OrderedDict(b=y, a=x))", lambda: total(OrderedDict(b=y, a=x)))
call("total(defaultdict(list, a=x))", lambda: total(defaultdict(list, a=x)))
call("total(defaultdict(int, a=x))", lambda: total(defaultdict(int, a=x)))
call("total({1: x, 'a': y})", lambda: total({1: x, "a": y}))
