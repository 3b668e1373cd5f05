# shows: Compiler options that do not exist.
import jax, os, jax.numpy as jnp
f = jax.jit(lambda x: x + 1, compiler_options={"nope": 1})
call("a", lambda: f(1.))
call("b", lambda: f(1.))
call("aot", lambda: jax.jit(lambda x: x).lower(1.).compile(compiler_options={"nope": 1}))
jax.config.update("jax_compilation_cache_dir", os.environ["CASE_TMP"])
call("c", lambda: f(2))
call("val", lambda: jax.jit(lambda x: x, compiler_options={"xla_cpu_enable_fast_math": "maybe"})(1))
call("val2", lambda: jax.jit(lambda x: x, compiler_options={"xla_cpu_enable_fast_math": "True"})(1))
call("val3", lambda: jax.jit(lambda x: x, compiler_options={"xla_backend_optimization_level": 1})(1))
