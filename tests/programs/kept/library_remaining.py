"""The library: public functions that no other program calls, each eagerly, as a jaxpr, and jitted."""

import re

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.nn import initializers as ini
from jax.scipy import special

x = jnp.asarray(np.array([0.5, -0.25, 0.75], "f4"))
y = jnp.asarray(np.array([2.0, 0.5, -3.0], "f4"))
i = jnp.asarray(np.array([3, -4, 5], "i4"))
u = jnp.asarray(np.array([3, 4, 5], "u4"))
b = jnp.asarray(np.array([True, False, True]))
z = jnp.asarray(np.array([1 + 2j, 3 - 1j, 2], "c8"))
m = jnp.asarray(np.array([[2.0, 1.0], [1.0, 3.0]], "f4"))
t = jnp.asarray(np.arange(8, dtype="f4").reshape(2, 2, 2))
w = jnp.asarray(np.arange(4, dtype="f4").reshape(2, 2))


def jaxpr(f, *args):
    try:
        return str(jax.make_jaxpr(f)(*args))
    except Exception as error:
        first = (str(error).splitlines() or [""])[0]
        return f"{type(error).__name__}: {re.sub(' at [^ ]+:[0-9]+', '', first)}"


def look(text, values=True):
    args = [(n, globals()[n]) for n in "xyiubzmtw" if re.search(rf"\b{n}\b", text)]
    f = eval(f"lambda {', '.join(n for n, _ in args)}: {text}")
    args = [v for _, v in args]
    if values:
        call(text, lambda: f(*args))
        call(f"{text} again", lambda: f(*args))
    note(f"jaxpr of {text}", jaxpr(f, *args))
    if values:
        call(f"jit of {text}", lambda: jax.jit(f)(*args))


for name in "absolute acos asinh atan atanh conjugate digamma".split():
    look(f"{'lax' if name == 'digamma' else 'jnp'}.{name}(x)")
for name in "asinh atan atanh bessel_i0e bessel_i1e".split():
    look(f"lax.{name}(x)", values="bessel" not in name)
for name in "bitwise_left_shift bitwise_right_shift bitwise_xor".split():
    look(f"jnp.{name}(i, u)")
for name in "fmin greater less_equal not_equal".split():
    look(f"jnp.{name}(x, y)")
    look(f"jnp.{name}(i, y)")
for name in "amin nanmin nanprod nancumsum nancumprod flipud radians isrealobj".split():
    look(f"jnp.{name}(x)")
look("jnp.amin(w, axis=0)")
look("jnp.nanmin(w, axis=1, keepdims=True)")
look("jnp.nanprod(w, axis=0)")
look("jnp.bitwise_invert(i)")
look("jnp.concat([x, y])")
look("jnp.corrcoef(x, y)")
look("jnp.dsplit(t, 2)")
look("jnp.vsplit(m, 2)")
look("jnp.histogram_bin_edges(x, bins=3)")
look("jnp.matrix_transpose(t)")
look("jnp.permute_dims(t, (2, 0, 1))")
look("jnp.uint(x)")
look("jnp.uint16(3)")
look("jnp.int_(x)")
look("jnp.float_(i)")
look("jnp.single(i)")
look("jnp.csingle(x)")
look("x[jnp.newaxis, :]")
look("x * jnp.pi + jnp.euler_gamma")
look("jnp.where(x > jnp.inf, jnp.nan, x)")
look("w[jnp.s_[0, :]]")
look("w[jnp.index_exp[:, 1]]")
look("lax.bitwise_xor(i, i)")
look("lax.broadcast_to_rank(x, 3)")
for name in "ge gt eq ne le lt".split():
    look(f"lax.{name}(x, y)")
for name in "min max".split():
    look(f"lax.reduce_{name}(w, axes=(0,))")
look("lax.reduce_or(b, axes=(0,))")
look("lax.reduce_and(b, axes=(0,))")
look("lax.reduce_xor(i, axes=(0,))")
look("lax.reduce_sum(w, axes=(1,))")
look("lax.reduce_prod(w, axes=(0, 1))")
for name in "shift_right_arithmetic shift_right_logical shift_left".split():
    look(f"lax.{name}(i, i)")
    look(f"lax.{name}(u, u)")
