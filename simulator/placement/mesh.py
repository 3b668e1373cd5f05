"""Meshes in context: the four ways to enter one, and which key notices.

* ``jax.set_mesh(m)``: sets the abstract mesh (both keys) and the device context
  (fast-path key). It acts when called, not when entered.
* ``jax.sharding.use_abstract_mesh(m)``: sets the abstract mesh only.
* ``with m:`` (old): sets a tuple of meshes (both keys).
* `internal_use_concrete_mesh`: the device context only.

JAX source: `jax/_src/mesh.py`; `jax/_src/sharding_impls.py: set_mesh, make_mesh`;
`jax/_src/pjit.py: get_ctx_mesh`.
"""

from __future__ import annotations

import contextlib
import math

from simulator import process
from simulator.configuration.config import UNSET
from simulator.placement.devices import Device, DeviceArray, device_count, devices_from_flags  # noqa: F401
from simulator.placement.mesh_types import (  # noqa: F401
    AbstractDevice,
    AbstractMesh,
    AxisType,
    Mesh,
    empty_abstract_mesh,
    empty_concrete_mesh,
)


def _config():
    return process.current().config


def get_abstract_mesh() -> AbstractMesh:
    """The abstract mesh in context, empty when there is none."""
    found = process.current().config.value("abstract_mesh_context_manager")
    return empty_abstract_mesh if found is None else found


def get_concrete_mesh() -> Mesh:
    """The mesh of ``jax.set_mesh``, empty when there is none."""
    found = _config().value("device_context")
    return empty_concrete_mesh if found is None else found


def _tracing() -> bool:
    from simulator import traces
    return not traces.is_clean()


def get_mesh() -> Mesh:
    """``jax.sharding.get_mesh``; ValueError inside a traced function."""
    if _tracing():
        raise ValueError("`get_mesh` can only be used outside of `jax.jit`. Maybe you want "
                         "`jax.sharding.get_abstract_mesh()`?")
    return get_concrete_mesh()


def context_mesh():
    """The mesh that a jit call takes into its key: concrete, else abstract with an
    explicit axis, else empty. The old ``with mesh:`` is not seen here."""
    config = process.current().config
    concrete = config.value("device_context")
    if concrete is not None and not concrete.empty:
        return concrete
    abstract = config.value("abstract_mesh_context_manager")
    if abstract is not None and not abstract.empty and abstract._any_axis_explicit:
        return abstract
    return empty_concrete_mesh if concrete is None else concrete


class set_mesh:
    """``jax.set_mesh``: enters the mesh at once; leaving the with block restores."""

    __module__ = "jax._src.sharding_impls"  # programs print the object

    __slots__ = ("_abstract", "_concrete")

    def __init__(self, mesh: Mesh | None):
        if mesh is not None and not isinstance(mesh, Mesh):
            raise ValueError(f"Expected mesh of type `jax.sharding.Mesh`. Got {type(mesh)}")
        if _tracing():
            raise ValueError("`set_mesh` can only be used outside of `jax.jit`.")
        if mesh is not None and mesh._any_axis_manual:
            raise ValueError(f"mesh {mesh} contains manual axes which is not allowed when using "
                             "`jax.set_mesh`. Please use `jax.shard_map` to enter into `Manual` "
                             "mode instead.")
        config = _config()
        self._abstract = config.swap_local(
            "abstract_mesh_context_manager",
            empty_abstract_mesh if mesh is None else mesh.abstract_mesh)
        self._concrete = config.swap_local("device_context",
                                           empty_concrete_mesh if mesh is None else mesh)

    def __enter__(self):
        pass

    def __exit__(self, *_):
        config = _config()
        config.set_local("abstract_mesh_context_manager", self._abstract)
        config.set_local("device_context", self._concrete)


class use_abstract_mesh:
    """``jax.sharding.use_abstract_mesh``: ValueError when the size of the mesh changes."""

    __slots__ = ("mesh", "_before")

    def __init__(self, mesh: AbstractMesh):
        if not isinstance(mesh, AbstractMesh):
            raise ValueError("Expected mesh of type `jax.sharding.AbstractMesh`. Got type: "
                             f"{type(mesh)}")
        self.mesh = mesh

    def __enter__(self):
        name = "abstract_mesh_context_manager"
        self._before = before = _config().swap_local(name, self.mesh)
        if (before is not UNSET and not before.empty and not self.mesh.empty
                and before.size != self.mesh.size):
            _config().set_local(name, before)
            raise ValueError("use_abstract_mesh cannot change the size of the mesh. Got new mesh: "
                             f"{self.mesh} with size={self.mesh.size} and prev mesh: {before} "
                             f"with size={before.size}")

    def __exit__(self, *_):
        _config().set_local("abstract_mesh_context_manager", self._before)


@contextlib.contextmanager
def internal_use_concrete_mesh(mesh: Mesh):
    """Within: the devices of the context are those of `mesh`. JAX source:
    `jax/_src/sharding_impls.py: _internal_use_concrete_mesh`."""
    before = _config().swap_local("device_context", mesh)
    try:
        yield
    finally:
        _config().set_local("device_context", before)


def _legacy_stack() -> list:
    # Kept in full per thread; the config state leaves out empty meshes.
    return process.current().thread.__dict__.setdefault("mesh_stack", [])


def legacy_mesh() -> Mesh:
    """The mesh of the innermost ``with mesh:``, empty when there is none."""
    stack = _legacy_stack()
    return stack[-1] if stack else empty_concrete_mesh


def enter_legacy(mesh: Mesh) -> None:
    """``with mesh:``. RuntimeError when ``jax_disallow_mesh_context_manager`` is set."""
    if _config().value("jax_disallow_mesh_context_manager"):
        raise RuntimeError("Mesh context manager is disabled.")
    _legacy_stack().append(mesh)
    _publish_legacy()


def exit_legacy() -> None:
    """End of ``with mesh:``: the mesh around it is current again."""
    _legacy_stack().pop()
    _publish_legacy()


def _publish_legacy() -> None:
    _config().set_local("mesh_context_manager",
                        tuple(m for m in _legacy_stack() if not m.empty))


def make_mesh(axis_sizes, axis_names, axis_types=None, *, devices=None) -> Mesh:
    """``jax.make_mesh``: the first devices in order; axes are Explicit when not said."""
    devices = list(process.current().devices if devices is None else devices)
    try:
        sizes = tuple(int(s) for s in axis_sizes)
    except (TypeError, ValueError):
        raise ValueError("`axis_sizes` passed to `make_mesh` should be a sequence of ints. Got "
                         f"{axis_sizes}") from None
    if math.prod(sizes) > len(devices):
        raise ValueError(f"Number of devices {len(devices)} must be >= the product of mesh_shape "
                         f"{sizes}")
    if axis_types is None:
        axis_types = (AxisType.Explicit,) * len(sizes)
    return Mesh(DeviceArray(devices[:math.prod(sizes)], sizes), axis_names, axis_types)
