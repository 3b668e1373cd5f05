# title: Draws of one shape
# kind: surprise
# about: trace lower
# decisive: two draws of five
# expected: six numbers are six numbers, and each draw is lowered for itself.
# happens: what lowering asks for a draw depends on the shape of it: another shape asks as often as the first, the same shape finds the rounds as a whole, and of two draws in one function the second asks nothing.
# source: jax/_src/random/threefry2x32.py: _threefry2x32_lowering; jax/_src/interpreters/mlir.py: lower_fun
import jax

key = jax.random.key(0)
six = jax.jit(lambda key: jax.random.normal(key, (6,)))
rows = jax.jit(lambda key: jax.random.normal(key, (2, 3)))
others = jax.jit(lambda key: jax.random.uniform(key, (6,)))
pair = jax.jit(lambda key: (jax.random.normal(key, (5,)), jax.random.uniform(key, (5,))))
for function in (six, rows, others, pair):
    function.trace(key)

call("six numbers", lambda: six(key))
call("two rows of three", lambda: rows(key))
call("another draw of six", lambda: others(key))
call("two draws of five", lambda: pair(key))
