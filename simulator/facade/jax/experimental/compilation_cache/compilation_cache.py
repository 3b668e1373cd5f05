"""``jax.experimental.compilation_cache.compilation_cache``."""

from typing import Any

from simulator import process as _process
from simulator.facade.public import missing as _missing

__getattr__ = _missing("jax.experimental.compilation_cache.compilation_cache")


def set_cache_dir(path: Any) -> None:
    """Set ``jax_compilation_cache_dir``."""
    _process.current().config.update("jax_compilation_cache_dir", path)


def reset_cache() -> None:
    """Forget the persistent cache in use: the directory and the flags are read again."""
    _process.current().disk.reset()
