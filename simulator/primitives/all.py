"""Every primitive of this package in one namespace, named as in JAX (`add_p`).

    from simulator.primitives.all import add_p, reduce_sum_p
"""

from __future__ import annotations

from simulator.primitives import (
    binary,
    convert,
    creation,
    dot,
    gather,
    joining,
    random,
    reductions,
    scatter,
    selection,
    shapes,
    slicing,
    sorting,
    unary,
)
from simulator.primitives.core import Primitive
from simulator.primitives.dot import Precision
from simulator.primitives.gather import GatherDimensionNumbers, GatherScatterMode
from simulator.primitives.random import IMPLS, PRNGImpl
from simulator.primitives.scatter import ScatterDimensionNumbers, update_jaxpr
from simulator.primitives.unary import RoundingMethod

for _module in (binary, convert, creation, dot, gather, joining, random, reductions, scatter,
                selection, shapes, slicing, sorting, unary):
    globals().update({name: value for name, value in vars(_module).items()
                      if isinstance(value, Primitive)})
