"""`jax.jit` and the wrapper it returns.

JAX source: ``jax/_src/api.py: jit``, ``jax/_src/pjit.py: _parse_jit_arguments,
_cpp_pjit, jit_evict_fn``, ``jax/_src/interpreters/pxla.py:
JitGlobalCppCacheKeys``.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable
from types import MethodType
from typing import Any

from simulator import errors, explain, fast_path, jit_call, key_text, process
from simulator.c_types import CType, written_in_c
from simulator.errors import OutOfScope
from simulator.functions import signature
from simulator.functions.parameters import SpeaksFor
from simulator.functions.wrapping import wraps
from simulator.jaxprs import evaluate
from simulator.jaxprs import inline as inlining
from simulator.params import PjitInfo, infer_params
from simulator.placement import shardings
from simulator.placement.shardings import UNSPECIFIED
from simulator.running import outermost


class PjitFunction(jit_call.CppFunction, SpeaksFor, metaclass=CType):
    """A jitted function.

    Args:
      fun: the Python function, held strongly.
      info: the options of this ``jax.jit`` call.

    Errors: TypeError / ValueError for options that do not fit the function.
    """

    def __init__(self, fun: Callable, info: PjitInfo):
        wraps(fun)(self)
        self._fun = fun
        self._jit_info = info
        self._static_argnums, self._static_argnames = info.static_argnums, info.static_argnames
        self._attributes = fast_path.Attributes(
            info.donate_argnums, info.donate_argnames, info.device, info.backend,
            info.in_shardings.key, info.out_shardings.key, info.compiler_options_kvs)
        self._home: tuple[Any, fast_path.Table] | None = None
        if process.running():
            self._table()

    def _table(self) -> fast_path.Table:
        # Library functions outlive a simulated process: one table per process.
        here = process.current()
        if self._home is None or self._home[0]() is not here:
            self._home = weakref.ref(here), here.fast_path.table(self._fun, self._attributes)
        return self._home[1]

    def _python_path(self, args: tuple, kwargs: dict) -> jit_call.PythonPath:
        return jit_call.jit_python_path(self._fun, self._jit_info, args, kwargs)

    def _undecorated(self, args: tuple, kwargs: dict) -> Any:
        return self._fun(*args, **kwargs)

    @property
    def _name(self) -> str:  # type: ignore[override]
        return signature.fun_name(self._fun)   # a program may rename its function

    def _identity(self) -> str:
        return key_text.label(self._fun, self._name)

    def _post_hook(self, args: tuple, kwargs: dict, outs: list) -> None:
        if not process.current().config.checks_hits():
            return
        try:
            evaluate.check_special("jit", outs)
        except errors.InternalFloatingPointError as error:
            jit_call.explain_nan(error, self._fun, args, kwargs)

    def __reduce_ex__(self, protocol: Any) -> Any:
        # jaxlib's copy forgets its name and has no `lower`; a deep one has a fast path of its own.
        raise OutOfScope("a copy of a jitted function", "wrap the function once more with jax.jit")

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else MethodType(self, instance)

    def __repr__(self) -> str:
        return f"<PjitFunction of {self._fun!r}>"

    @property
    def __signature__(self) -> Any:
        import inspect
        return inspect.signature(self._fun)

    @outermost.candidate
    def trace(self, *args: Any, **kwargs: Any) -> Any:
        """Stop after tracing: a `stages.Traced`. Asks params and trace, never the fast path."""
        from simulator.stages import Traced
        here = process.current()
        here.thread.depth += 1
        try:
            p, flat = infer_params(self._fun, self._jit_info, args, kwargs)
        finally:
            here.thread.depth -= 1
        return Traced(p, flat)

    @outermost.candidate
    def lower(self, *args: Any, **kwargs: Any) -> Any:
        """Stop after lowering: a `stages.Lowered`. ``.compile()`` goes on."""
        return self.trace(*args, **kwargs).lower()

    @outermost.candidate
    def eval_shape(self, *args: Any, **kwargs: Any) -> Any:
        """The types of the results."""
        return self.trace(*args, **kwargs).out_info

    def clear_cache(self) -> None:
        """Drop this function's fast path entries and traces, and the params of *all*."""
        here = process.current()
        self._clear_cache()
        here.trace.evict(self._fun)
        here.params.clear()

    def _clear_cache(self) -> None:
        self._table().clear()


