"""The executable of a module (`compile`). ``.compile({})`` asks it past the memo."""

from simulator import keys
from tests.station_keys.process import Asked, Thing, direct
from tests.station_keys.program import check

CHECKS = [
    check("compile", "module", "the same object, not the same content", """
        def make():
            def h(x): return lax.sin(x)
            return h
        a, b = jax.jit(make()).lower(x), jax.jit(make()).lower(x)
        a.compile()                                 #: . . . . . M M
        a.compile({})                               #: . . . . . M H
        b.compile()                                 #: . . . . . M M
    """),
    check("compile", "trace context", "alone", """
        lo = g.lower(x)
        lo.compile({})                              #: . . . . . M M
        jax.config.update('jax_default_matmul_precision', ''.join('highest'))
        lo.compile({})                              #: . . . . . M M
        jax.config.update('jax_optimization_level', 'O1')
        lo.compile({})                              #: . . . . . M H
        jax.config.update('jax_default_matmul_precision', None)
        lo.compile({})                              #: . . . . . M H
    """),
    check("compile", "devices", "the list, by ==", """
        g.lower(jax.device_put(xn, d[0])).compile()         #: . M M M M M M
        g.lower(jax.device_put(xn, d[1])).compile()         #: . H . M H M M
        k = jax.jit(lambda x: x)
        k.lower(put(P('x'))).compile()                      #: . M M M M M M
        k.lower(put(P('x'), 'x', d[::-1])).compile()        #: . H . M H M M
        k.lower(put(P(('x',)))).compile()                   #: . H . H . H
        m = np.zeros((4, 4), 'f4')
        def at(*spec): return jax.device_put(m, NamedSharding(mesh(), P(*spec)))
        k.lower(at('x')).compile()                          #: . M M M M M M
        k.lower(at('x', None)).compile()                    #: . H . M H M H
    """),
    check("compile", "compiler_options", "names, values and their order, by ==", """
        a, b = 'xla_cpu_enable_fast_math', 'xla_embed_ir_in_executable'
        lo = g.lower(x)
        lo.compile({})                              #: . . . . . M M
        lo.compile({a: True})                       #: . . . . . M M
        lo.compile({''.join(a): True})              #: . . . . . M H
        lo.compile({a: 1})                          #: . . . . . M H
        lo.compile({a: False})                      #: . . . . . M M
        lo.compile({b: True})                       #: . . . . . M M
        lo.compile({a: True, b: True})              #: . . . . . M M
        lo.compile({b: True, a: True})              #: . . . . . M M
    """),
    check("compile", "compiler_options", "of the wrapper first, then those given", """
        a, b = 'xla_cpu_enable_fast_math', 'xla_embed_ir_in_executable'
        lo = g.lower(x)
        with_a = jax.jit(f, compiler_options={a: True}).lower(x)
        lo.compile({a: True})                       #: . . . . . M M
        with_a.compile()                            #: . . . . . M H
        with_a.compile({b: True})                   #: . . . . . M M
        lo.compile({a: True, b: True})              #: . . . . . M H
    """),
]


@direct(CHECKS, "compile", "name", "alone")
def _(here):
    # Implied in programs by the module, as are the next two and its callbacks.
    asked = Asked(here, keys.COMPILE)
    asked.miss(name="jit(ab)")
    asked.hit(name="".join(["jit(", "ab)"]))
    asked.miss(name="jit(b)")


def _propagation(field):
    @direct(CHECKS, "compile", field, "alone")
    def _(here):
        asked = Asked(here, keys.COMPILE)
        asked.miss(**{field: (True, False)})
        asked.hit(**{field: (True, False)})
        asked.miss(**{field: (False, True)})
        asked.miss(**{field: (True, True)})


_propagation("allow_prop_to_inputs")
_propagation("allow_prop_to_outputs")


@direct(CHECKS, "compile", "host_callbacks", "alone")
def _(here):
    asked = Asked(here, keys.COMPILE)
    one, other = id(asked), id(here)
    asked.miss(host_callbacks=(one,))
    asked.hit(host_callbacks=(one,))
    asked.miss(host_callbacks=(other,))
    asked.miss(host_callbacks=())


@direct(CHECKS, "compile", "module", "another object")
def _(here):
    asked = Asked(here, keys.COMPILE)
    asked.miss()
    asked.hit()
    asked.miss(weak=Thing())
