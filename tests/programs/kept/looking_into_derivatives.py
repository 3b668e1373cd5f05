# shows: What is kept for a derivative, a jaxpr evaluated by hand, profiles around calls.
# source: https://docs.jax.dev/en/latest/gradient-checkpointing.html
import contextlib, io, re, tempfile
import jax, jax.numpy as jnp
from jax.ad_checkpoint import checkpoint_name, print_saved_residuals


def printed(f, *args, **kwargs):
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        print_saved_residuals(f, *args, **kwargs)
    return re.sub(r"\S*/(\w+\.py)", r"\1", text.getvalue())


def layer(w, x):
    return jnp.sin(w @ x)


def loss(ws, x):
    for w in ws:
        x = layer(w, x)
    return jnp.sum(checkpoint_name(x * 2.0, "end") ** 2)


ws, x = [jnp.ones((3, 3)), jnp.full((3, 3), 0.5)], jnp.arange(3.0)
note("plain", printed(loss, ws, x))
note("checkpoint", printed(jax.checkpoint(loss), ws, x))
note("dots", printed(jax.checkpoint(loss, policy=jax.checkpoint_policies.dots_saveable), ws, x))
note("named", printed(jax.checkpoint(
    loss, policy=jax.checkpoint_policies.save_only_these_names("end")), ws, x=x))
note("jitted", printed(jax.jit(lambda v: jnp.cos(v) * x), 1.0))
note("constant", printed(lambda v: v * jnp.arange(3.0), x))

jaxpr = jax.make_jaxpr(lambda v: jnp.sin(v) * x)(x)
for _ in range(2):
    note("evaluated", [r.tolist() for r in jax.core.eval_jaxpr(jaxpr.jaxpr, jaxpr.consts, x)])
note("under jit", jax.jit(lambda v: jax.core.eval_jaxpr(jaxpr.jaxpr, jaxpr.consts, v))(x)[0].tolist())

step = jax.jit(lambda v: v * 2)
with tempfile.TemporaryDirectory() as folder:
    with jax.profiler.trace(folder):
        for i in range(2):
            with jax.profiler.StepTraceAnnotation("step", step_num=i):
                step(x).block_until_ready()
        try:
            jax.profiler.start_trace(folder)
        except RuntimeError as error:
            note("twice", str(error))
try:
    jax.profiler.stop_trace()
except RuntimeError as error:
    note("stopped twice", str(error))
heard = []
listener = lambda name, **details: heard.append(name)
jax.monitoring.register_event_listener(listener)
jax.monitoring.record_event("mine")
jax.monitoring.unregister_event_listener(listener)
jax.monitoring.record_event("nobody hears")
note("heard", heard)
