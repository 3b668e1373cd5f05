"""``import jax``, as far as the model covers it."""

from simulator import process as _process
from simulator.api import PjitFunction, clear_caches, eval_shape, jit, make_jaxpr
from simulator.device_arrays.arrays import PublicArray as Array
from simulator.device_arrays.arrays import ShapeDtypeStruct
from simulator.device_arrays.device_put import block_until_ready, device_get, device_put
from simulator.device_arrays.values import typeof
from simulator.facade.jax import settings as _settings
from simulator.facade.public import missing as _missing
from simulator.functions.custom_rules import custom_jvp
from simulator.jaxprs.inline import Inline
from simulator.placement import mesh as _mesh
from simulator.placement import shards as _shards
from simulator.placement.shardings import NamedSharding
from simulator.placement.shardings import PartitionSpec as P
from simulator.references.ref import PublicRef as Ref
from simulator.references.ref import freeze, new_ref
from simulator.side_effects.callbacks import effects_barrier, pure_callback

_shards.install()

make_mesh = _mesh.make_mesh
set_mesh = _mesh.set_mesh
config = _settings.config
disable_jit = _settings.disable_jit
make_user_context = _settings.make_user_context
named_scope = _settings.named_scope

__version__ = "0.11.1"


def devices(backend: str | None = None) -> list:
    """All devices of the simulated process."""
    if backend not in (None, "cpu"):
        raise RuntimeError(f"Unknown backend: '{backend}' requested, but no platforms that are "
                           f"instances of {backend} are present.")
    return list(_process.current().devices)


local_devices = devices


def device_count(backend: str | None = None) -> int:
    """How many devices there are."""
    return len(devices(backend))


local_device_count = device_count


def default_backend() -> str:
    """Always the CPU."""
    return "cpu"


def process_index(backend: str | None = None) -> int:
    """This process's number among the hosts: there is one host."""
    return 0


def process_count(backend: str | None = None) -> int:
    """There is one host."""
    return 1


def __getattr__(name: str):
    if name in _settings.CONTEXTS:
        return _settings.context(name)
    import importlib
    import importlib.util
    if importlib.util.find_spec(f"simulator.facade.jax.{name}"):
        return importlib.import_module(f"simulator.facade.jax.{name}")
    return _missing("jax")(name)


# Real JAX imports these with `import jax`.
# The batching rules, once every primitive is there.
from simulator.batching import all as _batching  # noqa: E402, F401
from simulator.batching.vmapping import vmap  # noqa: E402
from simulator.facade.jax import (  # noqa: E402
    debug,
    errors,
    lax,
    monitoring,
    numpy,
    random,
    ref,
    sharding,
    stages,
    tree,
    tree_util,
)

__all__ = ["Array", "Inline", "NamedSharding", "P", "PjitFunction", "Ref", "ShapeDtypeStruct",
           "block_until_ready", "clear_caches", "config", "custom_jvp", "debug", "device_get", "device_put",
           "devices", "disable_jit", "effects_barrier", "errors", "eval_shape", "freeze", "jit", "lax", "make_jaxpr",
           "make_mesh", "make_user_context", "monitoring", "named_scope", "new_ref", "numpy", "pure_callback",
           "random",
           "ref", "set_mesh", "sharding", "stages", "tree", "tree_util", "typeof", "vmap"]
