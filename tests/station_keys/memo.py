"""The memo (`memo`): no key at all; what matters is whether options are given."""

from tests.station_keys.program import check

CHECKS = [
    check("memo", "options", "none given, not even an empty dict", """
        lo = g.lower(x)
        lo.compile()                                #: . . . . . M M
        lo.compile()                                #: . . . . . H
        lo.compile(None)                            #: . . . . . H
        lo.compile({})                              #: . . . . . M H
        lo.compile({'xla_cpu_enable_fast_math': True})          #: . . . . . M M
        lo.compile()                                #: . . . . . H
    """),
    check("memo", "options", "what was compiled with options is not kept", """
        lo = g.lower(x)
        lo.compile({})                              #: . . . . . M M
        lo.compile()                                #: . . . . . M H
        lo.compile()                                #: . . . . . H
    """),
    check("memo", "no key", "no configuration makes it forget", """
        lo = g.lower(x)
        lo.compile()                                #: . . . . . M M
        jax.config.update('jax_default_matmul_precision', 'highest')
        jax.config.update('jax_optimization_level', 'O1')
        with jax.set_mesh(mesh()): lo.compile()     #: . . . . . H
    """),
    check("memo", "no key", "it lives as long as the computation", """
        lo = g.lower(x)
        lo.compile()                                #: . . . . . M M
        jax.clear_caches()
        lo.compile()                                #: . . . . . H
        g.lower(x).compile()                        #: . M M M M M M
        g.lower(x).compile()                        #: . H . H . H
    """),
    check("memo", "no key", "one per computation", """
        g.lower(x).compile()                        #: . M M M M M M
        g.lower(xn).compile()                       #: . H . H . H
        jax.jit(f, inline=True).lower(x).compile()  #: . M H M H M H
    """),
]
