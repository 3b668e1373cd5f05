"""A call of a jitted function, from the first cache to the last.

    fast path ─ answers, or ─▶ Python path: params ▶ (trace) ▶ lower ▶ (hlo)
                                            ▶ memo ▶ (compile ▶ disk) ▶ execute

JAX source: ``jaxlib/pjit.cc: PjitFunction::Call``, ``jax/_src/pjit.py:
_cpp_pjit, _run_python_pjit, _get_fastpath_data``, ``jax/_src/api.py:
_nan_check_posthook``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from simulator import errors, fast_path, lowering, params, process, traces
from simulator.device_arrays.arrays import Array
from simulator.device_arrays.values import check_arg
from simulator.executable import Executable
from simulator.functions import signature
from simulator.jaxprs import evaluate
from simulator.jaxprs.jaxpr import Jaxpr
from simulator.jit_primitive import jit_p
from simulator.placement import shardings
from simulator.references.ref_types import touches_refs


class PythonPath:
    """What the Python path gives back to C++.

    executable, out_tree: for the fast path entry; executable is None when C++
      must not answer this signature, and `why` says so.
    """

    __slots__ = ("result", "executable", "out_tree", "why")

    def __init__(self, result: Any, executable: Executable | None, out_tree: Any, why: str):
        self.result, self.executable, self.out_tree, self.why = result, executable, out_tree, why


class CppFunction:
    """A callable with a fast path in front (JAX's C++ ``PjitFunction``).

    Subclasses say what stands behind it: `_python_path`, `_table` and, for
    ``jax_disable_jit``, `_undecorated`.
    """

    _name: str
    _static_argnums: tuple = ()
    _static_argnames: tuple = ()
    _attributes: Any

    def _table(self) -> fast_path.Table:
        raise NotImplementedError

    def _python_path(self, args: tuple, kwargs: dict) -> PythonPath:
        raise NotImplementedError

    def _undecorated(self, args: tuple, kwargs: dict) -> Any:
        raise NotImplementedError

    def _identity(self) -> str:
        return self._name

    def _cache_size(self) -> int:
        """Entries of this function's fast path table, dead ones included."""
        return len(self._table().entries)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Call it.

        Errors: whatever the function raises while traced; ValueError for an
        unhashable static argument, before any cache is asked.
        """
        here = process.current()
        if here.on_outermost is None:
            return self._answer(here, args, kwargs)
        with here.on_outermost:
            return self._answer(here, args, kwargs)

    def _answer(self, here: process.Process, args: tuple, kwargs: dict) -> Any:
        if hasattr(self, "_fun"):
            here.recorder.called(self)
        if here.config.value("jax_disable_jit"):
            return self._undecorated(args, kwargs)
        arguments, leaves = signature.parse_arguments(
            args, kwargs, self._static_argnums, self._static_argnames, here.registries.dispatch)
        key, why = fast_path.call_signature(arguments, leaves)
        if key is None:
            return self._fallback(here, args, kwargs, None, None, why)
        entry, new = self._table().entry(key)
        if new:
            return self._miss(here, args, kwargs, entry, key)
        if entry.running:
            raise RecursionError(f"Recursively calling jit: {self._name}")
        if not entry.usable:
            return self._fallback(here, args, kwargs, key, entry, "dead entry")
        executable: Executable = entry.executable
        kept = executable.used(leaves)
        gone = executable.refusal(kept)  # a donated buffer: only the runtime notices
        try:
            values = [] if gone else executable.prepare(kept)
        except (OverflowError, errors.JaxRuntimeError) as error:
            return self._fallback(here, args, kwargs, key, entry, str(error))
        self._report(here, "hit", key)
        here.recorder.work("execute", self._name, in_cpp=True)
        if gone is not None:
            raise gone
        executable.reshard(kept)
        try:
            outs = executable.execute(kept, values)
        except errors.JaxRuntimeError as error:
            # C++ has one class for all errors of the runtime.
            raise ValueError(str(error)) from error
        result = entry.out_tree.unflatten(outs)
        self._post_hook(args, kwargs, outs)
        return result

    def _miss(self, here: process.Process, args: tuple, kwargs: dict, entry: fast_path.Entry,
              key: fast_path.CallSignature) -> Any:
        entry.running = True
        self._report(here, "miss", key)
        outcome, why = "dead", "the call raised"
        try:
            found = self._in_python(here, args, kwargs)
            why = found.why
            if found.executable is not None:
                entry.executable, entry.out_tree = found.executable, found.out_tree
                outcome = "stored"
        finally:
            entry.running = False
            here.recorder.store("fast_path", self._name, outcome, why)
        return found.result

    def _fallback(self, here: process.Process, args: tuple, kwargs: dict, key: Any, entry: Any,
                  why: str) -> Any:
        self._report(here, "fallback", key)
        try:
            return self._in_python(here, args, kwargs).result
        finally:
            here.recorder.store("fast_path", self._name, "none", why)

    def _in_python(self, here: process.Process, args: tuple, kwargs: dict) -> PythonPath:
        here.thread.depth += 1
        try:
            here.recorder.work("python", self._name)
            return self._python_path(args, kwargs)
        finally:
            here.thread.depth -= 1

    def _post_hook(self, args: tuple, kwargs: dict, outs: list) -> None:
        """After C++ answered: the NaN check, when it is on."""

    def _report(self, here: process.Process, outcome: str, key: Any) -> None:
        here.recorder.lookup("fast_path", self._name, outcome, self._key_fields, key)

    def _key_fields(self, key: Any) -> list:
        inner = key.fields() if key is not None else process.current().config.jit_key_fields()
        return [("function", self._identity()), *self._attributes.fields(), *inner]


def jit_python_path(fun: Callable, info: Any, args: tuple, kwargs: dict) -> PythonPath:
    """Behind a ``jax.jit`` wrapper (JAX's ``cache_miss``)."""
    here = process.current()
    if here.config.value("jax_no_tracing"):
        raise RuntimeError(f"re-tracing function {info.fun_sourceinfo} for `jit`, but "
                           "'no_tracing' is set")
    p, flat = params.infer_params(fun, info, args, kwargs)
    for leaf in flat:
        check_arg(leaf)
    executable: Executable | None = None
    try:
        if traces.is_clean() and not here.config.value("jax_debug_key_reuse"):
            outs, executable = run(traces.concrete(flat), p.params)
        else:
            outs = jit_p.bind_with(here.thread.trace, tuple(flat), p.params)
    except errors.InternalFloatingPointError as error:
        explain_nan(error, fun, args, kwargs)
    except shardings.DeviceMismatch as mismatch:
        raise lowering.mismatch_error(
            getattr(fun, "__qualname__", p.params["name"]), mismatch, flat, p) from None
    except errors.InvalidInputException as error:
        raise lowering.input_error(error, flat, p) from error
    result = p.out_tree.unflatten(outs)
    why = why_not_fast(executable, p.out_tree, outs, p.params["jaxpr"])
    return PythonPath(result, None if why else executable, p.out_tree, why)


def run(flat: list, p: dict) -> tuple[list[Array], Executable]:
    """Lower, compile and execute (JAX's ``_pjit_call_impl_python``)."""
    here = process.current()
    computation = lowering.lower(flat, p)
    executable = computation.compile()
    here.recorder.work("execute", executable.name)
    if here.config.value("jax_no_execution"):
        raise RuntimeError(f"JAX tried to execute function jit({executable.name}), but the "
                           "no_execution config option is set")
    outs = executable.run(flat)
    evaluate.check_special(f"jit({executable.name})", outs)
    return outs, executable


def why_not_fast(executable: Executable | None, out_tree: Any, outs: list, jaxpr: Jaxpr) -> str:
    """Why C++ must not answer this signature, or "" when it may.

    JAX source: ``jax/_src/pjit.py: _get_fastpath_data``."""
    if executable is None:
        return "the call was staged into another computation"
    if executable.has_effects:
        return "the computation has effects"
    if touches_refs(jaxpr.effects):
        return "the program reads or writes a ref from outside"
    if process.current().config.value("jax_no_execution"):
        return "jax_no_execution is set"
    return why_no_array(out_tree, outs)


def why_no_array(out_tree: Any, outs: list) -> str:
    """Why C++ could not make this result, or "" when it can.

    To see it, JAX makes the containers of the result once more and takes them apart: a
    program notices whose classes do something when they are made. JAX source:
    ``jax/_src/interpreters/pxla.py: reflatten_outputs_for_dispatch``."""
    leaves, _ = process.current().registries.dispatch.flatten(out_tree.unflatten(outs))
    return "" if all([isinstance(leaf, Array) for leaf in leaves]) else "a result is no array"


def explain_nan(error: errors.InternalFloatingPointError, fun: Callable, args: tuple,
                 kwargs: dict) -> NoReturn:
    """Raise a FloatingPointError about a NaN or Inf in a result of ``fun(*args,
    **kwargs)``, more precise when running `fun` without jit finds the operation. JAX
    source: ``jax/_src/api_util.py: maybe_recursive_nan_check``."""
    # JAX runs the function once more, un-jitted, to name the operation.
    if getattr(fun, "_apply_primitive", False):
        raise FloatingPointError(
            f"invalid value ({error.kind}) encountered in {fun.__qualname__}") from None
    try:
        fun(*args, **kwargs)
    except (FloatingPointError, ZeroDivisionError) as precise:
        raise precise from None
    raise FloatingPointError(
        f"({error.name!r}, {error.kind!r}). Because jax_config.debug_nans.value and/or "
        "config.jax_debug_infs is set, the de-optimized function (i.e., the function as if the "
        "`jit` decorator were removed) was called in an attempt to get a more precise error "
        "message. However, the de-optimized function did not produce invalid values during its "
        "execution. This behavior can result from `jit` optimizations causing the invalid value "
        "to be produced. It may also arise from having nan/inf literals as inputs or outputs, "
        "like `jax.jit(lambda ...: jax.numpy.nan)(...)`. ") from None
