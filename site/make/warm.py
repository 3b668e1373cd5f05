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
    """Runs a program; then imports what is left of the model, and of the library
    what a program may import. All of it stays."""
    from simulator import facts
    from simulator.facade import public
    from simulator.running import garbage
    from simulator.running.importing import STDLIB
    from simulator.running.program import observe_text

    observe_text("import jax\njax.jit(lambda x: x + 1)(jax.numpy.arange(3.0))")
    # What is read from files, and kept.
    facts.facts(), facts.library_functions(), public.is_module("jax")
    for name in (*modules(), *sorted(STDLIB)):
        if not name.endswith("__main__"):
            importlib.import_module(name)
    garbage.settle()


def forget():
    """Drops what refers to files, which a snapshot does not keep, and garbage."""
    import gc
    import linecache
    import zipimport

    sys.path_importer_cache.clear()
    zipimport._zip_directory_cache.clear()
    linecache.clearcache()
    gc.collect()


# The lines that Pyodide's scripts run while they start, and what comes of them.
STARTING = {
    "{}": dict,
    "import importlib; importlib": lambda: importlib,
    "import __main__; __main__.__dict__": lambda: sys.modules["__main__"].__dict__,
    "import builtins; builtins.__dict__": lambda: sys.modules["builtins"].__dict__,
}


def know_the_start():
    """Answers those lines, and a question, without the parser and the compiler, whose
    WebAssembly would have to be compiled first. Any other line goes the usual way."""
    from _pyodide import _base
    from pyodide import _package_loader

    thorough = _base.eval_code

    def eval_code(source, *args, **options):
        known = STARTING.get(source)
        return known() if known else thorough(source, *args, **options)

    _base.eval_code = eval_code
    _package_loader.init_loaded_packages = lambda: None  # looks for packages: there is none


unpack()
warm()
know_the_start()
forget()
