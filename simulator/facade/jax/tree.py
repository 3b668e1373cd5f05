"""``jax.tree``: the short names of `jax.tree_util`."""

from simulator.facade.public import missing as _missing
from simulator.trees.pytrees import tree_all as all  # noqa: A001
from simulator.trees.pytrees import tree_broadcast as broadcast
from simulator.trees.pytrees import tree_flatten as flatten
from simulator.trees.pytrees import tree_flatten_with_path as flatten_with_path
from simulator.trees.pytrees import tree_leaves as leaves
from simulator.trees.pytrees import tree_leaves_with_path as leaves_with_path
from simulator.trees.pytrees import tree_map as map  # noqa: A001
from simulator.trees.pytrees import tree_map_with_path as map_with_path
from simulator.trees.pytrees import tree_reduce as reduce
from simulator.trees.pytrees import tree_structure as structure
from simulator.trees.pytrees import tree_transpose as transpose
from simulator.trees.pytrees import tree_unflatten as unflatten

__getattr__ = _missing("jax.tree")

__all__ = ["all", "broadcast", "flatten", "flatten_with_path", "leaves", "leaves_with_path",
           "map", "map_with_path", "reduce", "structure", "transpose", "unflatten"]
