"""The modules that a program gets for ``import jax`` and ``import numpy``."""
