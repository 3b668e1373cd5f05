"""Write `simulator/data/public-names.json`: the public names of every public module.

The model refuses a name that real JAX (or NumPy) has and it does not cover; any
other name is an AttributeError, as on the real thing. Names are read from the
installed packages; names that only raise "was removed" are left out.
"""

from __future__ import annotations

import importlib
import json
import os
import pathlib
import pkgutil
import subprocess
import sys
import types
import warnings

from simulator.live import environment

TARGET = pathlib.Path(__file__).resolve().parent.parent / "data" / "public-names.json"

NUMPY_MODULES = ("numpy", "numpy.linalg", "numpy.random", "numpy.fft", "numpy.testing",
                 "numpy.typing", "numpy.dtypes", "numpy.exceptions", "numpy.ma",
                 "numpy.polynomial", "numpy.lib", "numpy.char", "numpy.strings", "numpy.rec")
"""NumPy modules that programs use; the rest of NumPy is refused as a whole."""

INNER = ("jax.extend.mlir.", "jax.experimental.mosaic.", "jax.experimental.pallas.ops.")
"""Below these no names are collected: the packages are refused as a whole."""


def run(output: pathlib.Path | None = None) -> pathlib.Path:
    """Collect in a fresh process and write the data file.

    Args:
      output: where to write; the committed place by default.
    Returns the path written. Raises RuntimeError when the child process fails.
    """
    target = output or TARGET
    done = subprocess.run([sys.executable, "-m", "simulator.live.public_names"],
                          env=environment.clean(), capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"collecting public names failed:\n{done.stderr}")
    target.write_text(done.stdout, encoding="utf-8")
    return target


def modules() -> list[str]:
    """Every importable public module of JAX, and the listed ones of NumPy, sorted."""
    import jax
    found = ["jax"]
    for item in pkgutil.walk_packages(jax.__path__, "jax.", onerror=lambda name: None):
        parts = item.name.split(".")
        if not any(p.startswith("_") for p in parts) and not item.name.startswith(INNER):
            found.append(item.name)
    return sorted(found) + list(NUMPY_MODULES)


def names_of(module: types.ModuleType) -> list[str]:
    """Public names of a module: those it defines, and deprecated ones that still work."""
    found = {name for name in dir(module) if not name.startswith("_")}
    for name, (_, value) in getattr(module, "_deprecations", {}).items():
        if value is not None:
            found.add(name)
    return sorted(found)


def collect() -> dict[str, list[str]]:
    """Module name -> its public names. Modules that need other packages are left out."""
    warnings.simplefilter("ignore")
    import jax  # noqa: F401
    # Importing a module later makes it a name of its package: not of JAX as it comes.
    found = {name: names_of(module) for name, module in list(sys.modules.items())
             if name.partition(".")[0] == "jax"}
    listed = modules()
    for name in listed:
        try:
            module = importlib.import_module(name)
        except Exception:       # needs a package, or a device, that is not there
            continue
        found.setdefault(name, names_of(module))
    return {name: found[name] for name in listed if name in found}


def to_json(data: dict[str, list[str]]) -> str:
    """One line per module, so that a change of version shows as a change of lines."""
    lines = [f" {json.dumps(name)}: {json.dumps(names)}" for name, names in data.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    # Some modules print while they are imported; only the data goes out.
    real = os.dup(1)
    os.dup2(2, 1)
    text = to_json(collect())
    with os.fdopen(real, "w", encoding="utf-8") as out:
        out.write(text)