written_in_c(PjitFunction, "jaxlib._jax.PjitFunction")


def jit(fun: Any = UNSPECIFIED, /, *, in_shardings: Any = UNSPECIFIED,
        out_shardings: Any = UNSPECIFIED, static_argnums: Any = None,
        static_argnames: Any = None, donate_argnums: Any = None,
        donate_argnames: Any = None, keep_unused: bool = False, device: Any = None,
        backend: str | None = None, inline: Any = False,
        compiler_options: dict | None = None) -> Any:
    """``jax.jit``; without `fun` it returns a decorator.

    Errors: TypeError when `fun` is not callable, ValueError for options that
    contradict its signature or each other.
    """
    if fun is UNSPECIFIED:
        options = dict(locals())
        del options["fun"]
        return lambda f: jit(f, **options)
    signature.check_callable(fun)
    if device is not None or backend is not None:
        _check_placement(device, backend, in_shardings, out_shardings)
    specs_in = shardings.ShardingSpec("in_shardings", in_shardings)
    specs_out = shardings.ShardingSpec("out_shardings", out_shardings)
    fun_signature = signature.parameters(fun)
    donate_nums, donate_names, static_nums, static_names = signature.resolve_argnums(
        fun, fun_signature, donate_argnums, donate_argnames, static_argnums, static_argnames)
    info = PjitInfo(
        fun_sourceinfo=signature.fun_sourceinfo(fun), fun_signature=fun_signature,
        user_specified_in_shardings=in_shardings is not UNSPECIFIED and in_shardings is not None,
        in_shardings=specs_in, out_shardings=specs_out,
        static_argnums=static_nums, static_argnames=static_names,
        donate_argnums=donate_nums, donate_argnames=donate_names,
        device=device, backend=backend, keep_unused=keep_unused, inline=inlining.canonical(inline),
        compiler_options_kvs=tuple((compiler_options or {}).items()))
    return PjitFunction(fun, info)


def _check_placement(device: Any, backend: Any, in_shardings: Any, out_shardings: Any) -> None:
    """ValueError when ``device`` and ``backend`` of `jax.jit` meet each other, or shardings."""
    explain.python_warning(
        "DeprecationWarning", "backend and device argument on jit is deprecated. You can use "
        '`jax.device_put(..., jax.local_devices(backend="cpu")[0])` on the inputs to the jitted '
        "function to get the same behavior.")
    if device is not None and backend is not None:
        raise ValueError("can't specify both a device and a backend for jit, got "
                         f"{device=} and {backend=}")
    for name, given in (("in_shardings", in_shardings), ("out_shardings", out_shardings)):
        if given is not None and given is not UNSPECIFIED:
            raise ValueError("If backend or device is specified on jit, then "
                             f"{name} should not be specified.")


def make_jaxpr(fun: Callable, static_argnums: Any = (), axis_env: Any = None,
               return_shape: bool = False) -> Callable:
    """``jax.make_jaxpr``: trace with a wrapper of its own; only the trace is shared."""
    if axis_env is not None:
        raise OutOfScope("jax.make_jaxpr(axis_env=…)")
    fun = _keyed(fun, weakref.ref)

    @wraps(fun)
    def make_jaxpr_f(*args: Any, **kwargs: Any) -> Any:
        traced = jit(fun, static_argnums=static_argnums).trace(*args, **kwargs)
        jaxpr = traced.jaxpr_with_consts()
        return (jaxpr, traced.out_info) if return_shape else jaxpr

    make_jaxpr_f.__module__ = "jax"
    for name in ("__qualname__", "__name__"):
        if hasattr(fun, name):
            setattr(make_jaxpr_f, name, f"make_jaxpr({getattr(fun, name)})")
    return make_jaxpr_f


def eval_shape(fun: Callable, *args: Any, **kwargs: Any) -> Any:
    """``jax.eval_shape``: result types, without running anything."""
    wrapper = fun if isinstance(fun, PjitFunction) else jit(_keyed(fun))
    return wrapper.eval_shape(*args, **kwargs)


def _keyed(fun: Callable, *also: Callable) -> Callable:
    # What cannot be in a key is looked up under a partial of it.
    try:
        for needed in (hash, *also):
            needed(fun)
    except TypeError:
        return functools.partial(fun)
    return fun


def clear_caches() -> None:
    """``jax.clear_caches``: every in-memory cache of the process, not the disk."""
    process.current().clear_caches()




