# happens: names for profilers change no key; what depends on no tracer can be computed at once.
import jax
import jax.numpy as jnp

x = jnp.arange(3.)


@jax.jit
def folded(x):
    with jax.ensure_compile_time_eval():
        steps = jnp.sin(jnp.arange(3.)) * 2
        if steps[1] > 1:
            x = x + steps
        y = x * 2
    return y + jnp.cos(jnp.ones(3))


call("folded", lambda: folded(x))
call("folded again", lambda: folded(x))
call("folded, other shape", lambda: folded(x[:1]))
note("jaxpr", str(jax.make_jaxpr(lambda x: folded(x) + 1)(x)))


def named(x):
    with jax.named_scope("outer"), jax.profiler.TraceAnnotation("mark"):
        return jax.named_call(jnp.tanh, name="inner")(x)


@jax.profiler.annotate_function
def annotated(x):
    with jax.profiler.StepTraceAnnotation("train", step_num=1):
        return jax.named_call(named)(x)


fast = jax.jit(annotated)
call("named", lambda: fast(x))
call("named again", lambda: fast(x))
note("jaxpr with names", str(jax.make_jaxpr(annotated)(x)))
call("a number as a name", lambda: jax.named_scope(3).__enter__())
with jax.ensure_compile_time_eval():
    call("eagerly inside", lambda: jnp.sin(x) + 1)
    call("a jitted function inside", lambda: fast(x))
call("after it", lambda: fast(x))


# A gradient given with the result.
@jax.custom_gradient
def clipped(x):
    return jnp.sum(x ** 2), lambda g: jnp.clip(g * x, -1, 1)


call("value", lambda: clipped(x))
call("gradient", lambda: jax.grad(clipped)(x))
call("gradient again", lambda: jax.grad(clipped)(x))
slope = jax.jit(jax.grad(clipped))
call("jitted gradient", lambda: slope(x))
call("jitted gradient again", lambda: slope(x))
note("jaxpr of a gradient", str(jax.make_jaxpr(jax.grad(clipped))(x)))
two = jax.custom_gradient(lambda x, y: (x * y, lambda g: (g * y, g * x)))
call("two arguments", lambda: jax.grad(two, argnums=(0, 1))(2., 3.))


# Captured tracers as arguments.
def minimize(objective, start):
    converted, aux = jax.closure_convert(objective, start)
    note("hoisted", len(aux))
    return solved(converted, start, *aux)


def solve(converted, start, *aux):
    return start - jax.grad(converted)(start, *aux)


solved = jax.custom_vjp(solve, nondiff_argnums=(0,))
solved.defvjp(lambda f, s, *aux: (solve(f, s, *aux), (s, aux)),
              lambda f, res, g: (g, *[jnp.zeros_like(a) + g for a in res[1]]))


def whole(c):
    return minimize(lambda v: jnp.sum((v - c) ** 2), 1.)


call("whole", lambda: whole(3.))
call("gradient of the whole", lambda: jax.grad(whole)(3.))
call("jitted gradient of the whole", lambda: jax.jit(jax.grad(whole))(3.))
