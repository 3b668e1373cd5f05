"""Options for the compiler: ``compiler_options={...}`` of ``jax.jit`` and ``compile``.

XLA looks at them when it compiles, so an unknown one gets through every cache and
fails at the very end; nothing is stored then.

JAX source: ``jax/_src/compiler.py: get_compile_options``; ``jaxlib``:
``CompileOptions.env_option_overrides``.

Simplified: only the options of the CPU compiler that programs use are known here.
"""

from __future__ import annotations

from simulator.errors import JaxRuntimeError, OutOfScope

_BOOL = frozenset(f"xla_{name}" for name in """
    cpu_enable_fast_math cpu_enable_fast_min_max cpu_enable_xprof_traceme
    cpu_fast_math_honor_division cpu_fast_math_honor_functions cpu_fast_math_honor_infs
    cpu_fast_math_honor_nans cpu_use_thunk_runtime detailed_logging embed_ir_in_executable
    enable_fast_math llvm_disable_expensive_passes test_all_input_layouts
    test_all_output_layouts allow_excess_precision
""".split())
_INT = frozenset({"xla_backend_optimization_level"})
_JAX_OWN = frozenset({"optimization_level", "memory_fitting_level"})


def check(options: tuple[tuple[str, object], ...]) -> None:
    """JaxRuntimeError for an option that XLA does not have or a value it does not take."""
    for name, value in options:
        if name in _BOOL:
            if not isinstance(value, bool) and value not in ("True", "False"):
                _refuse(name, value, "bool", bool)
        elif name in _INT:
            if not isinstance(value, int):
                _refuse(name, value, "integer", int)
        elif name.startswith("xla_") or name in _JAX_OWN:
            raise OutOfScope(f"the compiler option {name}", "leave it out")
        else:
            raise JaxRuntimeError(f"INVALID_ARGUMENT: No such compile option: {name!r}")


def _refuse(name: str, value: object, kind: str, type_: type) -> None:
    if type_ is bool and isinstance(value, str):
        raise JaxRuntimeError(f"INVALID_ARGUMENT: While setting option {name}, {value!r} is not "
                              f"a valid {kind} value.")
    raise OutOfScope(f"the compiler option {name} with a value of type {type(value).__name__}",
                     f"give a {kind}")
