"""Tree structures in the fast path: what of a container is compared, and how."""

from tests.station_keys.program import check

BOX = """
        @jax.tree_util.register_pytree_node_class
        class Box:
            def __init__(self, x, meta=None): self.x, self.meta = x, meta
            def tree_flatten(self): return (self.x,), self.meta
            @classmethod
            def tree_unflatten(cls, meta, xs): return cls(xs[0], meta)
        h = jax.jit(lambda t: lax.sin(jax.tree_util.tree_leaves(t)[0]))
"""

CHECKS = [
    check("fast_path", "treedefs", "kind of container", """
        Pair = collections.namedtuple('Pair', 'a')
        h = jax.jit(lambda t: lax.sin(jax.tree_util.tree_leaves(t)[0]))
        h(x)                                        #: M M M M M M M
        h((x,))                                     #: M M M M M M M
        h([x])                                      #: M M M M M M M
        h({'a': x})                                 #: M M M M M M M
        h(Pair(x))                                  #: M M M M M M M
        h(collections.OrderedDict(a=x))             #: M M M M M M M
        h([x])                                      #: H
        h({'a': x})                                 #: H
        h(Pair(x))                                  #: H
    """),
    check("fast_path", "treedefs", "number of children, nesting", """
        h = jax.jit(lambda *t: lax.sin(jax.tree_util.tree_leaves(t)[0]))
        h((x, x), x)                                #: M M M M M M M
        h((x, x, x))                                #: M M M M M M M
        h(x, (x, x))                                #: M M M M M M M
        h(x, x, x)                                  #: M M M M M M M
        h(((x, x), x))                              #: M M M M M M M
        h((x, (x, x)))                              #: M M M M M M M
        h((x, (x,)))                                #: M M M M M M M
        h(((x, x),))                                #: M M M M M M M
        h((x, x), x)                                #: H
    """),
    check("fast_path", "treedefs", "None is an empty container", """
        h = jax.jit(lambda *t: lax.sin(x))
        h(x)                                        #: M M M M M M M
        h(None)                                     #: M M M M M M M
        h(())                                       #: M M M M M M M
        h([x, None])                                #: M M M M M M M
        h([x])                                      #: M M M M M M M
        h([None, x])                                #: M M M M M M M
        h(None)                                     #: H
    """),
    check("fast_path", "treedefs", "dict keys, by ==, in any order", """
        h = jax.jit(lambda t: lax.sin(jax.tree_util.tree_leaves(t)[0]))
        h({'ab': x, 'b': x})                        #: M M M M M M M
        h({'b': x, 'ab': x})                        #: H
        h({''.join(['a', 'b']): x, 'b': x})         #: H
        h({'ab': x, 'c': x})                        #: M M M M M M M
        h({1: x})                                   #: M M M M M M M
        h({1.0: x})                                 #: H
        h({2: x})                                   #: M M M M M M M
    """),
    check("fast_path", "treedefs", "the order in an OrderedDict", """
        O = collections.OrderedDict
        h = jax.jit(lambda t: lax.sin(jax.tree_util.tree_leaves(t)[0]))
        h(O([('a', x), ('b', x)]))                  #: M M M M M M M
        h(O([('b', x), ('a', x)]))                  #: M M M M M M M
        h(O([('a', x), ('b', x)]))                  #: H
    """),
    check("fast_path", "treedefs", "the class of a namedtuple", """
        A, B = (collections.namedtuple('Pair', 'a') for _ in range(2))
        h = jax.jit(lambda t: lax.sin(t[0]))
        h(A(x))                                     #: M M M M M M M
        h(B(x))                                     #: M M M M M M M
        h(A(x))                                     #: H
    """),
    check("fast_path", "treedefs", "the registered type", BOX + """
        @jax.tree_util.register_pytree_node_class
        class Other(Box): pass
        h(Box(x))                                   #: M M M M M M M
        h(Other(x))                                 #: M M M M M M M
        h(Box(x))                                   #: H
    """),
    check("fast_path", "treedefs", "the type of a registered dataclass", """
        def made(name):
            cls = dataclasses.make_dataclass(name, ['a', 'meta'])
            return jax.tree_util.register_dataclass(cls, ['a'], ['meta'])
        A, B = made('A'), made('B')
        h = jax.jit(lambda t: lax.sin(t.a))
        h(A(x, 1))                                  #: M M M M M M M
        h(B(x, 1))                                  #: M M M M M M M
        h(A(x, 1.0))                                #: H
        h(A(x, 2))                                  #: M M M M M M M
    """),
    check("fast_path", "treedefs", "metadata by ==, never its type", BOX + """
        h(Box(x, 1))                                #: M M M M M M M
        h(Box(x, 1.0))                              #: H
        h(Box(x, True))                             #: H
        h(Box(x, 2))                                #: M M M M M M M
        h(Box(x, (1, 2)))                           #: M M M M M M M
        h(Box(x, (1.0, 2)))                         #: H
    """),
    check("fast_path", "treedefs", "metadata needs no hash", BOX + """
        h(Box(x, [1]))                              #: M M M M M M M
        h(Box(x, [1]))                              #: H
        h(Box(x, [2]))                              #: M M M M M M M
    """),
    check("fast_path", "treedefs", "the same metadata object is equal to itself", BOX + """
        nan = float('nan')
        h(Box(x, nan))                              #: M M M M M M M
        h(Box(x, nan))                              #: H
        h(Box(x, float('nan')))                     #: M M M M M M M
    """),
    check("fast_path", "treedefs", "metadata that cannot be compared", BOX + """
        class Loud:
            def __eq__(self, other): raise RuntimeError('no')
            __hash__ = None
        h(Box(x, Loud()))                           #: M M M M M M M
        h(Box(x, Loud()))                           #: !ValueError
    """),
]
