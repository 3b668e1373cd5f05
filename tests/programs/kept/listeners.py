# shows: What jax.monitoring tells during calls.
import jax, jax.numpy as jnp
events = []
jax.monitoring.register_event_listener(lambda name, **kw: events.append(name))
durs = []
jax.monitoring.register_event_duration_secs_listener(lambda name, d, **kw: durs.append(name))
f = jax.jit(lambda x: x + 1)
call("f", lambda: f(1))
note("events", list(events))
note("durs", list(durs))
events.clear(); durs.clear()
call("f2", lambda: f(1))
note("events", list(events))
note("durs", list(durs))
call("eager", lambda: jnp.ones(3) * 2)
note("events", list(events))
note("durs", list(durs))
