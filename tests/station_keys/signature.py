"""The inner key of the fast path, apart from trees and config states.

NumPy arguments keep placement and commitment out of the way where types are tested.
"""

from simulator import fast_path
from simulator.placement import shardings
from tests.station_keys.process import direct
from tests.station_keys.program import check

CHECKS = [
    check("fast_path", "arg names", "keyword names, in any order", """
        def h(**k): return lax.sin(sum(k.values(), start=x))
        h = jax.jit(h)
        h(ab=x)                                     #: M M M M M M M
        h(**{''.join(['a', 'b']): x})               #: H
        h(c=x)                                      #: M M M M M M M
        h(ab=x, c=x)                                #: M M M M M M M
        h(c=x, ab=x)                                #: H
    """),
    check("fast_path", "arg names", "positional is not keyword", """
        g(x)                                        #: M M M M M M M
        g(x=x)                                      #: M M M M M M M
        g(x=x)                                      #: H
    """),
    check("fast_path", "static names", "the same values under other names", """
        @functools.partial(jax.jit, static_argnames=('a', 'ab'))
        def h(x, a=0, ab=0): return lax.sin(x)
        h(x)                                        #: M M M M M M M
        h(x, a=1)                                   #: M M M M M M M
        h(x, ab=1)                                  #: M M M M M M M
        h(x, **{''.join(['a', 'b']): 1})            #: H
        h(x, 1)                                     #: M M M M M M M
    """),
    check("fast_path", "static args", "by value", """
        h = jax.jit(lambda x, n: lax.sin(x), static_argnums=1)
        h(x, 'ab')                                  #: M M M M M M M
        h(x, ''.join(['a', 'b']))                   #: H
        h(x, 'b')                                   #: M M M M M M M
    """),
    check("fast_path", "static args", "how many there are", """
        h = jax.jit(lambda *a: lax.sin(a[0]), static_argnums=(1, 2))
        h(x, 1)                                     #: M M M M M M M
        h(x, 1, 1)                                  #: M M M M M M M
    """),
    check("fast_path", "static args", "the outermost type counts", """
        class Int(int): pass
        h = jax.jit(lambda x, n: lax.sin(x), static_argnums=1)
        h(x, 1)                                     #: M M M M M M M
        h(x, 1.0)                                   #: M M M M M M M
        h(x, True)                                  #: M M M M M M M
        h(x, Int(1))                                #: M M M M M M M
        h(x, 1)                                     #: H
        h(x, Int(1))                                #: H
    """),
    check("fast_path", "static args", "inner types do not", """
        h = jax.jit(lambda x, n: lax.sin(x), static_argnums=1)
        h(x, (2,))                                  #: M M M M M M M
        h(x, (2.0,))                                #: H
        h(x, (3,))                                  #: M M M M M M M
    """),
    check("fast_path", "static args", "the same object is equal to itself", """
        nan = float('nan')
        class Never:
            def __eq__(self, other): return False
            def __hash__(self): return 1
        never = Never()
        h = jax.jit(lambda x, n: lax.sin(x), static_argnums=1)
        h(x, nan)                                   #: M M M M M M M
        h(x, nan)                                   #: H
        h(x, float('nan'))                          #: M M M M M M M
        h(x, never)                                 #: M M M M M M M
        h(x, never)                                 #: H
        h(x, Never())                               #: M M M M M M M
    """),
    check("fast_path", "static args", "equal objects", """
        class Equal:
            def __eq__(self, other): return isinstance(other, Equal)
            def __hash__(self): return 1
        class Other(Equal): pass
        h = jax.jit(lambda x, n: lax.sin(x), static_argnums=1)
        h(x, Equal())                               #: M M M M M M M
        h(x, Equal())                               #: H
        h(x, Other())                               #: M M M M M M M
    """),
    check("fast_path", "static args", "without a hash nothing is asked", """
        h = jax.jit(lambda x, n: lax.sin(x), static_argnums=1)
        h(x, [1])                                   #: !ValueError
    """),
    check("fast_path", "static args", "a comparison that fails", """
        class Loud:
            def __eq__(self, other): raise RuntimeError('no')
            def __hash__(self): return 1
        h = jax.jit(lambda x, n: lax.sin(x), static_argnums=1)
        h(x, Loud())                                #: M M M M M M M
        h(x, Loud())                                #: !ValueError
    """),
    check("fast_path", "avals", "dtype", """
        h = jax.jit(lambda x: x)
        h(xn)                                       #: M M M M M M M
        h(xn.astype('i4'))                          #: M M M M M M M
        h(xn.astype('u4'))                          #: M M M M M M M
        h(xn.astype('f8'))                          #: H
        h(xn.astype('i8'))                          #: H
    """),
    check("fast_path", "avals", "shape", """
        h = jax.jit(lambda x: x)
        h(xn)                                       #: M M M M M M M
        h(xn.reshape(2, 2))                         #: M M M M M M M
        h(xn.reshape(4, 1))                         #: M M M M M M M
        h(xn[:3])                                   #: M M M M M M M
        h(xn + 1)                                   #: H
    """),
    check("fast_path", "avals", "weak type", """
        h = jax.jit(lambda x: x)
        h(1.0)                                      #: M M M M M M M
        h(np.float32(1))                            #: M M M M M M M
        h(2.0)                                      #: H
        h(np.float64(1))                            #: H
        h(np.array(1.))                             #: H
        h(1)                                        #: M M M M M M M
        h(True)                                     #: M M M M M M M
        h(np.bool_(True))                           #: M H . H . H
    """),
    check("fast_path", "avals", "which argument has which type", """
        h = jax.jit(lambda x, y: (x, y))
        h(xn, np.int32(1))                          #: M M M M M M M
        h(np.int32(1), xn)                          #: M M M M M M M
    """),
    check("fast_path", "shardings", "none for what is no jax.Array", """
        g(x)                                        #: M M M M M M M
        g(xn)                                       #: M H . H . H
        g(xn)                                       #: H
        g(x)                                        #: H
    """),
    check("fast_path", "shardings", "the device, though nothing is committed", """
        with jax.default_device(d[1]): y = jax.device_put(xn)
        g(x)                                        #: M M M M M M M
        g(y)                                        #: M H . H . H
        g(y)                                        #: H
    """),
    check("fast_path", "shardings", "the device of a committed array", """
        a, b, c = (jax.device_put(xn, d[i]) for i in (1, 1, 2))
        g(a)                                        #: M M M M M M M
        g(b)                                        #: H
        g(c)                                        #: M H . M H M M
    """),
    check("fast_path", "shardings", "the mesh: an equal one is the same one", """
        a, b, c = put(P('x')), put(P('x')), put(P('x'), 'x', d[::-1])
        k = jax.jit(lambda x: x)
        k(a)                                        #: M M M M M M M
        k(b)                                        #: H
        k(c)                                        #: M H . M H M M
    """),
    check("fast_path", "shardings", "the spec as it was written", """
        m = np.zeros((4, 4), 'f4')
        def at(*spec): return jax.device_put(m, NamedSharding(mesh(), P(*spec)))
        k = jax.jit(lambda x: x)
        k(at('x'))                                  #: M M M M M M M
        k(at('x'))                                  #: H
        k(at('x', None))                            #: M H . M H M H
        k(at(None, 'x'))                            #: M H . M M M M
    """),
    check("fast_path", "shardings", "another type of sharding", """
        one = Mesh(np.array(d[:1]), ('x',))
        a, b = jax.device_put(xn, d[0]), jax.device_put(xn, NamedSharding(one, P()))
        k = jax.jit(lambda x: x)
        k(a)                                        #: M M M M M M M
        k(b)                                        #: M M M M M M M
    """),
    check("fast_path", "committed", "committing an array where it already is", """
        y = jax.device_put(xn, d[0])
        g(x)                                        #: M M M M M M M
        g(y)                                        #: M H . M M M M
        g(jax.device_put(xn, d[0]))                 #: H
        g(x)                                        #: H
    """),
    check("fast_path", "committed", "which of the arguments", """
        y = jax.device_put(xn, d[0])
        h = jax.jit(lambda x, y: (x, y))
        h(x, y)                                     #: M M M M M M M
        h(y, x)                                     #: M H . M M M M
        h(y, y)                                     #: M H . M M M M
    """),
    check("fast_path", "not in it", "values, names of variables, call sites", """
        g(x)                                        #: M M M M M M M
        g(x + 1 if False else jax.device_put(xn))   #: H
        def elsewhere(): return g(x)
        elsewhere()                                 #: H
    """),
]


@direct(CHECKS, "fast_path", "shardings", "other kinds by ==")
def _(here):
    table = here.fast_path.table(_, fast_path.Attributes((), (), None, None, (), (), ()))
    d = here.devices

    def ask(sharding):
        key = fast_path.CallSignature((), (), (), (), (), (sharding,), (), ())
        return "miss" if table.entry(key)[1] else "hit"

    whole = shardings.GSPMDSharding.replicated
    assert ask(whole(d[:2])) == "miss" and ask(whole(d[:2])) == "hit"
    assert ask(whole(d[2:])) == "miss" and ask(None) == "miss"
