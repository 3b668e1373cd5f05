"""What a configuration state does in the model besides being part of keys.

Four groups: states whose effect the model follows; states that change one feature of
JAX in a way the model does not follow, so that it is out of scope while they are set;
states that change all that JAX computes (setting one to anything but its default is out
of scope); and all the others, which change nothing that a recording shows, apart from
the keys.
"""

from __future__ import annotations

from simulator.configuration.config_states import ExplicitX64Mode

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
    "jax_transfer_guard": "the three below, by jax.config.update",
    "jax_transfer_guard_host_to_device": "arguments from the host raise",
    "jax_transfer_guard_device_to_device": "arrays that move raise",
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
    "jax_disable_most_optimizations": "part of the disk key (compile options)",
    "jax_allow_f16_reductions": "sums of 16-bit floats raise",
    "jax_softmax_custom_jvp": "jax.nn.softmax has a derivative of its own",
}

LIMITED = {
    "jax_scan3": "jax.lax.scan and what is made of it",
    "jax_remat3": "jax.checkpoint",
    "jax_log_checkpoint_residuals": "jax.checkpoint",
    "jax_custom_vjp3": "jax.custom_vjp",
    "jax_custom_jvp3": "jax.custom_jvp",
    "jax_use_simplified_jaxpr_constants": "an array that a function closes over",
    "jax_remove_size_one_mesh_axis_from_type": "a mesh axis of size one in a type",
}
"""Only part of keys, until the program uses what is named here: that is refused then."""

REFUSED = {
    "jax_enable_pgle": "profile-guided recompilation",
    "jax_compilation_cache_expect_pgle": "profile-guided recompilation",
    "jax_explicit_x64_dtypes": "64-bit dtypes pass when x64 is off",
    "jax_error_checking_behavior_nan": "jax.numpy functions check their results",
    "jax_error_checking_behavior_divide": "jax.numpy functions check their results",
    "jax_error_checking_behavior_oob": "jax.numpy functions check their results",
    "jax_check_tracer_leaks": "leak checks use the garbage collector",
    "jax_compilation_cache_check_contents": "entries are compared with new ones",
    "jax_logging_level": "other loggers speak",
    "jax_debug_log_modules": "other loggers speak",
    "jax_array_garbage_collection_guard": "a collected array ends the process",
    "check_vma": "internal to shard_map",
    "jax_dump_ir_to": "files are written",
}


# Values of refused states that change nothing, beside the default.
# What ``log`` writes goes to the terminal, past all that is recorded.
HARMLESS = {"jax_array_garbage_collection_guard": ("allow", "log"),
            "jax_explicit_x64_dtypes": (ExplicitX64Mode.ERROR,)}


def is_refused(name: str, default, value) -> bool:
    """Whether the model does not follow what this value does."""
    return (name in REFUSED and value is not default and value != default
            and value not in HARMLESS.get(name, ()))


def effect(name: str) -> str:
    """"followed", "limited", "refused" or "key only"."""
    return ("followed" if name in FOLLOWED else "limited" if name in LIMITED else
            "refused" if name in REFUSED else "key only")
