# Prints and callbacks inside loops and branches: how often they run, in which order.
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import io_callback

xs = jnp.arange(3.0)
seen = []


def record(*values):
    seen.append(tuple(float(v) for v in values))


def show():
    note("seen", list(seen))
    seen.clear()


@jax.jit
def printing(xs):
    def body(c, x):
        jax.debug.print("c={c} x={x}", c=c, x=x)
        return c + x, None
    return lax.scan(body, 0.0, xs)[0]


call("print in scan", lambda: printing(xs))
call("print in scan again", lambda: printing(xs))


def tell(c, x):
    jax.debug.callback(record, c, x)
    return c + x, None


call("callback in an eager scan", lambda: lax.scan(tell, 0.0, xs)[0])
show()
call("callback in an eager scan again", lambda: lax.scan(tell, 0.0, xs)[0])
show()


@jax.jit
def ordered(n):
    def body(i, c):
        io_callback(record, None, i, c, ordered=True)
        return c + i
    return lax.fori_loop(0, n, body, 0)


call("ordered callback in fori", lambda: ordered(3))
show()
call("ordered callback in fori, no turn", lambda: ordered(0))
show()


@jax.jit
def pure(xs):
    def body(c, x):
        y = jax.pure_callback(lambda v: np.asarray(v) * 2, x, x)
        return c + y, y
    return lax.scan(body, 0.0, xs)


call("pure callback in scan", lambda: pure(xs))
call("pure callback in scan again", lambda: pure(xs))


@jax.jit
def in_while(x):
    def go_on(c):
        return c < 5

    def body(c):
        jax.debug.callback(record, c)
        return c + 2
    return lax.while_loop(go_on, body, x)


call("callback in a body", lambda: in_while(0.0))
show()


@jax.jit
def in_condition(x):
    def go_on(c):
        jax.debug.callback(record, c)
        return c < 5
    return lax.while_loop(go_on, lambda c: c + 2, x)


call("callback in a condition", lambda: in_condition(0.0))
show()


@jax.jit
def ordered_condition(x):
    def go_on(c):
        io_callback(record, None, c, ordered=True)
        return c < 5
    return lax.while_loop(go_on, lambda c: c + 2, x)


call("ordered callback in a condition", lambda: ordered_condition(0.0))
show()
call("ordered callback in a condition again", lambda: ordered_condition(0.0))
show()


@jax.jit
def in_branch(flag, x):
    def yes(x):
        jax.debug.callback(record, x)
        return x + 1
    return lax.cond(flag, yes, lambda x: x, x)


call("callback in the branch taken", lambda: in_branch(True, 1.0))
show()
call("callback in the other branch", lambda: in_branch(False, 1.0))
show()


@jax.jit
def in_switch(i, x):
    def branch(k):
        def run(x):
            jax.debug.print("branch {}", k)
            return x * k
        return run
    return lax.switch(i, [branch(k) for k in range(3)], x)


for i in (0, 2, 5):
    call(f"print in branch {i}", lambda: in_switch(i, 1.0))


@jax.jit
def nobody_looks(xs):
    def body(c, x):
        jax.debug.callback(record, x)
        return c + x, x * 2
    lax.scan(body, 0.0, xs)
    return xs.sum()


call("callback in a scan whose results are not used", lambda: nobody_looks(xs))
show()


@jax.jit
def nested(xs):
    def outer(c, x):
        def inner(d, y):
            jax.debug.callback(record, x, y)
            return d + y, None
        return c + lax.scan(inner, 0.0, xs[:2])[0], None
    return lax.scan(outer, 0.0, xs[:2])[0]


call("nested", lambda: nested(xs))
show()
note("jaxpr", str(jax.make_jaxpr(lambda xs: lax.scan(tell, 0.0, xs)[0])(xs)).count("debug_callback"))
