# Mistakes with loops and branches, and the words JAX finds for them.
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

xs = jnp.arange(3.0)


def attempt(label, thunk):
    def run():
        try:
            return thunk()
        except Exception as error:
            if type(error) in (TypeError, ValueError):
                # Everything it says, but for places in files.
                note(label + ", in full", "\n".join(
                    line for line in str(error).splitlines() if ".py:" not in line))
            raise
    call(label, run)


attempt("dtype of the carry", lambda: lax.scan(lambda c, x: (c + x, None), jnp.int32(0), xs))
attempt("shape of the carry", lambda: lax.scan(lambda c, x: (c[None] * x, None), xs, xs))
attempt("both", lambda: lax.scan(lambda c, x: (jnp.int32(0), None), xs, xs))
attempt("one of several", lambda: lax.scan(
    lambda c, x: ({"a": c["a"], "b": c["b"].astype(int)}, None), {"a": 0.0, "b": x0}, xs))
x0 = jnp.float32(0)
attempt("one of several, defined", lambda: lax.scan(
    lambda c, x: ({"a": c["a"], "b": c["b"].astype(int)}, None), {"a": 0.0, "b": x0}, xs))
attempt("several of several", lambda: lax.scan(
    lambda state, x: ((state[1][:2], state[0].astype(int), state[2]), None), (xs, xs, 1), xs))
attempt("structure of the carry", lambda: lax.scan(lambda c, x: ((c, c), None), 0.0, xs))
attempt("fewer", lambda: lax.scan(lambda c, x: (c[0], None), (0.0, 1.0), xs))
attempt("list for tuple", lambda: lax.scan(lambda c, x: ([c[0], c[1]], None), (0.0, 1.0), xs))
attempt("other keys", lambda: lax.scan(
    lambda c, x: ({"b": c["a"]}, None), {"a": 0.0}, xs))
attempt("two differences", lambda: lax.scan(
    lambda c, x: (([c[0][0]], {"b": 1.0}), None), ((0.0,), {"a": 0.0}), xs))
attempt("no pair", lambda: lax.scan(lambda c, x: c + x, 0.0, xs))
attempt("three", lambda: lax.scan(lambda c, x: (c, x, x), 0.0, xs))
attempt("None", lambda: lax.scan(lambda c, x: None, 0.0, xs))
attempt("a list of two is fine", lambda: lax.scan(lambda c, x: [c, x], 0.0, xs))
attempt("lengths differ", lambda: lax.scan(lambda c, x: (c, None), 0.0, (xs, xs[:2])))
attempt("length disagrees", lambda: lax.scan(lambda c, x: (c, None), 0.0, xs, length=4))
attempt("no length", lambda: lax.scan(lambda c, x: (c, None), 0.0))
attempt("scalar rows", lambda: lax.scan(lambda c, x: (c, None), 0.0, 3))
attempt("rows without a shape", lambda: lax.scan(lambda c, x: (c, None), 0.0, (xs, 3)))
attempt("0-dimensional rows", lambda: lax.scan(lambda c, x: (c, None), 0.0, jnp.float32(1)))
attempt("a list of numbers", lambda: lax.scan(lambda c, x: (c, None), 0.0, [1, 2, 3]))
attempt("not callable", lambda: lax.scan(3, 0.0, xs))
attempt("a string", lambda: lax.scan(lambda c, x: (c, None), "a", xs))
attempt("returns a string", lambda: lax.scan(lambda c, x: (c, "a"), 0.0, xs))
attempt("traced length", lambda: jax.jit(
    lambda n: lax.scan(lambda c, x: (c, None), 0.0, None, length=n))(3))
attempt("negative unroll", lambda: lax.scan(lambda c, x: (c, None), 0.0, xs, unroll=-1))
attempt("too few parameters", lambda: lax.scan(lambda c: (c, None), 0.0, xs))

attempt("while: number", lambda: lax.while_loop(lambda c: c, lambda c: c, 1))
attempt("while: array", lambda: lax.while_loop(lambda c: c > 0, lambda c: c, xs))
attempt("while: pair", lambda: lax.while_loop(lambda c: (True, c), lambda c: c, 1))
attempt("while: dtype", lambda: lax.while_loop(lambda c: c[0] < 1, lambda c: (c[0] + 1, 1.5), (x0, 1)))
attempt("while: strong dtype", lambda: lax.while_loop(
    lambda c: c < 1, lambda c: c * 1.5, jnp.int32(0)))
attempt("while: structure", lambda: lax.while_loop(lambda c: True, lambda c: (c, c), 1))
attempt("while: not callable", lambda: lax.while_loop(True, lambda c: c, 1))
attempt("while: Python if", lambda: lax.while_loop(
    lambda c: True if c < 3 else False, lambda c: c + 1, 0))

