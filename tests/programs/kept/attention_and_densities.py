"""Attention of the library, systems by factors, special functions and densities."""
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

import jax.scipy as jsp
from jax.scipy import linalg, special, stats


def ones(*shape):
    return jnp.asarray(np.arange(1, 1 + np.prod(shape, dtype=int), dtype="f4").reshape(shape) % 7 / 4)

q, k, v = ones(2, 3, 2, 4), ones(2, 5, 2, 4) + 1, ones(2, 5, 2, 4) - 1
one = jnp.asarray(np.array([2, 3], "i4"))
dpa = jax.nn.dot_product_attention
look("attention", lambda q, k, v: dpa(q, k, v), q, k, v)
look("causal attention", lambda q, k, v: dpa(q, k, v, is_causal=True, implementation="xla"), q, k, v)
look("no batch", lambda q: dpa(q, q, q, scale=0.5), q[0])
look("with a mask", lambda q, k, v: dpa(q, k, v, mask=jnp.tril(jnp.ones((2, 1, 3, 5), bool))), q, k, v)
look("with a bias", lambda q, k, v: dpa(q, k, v, ones(2, 2, 3, 5)), q, k, v)
look("of two groups", lambda q, k, v: dpa(q, k[:, :, :1], v[:, :, :1]), q, k, v)
look("lengths", lambda q, k, v, n: dpa(q, k, v, query_seq_lengths=n, key_value_seq_lengths=n + 1), q, k, v, one)
look("a window", lambda q, k, v: dpa(q, k, v, local_window_size=(1, 0)), q, k, v)
look("a residual", lambda q, k, v: dpa(q, k, v, return_residual=True), q, k, v)
look("gradient of attention", lambda q, k, v: jax.grad(lambda q: dpa(q, k, v).sum())(q), q, k, v)
call("sizes differ", lambda: dpa(q, k[..., :3], v))
call("heads differ", lambda: dpa(q[:, :, :1], k, v))
call("no such implementation", lambda: dpa(q, k, v, implementation="best"))

a = jnp.asarray(np.array([[4., 1., 2.], [1., 3., 0.], [2., 0., 5.]], "f4"))
b = jnp.asarray(np.array([1., 2., 3.], "f4"))
several = jnp.stack([a, a + jnp.eye(3)])
look("cholesky", lambda a: linalg.cholesky(a), a)
look("cho_factor and cho_solve", lambda a, b: linalg.cho_solve(linalg.cho_factor(a), b), a, b)
look("from a lower factor", lambda a, b: linalg.cho_solve((linalg.cholesky(a, lower=True), True), b), a, b)
look("for a matrix", lambda a: linalg.cho_solve(linalg.cho_factor(a), a), a)
look("solve_triangular", lambda a, b: linalg.solve_triangular(a, b), a, b)
look("lower, transposed", lambda a, b: linalg.solve_triangular(a, b, trans="T", lower=True), a, b)
look("unit diagonal", lambda a, b: linalg.solve_triangular(a, a, trans=2, unit_diagonal=True), a, b)
look("solve", lambda a, b: jsp.linalg.solve(a, b), a, b)
look("solve, positive", lambda a, b: linalg.solve(a, b, assume_a="pos"), a, b)
look("gradient of a solve", lambda a, b: jax.grad(lambda b: linalg.solve(a, b, assume_a="pos").sum())(b), a, b)
look("inv", lambda a: linalg.inv(a), a)
look("det", lambda a: linalg.det(a), a)
look("lu_factor and lu_solve", lambda a, b: linalg.lu_solve(linalg.lu_factor(a), b), a, b)
look("transposed", lambda a, b: linalg.lu_solve(linalg.lu_factor(a), b, trans=1), a, b)
look("svd", lambda a: linalg.svd(a, compute_uv=False), a)
look("eigh", lambda a: linalg.eigh(a, eigvals_only=True), a)
look("qr", lambda a: linalg.qr(a, mode="economic"), a)
look("r alone", lambda a: linalg.qr(a, mode="r"), a)
look("vmap of a solve", lambda s, b: jax.vmap(lambda m: linalg.cho_solve(linalg.cho_factor(m), b))(s), several, b)
call("several right sides without an axis", lambda: linalg.solve_triangular(several, several[:, 0]))
call("no such trans", lambda: linalg.solve_triangular(a, b, trans=3))
call("no such matrix", lambda: linalg.solve(a, b, assume_a="odd"))
call("generalized", lambda: linalg.eigh(a, a))

