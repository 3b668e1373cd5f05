"""Runs inside Pyodide just before the snapshot: imports what a program may
ask for, and runs the model once."""

import importlib
import sys


def unpack():
    """Puts the model where packages are imported from. (Pyodide's own way of
    installing a wheel would import much that is never needed again.)"""
    import zipfile

    with zipfile.ZipFile("/model.whl") as wheel:
        wheel.extractall(next(path for path in sys.path if path.endswith("site-packages")))
    sys.path_importer_cache.clear()


def modules():
    """Every module of the model by name (found as files: walking the packages
    would import the stand-in for jax, which wants a program around it)."""
    import pathlib

    import simulator

    home = pathlib.Path(simulator.__path__[0])
    for path in sorted(home.rglob("*.pyc")):
        parts = path.relative_to(home.parent).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def warm():
    """Imports the model, all of the library that a program may import, and, by
    running a program, all that it finds there under the names of jax and numpy."""
    facade = "simulator.facade."
    public = []
    for name in modules():
        if name.startswith(facade):
            public.append(name.removeprefix(facade))
        elif not name.endswith("__main__"):
            importlib.import_module(name)
    from simulator.program import observe_text
    from simulator.sandbox import STDLIB

    for name in sorted(STDLIB):
        importlib.import_module(name)
    public = [name for name in public if name.partition(".")[0] in ("jax", "numpy")]
    lines = [f"import {name}" for name in public]
    observe_text("\n".join([*lines, "jax.jit(lambda x: x + 1)(jax.numpy.arange(3.0))"]))


def forget():
    """Drops what refers to files, which a snapshot does not keep, and garbage."""
    import gc
    import linecache
    import zipimport

    sys.path_importer_cache.clear()
    zipimport._zip_directory_cache.clear()
    linecache.clearcache()
    gc.collect()
    gc.collect()


unpack()
warm()
forget()
