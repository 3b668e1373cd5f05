"""``jax.experimental.shard_map``: the old way to write `jax.shard_map`."""

from typing import Any

from simulator import explain, process
from simulator.facade.public import missing as _missing
from simulator.manual.mapping import mapped


def _shard_map(f: Any, mesh: Any, in_specs: Any, out_specs: Any, check_rep: bool = True) -> Any:
    return mapped(f, mesh=mesh, in_specs=in_specs, out_specs=out_specs, axis_names=set(),
                  check_vma=check_rep)


_shard_map.__name__ = _shard_map.__qualname__ = "shard_map"


def __getattr__(name: str) -> Any:
    if name == "shard_map":
        warned = process.current().deprecated_names
        if name not in warned:
            warned.add(name)
            explain.python_warning(
                "DeprecationWarning", "jax.experimental.shard_map is deprecated in v0.8.0. Used "
                                      "jax.shard_map instead.")
        return _shard_map
    return _missing("jax.experimental.shard_map")(name)
