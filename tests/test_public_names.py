"""Every public name is there and called by some test, or is refused under that very name.

What the calls must give is said elsewhere: programs against recordings of real JAX
(``tests/programs/kept``: events and jaxprs), primitives against real JAX (`test_primitives`).
"""

import functools
import json
import pathlib
import re

import pytest

from simulator.recordings.recording import Note
from simulator.running import program

ROOT = pathlib.Path(__file__).resolve().parents[1]
NAMES = json.loads((ROOT / "simulator/data/public-names.json").read_text(encoding="utf-8"))
MODULES = ("jax", "jax.numpy", "jax.numpy.fft", "jax.numpy.linalg", "jax.lax", "jax.nn",
           "jax.nn.initializers", "jax.random", "jax.tree", "jax.tree_util", "jax.ops",
           "jax.scipy.special")

LOOK = """\
import types
import {module}
package, found = {module}, {{}}
for name in {names!r}:
    try:
        value = getattr(package, name)
    except BaseException as error:
        found[name] = f"{{type(error).__name__}} {{getattr(error, 'feature', error)}}"
    else:
        found[name] = (
            "module" if isinstance(value, types.ModuleType) else
            "primitive" if name.endswith("_p") else
            "type" if isinstance(value, type) else
            "function" if callable(value) else "value")
note("found", found)
"""


@functools.cache
def kinds(module):
    """Public name -> what it is, or how it was refused."""
    text = LOOK.format(module=module, names=NAMES[module])
    (found,) = [n.note for n in program.observe_text(text).calls if isinstance(n, Note)]
    return found


@functools.cache
def text_of_the_tests():
    """The text of all that runs on the model in tests."""
    files = [*(ROOT / "tests").rglob("*.py"), *(ROOT / "tests").glob("*.txt"),
             *(ROOT / "content").rglob("*.py")]
    return "\n".join(path.read_text(encoding="utf-8") for path in files
                     if path != pathlib.Path(__file__))


@pytest.mark.parametrize("module", MODULES)
def test_a_name_is_there_or_refused_as_itself(module):
    for name, kind in kinds(module).items():
        if kind not in ("module", "primitive", "type", "function", "value"):
            assert kind == f"OutOfScope {module}.{name}"


@pytest.mark.parametrize("module", MODULES)
def test_every_function_is_used_by_a_test(module):
    words = set(re.findall(r"\w+", text_of_the_tests()))
    unused = [name for name, kind in kinds(module).items()
              if kind in ("function", "type", "value") and name not in words]
    assert unused == []
