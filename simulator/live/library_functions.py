"""Write `simulator/data/library-functions.json`: where JAX's own jitted functions are.

JAX names a function by its place when it refuses to trace it. The places of the
library's functions are read from the running package: name -> ``file:line``.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pathlib
import pkgutil
import subprocess
import sys
import types

from simulator.live import environment

TARGET = pathlib.Path(__file__).resolve().parent.parent / "data" / "library-functions.json"
MODULES = ("jax.numpy", "jax.lax", "jax.nn", "jax.random", "jax._src.numpy", "jax._src.random")


def run(output: pathlib.Path | None = None) -> pathlib.Path:
    """Collect in a fresh process and write the data file; returns its path.

    Raises RuntimeError when the child process fails.
    """
    target = output or TARGET
    done = subprocess.run([sys.executable, "-m", "simulator.live.library_functions"],
                          env=environment.clean(), capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"collecting library functions failed:\n{done.stderr}")
    target.write_text(done.stdout, encoding="utf-8")
    return target


def collect() -> dict[str, str]:
    """Function name -> ``jax/_src/….py:line`` (of its first decorator), sorted."""
    import jax
    for name in MODULES:
        module = importlib.import_module(name)
        for item in pkgutil.iter_modules(getattr(module, "__path__", ()), f"{name}."):
            importlib.import_module(item.name)
    root = os.path.dirname(os.path.dirname(jax.__file__)) + os.sep
    jitted = type(jax.jit(lambda x: x))
    found: dict[str, str] = {}
    for thing in gc.get_objects():
        fun = getattr(thing, "_fun", None) if type(thing) is jitted else None
        if not isinstance(fun, types.FunctionType):
            continue
        file = fun.__code__.co_filename
        if file.startswith(root):
            place = f"{file.removeprefix(root)}:{fun.__code__.co_firstlineno}"
            # Two functions of one name: the one in jax.numpy is the one people meet.
            if fun.__name__ not in found or "/numpy/" in place:
                found[fun.__name__] = place
    from jax._src import dispatch
    body = next(c for c in dispatch.xla_primitive_callable.__wrapped__.__code__.co_consts
                if getattr(c, "co_name", "") == "prim_fun")
    from jax._src.lax.control_flow import loops
    # What lowering a scan traces, and what a fori_loop hands to a while_loop.
    lowered = [c for c in loops._scan_impl.__code__.co_consts
               if getattr(c, "co_name", "") in ("cond_fun", "body_fun")]
    # What jax.pmap jits, behind a cache.
    from jax._src import pmap
    cached = next(c.cell_contents for c in pmap._cached_shard_map.__closure__
                  if getattr(c.cell_contents, "__name__", "") == "_cached_shard_map")
    lowered += [c for c in cached.__code__.co_consts if getattr(c, "co_name", "") == "_fun"]
    for code in (body, loops._scan_impl.__code__, loops._fori_cond_fun.__code__, *lowered):
        found[code.co_name] = f"{code.co_filename.removeprefix(root)}:{code.co_firstlineno}"
    return dict(sorted(found.items()))


if __name__ == "__main__":
    sys.stdout.write(json.dumps(collect(), indent=0) + "\n")
