"""The finished computation (`lower`). ``.lower()`` asks it without the fast path."""

from tests.station_keys.program import check

LOWER = """
        def once(fun=f, x=x, **options): return jax.jit(fun, **options).lower(x)
"""

CHECKS = [
    check("lower", "jaxpr", "the same object, not the same content", """
        def make():
            def h(x): return lax.sin(x)
            return h
        a, b = make(), make()
        jax.jit(a).lower(x)                         #: . M M M M
        jax.jit(b).lower(x)                         #: . M M M M
        jax.jit(a).lower(xn)                        #: . M H H
    """),
    check("lower", "in_shardings", "nothing for what is not committed", LOWER + """
        with jax.default_device(d[1]): y = jax.device_put(xn)
        g.lower(x)                                  #: . M M M M
        g.lower(xn)                                 #: . H . H
        g.lower(y)                                  #: . H . H
        g.lower(jax.ShapeDtypeStruct((4,), 'f4'))   #: . H . H
        g.lower(jax.device_put(xn, d[0]))           #: . H . M M
    """),
    check("lower", "in_shardings", "by ==", """
        g.lower(jax.device_put(xn, d[1]))           #: . M M M M
        g.lower(jax.device_put(xn, d[1]))           #: . H . H
        g.lower(jax.device_put(xn, d[2]))           #: . H . M H
        g.lower(put(P('x')))                        #: . M M M M
        g.lower(put(P('x')))                        #: . H . H
        g.lower(put(P()))                           #: . H . M M
        g.lower(put(P(None)))                       #: . H . M H
        g.lower(put(P('x'), 'x', d[::-1]))          #: . H . M H
    """),
    check("lower", "in_shardings", "an argument or an option, the same", LOWER + """
        s = SingleDeviceSharding(d[1])
        once(x=jax.device_put(xn, d[1]))            #: . M M M M
        once(x=xn, in_shardings=s)                  #: . M H H
        once(x=xn, in_shardings=None)               #: . M H M M
        once(x=xn)                                  #: . M H H
    """),
    check("lower", "out_shardings", "by ==", LOWER + """
        def at(spec, *where): return NamedSharding(mesh(*where), spec)
        once()                                      #: . M M M M
        once(out_shardings=at(P('x')))              #: . M H M M
        once(out_shardings=at(P('x')))              #: . M H H
        once(out_shardings=at(P()))                 #: . M H M M
        once(out_shardings=at(P(None)))             #: . M H M H
        once(out_shardings=at(P('x'), 'x', d[::-1]))    #: . M H M H
        once(out_shardings=None)                    #: . M H H
    """),
    check("lower", "donated", "which arguments", """
        def h(x, y): return lax.sin(x), lax.sin(y)
        def once(*which): return jax.jit(h, donate_argnums=which).lower(x, x)
        once()                                      #: . M M M M
        once(0)                                     #: . M H M M
        once(1)                                     #: . M H M M
        once(0, 1)                                  #: . M H M M
        once(1)                                     #: . M H H
    """),
    check("lower", "ctx_mesh", "with its devices", """
        a, b = mesh(), mesh('x', d[::-1])
        with jax.set_mesh(a): g.lower(x)            #: . M M M M
        with jax.set_mesh(b): g.lower(x)            #: . M H M H
        with jax.set_mesh(mesh()): g.lower(x)       #: . H . H
        with jax.set_mesh(mesh()): jax.jit(f).lower(x)      #: . M H H
    """),
    check("lower", "lowering_platforms", "told or not, by ==", """
        def once(**options): jax.jit(f).trace(x).lower(**options)
        once()                                      #: . M M M M
        once(lowering_platforms=('cpu',))           #: . M H M H
        once(lowering_platforms=(''.join(['c', 'pu']),))     #: . M H H
        once()                                      #: . M H H
    """),
    check("lower", "for_export", "an export is lowered for itself", """
        from jax import export
        jax.jit(f).trace(x).lower(lowering_platforms=('cpu',))      #: . M M M M
        export.export(jax.jit(f))(x)                #: . M H M M
        export.export(jax.jit(f))(x)                #: . M H H
    """),
    check("lower", "name", "by ==", LOWER + """
        class Named:                                # equal, but called differently
            def __init__(self, name): self.__name__ = name
            def __call__(self, x): return lax.sin(x)
            def __eq__(self, other): return isinstance(other, Named)
            def __hash__(self): return 1
        a, b, c = Named('ab'), Named(''.join(['a', 'b'])), Named('c')
        once(a)                                     #: . M M M M
        once(b)                                     #: . M H H
        once(c)                                     #: . M H M M
    """),
    check("lower", "keep_unused", "by ==", LOWER + """
        once()                                      #: . M M M M
        once(keep_unused=True)                      #: . M H M M
        once(keep_unused=1)                         #: . M H H
        once(keep_unused=0)                         #: . M H H
    """),
    check("lower", "inline", "which kind", LOWER + """
        once()                                      #: . M M M M
        once(inline=False)                          #: . M H H
        once(inline=jax.Inline.AUTO)                #: . M H H
        once(inline=True)                           #: . M H M H
        once(inline=jax.Inline.JAX_EARLY)           #: . M H H
        once(inline=jax.Inline.XLA_LATE)            #: . M H M H
    """),
    check("lower", "compiler_options", "names, values and their order, by ==", LOWER + """
        a, b = 'xla_cpu_enable_fast_math', 'xla_embed_ir_in_executable'
        def with_options(**k): return once(compiler_options=k)
        once()                                      #: . M M M M
        with_options()                              #: . M H H
        with_options(**{a: True})                   #: . M H M H
        with_options(**{''.join(a): 1})             #: . M H H
        with_options(**{a: False})                  #: . M H M H
        with_options(**{b: True})                   #: . M H M H
        with_options(**{a: True, b: True})          #: . M H M H
        with_options(**{b: True, a: True})          #: . M H M H
    """),
    check("lower", "trace context", "alone", """
        tr = g.trace(x)
        tr.lower()                                  #: . . . M M
        tr.lower()                                  #: . . . H
        jax.config.update('jax_default_matmul_precision', ''.join('highest'))
        tr.lower()                                  #: . . . M M
        jax.config.update('jax_default_matmul_precision', 'highest')
        tr.lower()                                  #: . . . H
        jax.config.update('jax_default_matmul_precision', None)
        tr.lower()                                  #: . . . H
        jax.config.update('jax_optimization_level', 'O1')
        tr.lower()                                  #: . . . H
    """),
]
