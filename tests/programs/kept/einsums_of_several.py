"""einsum of three and more arrays, of dots and of diagonals; looked at once more in its jaxpr."""
import re
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

def jaxpr(f, *args):
    try:
        return str(jax.make_jaxpr(f)(*args))
    except Exception as error:
        first = (str(error).splitlines() or [""])[0]
        return f"{type(error).__name__}: {re.sub(' at [^ ]+:[0-9]+', '', first)}"


def look(text, f, *args):
    call(text, lambda: f(*args))
    call(f"{text} again", lambda: f(*args))
    note(f"jaxpr of {text}", jaxpr(f, *args))
    call(f"jit of {text}", lambda: jax.jit(f)(*args))

def ones(*shape):
    return jnp.asarray(np.arange(1, 1 + np.prod(shape, dtype=int), dtype="f4").reshape(shape) % 7)

a, b, c, d = ones(3, 4), ones(4, 5), ones(5, 2), ones(2, 6)
t, v, s = ones(3, 4, 4), ones(4), ones(4, 4)
n = jnp.arange(16, dtype="int32").reshape(4, 4)
for text, args in (
    ("ij,jk,kl->il", (a, b, c)), ("ij,jk,kl", (a, b, c)), ("ij,jk,kl,lm->im", (a, b, c, d)),
    ("i,ij,j->", (v, s, v)), ("bij,bjk,bk->bi", (t, t, ones(3, 4))), ("...ij,...jk->...ik", (t, t)),
    ("...ij,j->...i", (t, v)), ("...i->...", (t,)), ("ii->i", (s,)), ("ii", (s,)), ("ii,i->", (s, v)),
    ("bii->b", (t,)), ("bii,i->bi", (t, v)), ("a,b,c,d,e->abcde", (v, v, v, v, v)),
    ("ij,jk,kl,lm,mn->in", (a, b, c, d, ones(6, 3))), ("ij,ij,ij->j", (a, a, a)),
    ("...,...", (t, t)), ("ij,kj->...", (a, a)), ("ij,i,j", (n, v, v)), ("ij->ji", (a,)),
    ("bhqd,bhkd,bhkv->bhqv", (ones(1, 2, 3, 4), ones(1, 2, 5, 4), ones(1, 2, 5, 2))),
    ("i,i->i", (jnp.asarray([True, False, True, True]), v > 2)),
    ("ik,kj,jl,lm,mn,no->io", (s,) * 6)):
    look(f"einsum of {text}", lambda *xs: jnp.einsum(text, *xs), *args)
look("in the order given", lambda *xs: jnp.einsum("ij,jk,kl->il", *xs, optimize=False), a, b, c)
look("optimal", lambda *xs: jnp.einsum("ij,jk,kl->il", *xs, optimize=True), a, b, c)
look("a path", lambda *xs: jnp.einsum("ij,jk,kl->il", *xs, optimize=[(1, 2), (0, 1)]), a, b, c)
look("lists of numbers", lambda x, y: jnp.einsum(x, [0, 1], y, [1, 2], [0, 2]), a, b)
look("lists of numbers and dots", lambda x, y: jnp.einsum(x, [..., 0], y, [0]), t, v)
look("python numbers", lambda x: jnp.einsum(",i->i", 2.0, x), v)
call("too few letters", lambda: jnp.einsum("ij,jk->ik", t, b))
call("too many arrays", lambda: jnp.einsum("ij->i", a, b))
call("sizes differ", lambda: jnp.einsum("ij,jk->ik", a, a))
call("a letter out of nowhere", lambda: jnp.einsum("ij->k", a))
call("a letter twice", lambda: jnp.einsum("ij->ii", a))
call("all at once", lambda: jnp.einsum("ij,jk,kl->il", a, b, c, optimize=[(0, 1, 2)]))
call("gradient", lambda: jax.grad(lambda x: jnp.einsum("ij,jk,kl->", x, b, c))(a))
call("vmap", lambda: jax.vmap(lambda x: jnp.einsum("ij,j,i->", x, v, v))(t))
