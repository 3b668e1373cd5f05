"""``jax.scipy.stats``, as far as the model covers it."""

from simulator.facade import lazily as _lazily
from simulator.facade.public import missing as _missing

__getattr__, __dir__ = _lazily.names(__name__, {
    ".": """
        bernoulli cauchy expon gamma laplace logistic multivariate_normal norm
        poisson t uniform""",
}, _missing("jax.scipy.stats"))
