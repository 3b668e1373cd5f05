"""The module (`hlo`). It is asked when `lower` misses; pruning gives one jaxpr for one jaxpr."""

from simulator import keys
from simulator.placement import shardings
from simulator.placement.devices import DeviceArray
from simulator.placement.mesh_types import AbstractMesh, AxisType, Mesh
from simulator.types.avals import ShapedArray
from tests.station_keys.lower import LOWER
from tests.station_keys.process import Asked, direct
from tests.station_keys.program import check

CHECKS = [
    check("hlo", "jaxpr", "the pruned one, by identity", LOWER + """
        once()                                      #: . M M M M
        once(inline=True)                           #: . M H M H
        once(keep_unused=True)                      #: . M H M M
        once(keep_unused=True, inline=True)         #: . M H M H
        once(donate_argnums=0)                      #: . M H M M
    """),
    check("hlo", "jaxpr", "not by content", """
        def make():
            def h(x): return lax.sin(x)
            return h
        a, b = make(), make()
        jax.jit(a, keep_unused=True).lower(x)       #: . M M M M
        jax.jit(b, keep_unused=True).lower(x)       #: . M M M M
    """),
    check("hlo", "for_export", "another module", """
        from jax import export
        jax.jit(f).lower(x)                         #: . M M M M
        jax.jit(f).trace(x).lower(lowering_platforms=('cpu',))      #: . M H M H
        export.export(jax.jit(f))(x)                #: . M H M M
    """),
    check("hlo", "module_name", "by ==", LOWER + """
        class Named:
            def __init__(self, name): self.__name__ = name
            def __call__(self, x): return lax.sin(x)
            def __eq__(self, other): return isinstance(other, Named)
            def __hash__(self): return 1
        a, b, c = Named('ab'), Named(''.join(['a', 'b'])), Named('c')
        once(a)                                     #: . M M M M
        once(b, inline=True)                        #: . M H M H
        once(c, inline=True)                        #: . M H M M
    """),
    check("hlo", "in_avals", "the names of the mesh of in_shardings", LOWER + """
        def at(*where): return NamedSharding(mesh(*where), P())
        once(x=xn, in_shardings=at())               #: . M M M M
        once(x=xn, in_shardings=at('x', d[::-1]))   #: . M H M H
        once(x=xn, in_shardings=at('y'))            #: . M H M M
        once(x=xn, in_shardings=at('x', d[:2]))     #: . M H M M
        once(x=xn, in_shardings=at('y', d[::-1]))   #: . M H M H
    """),
    check("hlo", "out_avals", "the names of the mesh of out_shardings", LOWER + """
        def at(*where): return NamedSharding(mesh(*where), P())
        once(x=xn, out_shardings=at())              #: . M M M M
        once(x=xn, out_shardings=at('x', d[::-1]))  #: . M H M H
        once(x=xn, out_shardings=at('y'))           #: . M H M M
        once(x=xn, out_shardings=at('y', d[::-1]))  #: . M H M H
    """),
    check("hlo", "in_shardings", "what they mean, whatever the devices", """
        m = np.zeros((4, 4), 'f4')
        def at(*spec): return jax.device_put(m, NamedSharding(mesh(), P(*spec)))
        k = jax.jit(lambda x: x)
        k.lower(at('x'))                            #: . M M M M
        k.lower(at('x', None))                      #: . H . M H
        k.lower(at(None, 'x'))                      #: . H . M M
        k.lower(at())                               #: . H . M M
        k.lower(at(None))                           #: . H . M H
        g.lower(x)                                  #: . M M M M
        g.lower(jax.device_put(xn, d[0]))           #: . H . M M
        g.lower(jax.device_put(xn, d[1]))           #: . H . M H
    """),
    check("hlo", "out_shardings", "what they mean, whatever the devices", LOWER + """
        def at(*spec): return NamedSharding(mesh(), P(*spec))
        m = np.zeros((4, 4), 'f4')
        once(x=m)                                   #: . M M M M
        once(x=m, out_shardings=at('x'))            #: . M H M M
        once(x=m, out_shardings=at('x', None))      #: . M H M H
        once(x=m, out_shardings=at(None, 'x'))      #: . M H M M
        once(x=m, out_shardings=SingleDeviceSharding(d[0]))     #: . M H M M
        once(x=m, out_shardings=SingleDeviceSharding(d[1]))     #: . M H M H
    """),
    check("hlo", "device_assignment", "only when an operation needs the devices", """
        def back(a): return np.asarray(a)
        h = jax.jit(lambda x: jax.pure_callback(back, jax.ShapeDtypeStruct((4,), 'f4'), x))
        h.lower(jax.device_put(xn, d[0]))           #: . M M M M
        h.lower(jax.device_put(xn, d[1]))           #: . H . M M
        g.lower(jax.device_put(xn, d[0]))           #: . M M M M
        g.lower(jax.device_put(xn, d[1]))           #: . H . M H
    """),
    check("hlo", "donated", "of the same jaxpr", LOWER + """
        once(keep_unused=True)                      #: . M M M M
        once(keep_unused=True, donate_argnums=0)    #: . M H M M
        once(keep_unused=True, donate_argnums=0, inline=True)   #: . M H M H
    """),
    check("hlo", "trace context", "for the same jaxpr", """
        tr = jax.jit(f, keep_unused=True).trace(x)
        tr.lower()                                  #: . . . M M
        jax.config.update('jax_default_matmul_precision', ''.join('highest'))
        tr.lower()                                  #: . . . M M
        jax.config.update('jax_optimization_level', 'O1')
        tr.lower()                                  #: . . . H
    """),
    check("hlo", "not in it", "inline and compiler_options", LOWER + """
        once()                                      #: . M M M M
        once(inline=True)                           #: . M H M H
        once(compiler_options={'xla_cpu_enable_fast_math': True})       #: . M H M H
    """),
]


