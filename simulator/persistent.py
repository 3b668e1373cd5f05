"""Cache 6, persistent: executables on disk, found by what they contain.

The key is a hash of the module and of everything that could change the compiled
code. No Python object takes part, so it survives the process. It is off unless
a directory is set; and small programs are not written unless the thresholds
are lowered.

JAX source: ``jax/_src/compiler.py: compile_or_get_cached, _cache_write``,
``jax/_src/compilation_cache.py``, ``jax/_src/cache_key.py: get``,
``jax/_src/lru_cache.py``.

Simplified: the file holds no machine code, only the key's parts. How long a
compilation takes and how large an executable is are not known to the model, so
thresholds that it cannot decide are refused by name.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from simulator import compile_options, explain, keys
from simulator.errors import OutOfScope
from simulator.executable import XlaExecutable
from simulator.facts import facts
from simulator.jaxprs.module import Module
from simulator.listeners import CACHE
from simulator.placement.shardings import UNSPECIFIED

# A program of the size the model can hold compiles in a small fraction of a
# second and serializes to some kilobytes. Thresholds outside these bounds are
# decided, those inside refused.
SURELY_LONGER_SECS, SURELY_SHORTER_SECS = 0.001, 0.9
SURELY_LARGER_BYTES, SURELY_SMALLER_BYTES = 500, 1_000_000


class Disk:
    """The persistent cache of one process (``compilation_cache._cache`` and its flags).

    JAX reads the directory once, when it is first set, and the enable flag once
    per process. Changing either later does nothing until `reset`.
    """

    def __init__(self, process: Any):
        self._process = process
        self.reset()

    def reset(self) -> None:
        """``compilation_cache.reset_cache()``: forget directory and flags."""
        self._path: str | None = None
        self._checked = False
        self._used = False
        self._initialized = False

    def _option(self, name: str) -> Any:
        return self._process.config.value(name)

    def _event(self, name: str) -> None:
        self._process.recorder.persistent_event(name)
        self._process.listeners.event(CACHE + name)

    def _cache_used(self) -> bool:
        if not self._checked:
            self._checked = True
            if self._option("jax_enable_compilation_cache"):
                self._event("tasks_using_cache")
                self._used = True
            else:
                self._event("task_disabled_cache")
        return self._used

    def _directory(self) -> str | None:
        if self._path is None and not self._initialized:
            path = self._option("jax_compilation_cache_dir")
            if path and self._option("jax_enable_compilation_cache"):
                self._initialized = True
                if self._option("jax_compilation_cache_max_size") != -1:
                    raise OutOfScope("jax_compilation_cache_max_size",
                                     "leave it at its default: eviction needs the sizes of "
                                     "real executables")
                os.makedirs(path, exist_ok=True)
                self._path = str(path)
        return self._path

    @property
    def announces(self) -> bool:
        """Whether misses and writes are logged as warnings."""
        return bool(self._option("jax_compilation_cache_dir") is not None
                    and self._option("jax_explain_cache_misses")
                    and self._option("jax_enable_compilation_cache"))

    def key(self, module: Module, devices: tuple, options: tuple) -> tuple:
        """The parts of the key: the fields of `keys.DISK`.

        Simplified: platform, compression and custom hook are the same for every
        process here; they are shown, but not hashed.
        """
        # The flags of this moment, whatever the backend was started with.
        words = [w for name in ("XLA_FLAGS", "LIBTPU_INIT_ARGS")
                 for w in os.environ.get(name, "").split()]
        words += [a for a in sys.argv[1:] if a.startswith("--xla")]
        excluded = facts()["persistent"]["excluded_flags"]
        xla_flags = sorted(w for w in words if w.split("=")[0] not in excluded)
        compile_options = [("devices", tuple(d.id for d in devices)),
                           ("partitions", module.num_devices),
                           ("optimization_level", self._option("jax_optimization_level")),
                           ("memory_fitting_level", self._option("jax_memory_fitting_level")),
                           ("disable_most", self._option("jax_disable_most_optimizations")),
                           ("remat", self._option("jax_compiler_enable_remat_pass")),
                           ("profile_version", self._option("jax_xla_profile_version")),
                           ("shardy", self._option("jax_use_shardy_partitioner")),
                           ("propagate_to_parameters",
                            tuple(s is UNSPECIFIED for s in module.in_shardings)),
                           ("propagate_to_outputs",
                            tuple(s is UNSPECIFIED for s in module.out_shardings)),
                           *options]
        return (module.sym_name, module.text, facts()["jaxlib"], " ".join(xla_flags),
                tuple(compile_options), f"{len(self._process.devices)} devices")

    def compile_or_get_cached(self, module: Module, devices: tuple, options: tuple
                              ) -> XlaExecutable:
        """The executable from disk, or a new one, written when the thresholds allow."""
        recorder = self._process.recorder
        name = module.name.removeprefix("jit(").removesuffix(")")
        if not self._cache_used():
            recorder.work("compile", name)
            compile_options.check(options)
            return XlaExecutable(module, "compiled")
        self._event("compile_requests_use_cache")
        directory = self._directory()
        parts: tuple = ()
        key = f"{module.sym_name}-"  # without a folder nobody gets to see more of it
        if directory:
            parts = self.key(module, devices, options)
            name_part, *hashed = keys.DISK.slot(parts)
            key = f"{name_part}-{_digest(repr(hashed))}"
        file = os.path.join(directory, f"{key}-cache") if directory else None
        found, corrupt = self._read(file, module) if file else (False, False)
        if directory:
            self._report(name, "hit" if found else "miss", key, parts)
        if found:
            recorder.work("load", name)
            explain.persistent_hit(module.sym_name, key)
            self._event("cache_hits")
            self._process.listeners.duration(CACHE + "compile_time_saved_sec", 0.0)
            self._process.listeners.duration(CACHE + "cache_retrieval_time_sec", 0.0)
            return XlaExecutable(module, "loaded")
        explain.persistent_miss(module.sym_name, key)
        recorder.work("compile", name)
        compile_options.check(options)
        made = XlaExecutable(module, "compiled")
        self._write(file, key, module, name, corrupt, parts)
        return made

    def _read(self, file: str, module: Module) -> tuple[bool, bool]:
        if not os.path.exists(file):
            return False, False
        with open(file, "rb") as stored:
            data = stored.read()
        if not data.startswith(_MAGIC):
            explain.unreadable_entry(module.sym_name)
            return False, True
        return True, False

    def _write(self, file: str | None, key: str, module: Module, name: str, corrupt: bool,
               parts: tuple) -> None:
        recorder = self._process.recorder
        seconds = self._option("jax_persistent_cache_min_compile_time_secs")
        if seconds > SURELY_LONGER_SECS:
            if seconds < SURELY_SHORTER_SECS:
                raise OutOfScope(f"jax_persistent_cache_min_compile_time_secs={seconds}",
                                 "use 0 or the default: the model knows no compile times")
            explain.too_quick(module.sym_name, seconds)
            if file:
                recorder.store("disk", name, "skipped", "compiled faster than the threshold")
            return
        if file is None:
            explain.no_directory(key)
            return
        size = self._option("jax_persistent_cache_min_entry_size_bytes")
        if size > SURELY_LARGER_BYTES:
            if size < SURELY_SMALLER_BYTES:
                raise OutOfScope(f"jax_persistent_cache_min_entry_size_bytes={size}",
                                 "use 0 or a very large size: the model knows no sizes")
            explain.too_small(key, size)
            recorder.store("disk", name, "skipped", "smaller than the threshold")
            return
        explain.writing(module.sym_name, key)
        self._event("cache_misses")
        if not corrupt:  # an existing file is never overwritten
            with open(file, "wb") as out:
                out.write(_MAGIC + repr(parts).encode())
        recorder.store("disk", name, "written", "")

    def _report(self, name: str, outcome: str, key: str, parts: tuple) -> None:
        shown = [("file name", key), *((k, _short(str(v))) for k, v in
                                       zip(keys.DISK.names[1:], parts[1:])), *_CONSTANT_PARTS]
        self._process.recorder.lookup("disk", name, outcome, lambda: shown)


_MAGIC = b"six caches\n"
_CONSTANT_PARTS = (("platform", "cpu"), ("compression", "zlib"), ("custom_hook", ""))


def _short(text: str) -> str:
    return text if len(text) <= 60 else "sha256 " + _digest(text)[:12]


def _digest(text: str) -> str:
    import hashlib
    return hashlib.sha256(text.encode()).hexdigest()
