# Callbacks: which calls stay off the fast path, and what errors look like.
# env: XLA_FLAGS=--xla_force_host_platform_device_count=2
import jax
import numpy as np
from jax import lax
from jax.experimental import io_callback
from jax.sharding import NamedSharding, PartitionSpec as P

x = jax.device_put(np.arange(3, dtype="float32"))
S = jax.ShapeDtypeStruct((3,), "float32")
broken = False


def double(v):
    if broken:
        raise ValueError("no")
    return np.asarray(v) * 2


@jax.jit
def pure(x):
    return jax.pure_callback(double, S, x)


call("pure", lambda: pure(x))
call("pure again", lambda: pure(x))
broken = True
call("raises on the fast path", lambda: pure(x))
call("raises in Python", lambda: pure(np.ones(3, "float32")))
broken = False
call("pure once more", lambda: pure(x))
call("wrong shape", lambda: jax.jit(
    lambda x: jax.pure_callback(lambda v: np.zeros(4, "float32"), S, x))(x))
call("wrong dtype", lambda: jax.jit(
    lambda x: jax.pure_callback(lambda v: np.zeros(3, "int32"), S, x))(x))
call("too many results", lambda: jax.jit(
    lambda x: jax.pure_callback(lambda v: (v, v), S, x))(x))
call("unused and pure: dropped", lambda: jax.jit(
    lambda x: (jax.pure_callback(lambda v: 1 / 0, S, x), lax.sin(x))[1])(x))
for i in range(2):
    call(f"eager pure #{i}", lambda: jax.pure_callback(double, S, x))
    call(f"eager io #{i}", lambda: io_callback(double, S, x))
call("eager io, ordered", lambda: io_callback(double, S, x, ordered=True))
call("eager print", lambda: jax.debug.print("{}", x))
call("eager callback", lambda: jax.debug.callback(lambda v: None, 3))

inner = jax.jit(lambda x: lax.cos(x))


@jax.jit
def calls_jit(x):
    jax.debug.callback(lambda v: inner(v), x)
    return inner(x)


for i in range(3):
    call(f"a callback that calls a jitted function #{i}", lambda: calls_jit(x))
call("that function itself", lambda: inner(x))
pure_calls_jit = jax.jit(lambda x: jax.pure_callback(lambda v: inner(v), x, x))
for i in range(2):
    call(f"the same, pure #{i}", lambda: pure_calls_jit(x))


@jax.jit
def raises(x):
    jax.debug.callback(lambda v: 1 / 0, x)
    return inner(x)


for i in range(2):
    call(f"a callback that raises #{i}", lambda: raises(x))
call("barrier", lambda: jax.effects_barrier())
call("raises eagerly", lambda: jax.debug.callback(lambda v: 1 / 0, x))


@jax.jit
def ordered(x):
    jax.debug.print("{x}", x=x, ordered=True)
    return inner(x)


first, second = jax.devices()
call("ordered", lambda: ordered(x))
call("ordered, committed", lambda: ordered(jax.device_put(x, first)))
mesh = jax.make_mesh((2,), ("a",), (jax.sharding.AxisType.Auto,))
call("ordered on two devices", lambda: ordered(
    jax.device_put(np.arange(4, dtype="float32"), NamedSharding(mesh, P("a")))))
print_one = jax.jit(lambda x: (jax.debug.print("{}", x), lax.sin(x))[1])
for device in (first, second):
    call(f"pure on {device}", lambda: pure(jax.device_put(x, device)))
    call(f"print on {device}", lambda: print_one(jax.device_put(x, device)))
keep = jax.jit(lambda x: jax.debug.print("no result {}", x))
for i in range(2):
    call(f"effect only #{i}", lambda: keep(x))

note("print", str(jax.make_jaxpr(ordered)(x)))
note("pure", str(jax.make_jaxpr(pure)(x)))
note("callback", str(jax.make_jaxpr(calls_jit)(x)))
note("io", str(jax.make_jaxpr(lambda x: io_callback(double, (S, S), x, y=3, ordered=True))(x)))
for i, wrong in enumerate([
        lambda: jax.debug.print("{}"), lambda: jax.debug.print("{}", 1, 2),
        lambda: jax.debug.print("{}", 1, a=2), lambda: jax.debug.print("{a}"),
        lambda: jax.debug.callback(3), lambda: jax.pure_callback(double, x, x, vmap_method="no"),
        lambda: jax.pure_callback(double, jax.ShapeDtypeStruct((3,), "float64"), x),
        lambda: jax.debug.print(ordered=True)("a {x} {}", x, x="b"),
        lambda: jax.debug.callback(ordered=True)(lambda *a, **k: None, x, b="q"),
        lambda: jax.debug.print(1, ordered=True) if False else jax.debug.log("a {}", x)]):
    call(f"arguments #{i}", wrong)