dims = lax.ScatterDimensionNumbers(update_window_dims=(), inserted_window_dims=(0,), scatter_dims_to_operand_dims=(0,))
for name in "scatter scatter_add scatter_max scatter_min scatter_mul scatter_sub".split():
    look(f"lax.{name}(x, jnp.array([[0], [2]]), jnp.array([5., 0.25]), dims)")
look("lax.dce_sink(x)")
look("lax.custom_linear_solve(lambda v: m @ v, x[:2], lambda mv, r: jnp.linalg.solve(m, r))", values=False)
look("lax.conv_with_general_padding(t, t, (1,), [(0, 1)], (1,), (1,))")
note("dimensions", str(lax.conv_dimension_numbers((1, 2, 8, 8), (2, 2, 3, 3), None)))
for name in "hard_silu hard_swish swish logmeanexp".split():
    look(f"jax.nn.{name}(x)")
for name in "he_normal kaiming_normal kaiming_uniform lecun_uniform xavier_normal xavier_uniform".split():
    look(f"ini.{name}()(jax.random.key(1), (2, 3))")
look("jax.random.laplace(jax.random.key(0), (3,))")
for name in "matrix_norm pinv svd tensorinv matrix_transpose matrix_rank".split():
    look(f"jnp.linalg.{name}({'t.reshape(4, 2)[:2] + m' if name == 'tensorinv' else 'm'}" + (", ind=1)" if name == "tensorinv" else ")"),
         values=name != "svd")
look("jnp.linalg.vector_norm(x)")
look("jnp.linalg.vector_norm(w, axis=1, ord=1)")
look("jnp.linalg.lstsq(m, x[:2])")
look("jnp.linalg.tensorsolve(m, x[:2])")
for name in "fft2 fftn ifft2 ifftn rfft2 fftshift ifftshift".split():
    look(f"jnp.fft.{name}(w)")
look("jnp.fft.irfft2(jnp.fft.rfft2(w))")
for name in "digamma entr erfinv gammaln i0e i1e logit ndtr factorial".split():
    look(f"special.{name}(x)", values=name not in ("i0e", "i1e"))
look("special.xlogy(x, y)")
look("special.factorial(i)")
tree = {"a": x, "b": (i, None)}
call("flatten_with_path", lambda: str(jax.tree.flatten_with_path(tree)[0][0][0]))
call("map_with_path", lambda: jax.tree.map_with_path(lambda p, v: v * len(p), tree)["a"])
call("broadcast", lambda: jax.tree_util.tree_broadcast(1.0, tree)["a"])
call("children", lambda: str(jax.tree_util.treedef_children(jax.tree.structure(tree))))
call("leaf", lambda: str(jax.tree_util.treedef_is_leaf(jax.tree.structure(1.0))))
call("paths", lambda: str([jax.tree_util.keystr(p) for p, _ in jax.tree_util.tree_flatten_with_path(tree)[0]]))
call("keys", lambda: str([jax.tree_util.DictKey("a"), jax.tree_util.SequenceKey(1), jax.tree_util.FlattenedIndexKey(2)]))
look("jnp.cdouble(x)")
look("jnp.complex_(x)")
note("kinds", [issubclass(jnp.float32, jnp.flexible), issubclass(jnp.int8, jnp.character)])
note("how many", [jax.local_device_count(), jax.process_count()])
f = jax.jit(lambda v: jnp.sin(v) * 2)
for state, value in [("auto_pcast", False), ("check_tracer_leaks", False), ("enable_checks", True),
                     ("enable_custom_prng", True), ("jax2tf_associative_scan_reductions", True),
                     ("legacy_prng_key", "warn"), ("remove_size_one_mesh_axis_from_type", True),
                     ("transfer_guard_device_to_host", "disallow")]:
    with getattr(jax, state)(value):
        call(state, lambda: f(x))
        call(f"{state}, NumPy", lambda: f(np.ones(3, "f4")))
        call(f"{state}, key", lambda: jax.random.key_data(jax.random.PRNGKey(0)))
