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
    """Runs a program that imports all there is under the names of jax and numpy;
    then imports what is left of the model, and of the library what a program may
    import."""
    from simulator.running.program import observe_text
    from simulator.running.sandbox import STDLIB

    facade = "simulator.facade."
    public = [name.removeprefix(facade) for name in modules() if name.startswith(facade)]
    lines = [f"import {name}" for name in public if name.partition(".")[0] in ("jax", "numpy")]
    observe_text("\n".join([*lines, "jax.jit(lambda x: x + 1)(jax.numpy.arange(3.0))"]))
    rest = (name for name in modules() if not name.startswith(facade))
    for name in (*rest, *sorted(STDLIB)):
        if not name.endswith("__main__"):
            importlib.import_module(name)


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
