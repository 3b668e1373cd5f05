# shows: Registered dataclasses as models and training states.
import jax, jax.numpy as jnp, dataclasses
from jax.tree_util import register_dataclass
from functools import partial
@partial(register_dataclass, data_fields=["w", "b"], meta_fields=["name"])
@dataclasses.dataclass
class Lin:
    w: jax.Array
    b: jax.Array
    name: str = "lin"
    def __call__(self, x): return x @ self.w + self.b
@register_dataclass
@dataclasses.dataclass(frozen=True)
class TS:
    model: Lin
    step: int
    lr: float = dataclasses.field(metadata=dict(static=True), default=0.1)
@jax.jit
def train(ts, x):
    y = ts.model(x)
    m = dataclasses.replace(ts.model, w=ts.model.w - ts.lr * y.mean())
    return dataclasses.replace(ts, model=m, step=ts.step + 1)
ts = TS(Lin(jnp.ones((3, 2)), jnp.zeros(2)), 0)
for i in range(3): ts = train(ts, jnp.ones((4, 3)))
ts = dataclasses.replace(ts, lr=0.01); ts = train(ts, jnp.ones((4, 3)))
ts = dataclasses.replace(ts, model=dataclasses.replace(ts.model, name="x")); ts = train(ts, jnp.ones((4, 3)))
print(ts)
print(jax.tree.structure(ts)); print(jax.tree.leaves(ts)); print(jax.tree_util.tree_leaves_with_path(ts)[0][0])
print(jax.tree_util.keystr(jax.tree_util.tree_leaves_with_path(ts)[0][0]))
