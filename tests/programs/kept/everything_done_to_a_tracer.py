# shows: What a traced value can and cannot do.
import jax, jax.numpy as jnp
try: jnp.ones(3).at[0].sett(1)
except AttributeError as e: print(str(e)[:60])
f = jax.jit(lambda x: x.nope)
try: f(1)
except AttributeError as e: print(e)
for bad in (lambda x: x.at[0], lambda x: {x}, lambda x: {x: 1}, lambda x: x.item(), lambda x: x.tolist(), lambda x: range(x), lambda x: [0, 1][x], lambda x: "a" * x, lambda x: int(x), lambda x: complex(x), lambda x: hash(x), lambda x: x is None, lambda x: x == None, lambda x: x in [1], lambda x: x and 1, lambda x: not x, lambda x: 0 if x else 1, lambda x: max(x, 1), lambda x: sorted([x, 1]), lambda x: jnp.arange(x), lambda x: jnp.zeros(x), lambda x: jnp.reshape(jnp.ones(4), (x, 2)), lambda x: x.shape, lambda x: len(x), lambda x: iter(x), lambda x: x[0], lambda x: f"{x}", lambda x: f"{x:.2f}", lambda x: str(x), lambda x: repr(x), lambda x: isinstance(x, jax.Array), lambda x: isinstance(x, jax.core.Tracer), lambda x: x.sharding, lambda x: x.devices(), lambda x: jax.device_get(x), lambda x: x.block_until_ready(), lambda x: x.aval, lambda x: x.weak_type, lambda x: x.copy(), lambda x: jnp.asarray(x), lambda x: jax.device_put(x), lambda x: jax.device_put(x, jax.devices()[0]), lambda x: (yield x), lambda x: exec("raise ValueError('q')"), lambda x: x.__array__(), lambda x: jnp.unique if 0 else jnp.where(x), lambda x: jnp.nonzero(x), lambda x: x[x > 0], lambda x: jnp.ones(3)[x:], lambda x: jnp.ones(3)[:2][x], lambda x: x @ x, lambda x: x // 0, lambda x: 1 % x, lambda x: x << 1, lambda x: -x, lambda x: ~x, lambda x: abs(x), lambda x: round(x), lambda x: divmod(x, 2), lambda x: pow(x, 2), lambda x: 2 ** x, lambda x: x ** 0.5, lambda x: x ** -1):
    call("j", lambda: jax.jit(bad)(1))
