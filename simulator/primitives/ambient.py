"""What primitives read from their surroundings: configuration and the context mesh.

A few rules of JAX depend on them (canonical dtypes, the mesh of an array made
from nothing, the PRNG's mode).  Outside a simulated process the defaults hold.

JAX source: jax/_src/config.py: State; jax/_src/mesh.py: get_abstract_mesh.
"""

from __future__ import annotations

from simulator import process


def state(name: str, default):
    """The value of a configuration state on this thread, or `default` without a process."""
    try:
        here = process.current()
    except RuntimeError:
        return default
    return here.config.value(name)


def x64() -> bool:
    """Whether 64-bit dtypes are on."""
    return bool(state("jax_enable_x64", False))


def context_mesh():
    """The abstract mesh set by `set_mesh` or `use_abstract_mesh`, else None."""
    mesh = state("abstract_mesh_context_manager", None)
    return None if mesh is None or getattr(mesh, "empty", False) else mesh