attempt("fori: float bound", lambda: lax.fori_loop(0, 3.0, lambda i, c: c, 0))
attempt("fori: types of bounds", lambda: lax.fori_loop(
    jnp.int8(0), jnp.int16(3), lambda i, c: c, 0))
attempt("fori: array bound", lambda: lax.fori_loop(0, xs.astype(int), lambda i, c: c, 0))
attempt("fori: unroll a traced bound", lambda: jax.jit(
    lambda n: lax.fori_loop(0, n, lambda i, c: c + i, 0, unroll=2))(3))
attempt("fori: not callable", lambda: lax.fori_loop(0, 3, None, 0))
attempt("fori: dtype", lambda: lax.fori_loop(0, 3, lambda i, c: c / 2, jnp.int32(1)))
attempt("fori: index a list", lambda: lax.fori_loop(0, 3, lambda i, c: c + [1, 2, 3][i], 0))
attempt("fori: range of a tracer", lambda: lax.fori_loop(
    0, 3, lambda i, c: c + sum(range(i)), 0))

attempt("cond: types", lambda: lax.cond(True, lambda: 1, lambda: 2.0))
attempt("cond: shapes", lambda: lax.cond(True, lambda: xs, lambda: xs[:2]))
attempt("cond: shape and dtype", lambda: lax.cond(True, lambda: {"a": xs}, lambda: {"a": 1}))
attempt("cond: several", lambda: lax.cond(True, lambda: (1, xs, 2.0), lambda: (1.0, 2, 3)))
attempt("cond: structures", lambda: lax.cond(True, lambda: (1, 2), lambda: 1))
attempt("cond: two structures", lambda: lax.cond(
    True, lambda: ((1,), [2]), lambda: ([1], (2,))))
attempt("cond: None", lambda: lax.cond(True, lambda: None, lambda: 1.0))
attempt("cond: no predicate", lambda: lax.cond(None, lambda: 1, lambda: 2))
attempt("cond: array predicate", lambda: lax.cond(xs > 0, lambda: 1, lambda: 2))
attempt("cond: list predicate", lambda: lax.cond([True], lambda: 1, lambda: 2))
attempt("cond: string predicate", lambda: lax.cond("yes", lambda: 1, lambda: 2))
attempt("cond: complex predicate", lambda: lax.cond(1j, lambda: 1, lambda: 2))
attempt("cond: values", lambda: lax.cond(True, 1, 2))
attempt("cond: too many operands", lambda: lax.cond(True, lambda: 1, lambda: 2, 3))
attempt("cond: operand twice", lambda: lax.cond(True, lambda x: x, lambda x: x, 1, operand=2))
attempt("cond: operand is a string", lambda: lax.cond(True, lambda x: 1, lambda x: 2, "a"))

attempt("switch: types", lambda: lax.switch(0, [lambda: 1, lambda: 2.0]))
attempt("switch: structures", lambda: lax.switch(0, [lambda: 1, lambda: 2, lambda: (1,)]))
attempt("switch: float index", lambda: lax.switch(0.0, [lambda: 1, lambda: 2]))
attempt("switch: bool index", lambda: lax.switch(True, [lambda: 1, lambda: 2]))
attempt("switch: array index", lambda: lax.switch(xs, [lambda: 1, lambda: 2]))
attempt("switch: nothing", lambda: lax.switch(0, []))
attempt("switch: values", lambda: lax.switch(0, [1, 2]))
attempt("switch: string", lambda: lax.switch("a", [lambda: 1, lambda: 2]))

attempt("map: scalar", lambda: lax.map(lambda x: x, 3))
attempt("map: lengths", lambda: lax.map(lambda p: p[0], (xs, xs[:2])))
attempt("associative_scan: value", lambda: lax.associative_scan(3, xs))
attempt("associative_scan: lengths", lambda: lax.associative_scan(
    lambda a, b: a, (xs, xs[:2])))
attempt("associative_scan: axis", lambda: lax.associative_scan(jnp.add, xs, axis=1))


def leaks(c, x):
    global leaked
    leaked = c
    return c + x, None


call("leaks its carry", lambda: lax.scan(leaks, 0.0, xs)[0])
attempt("uses the leaked carry", lambda: leaked + 1)


def raises(c, x):
    raise KeyError("in the body")


attempt("raises", lambda: lax.scan(raises, 0.0, xs))
attempt("raises again", lambda: lax.scan(raises, 0.0, xs))
attempt("NumPy on the carry", lambda: lax.scan(lambda c, x: (np.sin(c), None), 0.0, xs))
attempt("float of the carry", lambda: lax.scan(lambda c, x: (float(c) + x, None), 0.0, xs))
