"""The process of a program that is watched as it is: ``python -m simulator.live.own_child JOB``.

JOB is a JSON file: program (path), arguments, spool (path of the file to write to),
tap (bool), module (its name, or null). The program gets what ``python PROGRAM
ARGUMENTS`` or ``python -m MODULE ARGUMENTS`` would give it: its name is ``__main__``,
its folder or the working directory is first on the path, its working directory,
environment, output and exit status are its own. JAX is watched from the moment
the program has imported it.
"""

from __future__ import annotations

import atexit
import importlib.util
import inspect
import io
import json
import os
import sys
import time
import types

from simulator.live.normal import Normaliser
from simulator.live.signatures import Tap
from simulator.live.spool import Spool
from simulator.recordings.recording import JAX_VERSION
from simulator.running import reading


class AfterImport:
    """On ``sys.meta_path``: calls ``ready()`` once, when module `name` has been imported."""

    def __init__(self, name: str, ready):
        self.name, self.ready = name, ready

    def find_spec(self, name, path=None, target=None):
        """The real spec of the module that is awaited, loaded through this object; None for
        others."""
        if name != self.name:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None:
            self.spec, self.loader = spec, spec.loader
            spec.loader = self
        return spec

    def create_module(self, spec):
        """As the real loader does it."""
        return self.loader.create_module(spec)

    def exec_module(self, module):
        """Run the module as the real loader does, then call `ready`."""
        self.spec.loader = module.__loader__ = self.loader
        self.loader.exec_module(module)
        self.ready()


class Watcher:
    """Everything that watches one run, until the program's own exit handlers have run."""

    def __init__(self, job: dict, program: str, text: str, tap: Tap | None):
        self.job, self.program, self.text, self.tap = job, program, text, tap
        self.started = time.perf_counter()
        self.keeper = self.recorder = None
        self.limits: dict[str, None] = {}
        self.devices, self._process = 1, os.getpid()
        # What is registered first runs last: after the handlers of the program and of JAX.
        atexit.register(self.finish)

    def watch(self) -> None:
        """JAX has just been imported: begin. SystemExit for another version of it."""
        import jax
        if jax.__version__ != JAX_VERSION:
            sys.exit(f"This recorder reads JAX {JAX_VERSION}; the program imports JAX "
                     f"{jax.__version__}. Record it where JAX {JAX_VERSION} is installed.")
        from jax._src import dispatch, pjit, stages

        from simulator.live.keeper import Keeper
        from simulator.live.own_calls import Outermost
        from simulator.live.own_fast_path import OwnFastPath
        from simulator.live.places import Places
        from simulator.live.recorder import Recorder
        jax.config.update("jax_log_compiles", True)
        jax.config.update("jax_explain_cache_misses", True)
        normal = Normaliser(os.path.dirname(self.program), os.path.dirname(self.job["spool"]))
        recorder = self.recorder = Recorder(normal, self.tap, OwnFastPath, brief=True)
        keeper = self.keeper = Keeper(self.job["spool"], recorder, self.started)
        places = Places(self.program, reading.lines(self.text))
        outermost = Outermost(keeper, places, self._handed)
        outermost.install(recorder)
        for function in (pjit.jit_trace, pjit.jit_lower, pjit.jit_eval_shape,
                         stages.Traced.lower, stages.Lowered.compile,
                         stages.Compiled.__call__):
            code = inspect.unwrap(function).__code__
            recorder.around(code, outermost.around, outermost.ended)
        recorder.around(dispatch.apply_primitive.__code__, outermost.primitive, outermost.ended)
        atexit.register(self._count_devices)
        recorder.start()

    def _count_devices(self) -> None:
        """JAX's own exit handler, which runs next, lets go of the devices."""
        import jax
        from jax._src import xla_bridge
        if xla_bridge.backends_are_initialized():
            self.devices = jax.device_count()

    def _handed(self, place) -> None:
        if self.tap is None:
            self.limits[f"line {place.where or place.line}: C code calls a jitted function here "
                        f"({place.label}); calls that it answers from the fast path are seen "
                        "with --signatures only"] = None

    def finish(self) -> None:
        """The program is over."""
        if os.getpid() != self._process:      # a fork of it is
            return
        seconds = round(time.perf_counter() - self.started, 3)
        if self.recorder is None:
            Spool(self.job["spool"]).write(json.dumps({"end": {"seconds": seconds}}) + "\n")
            return
        path = self.recorder.fast_path
        path.whole()
        self.recorder.stop()
        if self.keeper.full:
            self.limits["there was so much to keep that later misses are only counted"] = None
        self.keeper.finish(
            calls=self.keeper.number, seconds=seconds,
            recorder=round(path.spent + path.other * 2e-7, 3), jax=JAX_VERSION,
            devices=self.devices, limits=list(self.limits))


def main(path: str) -> int:
    """Run the program of one job file; returns its exit status."""
    with open(path, encoding="utf-8") as file:
        job = json.load(file)
    program = os.path.abspath(job["program"])
    with io.open_code(program) as file:
        source = file.read()
    text = reading.shown(source)
    tap = Tap() if job["tap"] else None
    watcher = Watcher(job, program, text, tap)
    module = types.ModuleType("__main__")
    module.__file__ = program
    sys.modules["__main__"] = module
    sys.path.insert(0, os.getcwd() if job["module"] else os.path.dirname(program))
    sys.argv = [job["program"], *job["arguments"]]
    sys.meta_path.insert(0, AfterImport("jax", watcher.watch))
    try:
        if job["module"]:
            _belongs(module, job["module"])
        exec(compile(source, program, "exec", dont_inherit=True), module.__dict__)
        status = 0
    except SystemExit as end:
        status = _status(end.code)
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next           # without this frame
        sys.excepthook(type(error), error, error.__traceback__)
        status = 130 if isinstance(error, KeyboardInterrupt) else 1
    return status


def _belongs(module, name: str) -> None:
    """Import the packages around a module, and make it one of them: a package runs its __main__."""
    spec = importlib.util.find_spec(name)
    if spec is not None and spec.submodule_search_locations is not None:
        spec = importlib.util.find_spec(f"{name}.__main__")
    if spec is not None:
        module.__spec__, module.__package__, module.__loader__ = spec, spec.parent, spec.loader


def _status(code) -> int:
    """The exit status that Python makes of ``SystemExit(code)``."""
    if code is None or isinstance(code, int):
        return int(code or 0) & 0xFF
    print(code, file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
