"""Watches every cache of this process: installs the stand-ins and the hooks.

Runs in the child process of `simulator.live.observe`, after jax is imported and
before the program runs.
"""

from __future__ import annotations

import inspect
import os
import sys
import types

from simulator.live import describe as describing
from simulator.live import frames
from simulator.live.caches import Watch
from simulator.live.disk import Disk
from simulator.live.fast_path import FastPath
from simulator.live.heard import Heard
from simulator.live.keys import Keys, guarded
from simulator.live.normal import Normaliser
from simulator.live.operators import Operators
from simulator.live.signatures import Tap
from simulator.live.stream import Stream, plain

_TOOL = 3
_EARLIER = 1000
_NO_STATICS = types.SimpleNamespace(static_argnums=(), static_argnames=())


class Recorder:
    """Everything that watches JAX in this process.

    Args:
      normal: turns log lines into stable text.
      tap: what C++ prints, or None to go without.
      fast_path: the class that watches the fast path.
      brief: keys of misses only, few earlier keys: for programs that run long.
    """

    def __init__(self, normal: Normaliser, tap: Tap | None, fast_path=FastPath,
                 brief: bool = False):
        from jax._src import dispatch, pjit, stages
        from jax._src.interpreters import mlir, partial_eval, pxla
        self.normal = normal
        cache_miss = frames.nested(pjit._cpp_pjit, "cache_miss")
        call_impl = frames.nested(pjit._pjit_call_impl, "call_impl_cache_miss")
        aot_miss = frames.nested(pxla.MeshExecutable.create_cpp_call, "aot_cache_miss")
        apply_primitive = dispatch.apply_primitive.__code__
        aot_call = stages.Compiled.call.__code__
        jit_trace = inspect.unwrap(pjit.jit_trace).__code__
        self.stream = Stream({cache_miss, call_impl, apply_primitive, aot_call, jit_trace},
                             _EARLIER if brief else None)
        self.describe = describing.Describe(self.stream.labels, normal)
        self.fast_path = fast_path(self.stream, self.describe, tap)
        self.watch = Watch(self.stream)
        self.disk = Disk(self.stream, self.watch.compiling)
        self._starts = {
            cache_miss: self._jit_starts, call_impl: self._impl_starts,
            aot_call: self._aot_starts, apply_primitive: self._path_starts,
            jit_trace: self._path_starts,
            pxla.MeshComputation.compile.__code__: self._memo,
            inspect.unwrap(pxla.ExecuteReplicated.__call__).__code__: self._executes,
            **self.disk.starts,
        }
        self._returns = {cache_miss: self._jit_returns, call_impl: self._jit_returns,
                         aot_miss: self._aot_returns, **self.disk.returns}
        self._unwinds = {cache_miss: self._jit_unwinds, call_impl: self._jit_unwinds,
                         aot_miss: self._jit_unwinds}
        self._install_caches(pjit, partial_eval, pxla, dispatch, brief)
        self._starts[mlir.lower_jaxpr_to_module.__code__] = self._lowers
        self.heard = Heard(self.stream, self.disk, normal, brief)

    # -- installing ------------------------------------------------------------

    def _install_caches(self, pjit, partial_eval, pxla, dispatch, brief) -> None:
        keys = Keys(self.describe)
        names = keys.names() if brief else {}
        places = (("params", pjit, "_infer_params_cached", "_infer_params_cached"),
                  ("trace", partial_eval, "trace_to_jaxpr", "trace_to_jaxpr_nocache"),
                  ("lower", pjit, "_pjit_lower", "_pjit_lower"),
                  ("hlo", pxla, "_cached_lowering_to_hlo", "_cached_lowering_to_hlo"),
                  ("compile", pxla, "_cached_compilation", "_cached_compilation"),
                  ("prim", dispatch, "xla_primitive_callable", "xla_primitive_callable"))
        self.caches = {}
        for station, module, variable, body in places:
            cache = getattr(module, variable)
            self.caches[station] = cache
            self._starts[frames.body(cache, body)] = self._body(station)
            name = guarded(names[station], "?") if brief else None
            self.watch.install(module, variable, station, guarded(getattr(keys, station)), name)
        self.watch.probe("fast_path", pjit._cpp_pjit_cache_explicit_attributes.size)
        from jax._src import source_info_util, traceback_util
        here = os.path.dirname(os.path.abspath(__file__))
        for file in (os.path.join(here, name) for name in ("caches.py", "child.py", "own_child.py")):
            source_info_util.register_exclusion(file)
            traceback_util.register_exclusion(file)

    def around(self, code, began, ended) -> None:
        """Also call ``began(frame)`` and ``ended(error)`` around a function of JAX."""
        self._starts[code] = _both(began, self._starts.get(code))
        self._returns[code] = _both(self._returns.get(code), lambda frame, value: ended(None))
        self._unwinds[code] = _both(self._unwinds.get(code), lambda frame, error: ended(error))

    def start(self) -> None:
        """Begin to receive interpreter events."""
        monitoring, event = sys.monitoring, sys.monitoring.events
        monitoring.use_tool_id(_TOOL, "six caches")
        path = self.fast_path
        for kind, function in ((event.CALL, path.on_call), (event.C_RETURN, path.on_c_return),
                               (event.C_RAISE, path.on_c_raise), (event.RAISE, path.on_raise),
                               (event.PY_START, self._on_start),
                               (event.PY_RETURN, self._on_return),
                               (event.PY_UNWIND, self._on_unwind)):
            monitoring.register_callback(_TOOL, kind, function)
        if path.tap is not None:
            path.operators = Operators(_TOOL, path.by_operator)
            monitoring.register_callback(_TOOL, event.INSTRUCTION, path.operators.on_instruction)
        for code in {*self._starts, *self._returns, *self._unwinds}:
            monitoring.set_local_events(_TOOL, code, event.PY_START | event.PY_RETURN)
        monitoring.set_events(_TOOL, event.CALL | event.PY_UNWIND | event.RAISE)

    def stop(self) -> None:
        """Receive no more interpreter events."""
        monitoring, event = sys.monitoring, sys.monitoring.events
        monitoring.set_events(_TOOL, 0)
        # The events of single code objects go on until their callbacks are gone.
        for kind in (event.PY_START, event.PY_RETURN, event.INSTRUCTION):
            monitoring.register_callback(_TOOL, kind, None)
        monitoring.free_tool_id(_TOOL)

    # -- interpreter events ------------------------------------------------------

    def _on_start(self, code, offset):
        if code in self._starts:
            self._starts[code](sys._getframe(1))

    def _on_return(self, code, offset, value):
        if code in self._returns:
            self._returns[code](sys._getframe(1), value)

    def _on_unwind(self, code, offset, error):
        if code in self._unwinds:
            self._unwinds[code](sys._getframe(1), error)

    def _path_starts(self, frame=None):
        self.stream.entered = True

    def _jit_starts(self, frame):
        values = frame.f_locals
        fun, info = values["fun"], values["jit_info"]
        self._path_starts()
        self.fast_path.enter(fun, self.describe.function(fun), self.describe.jit_info(info),
                             lambda: (info, values["args"], values["kwargs"]))

    def _impl_starts(self, frame):
        self._path_starts()
        self.fast_path.enter(None, str(frame.f_locals["name"]), [],
                             lambda: (_NO_STATICS, frame.f_locals["args_"], {}))

    def _aot_starts(self, frame):
        self._path_starts()
        caller = frame.f_back
        if caller is not None and caller.f_code.co_name == "aot_cache_miss":
            values = caller.f_locals
            self.fast_path.enter(None, frames.aot_name(caller), [],
                                 lambda: (_NO_STATICS, values["args"], values["kwargs"]))
        else:          # a program with effects has no C++ call: Python, without asking
            params = frame.f_locals["args"][0]
            self.stream.work("python", frames.executable_name(params.executable),
                             self.stream.inside())

    def _jit_returns(self, frame, value):
        stored = isinstance(value, tuple) and len(value) > 1 and value[1] is not None
        self.fast_path.leave(self._path_name(frame), self.stream.inside(), stored,
                             "" if stored else frames.why_dead(frame))

    def _aot_returns(self, frame, value):
        stored = isinstance(value, tuple) and value[1] is not None
        self.fast_path.leave(frames.aot_name(frame), self.stream.depth(), stored,
                             "" if stored else "an output is no plain array")

    def _jit_unwinds(self, frame, error):
        aot = frame.f_code.co_name == "aot_cache_miss"
        depth = self.stream.depth() if aot else self.stream.inside()
        name = frames.aot_name(frame) if aot else self._path_name(frame)
        self.fast_path.leave(name, depth, False, f"the call raised {type(error).__name__}", error)

    def _path_name(self, frame) -> str:
        values = frame.f_locals
        return str(values["name"]) if "name" in values else self.describe.function(values["fun"])

    def _body(self, station):
        def starts(frame):
            self.watch.body_started(station)
            if station == "trace":
                from jax._src import config
                if not config.no_tracing.value:
                    self.stream.work("trace", self.describe.function(frame.f_locals["fun"]),
                                     self.stream.inside())
        return starts

    def _lowers(self, frame):
        name = str(frame.f_locals.get("module_name", "?"))
        self.stream.work("lower", plain(name), self.stream.inside())

    def _memo(self, frame):
        values = frame.f_locals
        computation = values["self"]
        free = values.get("compiler_options") is None and values.get("device_assignment") is None
        hit = free and computation._executable is not None
        self.stream.lookup("memo", plain(computation._name), self.stream.inside(),
                           "hit" if hit else "miss", [])

    def _executes(self, frame):
        self.stream.work("execute", plain(str(frame.f_locals["self"].name)),
                         self.stream.inside())

def _both(first, second):
    """One hook out of two, either of which may be None."""
    def run(*arguments):
        for hook in (first, second):
            if hook is not None:
                hook(*arguments)
    return run


