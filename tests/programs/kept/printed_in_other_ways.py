# happens: how arrays print is an option of NumPy's, kept per thread; JAX's arrays follow it.
# source: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.printoptions.html
import sys
import threading
import jax, jax.numpy as jnp, numpy as np


def show(label, *values):
    note(label, [str(v) + " | " + repr(v) for v in values])


x = jnp.array([1 / 3, -2.0, 1e-7, 12345.678])
y = np.array([[0.5, 100.25], [-3.125, 1e-3]])
small = jnp.array([1.5, 2.25, 3.0])
big = jnp.arange(2000.0)
odd = np.array([np.nan, np.inf, -np.inf, 1.0])
mixed = np.array([1 + 2j, 3.25 - 0.125j])
whole = np.array([5, -30, 700])
show("as it is", x, y, small, big, odd, mixed, whole)
with jnp.printoptions(precision=3, suppress=True):
    show("three places", x, y, small, mixed, whole, jnp.float32(1 / 3))
with np.printoptions(precision=2, floatmode="fixed") as now:
    show("fixed", x, y, small, odd, mixed)
    note("options", {k: v for k, v in now.items() if k != "formatter"})
for mode in ("unique", "maxprec", "maxprec_equal", "fixed"):
    with np.printoptions(floatmode=mode, precision=4):
        show(mode, x, y, small, jnp.array([1e10, 1.0]), odd, mixed)
for sign in "+ -":
    with np.printoptions(sign=sign):
        show("sign " + sign, y, small, odd, whole, mixed, np.array([1.0, np.inf]))
with np.printoptions(threshold=5, edgeitems=1, linewidth=30):
    show("summary", y, jnp.arange(6), jnp.ones((4, 4)), jnp.arange(7) > 3)
with np.printoptions(threshold=sys.maxsize, linewidth=200):
    note("all", len(str(big)))
with np.printoptions(nanstr="none", infstr="endless"):
    show("words", odd)
with np.printoptions(formatter={"float": lambda v: f"<{v:.1f}>"}):
    show("own", y, small, whole)
with np.printoptions(formatter={"all": "{:>6}".format, "int_kind": hex}):
    show("all own", y, whole, jnp.array([True, False]))
for wrong in ({"precision": 1.5}, {"threshold": "a"}, {"threshold": np.nan}, {"sign": "*"},
              {"floatmode": "short"}):
    try:
        np.set_printoptions(**wrong)
    except (TypeError, ValueError) as error:
        note("wrong", type(error).__name__ + ": " + str(error))

np.set_printoptions(precision=2, formatter={"int": str})
note("kept", [str(x), str(whole)])
jnp.set_printoptions(suppress=True)
note("no formatter any more", [str(x), str(whole)])
thread = threading.Thread(target=lambda: note("a thread has its own", str(x)))
thread.start()
thread.join()
note("given", [np.array2string(y, precision=1), np.array2string(x, separator=", ", suffix=")"),
               np.array2string(big, threshold=3, edgeitems=2, max_line_width=20),
               np.array_repr(y, 20), np.array_str(y, precision=1, suppress_small=True),
               jnp.array_repr(small), jnp.array_str(small), np.array_repr(small)])
np.set_printoptions(precision=8, suppress=False)
print(jax.jit(lambda v: v / 3)(small), jnp.get_printoptions()["precision"])
