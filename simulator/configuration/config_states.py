"""The configuration states: names, defaults, which values each accepts.

Names, order, defaults and values come from `simulator/data`. Two values are
the same for a cache when Python ``==`` says so; that is why the enumerations
below have JAX's base classes.

JAX source: `jax/_src/config.py: bool_state, enum_state, enum_class_state, …`.
"""

from __future__ import annotations

import enum

from simulator.configuration.axis_env import NO_AXES
from simulator.facts import facts


class LegacyPrngKeyState(enum.StrEnum):
    """Whether a raw uint32 key may be used where a key array is expected. JAX source:
    `jax/_src/config.py: LegacyPrngKeyState`."""

    ALLOW = "allow"
    WARN = "warn"
    ERROR = "error"


class NumpyDtypePromotion(enum.StrEnum):
    """Which dtypes may meet: all of the lattice, or only equal ones. JAX source:
    `jax/_src/config.py: NumpyDtypePromotion`."""

    STANDARD = "standard"
    STRICT = "strict"


class RuntimeTracebackMode(enum.StrEnum):
    """How much of a traceback the runtime attaches. Names are taken in lower case, too. JAX
    source: `jax/_src/config.py: RuntimeTracebackMode`."""

    OFF = "off"
    ON = "on"
    FULL = "full"

    @classmethod
    def _missing_(cls, value):
        return cls.__members__.get(value.upper()) if isinstance(value, str) else None


class ExplicitX64Mode(enum.IntEnum):
    """What asking for 64 bits explicitly does while they are off. Given as a word or its
    number. JAX source: `jax/_src/config.py: ExplicitX64Mode`."""

    WARN = 1
    ERROR = 2
    ALLOW = 3

    @classmethod
    def _missing_(cls, value):
        return {"warn": cls.WARN, "error": cls.ERROR, "allow": cls.ALLOW}.get(value)


ENUM_CLASSES = {
    "jax_legacy_prng_key": LegacyPrngKeyState,
    "jax_numpy_dtype_promotion": NumpyDtypePromotion,
    "jax_send_traceback_to_runtime": RuntimeTracebackMode,
    "jax_explicit_x64_dtypes": ExplicitX64Mode,
}

# Options without a state: a process-wide value, no context manager, in no key.
FLAGS = {
    "jax_dump_ir_to": "", "jax_include_debug_info_in_dumps": True,
    "jax_dump_ir_modes": "stablehlo", "jax_pallas_verbose_errors": False,
    "jax_check_proxy_envs": True, "jax_xla_backend": "", "jax_backend_target": "",
    "jax_platform_name": "", "jax_cuda_visible_devices": "all",
    "jax_rocm_visible_devices": "all", "jax_oneapi_visible_devices": "all",
    "mock_num_gpu_processes": 0, "jax_mock_gpu_topology": "",
    "jax_cpu_enable_async_dispatch": True, "jax_force_dcn_cross_host_transfers": False,
    "jax_sort_devices_by_process_index": True, "jax_cross_host_transfer_socket_address": "",
    "jax_cross_host_transport_addresses": "", "jax_cross_host_transfer_timeout_seconds": None,
    "jax_cross_host_transfer_transfer_size": None, "jax_tracer_error_num_traceback_frames": 5,
    "jax_disable_most_optimizations": False, "jax_compiler_detailed_logging_min_ops": 10,
}

# States that `jax` exports as context managers under their name without "jax_".
PUBLIC = (
    "allow_f16_reductions", "array_garbage_collection_guard", "auto_pcast", "check_tracer_leaks",
    "debug_infs", "debug_key_reuse", "debug_nans", "default_device", "default_matmul_precision",
    "default_prng_impl", "enable_checks", "enable_custom_prng", "enable_x64",
    "explain_cache_misses", "jax2tf_associative_scan_reductions", "legacy_prng_key",
    "log_compiles", "no_execution", "no_tracing", "numpy_dtype_promotion",
    "numpy_rank_promotion", "remove_size_one_mesh_axis_from_type", "softmax_custom_jvp",
    "thread_guard", "threefry_partitionable", "transfer_guard_device_to_device",
    "transfer_guard_device_to_host", "transfer_guard_host_to_device",
)
_BEFORE_BACKENDS = ("jax_num_cpu_devices", "jax_cpu_get_local_topology_timeout_minutes",
                    "jax_cpu_get_global_topology_timeout_minutes")
