# jax.nn and jax.custom_jvp, as far as they show without derivatives.
import jax
import jax.numpy as jnp

x = jnp.arange(3.) - 1
NAMES = """relu softmax gelu relu6 silu log_softmax sigmoid elu leaky_relu hard_tanh celu
    soft_sign squareplus hard_sigmoid hard_silu identity tanh""".split()
for name in NAMES:
    f = getattr(jax.nn, name)
    for i in range(2):
        call(f"{name} #{i}", lambda: f(x))
    call(f"{name}, jitted", lambda: jax.jit(lambda x: f(f(x)))(x))
    note(name, str(jax.make_jaxpr(f)(x)))
call("one_hot", lambda: jax.nn.one_hot(jnp.arange(3), 4))
call("one_hot, int32 rows", lambda: jax.nn.one_hot(jnp.arange(3), 4, axis=0, dtype="int32"))
note("one_hot", str(jax.make_jaxpr(jax.nn.one_hot, static_argnums=1)(jnp.arange(3), 4)))
call("gelu, exact", lambda: jax.nn.gelu(x, approximate=False))
call("softmax along another axis", lambda: jax.nn.softmax(x[None], axis=0))
call("relu of ints", lambda: jax.nn.relu(jnp.arange(3)))
call("relu of a number", lambda: jax.nn.relu(3))


@jax.custom_jvp
def product(x, y):
    return x * y


product.defjvps(None, lambda g, ans, x, y: g)
call("custom_jvp", lambda: product(x, 2.))
call("custom_jvp, keyword", lambda: product(x, y=2.))
call("custom_jvp, jitted", lambda: jax.jit(product)(x, 2.))
note("custom_jvp", str(jax.make_jaxpr(lambda x: product(x, x + 1))(x)))
call("without a rule", lambda: jax.custom_jvp(lambda x: x)(x))