x, p = ones(3) - 1, jnp.asarray(np.array([0.1, 0.5, 0.9], "f4"))
for name, args in (("gamma", (x,)), ("gammasgn", (x,)), ("ndtr", (x,)), ("ndtri", (p,)), ("xlog1py", (x, p)), ("rel_entr", (p, p + 1)),
                   ("kl_div", (p, p + 1)), ("boxcox", (p, x)), ("boxcox1p", (p, x)), ("comb", (x + 4, x + 1)),
                   ("logsumexp", (x,)), ("gammaln", (x,)), ("erf", (x,)), ("digamma", (p,))):
    fun = getattr(special, name)
    look(name, lambda *xs: fun(*xs), *args)
for name, fun in (("log_ndtr", special.log_ndtr), ("norm.logcdf", stats.norm.logcdf), ("norm.logsf", stats.norm.logsf),
                  ("gradient of log_ndtr", jax.grad(lambda v: special.log_ndtr(v).sum()))):
    note(f"jaxpr of {name}", jaxpr(fun, x * 20))
    call(f"jit of {name}", lambda: jax.jit(fun)(x * 20))
look("gradient of xlog1py", lambda x: jax.grad(lambda v: special.xlog1py(v, v).sum())(x), p)
for name, fun, args in (
        ("norm.ppf", stats.norm.ppf, (p, 1.0, 2.0)),
        ("norm.isf", stats.norm.isf, (p,)),
        ("norm.logpdf", stats.norm.logpdf, (x, 0.5, 2)), ("norm.cdf", stats.norm.cdf, (x,)),
        ("expon.logpdf", stats.expon.logpdf, (x,)), ("expon.cdf", stats.expon.cdf, (x,)),
        ("expon.pdf", stats.expon.pdf, (x,)), ("expon.ppf", stats.expon.ppf, (p,)), ("expon.logcdf", stats.expon.logcdf, (p,)),
        ("uniform.logpdf", stats.uniform.logpdf, (x,)), ("uniform.cdf", stats.uniform.cdf, (x,)),
        ("uniform.ppf", stats.uniform.ppf, (p,)), ("laplace.logpdf", stats.laplace.logpdf, (x,)),
        ("laplace.cdf", stats.laplace.cdf, (x,)), ("logistic.pdf", stats.logistic.pdf, (x,)),
        ("logistic.cdf", stats.logistic.cdf, (x,)), ("logistic.sf", stats.logistic.sf, (x,)), ("logistic.ppf", stats.logistic.ppf, (p,)),
        ("logistic.isf", stats.logistic.isf, (p,)),
        ("cauchy.pdf", stats.cauchy.pdf, (x,)), ("t.logpdf", stats.t.logpdf, (x, 3.0)), ("t.pdf", stats.t.pdf, (x, 3.0)),
        ("gamma.logpdf", stats.gamma.logpdf, (x, 2.0)), ("bernoulli.logpmf", stats.bernoulli.logpmf, (1, p)),
        ("bernoulli.pmf", stats.bernoulli.pmf, (0, p)), ("poisson.logpmf", stats.poisson.logpmf, (one, p)),
        ("poisson.pmf", stats.poisson.pmf, (2, p)),
        ("multivariate_normal.logpdf", stats.multivariate_normal.logpdf, (x, b, a)),
        ("multivariate_normal.pdf", stats.multivariate_normal.pdf, (x, b, a)),
        ("one variance", stats.multivariate_normal.logpdf, (x, b, jnp.float32(2.0)))):
    look(name, lambda *xs: fun(*xs), *args)
