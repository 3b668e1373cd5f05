# title: Draws of one shape
# kind: surprise
# about: trace lower
# decisive: two draws of five, lowered
# expected: six numbers are six numbers, and each draw is lowered for itself.
# happens: what lowering asks for a draw depends on the shape of it: another shape asks as often as the first, the same shape finds the rounds as a whole, and of two draws in one function the second asks nothing.
# source: jax/_src/random/threefry2x32.py: _threefry2x32_lowering; jax/_src/interpreters/mlir.py: lower_fun
import jax

key = jax.random.key(0)
six = jax.jit(lambda key: jax.random.normal(key, (6,))).trace(key)
rows = jax.jit(lambda key: jax.random.normal(key, (2, 3))).trace(key)
others = jax.jit(lambda key: jax.random.uniform(key, (6,))).trace(key)
pair = jax.jit(lambda key: (jax.random.normal(key, (5,)), jax.random.uniform(key, (5,)))).trace(key)

call("six numbers, lowered", lambda: six.lower())
call("two rows of three, lowered", lambda: rows.lower())
call("another draw of six, lowered", lambda: others.lower())
call("two draws of five, lowered", lambda: pair.lower())
