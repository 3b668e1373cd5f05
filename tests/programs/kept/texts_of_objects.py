# shows: How arrays, trees, shardings and stages print.
import jax, jax.numpy as jnp
print(jax.__version__, jax.default_backend(), jax.device_count(), jax.devices(), jax.local_devices(), jax.process_index())
f = jax.jit(lambda x: x + 1)
print(f, f.__name__, f.__wrapped__, f.__doc__, f.__module__)
@jax.jit
def doc(x: int, y=3) -> int:
    "docs"
    return x + y
import inspect
print(doc.__doc__, doc.__name__, doc.__qualname__, inspect.signature(doc), doc.__annotations__)
print(repr(jnp.float32), jnp.dtype("float32"), jnp.float32(1).dtype, jnp.finfo(jnp.float32).eps, jnp.iinfo("int8").max, jnp.pi, jnp.inf, jnp.newaxis)
print(jnp.arange(3), repr(jnp.arange(3.)), jnp.array([[1, 2], [3, 4]]), repr(jnp.array(2.5)), repr(jnp.asarray(1.0)), repr(jnp.zeros((0,))), repr(jnp.array([True])), repr(jnp.array([1e-10, 1e10])), jnp.array(1, "bfloat16"))
note("r", [repr(jnp.arange(3.)), str(jnp.array([1.5, 2])), repr(jnp.array([1e-10, 1e10])), repr(jnp.ones((2, 2), jnp.int8)), str(jnp.eye(2)), repr(jnp.array([1 + 2j])), repr(jnp.bfloat16(1)), repr(jax.random.key(0)), repr(jnp.arange(2000.))[:60], f"{jnp.float32(1.5):.2f}", repr(jnp.array([jnp.nan, jnp.inf]))])
note("t", [str(jax.tree.structure({"a": [1, None, (2,)]})), repr(jax.tree.structure(1)), str(jax.tree.leaves_with_path({"a": [1]}))])
note("s", [repr(jax.devices()[0]), str(jax.devices()[0]), repr(jnp.ones(1).sharding), repr(doc.lower(1).compile) [:20], repr(jax.ShapeDtypeStruct((1,), jnp.int8))])
note("e", [jax.tree.map(lambda x, y: x + y, {"a": 1}, {"a": 2}), jax.tree.reduce(lambda a, b: a + b, [1, 2, 3]), jax.tree.all([True, False]), jax.tree.leaves([None, 1]), jax.tree.transpose(jax.tree.structure([0, 0]), jax.tree.structure({"a": 0}), [{"a": 1}, {"a": 2}])])
