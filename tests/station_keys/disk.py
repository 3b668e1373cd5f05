"""The persistent cache: the parts of its key, one process after another."""

import types
from unittest import mock

from simulator import keys, persistent
from simulator.facts import facts
from simulator.placement.shardings import UNSPECIFIED, SingleDeviceSharding
from tests.station_keys import Check
from tests.station_keys.process import direct
from tests.station_keys.program import check

DISK = """
        # env: JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS=0
        jax.config.update('jax_compilation_cache_dir', os.environ['CASE_TMP'])
        def again(fun, *args, **options):           # nothing in memory can answer
            jax.clear_caches()
            return jax.jit(fun, **options).lower(*args)
"""


def disk(field: str, name: str, body: str) -> Check:
    """A check of programs that compile what was lowered; only memo, compile, disk are asked."""
    return check("disk", field, name, DISK + body)


CHECKS = [
    disk("module", "the same program is found again", """
        again(f, x).compile()                       #: . M M M M M M M
        again(f, x).compile()                       #: . M M M M M M H
        again(f, xn).compile()                      #: . M M M M M M H
        again(lambda x: lax.sin(x), x).compile()    #: . M M M M M M M
        again(lambda y: lax.sin(y), x).compile()    #: . M M M M M M H
    """),
    disk("file name", "the function's name", """
        def h(x): return lax.sin(x)
        again(f, x).compile()                       #: . M M M M M M M
        again(h, x).compile()                       #: . M M M M M M M
        h.__name__ = 'f'
        again(h, x).compile()                       #: . M M M M M M H
        found = sorted(name.split('-')[0] for name in os.listdir(os.environ['CASE_TMP']))
        assert found == ['jit_f', 'jit_h'], found
    """),
    disk("module", "shapes and dtypes", """
        def h(x): return x
        again(h, xn).compile()                      #: . M M M M M M M
        again(h, xn[:3]).compile()                  #: . M M M M M M M
        again(h, xn.reshape(2, 2)).compile()        #: . M M M M M M M
        again(h, xn.astype('f2')).compile()         #: . M M M M M M M
        again(h, xn.astype('f8')).compile()         #: . M M M M M M H
    """),
    disk("module", "operations, parameters, constants", """
        again(lambda x: lax.sin(x), xn).compile()                   #: . M M M M M M M
        again(lambda x: lax.cos(x), xn).compile()                   #: . M M M M M M M
        again(lambda x: lax.sin(lax.cos(x)), xn).compile()          #: . M M M M M M M
        again(lambda x: lax.reduce_precision(x, 8, 7), xn).compile() #: . M M M M M M M
        again(lambda x: lax.reduce_precision(x, 8, 8), xn).compile() #: . M M M M M M M
        again(lambda x: lax.mul(x, np.float32(2)), xn).compile()    #: . M M M M M M M
        again(lambda x: lax.mul(x, np.float32(3)), xn).compile()    #: . M M M M M M M
        again(lambda x: lax.mul(x, np.float32(2)), xn).compile()    #: . M M M M M M H
        again(lambda x: lax.mul(x, xn), xn).compile()               #: . M M M M M M M
        again(lambda x: lax.mul(x, xn + 1), xn).compile()           #: . M M M M M M M
        again(lambda x: lax.mul(x, xn + 0), xn).compile()           #: . M M M M M M H
    """),
    disk("module", "which arguments and results are which", """
        again(lambda x, y: lax.sub(x, y), xn, xn).compile()         #: . M M M M M M M
        again(lambda x, y: lax.sub(y, x), xn, xn).compile()         #: . M M M M M M M
        again(lambda x: (lax.sin(x), lax.cos(x)), xn).compile()     #: . M M M M M M M
        again(lambda x: (lax.cos(x), lax.sin(x)), xn).compile()     #: . M M M M M M M
        def h(x, turn):
            both = lax.tan(x), lax.neg(x)
            return both[::-1] if turn else both
        again(h, xn, False, static_argnums=1).compile()             #: . M M M M M M M
        again(h, xn, True, static_argnums=1).compile()              #: . M M M M M M M
    """),
    disk("module", "not weak types, names, structure, statics, what nobody uses", """
        def h(x, n=None): return jax.tree_util.tree_leaves(x)[0]
        again(h, 1.0).compile()                     #: . M M M M M M M
        again(h, np.float32(1)).compile()           #: . M M M M M M H
        again(h, [np.float32(1)]).compile()         #: . M M M M M M H
        again(h, np.float32(1), 2, static_argnums=1).compile()      #: . M M M M M M H
        again(h, np.float32(1), xn).compile()       #: . M M M M M M H
    """),
    disk("module", "the structure of the result, by its paths", """
        again(lambda x: x, xn).compile()            #: . M M M M M M M
        again(lambda x: [x], xn).compile()          #: . M M M M M M M
        again(lambda x: (x,), xn).compile()         #: . M M M M M M H
        again(lambda x: {0: x}, xn).compile()       #: . M M M M M M H
        again(lambda x: {'a': x}, xn).compile()     #: . M M M M M M M
        inner = jax.jit(lambda x: [x])
        again(lambda x: inner(x), xn).compile()     #: . M M M M M M M
        inner = jax.jit(lambda x: (x,))
        again(lambda x: inner(x), xn).compile()     #: . M M M M M M H
    """),
    disk("module", "shardings and mesh axes, not devices", """
        def h(x): return x
        s, r = P('x'), P()
        again(h, put(s)).compile()                  #: . M M M M M M M
        again(h, put(r)).compile()                  #: . M M M M M M M
        again(h, put(P('y'), 'y')).compile()        #: . M M M M M M M
        again(h, put(s)).compile()                  #: . M M M M M M H
    """),
    disk("module", "shardings of results", """
        def h(x): return x
        a, b = (NamedSharding(mesh(), s) for s in (P('x'), P()))
        again(h, xn, out_shardings=a).compile()     #: . M M M M M M M
        again(h, xn, out_shardings=b).compile()     #: . M M M M M M M
        again(h, xn, out_shardings=a).compile()     #: . M M M M M M H
    """),
    disk("module", "donation", """
        again(f, x).compile()                       #: . M M M M M M M
        again(f, x, donate_argnums=0).compile()     #: . M M M M M M M
        again(f, x, donate_argnums=0).compile()     #: . M M M M M M H
    """),
    disk("compile_options", "devices", """
        def h(x): return x
        again(f, x).compile()                               #: . M M M M M M M
        again(f, jax.device_put(xn, d[1])).compile()        #: . M M M M M M M
        again(f, jax.device_put(xn, d[0])).compile()        #: . M M M M M M M
        again(h, put(P('x'))).compile()                     #: . M M M M M M M
        again(h, put(P('x'), 'x', d[::-1])).compile()       #: . M M M M M M M
    """),
    disk("compile_options", "levels and switches", """
        memory = jax.config.jax_memory_fitting_level
        lo = again(f, x)
        def using(name, value):
            jax.config.update(name, value)
            return again(f, x)
        lo.compile()                                                        #: . . . . . M M M
        using('jax_optimization_level', 'O1').compile()                     #: . M M M M M M M
        using('jax_optimization_level', 'UNKNOWN').compile()                #: . M M M M M M H
        using('jax_memory_fitting_level', 'O1').compile()                   #: . M M M M M M M
        using('jax_memory_fitting_level', memory).compile()                 #: . M M M M M M H
        using('jax_compiler_enable_remat_pass', False).compile()            #: . M M M M M M M
        using('jax_compiler_enable_remat_pass', True).compile()             #: . M M M M M M H
        using('jax_disable_most_optimizations', True).compile()             #: . M M M M M M M
        using('jax_disable_most_optimizations', False).compile()            #: . M M M M M M H
        using('jax_xla_profile_version', 3).compile()                       #: . M M M M M M M
        using('jax_xla_profile_version', 0).compile()                       #: . M M M M M M H
        using('jax_use_shardy_partitioner', False).compile()                #: . M M M M M M M
        using('jax_use_shardy_partitioner', True).compile()                 #: . M M M M M M H
        using('jax_default_matmul_precision', 'highest').compile()          #: . M M M M M M H
    """),
    disk("compile_options", "compiler options", """
        lo = again(f, x)
        a, b = 'xla_cpu_enable_fast_math', 'xla_embed_ir_in_executable'
        lo.compile()                                #: . . . . . M M M
        lo.compile({a: True})                       #: . . . . . M M M
        lo.compile({a: False})                      #: . . . . . M M M
        lo.compile({b: True})                       #: . . . . . M M M
        jax.clear_caches()
        lo.compile({a: True})                       #: . . . . . M M H
    """),
    disk("xla_flags", "of the command line, sorted, some excluded", """
        again(f, x).compile()                       #: . M M M M M M M
        sys.argv += ['--xla_one', '--xla_dump_to=here']
        again(f, x).compile()                       #: . M M M M M M M
        sys.argv[-2] = '--xla_two'
        again(f, x).compile()                       #: . M M M M M M M
        sys.argv[-2] = '--xla_one'
        sys.argv.append('--xla_another')
        again(f, x).compile()                       #: . M M M M M M M
        sys.argv[-3:] = ['--xla_another', '--xla_one', '--other']
        again(f, x).compile()                       #: . M M M M M M H
        os.environ['XLA_FLAGS'] += ' --xla_cpu_use_xnnpack=false'
        again(f, x).compile()                       #: . M M M M M M M
        os.environ['LIBTPU_INIT_ARGS'] = '--another'
        again(f, x).compile()                       #: . M M M M M M M
    """),
    check("disk", "topology", "the number of devices", """
        # env: JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS=0
        # processes: 3
        # log: off
        import os, jax
        from jax import lax
        number = int(os.environ['CASE_PROCESS'])
        jax.config.update('jax_num_cpu_devices', 2 if number == 1 else 4)
        jax.config.update('jax_compilation_cache_dir', os.environ['CASE_TMP'])
        g = jax.jit(lambda x: lax.sin(x))
        if number == 0: g(1.)                       #: M M M M M M M M
        if number == 1: g(1.)                       #: M M M M M M M M
        if number == 2: g(1.)                       #: M M M M M M M H
    """, prelude=""),
]


def _slot(here, devices=(), options=(), **changed):
    module = types.SimpleNamespace(**{"sym_name": "jit_f", "text": "text", "num_devices": 1,
                                      "in_shardings": (), "out_shardings": (), **changed})
    return keys.DISK.slot(here.disk.key(module, devices, options))


@direct(CHECKS, "disk", "jaxlib", "its version")
def _(here):
    # One version is modelled; the field is real all the same.
    first = _slot(here)
    assert first == _slot(here)
    with mock.patch.object(persistent, "facts", lambda: {**facts(), "jaxlib": "0.0.0"}):
        assert first != _slot(here)


@direct(CHECKS, "disk", "compile_options", "what a program cannot change without the module")
def _(here):
    first = _slot(here)
    one, none = SingleDeviceSharding(here.devices[0]), UNSPECIFIED
    assert first != _slot(here, num_devices=2)
    for which in ("in_shardings", "out_shardings"):
        asked = [_slot(here, **{which: given}) for given in ((one, none), (none, one), (one, one))]
        assert len(set(asked)) == 3
