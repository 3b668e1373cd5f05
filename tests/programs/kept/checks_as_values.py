# happens: a checked function returns its error as a value; every call of it traces again.
import jax
import jax.numpy as jnp
from jax.experimental import checkify


def reciprocal(x):
    checkify.check(x > 0, "{x} is not positive", x=x)
    return 1 / x


def report(out):
    err, value = out
    return err.get(), value


checked = checkify.checkify(reciprocal)
fast = jax.jit(checked)
two, less = jnp.float32(2), jnp.float32(-2)
note("eager", call("checked(2)", lambda: report(checked(two)))[0])
note("eager, bad", call("checked(-2)", lambda: report(checked(less)))[0])
note("jitted", call("fast(2)", lambda: report(fast(two)))[0])
note("jitted, bad", call("fast(-2)", lambda: report(fast(less)))[0])
call("fast(2) again", lambda: report(fast(two))[1])
call("thrown", lambda: checkify.checkify(reciprocal)(less)[0].throw())
call("not taken out", lambda: reciprocal(less))
call("not taken out, good", lambda: reciprocal(two))
call("staged with a check inside", lambda: jax.jit(reciprocal)(two))
note("jaxpr", str(jax.make_jaxpr(checked)(two)))
note("jaxpr of the check", str(jax.make_jaxpr(reciprocal)(two)))
call("given as a number", lambda: checkify.check(1, "no truth value"))
call("text in a message", lambda: checkify.check(True, "{}", "text"))


# Which errors are looked for.
def ratio(x, y):
    return jnp.log(x / y)


for name in ("user_checks", "nan_checks", "div_checks", "float_checks", "all_checks"):
    looked = jax.jit(checkify.checkify(ratio, errors=getattr(checkify, name)))
    note(name, call(f"ratio(1, 0), {name}", lambda: report(looked(two, jnp.float32(0))))[0])
    note(name, call(f"ratio(-1, 2), {name}", lambda: report(looked(less, two)))[0])
note("jaxpr with nan checks", str(jax.make_jaxpr(checkify.checkify(
    ratio, errors=checkify.float_checks))(two, two)))
eager = checkify.checkify(ratio, errors=checkify.float_checks)
call("eager with float checks", lambda: report(eager(two, less))[1])
call("eager with float checks again", lambda: report(eager(two, less))[1])


# Jitted functions inside.
@jax.jit
def inner(x):
    return jnp.sqrt(x)


def outer(x):
    return inner(x) + inner(x + 1)


nans = checkify.checkify(outer, errors=checkify.nan_checks)
note("inner", call("outer(-2)", lambda: report(nans(less)))[0])
note("inner", call("outer(2)", lambda: report(nans(two)))[0])
call("jit of outer(2)", lambda: report(jax.jit(nans)(two))[1])

# A debug check is nothing unless it is taken out.
def careful(x):
    checkify.debug_check(x != 2, "never two")
    return x + 1


call("debug check, jitted", lambda: jax.jit(careful)(two))
note("debug check", call("debug check, taken out",
                         lambda: report(jax.jit(checkify.checkify(careful))(two)))[0])


# Raised again behind a jitted function, and taken out a second time.
def again(x):
    err, out = jax.jit(checked)(x)
    checkify.check_error(err)
    return out


call("again(2)", lambda: again(two))
call("again(-2)", lambda: again(less))
note("again", call("checkify(again)(-2)", lambda: report(checkify.checkify(again)(less)))[0])
