"""The side door of eager operations (`prim`)."""

from simulator import keys
from tests.station_keys.process import Asked, Thing, direct
from tests.station_keys.program import check

CHECKS = [
    check("prim", "primitive", "each has its own", """
        lax.sin(x)                                  #: . . . . . . . . M
        lax.cos(x)                                  #: . . . . . . . . M
        lax.sin(x)                                  #: . . . . . . . . H
        lax.sin(xn[:3])                             #: . . . . . . . . H
        lax.sin_p.bind(x, accuracy=None)            #: . . . . . . . . H
    """),
    check("prim", "params", "by ==, never their type", """
        lax.cumsum_p.bind(x, axis=0, reverse=False)         #: . . . . . . . . M
        lax.cumsum_p.bind(x, axis=0, reverse=True)          #: . . . . . . . . M
        lax.cumsum_p.bind(x, axis=0, reverse=0)             #: . . . . . . . . H
        lax.cumsum_p.bind(x, axis=0.0, reverse=False)       #: . . . . . . . . H
        lax.cumsum_p.bind(x, axis=False, reverse=1)         #: . . . . . . . . H
    """),
    check("prim", "params", "in any order", """
        lax.cumsum_p.bind(x, axis=0, reverse=False)         #: . . . . . . . . M
        lax.cumsum_p.bind(x, reverse=False, axis=0)         #: . . . . . . . . H
    """),
    check("prim", "not in it", "shape, dtype, device: the wrapper's own caches tell them apart", """
        lax.sin(x)                                  #: . . . . . . . . M
        lax.sin(xn.astype('f2'))                    #: . . . . . . . . H
        lax.sin(jax.device_put(xn, d[1]))           #: . . . . . . . . H
    """),
]


@direct(CHECKS, "prim", "primitive", "by identity")
def _(here):
    prim = Asked(here, keys.PRIM)
    one, other = Thing(), Thing()
    prim.miss(primitive=one, params=())
    prim.hit(primitive=one, params=())
    prim.miss(primitive=other, params=())
    prim.miss(primitive=one, params=(("a", 1),))
    prim.hit(primitive=one, params=(("".join(["a"]), 1.0),))
    prim.miss(primitive=one, params=(("b", 1),))
