"""What a configuration state does in the model besides being part of keys.

Three groups: states whose effect the model follows; states that change what
JAX computes in a way the model does not follow (setting one to anything but
its default is out of scope); and all the others, which change nothing that a
recording shows, apart from the keys.
"""

from __future__ import annotations

FOLLOWED = {
    "jax_enable_x64": "types of Python scalars and of new arrays",
    "jax_numpy_dtype_promotion": "which dtypes may be mixed",
    "jax_numpy_rank_promotion": "which ranks may be mixed",
    "jax_check_static_indices": "integers out of bounds in x[…] raise",
    "jax_default_matmul_precision": "precision parameter of dot_general",
    "jax_default_device": "where uncommitted results live",
    "jax_default_prng_impl": "dtype of new random keys",
    "jax_high_dynamic_range_gumbel": "the jaxpr of random.gumbel",
    "jax_random_seed_offset": "added to every seed",
    "jax_disable_jit": "jitted functions are called directly",
    "jax_no_tracing": "every C++ miss raises",
    "jax_no_execution": "running an executable raises",
    "jax_debug_nans": "results are checked; donation is dropped",
    "jax_debug_infs": "results are checked",
    "jax_debug_key_reuse": "never on the fast path",
    "eager_constant_folding": "operations on constants are computed while tracing",
    "jax_log_compiles": "log lines are warnings",
    "jax_explain_cache_misses": "tracing misses are explained",
    "jax_optimization_level": "part of the disk key (compile options)",
    "jax_memory_fitting_level": "part of the disk key (compile options)",
    "jax_compiler_enable_remat_pass": "part of the disk key (compile options)",
    "jax_xla_profile_version": "part of the disk key (compile options)",
    "jax_use_shardy_partitioner": "part of the disk key (module and compile options)",
    "jax_mutable_array_checks": "checks on refs",
    "jax_disallow_mesh_context_manager": "entering a mesh raises",
    "jax_num_cpu_devices": "number of devices, before the first use",
    "jax_enable_compilation_cache": "disk",
    "jax_compilation_cache_dir": "disk",
    "jax_compilation_cache_max_size": "disk",
    "jax_compilation_cache_include_metadata_in_key": "disk",
    "jax_persistent_cache_min_compile_time_secs": "disk",
    "jax_persistent_cache_min_entry_size_bytes": "disk",
    "jax_raise_persistent_cache_errors": "disk",
}

REFUSED = {
    "jax_scan3": "another tracing of loops",
    "jax_remat3": "another tracing of jax.checkpoint",
    "jax_custom_vjp3": "another tracing of custom rules",
    "jax_custom_jvp3": "another tracing of custom rules",
    "jax_remat_barrier_no_cotangents": "another tracing of jax.checkpoint",
    "jax_use_direct_linearize": "another tracing of jax.grad",
    "jax_use_simplified_jaxpr_constants": "closed-over constants become arguments",
    "jax_enable_pgle": "profile-guided recompilation",
    "jax_compilation_cache_expect_pgle": "profile-guided recompilation",
    "jax_explicit_x64_dtypes": "64-bit dtypes raise or pass when x64 is off",
    "jax_allow_f16_reductions": "sums of 16-bit floats raise",
    "jax_error_checking_behavior_nan": "jax.numpy functions check their results",
    "jax_error_checking_behavior_divide": "jax.numpy functions check their results",
    "jax_error_checking_behavior_oob": "jax.numpy functions check their results",
    "jax_check_tracer_leaks": "leak checks use the garbage collector",
    "jax_compilation_cache_check_contents": "entries are compared with new ones",
    "jax_logging_level": "other loggers speak",
    "jax_debug_log_modules": "other loggers speak",
    "jax_transfer_guard": "transfers are logged or refused",
    "jax_transfer_guard_host_to_device": "transfers are logged or refused",
    "jax_transfer_guard_device_to_device": "transfers are logged or refused",
    "jax_transfer_guard_device_to_host": "transfers are logged or refused",
    "jax_array_garbage_collection_guard": "collected arrays are logged",
    "jax_log_checkpoint_residuals": "more log lines",
    "jax_softmax_custom_jvp": "another derivative of softmax",
    "jax_remove_size_one_mesh_axis_from_type": "types lose mesh axes of size one",
    "check_vma": "internal to shard_map",
    "jax_disable_most_optimizations": "other compile options",
    "jax_dump_ir_to": "files are written",
}


# Values of refused states that change nothing, beside the default.
HARMLESS = {name: ("allow",) for name in REFUSED if "guard" in name}


def is_refused(name: str, default, value) -> bool:
    """Whether the model does not follow what this value does."""
    return (name in REFUSED and value is not default and value != default
            and value not in HARMLESS.get(name, ()))


def effect(name: str) -> str:
    """"followed", "refused" or "key only"."""
    return "followed" if name in FOLLOWED else "refused" if name in REFUSED else "key only"
