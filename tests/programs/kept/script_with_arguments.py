# expected: a script with arguments and a timer is a script like any other
# happens: the same, with the part of the standard library that scripts use
# source: own
import argparse, base64, bisect, csv, datetime, heapq, pprint, queue, struct, timeit
import jax, jax.numpy as jnp
p = argparse.ArgumentParser()
p.add_argument("--steps", type=int, default=2)
args = p.parse_args([])
f = jax.jit(lambda x: x + 1)
x = jnp.ones(3)
for i in range(args.steps):
    x = f(x)
print(datetime.date(2026, 1, 1), heapq.nsmallest(1, [3, 1]), struct.pack("<i", 1))
pprint.pprint({"a": 1})
timeit.timeit(lambda: f(x), number=2)
