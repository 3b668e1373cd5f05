"""Runs inside Pyodide just before the snapshot: imports what a program may
ask for, and runs the model once."""

import importlib
import pkgutil
import sys

LIBRARY = (
    "__future__ abc ast collections.abc contextlib copy dataclasses enum fractions functools gc "
    "inspect io itertools json logging math numbers operator os os.path "
    "pathlib pprint random re statistics string tempfile textwrap threading time timeit "
    "traceback types typing uuid warnings weakref concurrent.futures"
).split()


def unpack():
    """Puts the model where packages are imported from. (Pyodide's own way of
    installing a wheel would import much that is never needed again.)"""
    import zipfile

    with zipfile.ZipFile("/model.whl") as wheel:
        wheel.extractall(next(path for path in sys.path if path.endswith("site-packages")))
    sys.path_importer_cache.clear()


def warm():
    """Imports the library and every module of the model, and runs one program."""
    for name in LIBRARY:
        importlib.import_module(name)
    import simulator

    for module in pkgutil.walk_packages(simulator.__path__, "simulator."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)


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
