"""What XLA compiled once is not compiled again by the next of many programs.

Thousands of random programs compile the same small modules over and over, and XLA takes
more time than everything that is compared. With a store, what XLA makes of a module is
kept in a folder, and loaded by the programs after it, as JAX's own persistent cache would
load it. The store lies below everything that is observed: JAX looks up, lowers, "compiles"
and logs as always, and only the compiler's inner work is left out. What the key of an
entry has is all that XLA sees: the module's text, the options, the devices, the flags.

JAX source: ``jax/_src/compiler.py: backend_compile_and_load``, which calls
``Client.compile_and_load``.
"""

from __future__ import annotations

import hashlib
import os
import pathlib


def install(folder: str) -> None:
    """From now on, compilations of this process go through the store in `folder`.

    Programs with callbacks into Python are compiled anew: an executable kept on disk has none.
    """
    from jax._src.lib import xla_client
    client = xla_client.Client
    compile_and_load = client.compile_and_load
    place = pathlib.Path(folder)

    def compiled(backend, module, executable_devices, compile_options, **more):
        if more:
            return compile_and_load(backend, module, executable_devices=executable_devices,
                                    compile_options=compile_options, **more)
        path = place / _key(module, executable_devices, compile_options)
        if path.exists():
            return backend.deserialize_executable(path.read_bytes(), executable_devices,
                                                  compile_options)
        found = compile_and_load(backend, module, executable_devices=executable_devices,
                                 compile_options=compile_options)
        write(path, found.serialize())
        return found

    client.compile_and_load = compiled


def _key(module, devices, options) -> str:
    parts = (module.operation.get_asm(), str([d.id for d in devices]),
             os.environ.get("XLA_FLAGS", ""))
    digest = hashlib.sha256("\0".join(parts).encode())
    digest.update(options.SerializeAsString())
    return digest.hexdigest()


def write(path: pathlib.Path, data: bytes) -> None:
    """Whole or not at all: another worker may be reading the file, or writing it too."""
    unfinished = path.with_name(f"{path.name}.{os.getpid()}")
    unfinished.write_bytes(data)
    unfinished.replace(path)
