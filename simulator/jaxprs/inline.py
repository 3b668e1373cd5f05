"""When an inner jitted function dissolves into the outer one.

JAX source: ``jax/_src/api.py: Inline``.
"""

from __future__ import annotations

import enum


class Inline(enum.Enum):
    """``inline=`` of ``jax.jit``; True means JAX_EARLY, False means AUTO."""

    JAX_EARLY = "jax_early"
    JAX_LATE = "jax_late"
    XLA_EARLY = "xla_early"
    XLA_LATE = "xla_late"
    AUTO = "auto"


def canonical(inline: object) -> Inline:
    """An `Inline`. ValueError for anything that is neither a bool nor one."""
    if isinstance(inline, Inline):
        return inline
    if inline is True:
        return Inline.JAX_EARLY
    if inline is False:
        return Inline.AUTO
    raise ValueError(f"Invalid inline option: {inline!r}")
