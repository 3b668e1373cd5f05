# Types given where numbers are needed, things that are no functions, arrays that are no scalars.
import jax
import jax.numpy as jnp

x = jnp.arange(5.0)
f = jax.jit(lambda x, y=1: x + y)
s = jax.ShapeDtypeStruct((2,), jnp.float32)


def attempt(label, thunk):
    try:
        note(label, str(call(label, thunk)))
    except Exception as e:
        note(label, type(e).__name__ + ": " + str(e)[:400])


for label, thunk in {
    "a type": lambda: f(s),
    "again": lambda: f(s),
    "by name": lambda: f(1.0, y=s),
    "in a tree": lambda: jax.jit(lambda t: t["a"])({"a": [s]}),
    "jax.numpy": lambda: jnp.sin(s),
    "jax.lax": lambda: jax.lax.sin(s),
    "an operator": lambda: s + 1,
    "vmap under jit": lambda: jax.jit(jax.vmap(f))(s, s),
    "vmap": lambda: jax.vmap(f)(s, s),
    "grad": lambda: jax.grad(lambda v: v.sum())(s),
    "device_put": lambda: jax.device_put(s),
    "unused": lambda: jax.jit(lambda x: 3)(s),
    "handed back": lambda: jax.jit(lambda x: x)(s),
    "cond": lambda: jax.lax.cond(True, lambda: s, lambda: s),
    "numbers after all": lambda: f(jnp.ones(2)),
    "the type of a shape": lambda: f.lower(s).compile()(jnp.ones(2)),
}.items():
    attempt(label, thunk)

for fun in (None, "f", x, int, print, len, max, type("C", (), {}), staticmethod(abs), iter([1])):
    text = type(fun).__name__ if hasattr(fun, "__next__") else repr(fun)
    attempt("jit of " + text[:25], lambda: jax.jit(fun)(1.0))

for text in ("float(x)", "int(x[:2])", "complex(x)", "float(x[1:2])", "int(jnp.array(True))",
             "float(jnp.array(1j))", "complex(jnp.array(2))", "float(jnp.bfloat16(2))",
             "f'{x:.2f}'", "f'{x}'", "f'{x[1]:.2f}'", "f'{x[1]:d}'", "f'{jnp.array(3):05d}'",
             "f'{jnp.array(1+2j):.1f}'", "f'{jnp.array(1.5):10}|'", "repr(type(f.lower(1.0)))"):
    try:
        note(text, str(eval(text)))
    except Exception as e:
        note(text, type(e).__name__ + ": " + str(e)[:300])
