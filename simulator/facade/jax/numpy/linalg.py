"""``jax.numpy.linalg``: vector and matrix norms."""

from simulator.facade.jax.numpy.diagonals import norm, vector_norm
from simulator.facade.public import missing as _missing

__getattr__ = _missing("jax.numpy.linalg")

__all__ = ["norm", "vector_norm"]
