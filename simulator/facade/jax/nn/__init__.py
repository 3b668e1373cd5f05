"""``jax.nn``, as far as the model covers it."""

from simulator.facade import lazily as _lazily
from simulator.facade.public import missing as _missing

__getattr__, __dir__ = _lazily.names(__name__, {
    ".": "initializers",
    ".attention": "dot_product_attention",
    ".functions": """
        celu elu gelu glu hard_sigmoid hard_silu hard_swish hard_tanh identity
        leaky_relu log_sigmoid log_softmax logmeanexp mish one_hot relu relu6
        selu sigmoid silu soft_sign softmax softplus sparse_plus sparse_sigmoid
        squareplus standardize swish""",
    "simulator.facade.jax.numpy.exponentials": "logsumexp",
    "simulator.facade.jax.numpy.math_functions": "tanh",
}, _missing("jax.nn"))
