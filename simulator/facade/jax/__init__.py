"""``import jax``, as far as the model covers it."""

from simulator import process as _process
from simulator.api import PjitFunction, clear_caches, eval_shape, jit, make_jaxpr
from simulator.device_arrays.arrays import PublicArray as Array
from simulator.device_arrays.arrays import ShapeDtypeStruct
from simulator.device_arrays.device_put import block_until_ready, device_get, device_put
from simulator.device_arrays.values import typeof
from simulator.facade import lazily as _lazily
from simulator.facade.jax import settings as _settings
from simulator.facade.public import missing as _missing
from simulator.jaxprs.inline import Inline
from simulator.placement import mesh as _mesh
from simulator.placement import shards as _shards
from simulator.placement.shardings import NamedSharding
from simulator.placement.shardings import PartitionSpec as P

_shards.install()

get_abstract_mesh = _mesh.get_abstract_mesh
get_mesh = _mesh.get_mesh
make_mesh = _mesh.make_mesh
set_mesh = _mesh.set_mesh
use_abstract_mesh = _mesh.use_abstract_mesh
config = _settings.config
disable_jit = _settings.disable_jit
make_user_context = _settings.make_user_context
named_scope = _settings.named_scope

__version__ = "0.11.1"


def devices(backend: str | None = None) -> list:
    """All devices of the simulated process."""
    return list(_process.current().devices_of(backend))


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


def _other(name: str):
    if name in _settings.CONTEXTS:
        return _settings.context(name)
    return _missing("jax")(name)


__getattr__, __dir__ = _lazily.names(__name__, {
    ".": """
        core custom_batching debug dtypes errors experimental export image lax monitoring nn numpy ops profiler random ref scipy
        sharding stages tree tree_util typing""",
    ".settings": "checking_leaks ensure_compile_time_eval named_call transfer_guard",
    ".differentiating": """
        checkpoint grad hessian jacfwd jacobian jacrev jvp linear_transpose linearize remat
        value_and_grad vjp""",
    "simulator.autodiff": "checkpoint_policies=policies",
    "simulator.placement.mesh_types": "Device",
    "simulator.autodiff.closures": "closure_convert custom_gradient",
    "simulator.autodiff.custom_jvp": "custom_jvp",
    "simulator.autodiff.custom_vjp": "custom_vjp",
    "simulator.batching.vmapping": "vmap",
    "simulator.facade.jax.lax.reshard": "reshard",
    "simulator.facade.jax.numpy.dynamic_slices": "ds",
    "simulator.manual.mapping": "shard_map smap",
    "simulator.manual.pmapping": "pmap",
    "simulator.device_arrays.assembled":
        "make_array_from_callback make_array_from_single_device_arrays",
    "simulator.references.ref": "Ref=PublicRef freeze new_ref",
    "simulator.side_effects.callbacks": "effects_barrier pure_callback",
}, _other)

# The operators of arrays are jax.numpy's.
from simulator.facade.jax.numpy import array_methods as _array_methods  # noqa: E402, F401
