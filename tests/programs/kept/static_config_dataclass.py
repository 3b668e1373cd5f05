# shows: A frozen dataclass as static configuration.
import dataclasses, functools
import jax, jax.numpy as jnp
@dataclasses.dataclass(frozen=True)
class Config:
    width: int = 4
    act: str = "relu"
    scale: float = 1.0
@functools.partial(jax.jit, static_argnames=("cfg", "training"))
def forward(params, x, cfg, *, training=False):
    h = x @ params["w1"]
    h = jax.nn.relu(h) if cfg.act == "relu" else jnp.tanh(h)
    if training:
        h = h * 0.5
    return h.sum(axis=-1) * cfg.scale
def init(cfg, key):
    k1, k2 = jax.random.split(key)
    return {"w1": jax.random.normal(k1, (3, cfg.width)), "w2": jax.random.normal(k2, (cfg.width, 1))}
cfg = Config()
params = init(cfg, jax.random.key(0))
x = jnp.ones((2, 3))
call("first", lambda: forward(params, x, cfg))
call("equal config", lambda: forward(params, x, Config()))
call("kw config", lambda: forward(params, x, cfg=Config()))
call("tanh", lambda: forward(params, x, dataclasses.replace(cfg, act="tanh")))
call("scale int", lambda: forward(params, x, dataclasses.replace(cfg, scale=1)))
call("training", lambda: forward(params, x, cfg, training=True))
call("training1", lambda: forward(params, x, cfg, training=1))
call("order", lambda: forward({"w2": params["w2"], "w1": params["w1"]}, x, cfg))
