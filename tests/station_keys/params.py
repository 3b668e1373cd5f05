"""The params cache. To get past the fast path, a second call passes xn instead of x."""

from simulator import keys
from tests.station_keys.process import Asked, Thing, direct
from tests.station_keys.program import check
from tests.station_keys.signature_trees import BOX

CHECKS = [
    check("params", "PjitInfo", "every wrapper has its own, whatever its options", """
        g(x)                                        #: M M M M M M M
        jax.jit(f)(xn)                              #: M M H H . H
        jax.jit(f)(xn)                              #: H
        g(xn)                                       #: H
        jax.jit(f).lower(x)                         #: . M H H
        g.lower(x)                                  #: . H . H
    """),
    check("params", "names", "keyword names", """
        h = jax.jit(lambda **k: lax.sin(sum(k.values(), start=x)))
        h(ab=x)                                     #: M M M M M M M
        h(**{''.join(['a', 'b']): xn})              #: M H . H . H
        h.lower(c=x)                                #: . M M M M
    """),
    check("params", "names", "positional is not keyword", """
        g(x)                                        #: M M M M M M M
        g.lower(x)                                  #: . H . H
        g.lower(x=x)                                #: . M M M M
    """),
    check("params", "static names", "the same values under other names", """
        @functools.partial(jax.jit, static_argnames=('a', 'ab'))
        def h(x, a=0, ab=0): return lax.sin(x)
        h.lower(x, ab=1)                            #: . M M M M
        h.lower(x, **{''.join(['a', 'b']): 1})      #: . H . H
        h.lower(x, a=1)                             #: . M M M M
        h.lower(x, 1)                               #: . M M M M
    """),
    check("params", "static args", "type, then identity or ==", """
        nan = float('nan')
        h = jax.jit(lambda x, n: lax.sin(x), static_argnums=1)
        h.lower(x, 1)                               #: . M M M M
        h.lower(x, 1.0)                             #: . M M M M
        h.lower(x, 2)                               #: . M M M M
        h.lower(x, (2,))                            #: . M M M M
        h.lower(x, (2.0,))                          #: . H . H
        h.lower(x, ''.join(['a', 'b']))             #: . M M M M
        h.lower(x, ''.join(['a', 'b']))             #: . H . H
        h.lower(x, nan)                             #: . M M M M
        h.lower(x, nan)                             #: . H . H
        h.lower(x, float('nan'))                    #: . M M M M
    """),
    check("params", "signature", "structure", """
        Pair = collections.namedtuple('Pair', 'a')
        h = jax.jit(lambda *t: lax.sin(jax.tree_util.tree_leaves(t)[0]))
        h.lower((x,))                               #: . M M M M
        h.lower([x])                                #: . M M M M
        h.lower({'a': x})                           #: . M M M M
        h.lower({'ab': x})                           #: . M M M M
        h.lower({''.join(['a', 'b']): xn})               #: . H . H
        h.lower(Pair(x))                            #: . M M M M
        h.lower(x, None)                            #: . M M M M
        h.lower((x, x), x)                          #: . M M M M
        h.lower(x, (x, x))                          #: . M M M M
        h.lower((x, (x, x)))                        #: . M M M M
        h.lower((x, (x,)))                          #: . M M M M
        h.lower(((x, x),))                          #: . M M M M
        h.lower([xn])                               #: . H . H
    """),
    check("params", "signature", "the type of a container", BOX + """
        @jax.tree_util.register_pytree_node_class
        class Other(Box): pass
        A, B = (collections.namedtuple('Pair', 'a') for _ in range(2))
        h.lower(Box(x))                             #: . M M M M
        h.lower(Other(x))                           #: . M M M M
        h.lower(A(x))                               #: . M M M M
        h.lower(B(x))                               #: . M M M M
        h.lower(Box(xn))                            #: . H . H
    """),
    check("params", "signature", "metadata by ==, never its type", BOX + """
        nan = float('nan')
        h.lower(Box(x, 1))                          #: . M M M M
        h.lower(Box(x, 1.0))                        #: . H . H
        h.lower(Box(x, 2))                          #: . M M M M
        h.lower(Box(x, [1]))                        #: . M M M M
        h.lower(Box(x, [1]))                        #: . H . H
        h.lower(Box(x, nan))                        #: . M M M M
        h.lower(Box(x, nan))                        #: . H . H
        h.lower(Box(x, float('nan')))               #: . M M M M
    """),
    check("params", "signature", "typed keys are leaves here", """
        k = jax.random.key(0)
        h = jax.jit(lambda k: k)
        h(k)                                        #: M M M M M M M
        h.lower(k)                                  #: . H . H
    """),
    check("params", "avals", "shape, dtype, weak type", """
        h = jax.jit(lambda x: x)
        h.lower(xn)                                 #: . M M M M
        h.lower(xn[:3])                             #: . M M M M
        h.lower(xn.astype('i4'))                    #: . M M M M
        h.lower(1.0)                                #: . M M M M
        h.lower(np.float32(1))                      #: . M M M M
        h.lower(2.0)                                #: . H . H
        h.lower(xn.astype('f8'))                    #: . H . H
        h.lower(jax.ShapeDtypeStruct((4,), 'f4'))   #: . H . H
    """),
    check("params", "avals", "not where an array is", """
        g(x)                                        #: M M M M M M M
        g(jax.device_put(xn, d[1]))                 #: M H . M M M M
        g(jax.device_put(xn, d[2]))                 #: M H . M H M M
    """),
    check("params", "avals", "the axes of its mesh, whatever the devices", """
        g(x)                                        #: M M M M M M M
        g(put(P('x')))                              #: M M M M M M M
        g(put(P('y'), 'y'))                         #: M M M M M M M
        g(put(P('x'), 'x', d[::-1]))                #: M H . M H M M
        g(put(P('x'), 'x', d[:2]))                  #: M M M M M M M
        g(put(P('x'), 'x', None, AxisType.Explicit))    #: M M M M M M M
    """),
    check("params", "avals", "the spec only where axes are Explicit", """
        def at(spec, kind): return put(spec, 'x', None, kind)
        auto, explicit = AxisType.Auto, AxisType.Explicit
        g(at(P('x'), auto))                         #: M M M M M M M
        g(at(P(), auto))                            #: M H . M M M M
        g(at(P('x'), explicit))                     #: M M M M M M M
        g(at(P(), explicit))                        #: M M M M M M M
        g(at(P(None), explicit))                    #: M H . M H M H
    """),
    check("params", "ctx mesh", "the mesh of set_mesh, with its devices", """
        a, b = mesh(), mesh('x', d[::-1])
        with jax.set_mesh(a): g(x)                  #: M M M M M M M
        with jax.set_mesh(mesh()): g(x)             #: H
        with jax.set_mesh(mesh()): g.lower(xn)      #: . H . H
        with jax.set_mesh(b): g(x)                  #: M M H M H M M
    """),
    check("params", "ctx mesh", "an Explicit abstract mesh, no Auto one", """
        kinds = AxisType.Explicit, AxisType.Auto
        e, a = (mesh('x', None, kind).abstract_mesh for kind in kinds)
        g.trace(x)                                              #: . M M
        with jax.sharding.use_abstract_mesh(e): g.trace(x)      #: . M M
        with jax.sharding.use_abstract_mesh(a): g.trace(x)      #: . M M
        g.trace(x)                                              #: . H
    """),
]


@direct(CHECKS, "params", "function", "by ==, for the same options")
def _(here):
    # Implied in programs: every wrapper has options of its own.
    class Equal:
        def __eq__(self, other):
            return isinstance(other, Equal)

        def __hash__(self):
            return 1

    one, same, other = Equal(), Equal(), Thing()
    params = Asked(here, keys.PARAMS, one)
    params.miss()
    params.hit()
    params.hit(weak=same)
    params.miss(weak=other)
    first, second = ((lambda: None) for _ in range(2))
    params.miss(weak=first)
    params.miss(weak=second)


@direct(CHECKS, "params", "ctx mesh", "alone")
def _(here):
    params = Asked(here, keys.PARAMS)
    params.miss(ctx_mesh="a")
    params.hit(ctx_mesh="".join(["a"]))
    params.miss(ctx_mesh="b")
