"""One argument as the stages show it (``lowered.args_info``).

JAX source: ``jax/_src/stages.py: ArgInfo``.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from simulator.types.avals import ShapedArray


@dataclasses.dataclass(frozen=True)
class ArgInfo:
    """Type of an argument, and whether it is donated."""

    _aval: ShapedArray
    donated: bool

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes of the argument's axes."""
        return self._aval.shape

    @property
    def dtype(self) -> Any:
        """The argument's dtype."""
        return self._aval.dtype
