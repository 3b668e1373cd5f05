# Gradient accumulation over micro-batches, clipping by global norm, a trainer class.
import jax
import jax.numpy as jnp


class Trainer:
    def __init__(self, lr):
        self.lr = lr
        self.params = {"w": jnp.ones(3), "b": jnp.zeros(())}
        self.grad_fn = jax.jit(jax.value_and_grad(self.loss))

    @staticmethod
    def loss(params, x, y):
        return jnp.mean((x @ params["w"] + params["b"] - y) ** 2)

    def accumulate(self, batches):
        total = None
        for x, y in batches:
            _, g = self.grad_fn(self.params, x, y)
            total = g if total is None else jax.tree.map(jnp.add, total, g)
        return jax.tree.map(lambda g: g / len(batches), total)

    def apply(self, grads):
        norm = jnp.sqrt(sum(jnp.sum(g ** 2) for g in jax.tree.leaves(grads)))
        scale = jnp.minimum(1.0, 1.0 / (norm + 1e-6))
        self.params = jax.tree.map(lambda p, g: p - self.lr * scale * g, self.params, grads)
        return norm


batches = [(jnp.ones((2, 3)) * k, jnp.ones(2)) for k in (1.0, 2.0)]
t = Trainer(0.1)
for i in range(2):
    grads = call(f"accumulate {i}", lambda: t.accumulate(batches))
    call(f"apply {i}", lambda: t.apply(grads))
odd = [(jnp.ones((1, 3)), jnp.ones(1))]
call("an odd batch", lambda: t.accumulate(batches + odd)["w"])
another = Trainer(0.1)
call("another trainer", lambda: another.accumulate(batches)["w"])


@jax.jit
def whole(params, xs, ys):
    grads = [jax.grad(Trainer.loss)(params, x, y) for x, y in zip(xs, ys)]
    return jax.tree.map(lambda *g: sum(g) / len(g), *grads)


xs, ys = [b[0] for b in batches], [b[1] for b in batches]
for i in range(2):
    call(f"unrolled {i}", lambda: whole(t.params, xs, ys)["w"])
