"""``jax.numpy.linalg``: norms, factorizations, and what is made of them.

JAX source: ``jax/_src/numpy/linalg.py``.
"""

from __future__ import annotations

from simulator.facade import lazily as _lazily
from simulator.facade.public import missing as _missing

__getattr__, __dir__ = _lazily.names(__name__, {
    "simulator.facade.jax.numpy.diagonals": "norm vector_norm",
    "simulator.facade.jax.numpy.determinants": "det slogdet",
    "simulator.facade.jax.numpy.factoring":
        "cholesky cond eigh eigvalsh inv lstsq matrix_power matrix_rank pinv qr solve svd svdvals",
    "simulator.facade.jax.numpy.products_of_matrices":
        """cross diagonal matmul matrix_norm matrix_transpose multi_dot outer tensordot tensorinv
        tensorsolve trace vecdot""",
}, _missing("jax.numpy.linalg"))
