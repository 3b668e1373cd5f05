"""The outer key of the fast path: the function's pointer and the jit options C++ knows."""

from tests.station_keys.program import check

CHECKS = [
    check("fast_path", "function", "a new wrapper of the same function hits", """
        g(x)                                        #: M M M M M M M
        jax.jit(f)(x)                               #: H
    """),
    check("fast_path", "function", "another function with the same code misses", """
        jax.jit(lambda x: lax.sin(x))(x)            #: M M M M M M M
        jax.jit(lambda x: lax.sin(x))(x)            #: M M M M M M M
    """),
    check("fast_path", "function", "an equal function that is another object misses", """
        @dataclasses.dataclass(frozen=True)
        class Scale:
            by: float
            def __call__(self, x):
                return lax.sin(x)
        one, same = Scale(1.), Scale(1.)
        jax.jit(one)(x)                             #: M M M M M M M
        jax.jit(same)(x)                            #: M M H H . H
        jax.jit(one)(x)                             #: H
    """),
    check("fast_path", "donate_argnums", "by number alone", """
        def h(*a): return lax.sin(a[0])
        jax.jit(h)(xn)                              #: M M M M M M M
        jax.jit(h, donate_argnums=0)(xn)            #: M M H M M M M
        jax.jit(h, donate_argnums=[0])(xn)          #: H
        jax.jit(h, donate_argnums=())(xn)           #: H
    """),
    check("fast_path", "donate_argnums", "numbers are compared by ==", """
        def h(*a): return lax.sin(a[1])
        jax.jit(h, donate_argnums=1)(x, xn)         #: M M M M M M M
        jax.jit(h, donate_argnums=True)(x, xn)      #: H
        jax.jit(h, donate_argnums=0)(x, xn)         #: M M H M M M M
    """),
    check("fast_path", "donate_argnames", "by name alone", """
        def h(**k): return lax.sin(k['ab'])
        jax.jit(h)(ab=xn)                           #: M M M M M M M
        jax.jit(h, donate_argnames='ab')(ab=xn)     #: M M H M M M M
        jax.jit(h, donate_argnames=[''.join(['a', 'b'])])(ab=xn)    #: H
        jax.jit(h, donate_argnames='other')(ab=xn)  #: M M H H . H
    """),
    check("fast_path", "donate_argnames", "a name and its number are one entry", """
        jax.jit(f, donate_argnums=0)(xn)            #: M M M M M M M
        jax.jit(f, donate_argnames='x')(xn)         #: H
    """),
    check("fast_path", "device", "the same device, or another entry", """
        jax.jit(f)(xn)                              #: M M M M M M M
        jax.jit(f, device=d[0])(xn)                 #: M M H M M M M
        jax.jit(f, device=d[0])(xn)                 #: H
        jax.jit(f, device=d[1])(xn)                 #: M M H M H M M
    """),
    check("fast_path", "backend", "by ==, and not the device it stands for", """
        jax.jit(f)(xn)                              #: M M M M M M M
        jax.jit(f, backend='cpu')(xn)               #: M M H M M M M
        jax.jit(f, backend=''.join('cpu'))(xn)      #: H
        jax.jit(f, device=d[0])(xn)                 #: M M H H . H
        jax.jit(f, backend='')(xn)                  #: M M H H . H
    """),
    check("fast_path", "in_shardings", "leaves by ==", """
        a, b, c = (SingleDeviceSharding(d[i]) for i in (0, 0, 1))
        jax.jit(f)(xn)                              #: M M M M M M M
        jax.jit(f, in_shardings=a)(xn)              #: M M H M M M M
        jax.jit(f, in_shardings=b)(xn)              #: H
        jax.jit(f, in_shardings=c)(xn)              #: M M H M H M M
    """),
    check("fast_path", "in_shardings", "not by what they mean", """
        a, b, c = (NamedSharding(mesh(), s) for s in (P('x'), P('x'), P('x', None)))
        def h(x): return x
        m = np.zeros((4, 4), 'f4')
        jax.jit(h, in_shardings=a)(m)               #: M M M M M M M
        jax.jit(h, in_shardings=b)(m)               #: H
        jax.jit(h, in_shardings=c)(m)               #: M M H M H M H
    """),
    check("fast_path", "in_shardings", "the structure counts", """
        s = SingleDeviceSharding(d[0])
        jax.jit(f, in_shardings=s)(xn)              #: M M M M M M M
        jax.jit(f, in_shardings=(s,))(xn)           #: M M H H . H
        jax.jit(f, in_shardings=[s])(xn)            #: H
    """),
    check("fast_path", "in_shardings", "None is not the same as nothing", """
        jax.jit(f)(xn)                              #: M M M M M M M
        jax.jit(f, in_shardings=None)(xn)           #: M M H H . H
        jax.jit(f, in_shardings=None)(xn)           #: H
    """),
    check("fast_path", "out_shardings", "leaves by ==", """
        a, b, c = (SingleDeviceSharding(d[i]) for i in (0, 0, 1))
        jax.jit(f)(xn)                              #: M M M M M M M
        jax.jit(f, out_shardings=a)(xn)             #: M M H M M M M
        jax.jit(f, out_shardings=b)(xn)             #: H
        jax.jit(f, out_shardings=c)(xn)             #: M M H M H M M
    """),
    check("fast_path", "out_shardings", "not by what they mean", """
        a, b, c = (NamedSharding(mesh(), s) for s in (P('x'), P('x'), P('x', None)))
        def h(x): return x
        m = np.zeros((4, 4), 'f4')
        jax.jit(h, out_shardings=a)(m)              #: M M M M M M M
        jax.jit(h, out_shardings=b)(m)              #: H
        jax.jit(h, out_shardings=c)(m)              #: M M H M H M H
    """),
    check("fast_path", "out_shardings", "the structure counts", """
        s = SingleDeviceSharding(d[0])
        def h(x): return (x,)
        jax.jit(h, out_shardings=s)(xn)             #: M M M M M M M
        jax.jit(h, out_shardings=(s,))(xn)          #: M M H H . H
    """),
    check("fast_path", "out_shardings", "None is not the same as nothing", """
        jax.jit(f)(xn)                              #: M M M M M M M
        jax.jit(f, out_shardings=None)(xn)          #: M M H H . H
        jax.jit(f, out_shardings=None)(xn)          #: H
    """),
    check("fast_path", "compiler_options", "names, values and their order, by ==", """
        a, b = 'xla_cpu_enable_fast_math', 'xla_embed_ir_in_executable'
        def with_options(**k): return jax.jit(f, compiler_options=k)
        jax.jit(f)(xn)                              #: M M M M M M M
        with_options()(xn)                          #: H
        with_options(**{a: True})(xn)               #: M M H M H M M
        with_options(**{a: 1})(xn)                  #: H
        with_options(**{''.join(a): True})(xn)      #: H
        with_options(**{a: False})(xn)              #: M M H M H M M
        with_options(**{b: True})(xn)               #: M M H M H M M
        with_options(**{a: True, b: True})(xn)      #: M M H M H M M
        with_options(**{b: True, a: True})(xn)      #: M M H M H M M
    """),
    check("fast_path", "nothing else", "inline, keep_unused and statics are not in it", """
        g(x)                                        #: M M M M M M M
        jax.jit(f, inline=True)(x)                  #: H
        jax.jit(f, keep_unused=True)(x)             #: H
        jax.jit(f, static_argnums=())(x)            #: H
    """),
]
