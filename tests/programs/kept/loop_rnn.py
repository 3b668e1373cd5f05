# A recurrent network: scan over time, weights closed over or carried, a batch of lengths.
import jax
import jax.numpy as jnp
from jax import lax

params = {"wx": jnp.full((4, 8), 0.25), "wh": jnp.eye(8) * 0.5, "b": jnp.zeros(8)}
seq = jnp.arange(40.0).reshape(5, 2, 4) / 64


def cell(params, h, x):
    return jnp.tanh(x @ params["wx"] + h @ params["wh"] + params["b"])


@jax.jit
def rnn(params, seq):
    h0 = jnp.zeros((seq.shape[1], 8))

    def step(h, x):
        h = cell(params, h, x)
        return h, h

    return lax.scan(step, h0, seq)


call("first", lambda: rnn(params, seq))
call("again", lambda: rnn(params, seq))
call("longer", lambda: rnn(params, jnp.concatenate([seq, seq])))
call("other batch", lambda: rnn(params, seq[:, :1]))


def eager(params, seq):
    return lax.scan(lambda h, x: (cell(params, h, x), None), jnp.zeros((2, 8)), seq)[0]


call("eager, fresh body", lambda: eager(params, seq))
call("eager, fresh body again", lambda: eager(params, seq))


def gru(carry, x):
    h, p = carry
    z = jax.nn.sigmoid(x @ p["wx"] + h @ p["wh"])
    h = (1 - z) * h + z * jnp.tanh(x @ p["wx"] + p["b"])
    return (h, p), h.mean()


call("named body, weights carried", lambda: lax.scan(gru, (jnp.zeros((2, 8)), params), seq)[1])
call("and again", lambda: lax.scan(gru, (jnp.zeros((2, 8)), params), seq)[1])
call("reversed", lambda: lax.scan(gru, (jnp.zeros((2, 8)), params), seq, reverse=True)[1])
call("unrolled", lambda: lax.scan(gru, (jnp.zeros((2, 8)), params), seq, unroll=2)[1])


@jax.jit
def bidirectional(params, seq):
    forward = lax.scan(lambda h, x: (cell(params, h, x),) * 2, jnp.zeros((2, 8)), seq)[1]
    backward = lax.scan(lambda h, x: (cell(params, h, x),) * 2, jnp.zeros((2, 8)), seq,
                        reverse=True)[1]
    return jnp.concatenate([forward, backward], -1).sum()


call("both ways", lambda: bidirectional(params, seq))
call("both ways again", lambda: bidirectional(params, seq))
