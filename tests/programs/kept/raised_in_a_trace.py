# shows: Whatever a traced function raises, and good calls in between: Ctrl-C and StopIteration, too.
import jax, jax.numpy as jnp, numpy as np, functools
x = jnp.ones(3)
@jax.jit
def f(x, flag=False):
    if x.shape[0] == 4: raise ValueError("four is bad")
    if x.shape[0] == 5: return x.nope
    if x.shape[0] == 6: return "text"
    if x.shape[0] == 7: return x[10:20] @ x
    if x.shape[0] == 8: return float(x[0])
    if x.shape[0] == 9: assert (x > 0).all(), "neg"
    if x.shape[0] == 10: return np.asarray(x)
    if x.shape[0] == 11: return x.at[0].set("a")
    if x.shape[0] == 12: return [i for i in range(x[0])]
    if x.shape[0] == 13: x[0] = 1
    if x.shape[0] == 14: return {1: x, "a": x}
    if x.shape[0] == 15: return x.item()
    if x.shape[0] == 16: return jnp.nonzero(x)
    if x.shape[0] == 17: return x[x > 0]
    if x.shape[0] == 18: return jnp.reshape(x, (5, 5))
    if x.shape[0] == 19: raise KeyboardInterrupt
    if x.shape[0] == 20: raise StopIteration
    if x.shape[0] == 21: return jnp.zeros(x[0].astype(int))
    if x.shape[0] == 22: return f(x[:2]) + f(x[:21])
    if x.shape[0] == 23: return 1 / 0
    if x.shape[0] == 24: return hash(x)
    if x.shape[0] == 25: return {x: 1}
    if x.shape[0] == 26: return x.tolist()
    if x.shape[0] == 27: return jnp.concatenate([x, 1])
    if x.shape[0] == 28: return int("a")
    return x * 2
for n in list(range(3, 29)) + [4, 3, 22, 2]:
    try:
        call(f"{n}", lambda: f(jnp.ones(n)))
    except BaseException as e:
        print(n, type(e).__name__, str(e)[:80])
