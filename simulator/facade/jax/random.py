"""``jax.random``."""

from simulator.facade.public import missing as _missing
from simulator.randomness.counting import poisson
from simulator.randomness.drawing import categorical, choice, permutation, randint
from simulator.randomness.further import (
                                   cauchy,
                                   lognormal,
                                   maxwell,
                                   multivariate_normal,
                                   weibull_min,
)
from simulator.randomness.gammas import (
                                   beta,
                                   chisquare,
                                   dirichlet,
                                   gamma,
                                   loggamma,
                                   random_gamma_p,
                                   t,
)
from simulator.randomness.random_keys import (
                                   PRNGKey,
                                   clone,
                                   fold_in,
                                   key,
                                   key_data,
                                   key_dtype,
                                   key_impl,
                                   random_clone_p,
                                   split,
                                   wrap_key_data,
)
from simulator.randomness.samplers import (
                                   bernoulli,
                                   bits,
                                   exponential,
                                   gumbel,
                                   laplace,
                                   logistic,
                                   normal,
                                   rademacher,
                                   truncated_normal,
                                   uniform,
)
from simulator.randomness.shaped import (
                                   ball,
                                   double_sided_maxwell,
                                   f,
                                   generalized_normal,
                                   geometric,
                                   orthogonal,
                                   pareto,
                                   rayleigh,
                                   triangular,
                                   wald,
)
from simulator.randomness.trials import binomial, multinomial

__getattr__ = _missing("jax.random")

__all__ = ["PRNGKey", "ball", "beta", "binomial", "double_sided_maxwell", "f",
           "generalized_normal", "geometric", "multinomial", "orthogonal", "pareto", "rayleigh",
           "triangular", "wald", "chisquare", "dirichlet", "gamma", "loggamma", "random_gamma_p", "t", "bernoulli", "bits", "categorical", "cauchy", "choice", "clone", "exponential",
           "fold_in", "gumbel", "key", "key_data", "key_dtype", "key_impl", "laplace", "logistic",
           "maxwell", "multivariate_normal",
           "normal", "permutation", "poisson", "rademacher", "randint", "random_clone_p", "split",
           "truncated_normal", "uniform", "weibull_min", "wrap_key_data"]
