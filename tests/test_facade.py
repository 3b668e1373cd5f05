"""The facade's packages: names that are loaded late look like names that were always there."""

import subprocess
import sys
import types
import weakref

import pytest

from simulator.facade import lazily, pristine
from simulator.recordings.recording import Note
from simulator.running.program import observe_text


@pytest.fixture(scope="module", autouse=True)
def everything():
    pristine.everything()


def notes(text):
    return [item.note for item in observe_text(text).calls if isinstance(item, Note)]


def test_every_listed_name_is_there_and_stays_the_same_object():
    for package, where in lazily._packages.items():
        module = sys.modules[package]
        for name in where:
            assert getattr(module, name) is getattr(module, name), (package, name)


def test_no_name_is_that_of_a_hidden_module():
    # Importing the module would put it in the name's place.
    for package, where in lazily._packages.items():
        for name, (home, original) in where.items():
            hidden = f"{package}.{name}" in sys.modules
            assert not hidden or (home, original) == (f"{package}.{name}", ""), (package, name)


def test_the_modules_behind_a_package_are_no_part_of_it():
    for package, where in lazily._packages.items():
        shown = sys.modules[package].__dir__()
        modules = {n for n in shown if not n.startswith("_")
                   and isinstance(getattr(sys.modules[package], n), types.ModuleType)}
        assert modules <= set(where)
        assert modules >= {name for name, (_, original) in where.items() if not original}


def test_what_a_program_replaces_is_back_in_the_next_one():
    change = ("import jax, jax.numpy as jnp\n"
              "jnp.sinh = jnp.cosh = jax.debug.print = jax.jit = jnp.mine = 3\n")
    look = ("import jax, jax.numpy as jnp\n"
            "note('a', [jnp.sinh == 3, jnp.cosh == 3, jax.debug.print == 3, jax.jit == 3,"
            " hasattr(jnp, 'mine')])\n")
    assert notes(change + look.replace("'a'", "'b'")) == [[True] * 5]
    assert notes(look) == [[False] * 5]


def test_replaced_before_it_was_loaded():
    text = ("from simulator.running.program import observe_text\n"
            "change = 'import jax.numpy as jnp; jnp.kron = 3'\n"
            "look = 'import jax.numpy as jnp; note(\"kron\", callable(jnp.kron))'\n"
            "observe_text(change)\n"
            "print(observe_text(look).calls[0].note)\n")
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"


def test_star_imports_and_dir_show_all():
    assert notes("from jax.numpy import *\nnote('a', float(kron(arange(2.), arange(2.))[3]))\n"
                 ) == [1.0]
    assert notes("import jax, jax.numpy as jnp\n"
                 "note('a', ['kron' in dir(jnp), 'vmap' in dir(jax), 'arithmetic' in dir(jnp),"
                 " hasattr(jnp, 'arithmetic')])\n") == [[True, True, False, False]]


def test_a_short_program_loads_few_modules():
    text = ("import sys\n"
            "from simulator.running.program import observe_text\n"
            "observe_text('import jax, jax.numpy as jnp; jax.jit(lambda x: x * 2)(jnp.arange(3.))')\n"
            "unwanted = {'inspect', 'dataclasses', 'logging', 'ast', 'tempfile', 'hashlib',\n"
            "            'simulator.facade.jax.numpy.statistics', 'simulator.facade.jax.random',\n"
            "            'simulator.batching.all'}\n"
            "print(sorted(unwanted & set(sys.modules)))\n")
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_numpys_functions_take_weak_references_as_there():
    real = pytest.importorskip("numpy")
    from simulator.facade import numpy as ours

    def weak(function):
        try:
            return weakref.ref(function) is not None
        except TypeError:
            return False

    names = [name for name in dir(ours) if callable(getattr(real, name, None))]
    assert len(names) > 150
    assert [n for n in names if weak(getattr(ours, n)) != weak(getattr(real, n))] == []


def test_a_module_that_one_program_imported_is_there_in_the_next():
    by_name = "import jax.scipy.special\nnote('a', jax.scipy.special.erf.__name__)\n"
    of_package = "from jax.scipy import special\nnote('a', special.erf.__name__)\n"
    assert notes(by_name) == notes(of_package) == notes(by_name) == ["erf"]
