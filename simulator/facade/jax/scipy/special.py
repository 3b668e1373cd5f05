"""``jax.scipy.special``, as far as the model covers it."""

from simulator.facade import lazily as _lazily
from simulator.facade.public import missing as _missing

__getattr__, __dir__ = _lazily.names(__name__, {
    "simulator.facade.jax.scipy.gammas": """
        boxcox boxcox1p comb digamma entr erf erfc erfinv expit factorial gamma gammaln
        gammasgn i0e i1e kl_div log_softmax logit rel_entr softmax xlog1py xlogy""",
    "simulator.facade.jax.numpy.exponentials": "logsumexp",
    "simulator.facade.jax.scipy.normal": "log_ndtr ndtr ndtri",
}, _missing("jax.scipy.special"))
