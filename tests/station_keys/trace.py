"""The tracing cache. A fresh wrapper per call gets past the fast path and params."""

from simulator import keys
from simulator.jaxprs.jaxpr import DebugInfo
from tests.station_keys.process import Asked, direct
from tests.station_keys.program import check
from tests.station_keys.signature_trees import BOX

ONCE = """
        def once(fun, *args, **kwargs):             # a new wrapper, traced and forgotten
            return jax.jit(fun).trace(*args, **kwargs)
        def h(*t, **k): return lax.sin(jax.tree_util.tree_leaves((t, k))[0])
"""
STATIC = """
        def once(n, x=x, number=1):
            args = (x, n) if number else (n, x)
            return jax.jit(h, static_argnums=number).trace(*args)
        def h(a, b): return x
"""

CHECKS = [
    check("trace", "function", "by ==, not by identity", ONCE + """
        @dataclasses.dataclass(frozen=True)
        class Scale:
            by: float
            def __call__(self, x): return lax.sin(x)
        a, b, c = Scale(1.), Scale(1.), Scale(2.)
        once(a, x)                                  #: . M M
        once(b, x)                                  #: . M H
        once(c, x)                                  #: . M M
        once(Scale(1), x)                           #: . M H
    """),
    check("trace", "function", "equal bound methods share, as long as the first one lives", """
        class Model:
            def method(self, x): return lax.sin(x)
        m = Model()
        first = jax.jit(m.method)
        first(x)                                    #: M M M M M M M
        jax.jit(m.method)(x)                        #: M M H H . H
        jax.jit(Model().method)(x)                  #: M M M M M M M
        del first
        jax.jit(m.method)(x)                        #: M M M M M M M
    """),
    check("trace", "function", "another function with the same code misses", ONCE + """
        a, b = [lambda x: lax.sin(x) for _ in range(2)]
        once(a, x)                                  #: . M M
        once(b, x)                                  #: . M M
        once(a, x)                                  #: . M H
    """),
    check("trace", "tree", "kinds, nesting, types", BOX + ONCE + """
        @jax.tree_util.register_pytree_node_class
        class Other(Box): pass
        A, B = (collections.namedtuple('Pair', 'a') for _ in range(2))
        once(h, x)                                  #: . M M
        once(h, (x,))                               #: . M M
        once(h, [x])                                #: . M M
        once(h, {'a': x})                           #: . M M
        once(h, {'ab': x})                           #: . M M
        once(h, {''.join(['a', 'b']): x})                #: . M H
        once(h, A(x))                               #: . M M
        once(h, B(x))                               #: . M M
        once(h, Box(x))                             #: . M M
        once(h, Other(x))                           #: . M M
        once(h, x, None)                            #: . M M
        once(h, (x, x), x)                          #: . M M
        once(h, x, (x, x))                          #: . M M
        once(h, (x, (x, x)))                        #: . M M
        once(h, (x, (x,)))                          #: . M M
        once(h, ((x, x),))                          #: . M M
        once(h, Box(x))                             #: . M H
    """),
    check("trace", "tree", "without leaves, when arguments have no names", ONCE + """
        def h(*t): return x
        def static(*t, number): return jax.jit(h, static_argnums=number).trace(*t)
        once(h, (None, (None,)))                    #: . M M
        once(h, ((None, None),))                    #: . M M
        once(h, {'ab': None})                       #: . M M
        once(h, {'c': None})                        #: . M M
        once(h, {''.join(['a', 'b']): None})        #: . M H
        static((), 1, number=1)                     #: . M M
        static(1, (), number=0)                     #: . M M
        static((), 1, number=1)                     #: . M H
    """),
    check("trace", "tree", "metadata by ==, never its type", BOX + ONCE + """
        nan = float('nan')
        once(h, Box(x, 1))                          #: . M M
        once(h, Box(x, 1.0))                        #: . M H
        once(h, Box(x, 2))                          #: . M M
        once(h, Box(x, [1]))                        #: . M M
        once(h, Box(x, [1]))                        #: . M H
        once(h, Box(x, nan))                        #: . M M
        once(h, Box(x, nan))                        #: . M H
        once(h, Box(x, float('nan')))               #: . M M
    """),
    check("trace", "tree", "which argument is static", STATIC + """
        once(1)                                     #: . M M
        once(1, number=0)                           #: . M M
        once(1)                                     #: . M H
        once(1, number=0)                           #: . M H
    """),
    check("trace", "keywords", "keyword names", ONCE + """
        once(h, ab=x)                               #: . M M
        once(h, **{''.join(['a', 'b']): x})         #: . M H
        once(h, c=x)                                #: . M M
        once(h, x)                                  #: . M M
        once(h, c=x, d=x)                           #: . M M
        once(h, d=x, c=x)                           #: . M H
        once(h, x, c=x)                             #: . M M
    """),
    check("trace", "keywords", "the name of a static argument", """
        def h(x, **k): return x
        def once(**k): return jax.jit(h, static_argnames=('a', 'b')).trace(x, **k)
        once(a=1)                                   #: . M M
        once(b=1)                                   #: . M M
        once(a=1)                                   #: . M H
    """),
    check("trace", "avals", "shape, dtype, weak type", ONCE + """
        once(f, xn)                                 #: . M M
        once(f, xn[:3])                             #: . M M
        once(f, xn.reshape(2, 2))                   #: . M M
        once(f, xn.astype('f2'))                    #: . M M
        once(f, 1.0)                                #: . M M
        once(f, np.float32(1))                      #: . M M
        once(f, xn.astype('f8'))                    #: . M H
        once(f, x)                                  #: . M H
        once(f, jax.ShapeDtypeStruct((4,), 'f4'))   #: . M H
        once(f, jax.device_put(xn, d[1]))           #: . M H
    """),
    check("trace", "avals", "the sharding that a type carries", ONCE + """
        auto, explicit = AxisType.Auto, AxisType.Explicit
        once(f, x)                                  #: . M M
        once(f, put(P('x')))                        #: . M M
        once(f, put(P('y'), 'y'))                   #: . M M
        once(f, put(P('x'), 'x', d[:2]))            #: . M M
        once(f, put(P()))                           #: . M H
        once(f, put(P('x'), 'x', d[::-1]))          #: . M H
        once(f, put(P('x'), 'x', None, explicit))   #: . M M
        once(f, put(P(), 'x', None, explicit))      #: . M M
    """),
    check("trace", "static args", "the same type and ==", STATIC + """
        class Int(int): pass
        once(1)                                     #: . M M
        once(1.0)                                   #: . M M
        once(True)                                  #: . M M
        once(Int(1))                                #: . M M
        once(2)                                     #: . M M
        once((2,))                                  #: . M M
        once((2.0,))                                #: . M H
        once(''.join(['a', 'b']))                   #: . M M
        once(''.join(['a', 'b']))                   #: . M H
    """),
    check("trace", "static args", "identity is no short cut", STATIC + """
        nan = float('nan')
        once(nan)                                   #: . M M
        once(nan)                                   #: . M M
    """),
    check("trace", "debug info", "where an equal function comes from", ONCE + """
        class Same:                                 # all of them are equal
            def __init__(self, fun): functools.update_wrapper(self, fun)
            def __call__(self, x): return lax.sin(x)
            def __eq__(self, other): return isinstance(other, Same)
            def __hash__(self): return 1
        def here(x): pass
        def there(x): pass
        a, b, c = Same(here), Same(here), Same(there)
        once(a, x)                                  #: . M M
        once(b, x)                                  #: . M H
        once(c, x)                                  #: . M M
    """),
    check("trace", "debug info", "what an equal function calls its arguments", ONCE + """
        class Same:
            def __init__(self, like): self.__signature__ = inspect.signature(like)
            def __call__(self, x): return lax.sin(x)
            def __eq__(self, other): return isinstance(other, Same)
            def __hash__(self): return 1
        a, b, c = Same(lambda x: 0), Same(lambda x: 1), Same(lambda y: 0)
        once(a, x)                                  #: . M M
        once(b, x)                                  #: . M H
        once(c, x)                                  #: . M M
    """),
    check("trace", "not in it", "the options of the wrapper", """
        jax.jit(f)(xn)                              #: M M M M M M M
        jax.jit(f, donate_argnums=0)(xn)            #: M M H M M M M
        jax.jit(f, keep_unused=True).lower(xn)      #: . M H M M
        jax.jit(f, inline=True).lower(xn)           #: . M H M H
    """),
]


@direct(CHECKS, "trace", "debug info", "what it is traced for, and all the rest")
def _(here):
    # Implied in programs: what JAX traces for other reasons are functions of its own.
    asked = Asked(here, keys.TRACE)
    info = DebugInfo("jit", "f at file.py:3", ("x", "y"), None, "f", "file.py", 3)
    asked.miss(debug_info=info)
    asked.hit(debug_info=DebugInfo(*("".join(["ji", "t"]), *info[1:])))
    asked.miss(debug_info=info._replace(traced_for="fori_loop"))
    asked.miss(debug_info=info._replace(func_src_info="f at file.py:4"))
    asked.miss(debug_info=info._replace(arg_names=("x", "z")))
    asked.miss(debug_info=info._replace(arg_names=None))
