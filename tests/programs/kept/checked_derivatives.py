# shows: Derivatives held against finite differences, and what NumPy's assertions say.
# source: https://docs.jax.dev/en/latest/notebooks/autodiff_cookbook.html
import re
import jax, jax.numpy as jnp
from jax.test_util import check_grads
import numpy as np
note("ok", [check_grads(jnp.sin, (1.0,), order=2), check_grads(lambda x, y: (x * y).sum(), (jnp.ones(3), jnp.arange(3.0)), order=1, modes=["rev"])])
@jax.custom_jvp
def f(x): return x ** 2
f.defjvp(lambda p, t: (f(p[0]), p[0] * t[0]))
for modes in (["fwd"], ["rev"]):
    try: check_grads(f, (np.float32(3.0),), 1, modes=modes)
    except AssertionError as e: note("wrong", str(e).strip().splitlines()[:3])
j = jax.make_jaxpr(lambda x: x + 1)(1)
note("vars", re.sub(r"id=\d+", "id", f"{j.jaxpr.invars} {j.eqns[0].invars} {j.eqns[0].outvars}"))
def attempt(label, fun, *a, **k):
    try: note(label, fun(*a, **k))
    except AssertionError as e: note(label, str(e))
T = np.testing
F = np.float32
attempt("three", T.assert_allclose, F([1, 2, 3]), F([1, 2.5, 4]), err_msg="hello")
attempt("one", T.assert_array_equal, np.array([1, 2]), np.array([1, 3]))
attempt("nan", T.assert_allclose, np.array([1., np.nan]), np.array([1., 2.]))
attempt("inf", T.assert_allclose, np.array([1., np.inf]), np.array([1., 2.]))
attempt("shapes", T.assert_array_equal, np.ones(2), np.ones(3))
attempt("many", T.assert_array_equal, np.arange(8.0), np.zeros(8))
attempt("scalar", T.assert_allclose, jnp.float32(1.5), 1.25, rtol=1e-3)
attempt("bools", T.assert_array_equal, np.array([True, False]), np.array([True, True]))
attempt("matrix", T.assert_allclose, jnp.ones((2, 2)), np.array([[1.0, 1.0], [1.0, 2.0]]), atol=0.1)
attempt("fine", T.assert_allclose, jnp.ones(2), 1.0)
attempt("almost", T.assert_array_almost_equal, np.array([1.0, 2.0]), np.array([1.0, 2.001]), decimal=3)
attempt("raises", T.assert_raises, ValueError, lambda: None)
attempt("raises well", lambda: T.assert_raises(ValueError, int, "a"))
