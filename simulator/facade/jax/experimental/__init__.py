"""``jax.experimental``."""

import importlib as _importlib
import importlib.util as _util

from simulator.facade.public import missing as _missing
from simulator.side_effects.callbacks import io_callback


def __getattr__(name: str):
    if not name.startswith("_") and _util.find_spec(f"{__name__}.{name}"):
        return _importlib.import_module(f"{__name__}.{name}")
    return _missing("jax.experimental")(name)


__all__ = ["io_callback"]