@direct(CHECKS, "hlo", "num_devices", "alone")
def _(here):
    # Implied in programs: the types carry the mesh, and with it how many devices there are.
    hlo = Asked(here, keys.HLO)
    hlo.miss(num_devices=1)
    hlo.hit(num_devices=1)
    hlo.miss(num_devices=2)
    hlo.miss(num_devices=4)


@direct(CHECKS, "hlo", "in_avals", "types by ==")
def _(here):
    hlo = Asked(here, keys.HLO)
    for name in ("in_avals", "out_avals"):
        hlo.miss(**{name: (ShapedArray((3,), "float32"),)})
        hlo.hit(**{name: (ShapedArray((3,), "float32"),)})
        hlo.miss(**{name: (ShapedArray((3,), "float32", True),)})
        hlo.miss(**{name: (ShapedArray((4,), "float32"),)})
        hlo.miss(**{name: (ShapedArray((3,), "int32"),)})
        def mesh(size, axis, kind=AxisType.Explicit):
            return AbstractMesh((size,), (axis,), kind)

        x, y = mesh(3, "x"), mesh(3, "y")
        hlo.miss(**{name: (ShapedArray((3,), "float32", mesh=x),)})
        hlo.hit(**{name: (ShapedArray((3,), "float32", mesh=x, spec=(None,)),)})
        hlo.miss(**{name: (ShapedArray((3,), "float32", mesh=x, spec=("x",)),)})
        hlo.miss(**{name: (ShapedArray((3,), "float32", mesh=y),)})
        hlo.miss(**{name: (ShapedArray((3,), "float32", mesh=mesh(1, "x")),)})
        hlo.miss(**{name: (ShapedArray((3,), "float32", mesh=mesh(3, "x", AxisType.Auto)),)})
        hlo.miss(**{name: (ShapedArray((3,), "float32"), ShapedArray((4,), "float32"))})
        hlo.miss(**{name: (ShapedArray((4,), "float32"), ShapedArray((3,), "float32"))})
        hlo.miss(**{name: (ShapedArray((2, 3), "float32"),)})
        hlo.miss(**{name: (ShapedArray((3, 2), "float32"),)})


@direct(CHECKS, "hlo", "in_shardings", "layouts for the ranks they are used with")
def _(here):
    P, N = shardings.PartitionSpec, shardings.NamedSharding
    d = here.devices
    two, rev = Mesh(DeviceArray(d[:2]), "x"), Mesh(DeviceArray(d[1::-1]), "x")
    one, whole = shardings.SingleDeviceSharding(d[0]), shardings.GSPMDSharding.replicated(d[:2])

    def meaning(sharding, ndim=2):
        return shardings.SemanticallyEqualShardings(
            (sharding,), (ShapedArray((4,) * ndim, "float32"),))

    hlo = Asked(here, keys.HLO)
    for name in ("in_shardings", "out_shardings"):
        hlo.miss(**{name: meaning(N(two, P("x")))})
        hlo.hit(**{name: meaning(N(rev, P("x", None)))})
        hlo.miss(**{name: meaning(N(two, P(None, "x")))})
        hlo.miss(**{name: meaning(N(two, P("x")), 1)})
        hlo.miss(**{name: meaning(whole)})
        hlo.hit(**{name: meaning(one)})
        hlo.hit(**{name: meaning(N(two, P()))})
        hlo.miss(**{name: meaning(shardings.UNSPECIFIED)})
        hlo.hit(**{name: meaning(shardings.UNSPECIFIED)})
