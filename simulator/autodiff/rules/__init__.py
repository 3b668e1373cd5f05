"""The derivative rules of the primitives, by family. Importing this sets them all."""

from simulator.autodiff.rules import (  # noqa: F401
    arithmetic,
    collective,
    cumulative,
    elementwise,
    indexing,
    moving,
    others,
    reducing,
    scattering,
)