_TRUE, _FALSE = ("y", "yes", "t", "true", "on", "1"), ("n", "no", "f", "false", "off", "0")


class StateInfo:
    """One state: name, kind, allowed values, default, which keys it is in."""

    __slots__ = ("name", "kind", "values", "none_allowed", "default", "settable",
                 "in_jit_key", "in_trace_context")

    def __init__(self, entry: dict):
        self.name = name = entry["name"]
        self.kind = "class" if name in ENUM_CLASSES else entry["kind"]
        self.values, self.none_allowed = entry["values"], entry["none_allowed"]
        self.settable = entry["settable"]
        self.in_jit_key, self.in_trace_context = entry["in_jit_key"], entry["in_trace_context"]
        default = entry["default"]
        if name in ENUM_CLASSES:
            default = ENUM_CLASSES[name](default)
        elif name == "mesh_context_manager":
            default = ()
        elif name == "axis_env_state":
            default = NO_AXES
        self.default = default

    @property
    def public_name(self) -> str:
        """The name without ``jax_``, as ``jax.config`` spells its attribute."""
        return self.name.removeprefix("jax_")

    def parse(self, value):
        """`value` as JAX stores it. ValueError or TypeError, as JAX's, when not allowed."""
        kind, name = self.kind, self.name
        if kind == "bool":
            return None if value is None and self.none_allowed else bool(value)
        if kind == "enum":
            if value is None and self.none_allowed:
                return None
            if type(value) is not str or value not in self.values:
                maybe = "None or in" if self.none_allowed else "in"
                raise ValueError(f"new enum value must be {maybe} {self.values}, got {value} of "
                                 f"type {type(value)}.")
        elif kind == "class":
            cls = ENUM_CLASSES[name]
            if isinstance(value, str):
                return cls(value)
            if not isinstance(value, cls):
                raise TypeError(f"new enum value must be an instance of {cls}, got {value} of "
                                f"type {type(value)}.")
        elif kind in ("int", "float"):
            if value is not None and not isinstance(value, int if kind == "int" else (float, int)):
                raise ValueError(f"new {kind} config value must be None or of type {kind}, got "
                                 f"{value} of type {type(value)}")
        elif name == "jax_default_device":
            # Any class with "Device" in its name passes, as in JAX.
            if value not in (None, "cpu", "gpu", "tpu") and "Device" not in str(type(value)):
                raise ValueError("jax.default_device must be passed either a Device object (e.g. "
                                 "`jax.devices('cpu')[0]`) or a platform name string like 'cpu' "
                                 f"or 'gpu', got: {value!r}")
        elif name == "jax_pjrt_client_create_options":
            if value is not None and not isinstance(value, (str, dict)):
                raise ValueError("new string config value must be None or of type dict | str, got "
                                 f"{value} of type {type(value)}.")
        elif not isinstance(value, str) and not (value is None and self.none_allowed):
            if self.none_allowed:
                raise ValueError("new string config value must be None or of type str, got "
                                 f"{value} of type {type(value)}.")
            raise TypeError("new string config value must be of type str, got "
                            f"{value} of type {type(value)}.")
        return value

    def from_environment(self, text: str):
        """The start value given by an environment variable. ValueError when not allowed."""
        if self.kind == "bool":
            return env_bool(self.name.upper(), text)
        try:
            if self.kind == "class":
                return ENUM_CLASSES[self.name](text)
            if self.kind == "enum" and text not in self.values:
                raise ValueError
            if self.kind in ("int", "float"):
                return {"int": int, "float": float}[self.kind](text)
        except ValueError:
            raise ValueError(f'Invalid value "{text}" for JAX flag {self.name}') from None
        return self.parse(text)

    def needs_no_backend(self) -> bool:
        """Whether the state can only be set before there are devices."""
        return self.name in _BEFORE_BACKENDS


def env_bool(name: str, text: str) -> bool:
    """Truth value of an environment variable; ValueError for other words."""
    if text.lower() in _TRUE:
        return True
    if text.lower() in _FALSE:
        return False
    raise ValueError(f"invalid truth value {text.lower()!r} for environment {name!r}")


def all_states() -> list[StateInfo]:
    """All states, in the order JAX constructs them (the order of the keys)."""
    return [StateInfo(entry) for entry in facts()["states"]]
